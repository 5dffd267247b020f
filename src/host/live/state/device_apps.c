/* Lists the apps of another device with `dumpsys gfxinfo` without a name. */
#include "live/state/group.h"
#include "live/state/state.h"

/* Time without a new frame after which an app counts as idle. */
#define IDLE_NS DJ_SECOND_NS

static int add_section(struct dj_live_group *group, const struct dj_dump_process *section,
                       struct dj_error *err)
{
    uint32_t total = section->stats.stats.counter[DJ_COUNTER_TOTAL];
    struct dj_live *view = dj_live_group_find(group, section->pid);
    int code = 0;
    if (view == NULL && (total == 0 || group->count >= DJ_LIVE_GROUP_MAX)) {
        return 0;
    }
    if (view != NULL) {
        view->is_idle = total == view->listed_total;
    } else {
        code = dj_live_open_device_process(group->device, section->name, section->pid,
                                           &view, err);
        code = code == 0 ? dj_live_group_add(group, view, err) : code;
    }
    if (code == 0) {
        view->listed_total = total;
        view->is_listed = true;
    }
    return code;
}

/* Marks the view of each process that is no longer listed for one more reading, in which
 * the view finds out that the process has ended. */
static void wake_unlisted(struct dj_live_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        struct dj_live *view = group->views[i];
        view->is_idle = view->is_idle && view->is_listed;
        view->is_listed = false;
    }
}

int dj_live_group_list_device(struct dj_live_group *group, struct dj_error *err)
{
    const struct dj_gfxinfo_request request = {.package = NULL, .since_ns = -1};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error failure = {0};
    int code = dj_device_read_gfxinfo(group->device, &request, &reading, &failure);
    for (size_t i = 0; code == 0 && i < reading.dump.process_count; i++) {
        const struct dj_dump_process *section = &reading.dump.processes[i];
        if (!section->ended && section->name != NULL) {
            code = add_section(group, section, &failure);
        }
    }
    if (code == 0) {
        wake_unlisted(group);
    }
    dj_device_gfxinfo_finish(&reading);
    return dj_live_ignore_transient(code, &failure, err);
}

int dj_live_update_unless_idle(struct dj_live *view, struct dj_error *err)
{
    if (view->is_idle) {
        view->new_count = 0;
        return 0;
    }
    int code = dj_live_update(view, err);
    view->is_idle = code == 0 && view->has_read && view->state == DJ_LIVE_RUNNING &&
                    view->now_ns - view->last_end_ns > IDLE_NS;
    return code;
}
