/* Parts of the page of one app. */
#ifndef DEJANK_FLEET_VIEWS_VIEWS_H
#define DEJANK_FLEET_VIEWS_VIEWS_H

#include "fleet/query.h"
#include "report/document.h"

/* Adds up the days of each version. `by_day` is grouped by version and day. The versions
 * are sorted, the newest first. The caller finishes *versions. */
void dj_fleet_sum_versions(const struct dj_fleet_result *by_day,
                           struct dj_fleet_result *versions);

/* Adds charts of the p95 and of the share of slow frames by day, with a line for each of
 * the versions with the most sessions. */
void dj_fleet_add_version_charts(struct dj_document *document,
                                 const struct dj_fleet_result *by_day,
                                 const struct dj_fleet_result *versions);

#endif
