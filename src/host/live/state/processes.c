#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "live/state/state.h"

/* Removes the element at `index`. */
#define REMOVE(array, count, index)                                                      \
    (memmove(&(array)[index], &(array)[(index) + 1],                                     \
             ((count) - (index)-1) * sizeof((array)[0])),                                \
     (count)--)

static void remove_oldest_process(struct dj_live *live)
{
    size_t i = 0;
    while (i < live->process_count && !live->processes[i].is_ended) {
        i++;
    }
    if (i < live->process_count) {
        if (live->processes[i].last_ns > live->forget_ns) {
            live->forget_ns = live->processes[i].last_ns;
        }
        REMOVE(live->processes, live->process_count, i);
    }
}

bool dj_live_has_running(const struct dj_live *live)
{
    for (size_t i = 0; i < live->process_count; i++) {
        if (!live->processes[i].is_ended) {
            return true;
        }
    }
    return false;
}

struct dj_live_process *dj_live_add_process(struct dj_live *live, int64_t pid,
                                            const char *name)
{
    if (live->process_count >= DJ_LIVE_PROCESSES_MAX) {
        remove_oldest_process(live);
    }
    if (live->last_process_id > 0 && !dj_live_has_running(live)) {
        live->restarts++;
    }
    const struct dj_live_process process = {
        .id = live->last_process_id + 1, .pid = pid, .created_ns = -1};
    if (!DJ_ARRAY_PUSH(live->processes, live->process_count, process)) {
        return NULL;
    }
    struct dj_live_process *made = &live->processes[live->process_count - 1];
    live->last_process_id = made->id;
    snprintf(made->name, sizeof(made->name), "%s", name != NULL ? name : "");
    return made;
}

static void remove_oldest_window(struct dj_live *live)
{
    size_t i = 0;
    while (i < live->window_count && !live->windows[i].window.is_ended) {
        i++;
    }
    if (i < live->window_count) {
        REMOVE(live->windows, live->window_count, i);
    }
}

struct dj_live_window_state *dj_live_add_window(struct dj_live *live,
                                                const struct dj_live_process *process,
                                                const char *title)
{
    if (live->window_count >= DJ_LIVE_WINDOWS_MAX) {
        remove_oldest_window(live);
    }
    const struct dj_live_window_state empty = {
        .process_id = process->id, .last_start_ns = -1, .last_end_ns = -1};
    if (!DJ_ARRAY_PUSH(live->windows, live->window_count, empty)) {
        return NULL;
    }
    struct dj_live_window_state *made = &live->windows[live->window_count - 1];
    made->next_number = 1;
    made->window.id = ++live->last_window_id;
    made->window.pid = process->pid;
    snprintf(made->window.process, sizeof(made->window.process), "%s", process->name);
    snprintf(made->window.title, sizeof(made->window.title), "%s",
             title != NULL ? title : "");
    return made;
}

void dj_live_end_process(struct dj_live *live, struct dj_live_process *process)
{
    process->is_ended = true;
    for (size_t i = 0; i < live->window_count; i++) {
        if (live->windows[i].process_id == process->id) {
            live->windows[i].window.is_ended = true;
        }
    }
}

void dj_live_set_state(struct dj_live *live)
{
    live->state = dj_live_has_running(live)   ? DJ_LIVE_RUNNING
                  : live->last_process_id > 0 ? DJ_LIVE_ENDED
                                              : DJ_LIVE_WAITING;
}
