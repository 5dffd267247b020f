/* Renders a comparison of two sides (compare/compare.h) as text, tables and pictures. All
 * functions append to `text`. */
#ifndef DEJANK_REPORT_COMPARE_H
#define DEJANK_REPORT_COMPARE_H

#include "gate/gate.h"
#include "report/document.h"

/* Adds a comparison to an empty document: the verdict, then everything that
 * dj_report_add_comparison() adds. */
void dj_report_build_comparison(struct dj_document *document,
                                const struct dj_comparison *comparison);
/* Adds the sides, the metrics, warnings and details. */
void dj_report_add_comparison(struct dj_document *document,
                              const struct dj_comparison *comparison);

/* Appends the verdict: "regression: B renders slower: p95 frame time +14 %, 10 vs 10
 * runs". */
void dj_report_describe_comparison(struct dj_text *text,
                                   const struct dj_comparison *comparison);

enum dj_tone dj_report_get_verdict_tone(enum dj_compare_verdict verdict);

/* The first function appends JSON with schema dejank.compare/1 (docs/format/compare.md)
 * and a newline. The second one appends only the members of that JSON to an open object.
 */
void dj_report_write_comparison_json(struct dj_text *text,
                                     const struct dj_comparison *comparison);
void dj_report_write_comparison_members(struct dj_text *text,
                                        const struct dj_comparison *comparison);
/* Returns the value of run `i` of a side in the metric's unit. */
double dj_report_get_run_value(const struct dj_comparison_metric *metric,
                               const struct dj_effect_side *side, size_t i);
/* Appends one metric as an element of an open array. If `device` is NULL, the element
 * does not name the device. */
void dj_report_write_compared_metric(struct dj_text *text,
                                     const struct dj_comparison_metric *metric,
                                     const char *device);

/* Appends the warnings as elements of an open array. */
void dj_report_write_comparison_warnings(struct dj_text *text,
                                         const struct dj_comparison *comparison,
                                         const char *device);

/* Comparison of two builds on each of several devices, with a summary over the devices
 * (gate/range.h): the result of dj_gate_judge() for one flow without objectives. */

/* Returns the direction of the summary over all devices. The direction is never computed
 * from a pooled average. */
enum dj_compare_verdict dj_report_get_range_verdict(const struct dj_gate *range);

/* Appends the summary: "B against A: worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 8
 * equivalent". */
void dj_report_describe_range(struct dj_text *text, const struct dj_gate *range);

/* Adds the summary, a row per device, and each device in full to an empty document. */
void dj_report_build_range(struct dj_document *document, const struct dj_gate *range);
/* Appends JSON with schema dejank.compare/1, and with its members `devices` and `range`
 * (docs/format/compare.md). */
void dj_report_write_range_json(struct dj_text *text, const struct dj_gate *range);

/* Appends the members of a summary to an open object. */
void dj_report_write_range_members(struct dj_text *text,
                                   const struct dj_range_summary *range);

#endif
