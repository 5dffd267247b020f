#include <stdlib.h>

#include "base/array.h"
#include "live/apps.h"
#include "live/state/state.h"

#define LIST_NS DJ_SECOND_NS
/* A process that ended before its first reading is never found. */
#define PATIENCE_NS (2 * DJ_SECOND_NS)

static bool has_process(const struct dj_live_group *group, int64_t pid)
{
    for (size_t i = 0; i < group->count; i++) {
        if (group->views[i]->state != DJ_LIVE_ENDED &&
            strtoll(group->views[i]->selected, NULL, 10) == pid) {
            return true;
        }
    }
    return false;
}

static int add_app(struct dj_live_group *group, const struct dj_live_app *app,
                   struct dj_error *err)
{
    struct dj_live *view;
    int code = dj_live_open_process(app->name, app->pid, &view, err);
    if (code == 0 && !DJ_ARRAY_PUSH(group->views, group->count, view)) {
        dj_live_close(view);
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    return code;
}

static int find_apps(struct dj_live_group *group, struct dj_error *err)
{
    struct dj_live_apps apps = {0};
    int code = dj_live_list_apps(&apps, err);
    for (size_t i = 0; code == 0 && i < apps.count; i++) {
        if (group->count < DJ_LIVE_GROUP_MAX && !has_process(group, apps.apps[i].pid)) {
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
        code = find_apps(group, err);
        group->list_ns = now_ns + LIST_NS;
    }
    for (size_t i = 0; i < group->count; i++) {
        int view_code = dj_live_update(group->views[i], err);
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
    *group = (struct dj_live_group){0};
}
