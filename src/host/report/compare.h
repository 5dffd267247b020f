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

/* Appends JSON with schema dejank.compare/1 (docs/format/compare.md) and a newline. */
void dj_report_write_comparison_json(struct dj_text *text,
                                     const struct dj_comparison *comparison);

/* Appends only the members of dejank.compare/1 to an open object. */
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

/* The result of `dejank compare`: a comparison of two sides, or of two builds on each of
 * several devices (gate/range.h: the result of dj_gate_judge() for one flow without
 * objectives). One member is NULL. */
struct dj_comparison_result {
    const struct dj_comparison *sides;
    const struct dj_gate *range;
};

/* Returns the verdict. For several devices it is the direction of the summary, which is
 * never computed from a pooled average. */
enum dj_compare_verdict
dj_report_get_result_verdict(const struct dj_comparison_result *result);

/* Appends the verdict as one line. For several devices: "regression: B against A: worse
 * on 3 of 11 devices, all with ≤ 3 GB of RAM; 8 equivalent". */
void dj_report_describe_result(struct dj_text *text,
                               const struct dj_comparison_result *result);

/* Adds everything about the comparison to an empty document. For several devices: the
 * summary, a row per device, and each device in full. */
void dj_report_build_result(struct dj_document *document,
                            const struct dj_comparison_result *result);
/* Appends JSON with schema dejank.compare/1 (docs/format/compare.md). */
void dj_report_write_result_json(struct dj_text *text,
                                 const struct dj_comparison_result *result);

/* Appends the members of a summary to an open object. */
void dj_report_write_range_members(struct dj_text *text,
                                   const struct dj_range_summary *range);

#endif
