/* Renders a comparison of two sides (compare/compare.h) as text, tables and pictures. All
 * functions append to `text`. */
#ifndef DEJANK_REPORT_COMPARE_H
#define DEJANK_REPORT_COMPARE_H

#include "gate/gate.h"
#include "report/terminal/style.h"

/* For a terminal: the verdict on one line of any length, then the rest in lines no wider
 * than the style. */
void dj_report_write_comparison_text(struct dj_text *text,
                                     const struct dj_comparison *comparison,
                                     const struct dj_terminal_style *style);

/* JSON with schema dejank.compare/1 (docs/format/compare.md) and a newline at the end; or
 * only its members, for an open object. */
void dj_report_write_comparison_json(struct dj_text *text,
                                     const struct dj_comparison *comparison);
void dj_report_write_comparison_members(struct dj_text *text,
                                        const struct dj_comparison *comparison);
/* The value of run `i` of a side in the metric's unit. */
double dj_report_get_run_value(const struct dj_comparison_metric *metric,
                               const struct dj_effect_side *side, size_t i);
/* One metric as an element of an open array. device NULL: the element does not name the
 * device. */
void dj_report_write_compared_metric(struct dj_text *text,
                                     const struct dj_comparison_metric *metric,
                                     const char *device);

/* The warnings as elements of an open array. */
void dj_report_write_comparison_warnings(struct dj_text *text,
                                         const struct dj_comparison *comparison,
                                         const char *device);

/* For a merge request: the verdict, a table, the warnings. */
void dj_report_write_comparison_markdown(struct dj_text *text,
                                         const struct dj_comparison *comparison);

/* One page that works offline and needs no script. */
void dj_report_write_comparison_html(struct dj_text *text,
                                     const struct dj_comparison *comparison);
/* Parts of that page: everything up to the end of the headline, which is `words`; and the
 * figures of a comparison under headings of element `heading` ("h2"). */
void dj_report_open_comparison_page(struct dj_text *text, const char *words,
                                    enum dj_compare_verdict verdict);
void dj_report_write_comparison_figures(struct dj_text *text,
                                        const struct dj_comparison *comparison,
                                        const char *heading);

/* Comparison of two builds on each of several devices, with a summary over the devices
 * (gate/range.h): the result of dj_gate_judge() for one flow without objectives. */

/* The direction of the summary. It is never a pooled average. */
enum dj_compare_verdict dj_report_get_range_verdict(const struct dj_gate *range);

/* "B against A: worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 8 equivalent". */
void dj_report_describe_range(struct dj_text *text, const struct dj_gate *range);

/* A line per device, its warnings, and how the tests were corrected. */
void dj_report_write_range_text(struct dj_text *text, const struct dj_gate *range);
void dj_report_write_range_markdown(struct dj_text *text, const struct dj_gate *range);
/* One page that works offline: the summary, a line for each device, then each device in
 * full. */
void dj_report_write_range_html(struct dj_text *text, const struct dj_gate *range);
/* Schema dejank.compare/1 with `devices` and `range` (docs/format/compare.md). */
void dj_report_write_range_json(struct dj_text *text, const struct dj_gate *range);

/* Only the members of a summary, for an open object. */
void dj_report_write_range_members(struct dj_text *text,
                                   const struct dj_range_summary *range);

#endif
