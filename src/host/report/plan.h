/* Shows what playing a plan would do (`dejank run --dry-run`), as a document and as
 * JSON. */
#ifndef DEJANK_REPORT_PLAN_H
#define DEJANK_REPORT_PLAN_H

#include "base/text.h"
#include "plan/device_range.h"
#include "report/document.h"

/* Adds to an empty document how long the plan would take, the flows in their order, the
 * devices, and what is missing in the range of devices. */
void dj_report_build_dry_run(struct dj_document *document, const struct dj_plan *plan,
                             const struct dj_plan_range *range);
/* Appends JSON with schema dejank.plan/1. */
void dj_report_dry_run_json(struct dj_text *text, const struct dj_plan *plan,
                            const struct dj_plan_range *range);

#endif
