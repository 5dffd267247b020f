#include "live/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/state/state.h"

const char *dj_live_state_name(enum dj_live_state state)
{
    static const char *const names[] = {[DJ_LIVE_WAITING] = "waiting",
                                        [DJ_LIVE_RUNNING] = "running",
                                        [DJ_LIVE_ENDED] = "ended"};
    return names[state];
}

bool dj_live_is_local(const char *device)
{
    return device == NULL || strcmp(device, "local:") == 0;
}

static int create_live(const char *device_name, const char *app, struct dj_live **live,
                       struct dj_error *err)
{
    struct dj_live *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    snprintf(made->device_name, sizeof(made->device_name), "%s", device_name);
    snprintf(made->app, sizeof(made->app), "%s", app);
    snprintf(made->selected, sizeof(made->selected), "%s", app);
    made->now_ns = made->opened_ns = made->read_ns = -1;
    made->first_start_ns = made->last_end_ns = made->total_start_ns = -1;
    made->total.longest_ns = -1;
    *live = made;
    return 0;
}

int dj_live_open_device(struct dj_device *device, const char *app, struct dj_live **live,
                        struct dj_error *err)
{
    int code = create_live(device->name, app, live, err);
    if (code != 0) {
        dj_device_close(device);
        return code;
    }
    (*live)->device = device;
    return 0;
}

int dj_live_open(const char *device, const char *app, struct dj_live **live,
                 struct dj_error *err)
{
    struct dj_device *opened;
    if (!dj_live_is_local(device)) {
        int code = dj_device_open(device, &opened, err);
        return code != 0 ? code : dj_live_open_device(opened, app, live, err);
    }
    int code = create_live("local:", app, live, err);
    if (code == 0) {
        (*live)->opened_ns = (*live)->forget_ns = dj_host_now_ns();
    }
    return code;
}

int dj_live_open_process(const char *name, int64_t pid, struct dj_live **live,
                         struct dj_error *err)
{
    int code = dj_live_open(NULL, name, live, err);
    if (code == 0) {
        snprintf((*live)->selected, sizeof((*live)->selected), "%lld", (long long)pid);
    }
    return code;
}

int dj_live_open_device_process(struct dj_device *device, const char *name, int64_t pid,
                                struct dj_live **live, struct dj_error *err)
{
    int code = create_live(device->name, name, live, err);
    if (code == 0) {
        (*live)->device = device;
        (*live)->is_device_shared = true;
        snprintf((*live)->selected, sizeof((*live)->selected), "%lld", (long long)pid);
    }
    return code;
}

void dj_live_close(struct dj_live *live)
{
    if (live == NULL) {
        return;
    }
    if (!live->is_device_shared) {
        dj_device_close(live->device);
    }
    dj_exponential_finish(&live->times);
    free(live->processes);
    free(live->windows);
    free(live->ring);
    free(live);
}

void dj_live_set_interrupt(struct dj_live *live,
                           const struct dj_interrupt_request *interrupt)
{
    if (live->device != NULL) {
        live->device->interrupt = *interrupt;
    }
}

int dj_live_ignore_transient(int code, const struct dj_error *failure,
                             struct dj_error *err)
{
    return code == 0 || code == DJ_E_TIMEOUT || code == DJ_E_NO_DATA
               ? 0
               : dj_error_set(err, code, "%s", failure->message);
}

int dj_live_update(struct dj_live *live, struct dj_error *err)
{
    live->new_count = 0;
    int code = live->device == NULL ? dj_live_read_local(live, err)
                                    : dj_live_read_device(live, err);
    dj_live_set_state(live);
    return code;
}

int64_t dj_live_next_ns(const struct dj_live *live)
{
    return live->next_ns;
}

enum dj_live_state dj_live_get_state(const struct dj_live *live)
{
    return live->state;
}

const char *dj_live_get_device(const struct dj_live *live)
{
    return live->device_name;
}

const char *dj_live_get_app(const struct dj_live *live)
{
    return live->app;
}

int64_t dj_live_get_opened_ns(const struct dj_live *live)
{
    return live->opened_ns;
}

int64_t dj_live_get_pid(const struct dj_live *live)
{
    return live->process_count > 0 ? live->processes[live->process_count - 1].pid : -1;
}

unsigned dj_live_get_restarts(const struct dj_live *live)
{
    return live->restarts;
}

int64_t dj_live_get_now_ns(const struct dj_live *live)
{
    return live->now_ns;
}

const struct dj_live_window *dj_live_find_window(const struct dj_live *live, uint32_t id)
{
    for (size_t i = live->window_count; i-- > 0;) {
        if (live->windows[i].window.id == id) {
            return &live->windows[i].window;
        }
    }
    return NULL;
}

const struct dj_live_window *dj_live_get_window(const struct dj_live *live, size_t index)
{
    return index < live->window_count ? &live->windows[index].window : NULL;
}
