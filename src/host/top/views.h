/* top: shows running apps in a terminal, for `dejank top`. The output is a table of apps,
 * JSON lines with events, or a full screen. The module parses no options and handles no
 * signals (cli does).
 *
 * This header defines the views of the apps: one app, all recorded apps of this machine,
 * or all apps of another device. */
#ifndef DEJANK_TOP_VIEWS_H
#define DEJANK_TOP_VIEWS_H

#include "live/apps.h"
#include "report/live.h"

struct dj_top_views {
    /* The app that the user named, or NULL for all apps. Owned by this struct. */
    struct dj_live *app;
    struct dj_live_group group;
    int64_t opened_ns; /* Host time at which the views were opened. */
};

/* Opens a view of one app of a device, or views of all its apps if `app` is NULL. Setting
 * `stop` ends later readings of a device. */
int dj_top_views_open(struct dj_top_views *views, const char *device, const char *app,
                      const struct dj_interrupt_request *stop, struct dj_error *err);
void dj_top_views_finish(struct dj_top_views *views);

int dj_top_views_update(struct dj_top_views *views, struct dj_error *err);

size_t dj_top_views_count(const struct dj_top_views *views);
struct dj_live *dj_top_views_at(const struct dj_top_views *views, size_t index);

/* Returns the host time of the next useful update. */
int64_t dj_top_views_next_ns(const struct dj_top_views *views);

/* Creates a row for each app that has run, sorted by `order` (DJ_LIVE_ORDERS). The
 * figures of a row cover the last 10 s, or the time since dj_top_views_open() if `all` is
 * true. Sets *count to the number of rows. The caller frees the rows. */
struct dj_live_row *dj_top_views_create_rows(const struct dj_top_views *views,
                                             const char *order, bool all, size_t *count);

#endif
