/* What running a plan would do (`dejank run --dry-run`), for people and for scripts. */
#ifndef DEJANK_REPORT_PLAN_H
#define DEJANK_REPORT_PLAN_H

#include "base/text.h"
#include "plan/device_range.h"

/* As a page for people, or schema dejank.plan/1. */
void dj_report_dry_run_text(struct dj_text *text, const struct dj_plan *plan,
                            const struct dj_plan_range *range);
void dj_report_dry_run_json(struct dj_text *text, const struct dj_plan *plan,
                            const struct dj_plan_range *range);

#endif
