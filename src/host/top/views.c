#include "top/views.h"

#include "memory/memory.h"

#define UPDATE_NS (DJ_SECOND_NS / DJ_LIVE_UPDATES_HZ)

int dj_top_views_open(struct dj_top_views *views, const char *device, const char *app,
                      const struct dj_interrupt_request *stop, struct dj_error *err)
{
    *views = (struct dj_top_views){.opened_ns = dj_host_now_ns()};
    if (app == NULL) {
        return dj_live_is_local(device)
                   ? 0
                   : dj_live_group_open(&views->group, device, stop, err);
    }
    int code = dj_live_open(device, app, &views->app, err);
    if (code == 0) {
        dj_live_set_interrupt(views->app, stop);
        views->opened_ns = dj_host_now_ns();
    }
    return code;
}

void dj_top_views_finish(struct dj_top_views *views)
{
    dj_live_close(views->app);
    dj_live_group_finish(&views->group);
    *views = (struct dj_top_views){.app = NULL};
}

int dj_top_views_update(struct dj_top_views *views, struct dj_error *err)
{
    return views->app != NULL ? dj_live_update(views->app, err)
                              : dj_live_group_update(&views->group, err);
}

size_t dj_top_views_count(const struct dj_top_views *views)
{
    return views->app != NULL ? 1 : views->group.count;
}

struct dj_live *dj_top_views_at(const struct dj_top_views *views, size_t index)
{
    return views->app != NULL ? views->app : views->group.views[index];
}

int64_t dj_top_views_next_ns(const struct dj_top_views *views)
{
    return views->app != NULL ? dj_live_next_ns(views->app)
                              : dj_host_now_ns() + UPDATE_NS;
}

/* Computes the figures since the views were opened. They are exact if all frames are
 * still kept. */
static void compute_all(const struct dj_top_views *views, const struct dj_live *live,
                        struct dj_live_figures *figures)
{
    struct dj_error err = {0};
    int64_t opened_ns = dj_live_get_opened_ns(live);
    if (dj_host_now_ns() - views->opened_ns < DJ_LIVE_SPAN_NS) {
        dj_xcode(dj_live_compute_since(live, opened_ns, figures, &err));
    } else {
        dj_live_compute_total(live, figures);
    }
}

struct dj_live_row *dj_top_views_create_rows(const struct dj_top_views *views,
                                             const char *order, bool all, size_t *count)
{
    size_t views_count = dj_top_views_count(views);
    struct dj_live_row *rows = dj_xcalloc(views_count + 1, sizeof(*rows));
    *count = 0;
    for (size_t i = 0; i < views_count; i++) {
        struct dj_live *live = dj_top_views_at(views, i);
        struct dj_error err = {0};
        if (dj_live_get_state(live) == DJ_LIVE_WAITING) {
            continue;
        }
        struct dj_live_row *row = &rows[(*count)++];
        row->live = live;
        if (all) {
            compute_all(views, live, &row->figures);
        } else {
            dj_xcode(dj_live_compute_last(live, &row->figures, &err));
        }
    }
    dj_report_live_sort(rows, *count, order);
    return rows;
}
