#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "live/apps.h"
#include "segment/select.h"

void dj_live_apps_finish(struct dj_live_apps *apps)
{
    free(apps->apps);
    *apps = (struct dj_live_apps){0};
}

int dj_live_list_apps(struct dj_live_apps *apps, struct dj_error *err)
{
    struct dj_segment_selection selection = {0};
    dj_live_apps_finish(apps);
    int code = dj_segment_select_all(&selection, err);
    for (size_t i = 0; code == 0 && i < selection.count; i++) {
        const struct dj_segment_identity *identity = &selection.candidates[i].identity;
        struct dj_live_app app = {.pid = identity->pid,
                                  .run_ns = identity->run_ns,
                                  .last_ns = identity->last_ns};
        snprintf(app.name, sizeof(app.name), "%s", identity->name);
        snprintf(app.program, sizeof(app.program), "%s", identity->program);
        if (!identity->ended && !DJ_ARRAY_PUSH(apps->apps, apps->count, app)) {
            code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
    }
    dj_segment_selection_finish(&selection);
    return code;
}
