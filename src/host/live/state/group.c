#include <stdlib.h>

#include "base/array.h"
#include "live/state/group.h"
#include "live/state/state.h"

#define LIST_NS DJ_SECOND_NS
/* Time between two listings of a device's apps. It is longer than for this machine,
 * because each app of the device must answer. */
#define LIST_DEVICE_NS (2 * DJ_SECOND_NS)
/* Time after which a view is removed if its process ended before it was first read. */
#define PATIENCE_NS (2 * DJ_SECOND_NS)

int dj_live_group_open(struct dj_live_group *group, const char *device,
                       const struct dj_interrupt_request *stop, struct dj_error *err)
{
    int code = dj_device_open(device, &group->device, err);
    if (code == 0) {
        group->device->interrupt = *stop;
    }
    return code;
}

struct dj_live *dj_live_group_find(const struct dj_live_group *group, int64_t pid)
{
    for (size_t i = 0; i < group->count; i++) {
        struct dj_live *view = group->views[i];
        if (view->state != DJ_LIVE_ENDED && strtoll(view->selected, NULL, 10) == pid) {
            return view;
        }
    }
    return NULL;
}

int dj_live_group_add(struct dj_live_group *group, struct dj_live *view,
                      struct dj_error *err)
{
    if (DJ_ARRAY_PUSH(group->views, group->count, view)) {
        return 0;
    }
    dj_live_close(view);
    return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

static int add_app(struct dj_live_group *group, const struct dj_live_app *app,
                   struct dj_error *err)
{
    struct dj_live *view;
    int code = dj_live_open_process(app->name, app->pid, &view, err);
    return code == 0 ? dj_live_group_add(group, view, err) : code;
}

static int list_local(struct dj_live_group *group, struct dj_error *err)
{
    struct dj_live_apps apps = {0};
    int code = dj_live_list_apps(&apps, err);
    for (size_t i = 0; code == 0 && i < apps.count; i++) {
        if (group->count < DJ_LIVE_GROUP_MAX &&
            dj_live_group_find(group, apps.apps[i].pid) == NULL) {
            code = add_app(group, &apps.apps[i], err);
        }
    }
    dj_live_apps_finish(&apps);
    return code;
}

static bool is_over(const struct dj_live *view, int64_t now_ns)
{
    const struct dj_live_process *last =
        view->process_count > 0 ? &view->processes[view->process_count - 1] : NULL;
    if (view->device != NULL) {
        return view->state == DJ_LIVE_ENDED;
    }
    return last == NULL ? view->opened_ns < now_ns - PATIENCE_NS
                        : view->state == DJ_LIVE_ENDED &&
                              last->last_ns < now_ns - DJ_LIVE_GROUP_ENDED_NS;
}

static void remove_ended(struct dj_live_group *group, int64_t now_ns)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        if (is_over(group->views[i], now_ns)) {
            dj_live_close(group->views[i]);
        } else {
            group->views[count++] = group->views[i];
        }
    }
    for (size_t i = count; i < group->count; i++) {
        group->views[i] = NULL;
    }
    group->count = count;
}

int dj_live_group_update(struct dj_live_group *group, struct dj_error *err)
{
    int code = 0;
    int64_t now_ns = dj_host_now_ns();
    if (now_ns >= group->list_ns) {
        remove_ended(group, now_ns);
        code = group->device == NULL ? list_local(group, err)
                                     : dj_live_group_list_device(group, err);
        group->list_ns =
            dj_host_now_ns() + (group->device == NULL ? LIST_NS : LIST_DEVICE_NS);
    }
    for (size_t i = 0; i < group->count; i++) {
        struct dj_live *view = group->views[i];
        int view_code = group->device == NULL ? dj_live_update(view, err)
                                              : dj_live_update_unless_idle(view, err);
        code = view_code != 0 ? view_code : code;
    }
    return code;
}

void dj_live_group_finish(struct dj_live_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        dj_live_close(group->views[i]);
    }
    free(group->views);
    dj_device_close(group->device);
    *group = (struct dj_live_group){.device = NULL};
}
