/* Renders a comparison of two builds on each of several devices. */
#ifndef DEJANK_REPORT_COMPARE_RANGE_H
#define DEJANK_REPORT_COMPARE_RANGE_H

#include "gate/gate.h"
#include "report/document.h"

/* Returns the direction of the summary over all devices. */
enum dj_compare_verdict dj_report_get_range_verdict(const struct dj_gate *range);

/* Appends the summary: "B against A: worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 8
 * equivalent". */
void dj_report_describe_range(struct dj_text *text, const struct dj_gate *range);

/* Adds the summary, a row per device, and each device in full to an empty document. */
void dj_report_build_range(struct dj_document *document, const struct dj_gate *range);

/* Appends JSON with schema dejank.compare/1, and with its members `devices` and `range`
 * (docs/format/compare.md). */
void dj_report_write_range_json(struct dj_text *text, const struct dj_gate *range);

#endif
