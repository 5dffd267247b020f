/* A comparison of two sides (compare/compare.h) in words, tables and pictures. */
#ifndef DEJANK_REPORT_COMPARE_H
#define DEJANK_REPORT_COMPARE_H

#include "gate/gate.h"
#include "report/terminal.h"

/* For a terminal: the verdict in words as one line, whatever its length, then the rest in
 * lines no wider than the style. */
void dj_compare_terminal(struct dj_text *text, const struct dj_comparison *comparison,
                         const struct dj_terminal_style *style);

/* Schema dejank.compare/1 (docs/format/compare.md), ended by a newline; and its members
 * alone, for an object that is open. */
void dj_compare_json(struct dj_text *text, const struct dj_comparison *comparison);
void dj_compare_json_members(struct dj_text *text,
                             const struct dj_comparison *comparison);
/* The value of a side's run i in the metric's unit. */
double dj_compare_run_value(const struct dj_comparison_metric *metric,
                            const struct dj_effect_side *side, size_t i);
/* One metric, an element of an array that is open. device NULL: it is told elsewhere. */
void dj_compare_json_metric(struct dj_text *text,
                            const struct dj_comparison_metric *metric,
                            const char *device);

/* The warnings, as elements. */
void dj_compare_json_warnings(struct dj_text *text,
                              const struct dj_comparison *comparison, const char *device);

/* For a merge request: the verdict, a table, the warnings. */
void dj_compare_markdown(struct dj_text *text, const struct dj_comparison *comparison);

/* One page that works offline and without a script. */
void dj_compare_html(struct dj_text *text, const struct dj_comparison *comparison);
/* Its parts: to the end of the headline, which says `words`; and the figures of a
 * comparison, with headings of that element ("h2"). */
void dj_compare_html_open(struct dj_text *text, const char *words,
                          enum dj_judgement verdict);
void dj_compare_html_figures(struct dj_text *text, const struct dj_comparison *comparison,
                             const char *heading);

/* ---- two builds compared on each of several devices, and what these come to together
 * (gate/range.h): as judged by dj_gate_judge() of one flow, without objectives ---- */

/* What the range's summary is about: never a pooled average. */
enum dj_judgement dj_compare_range_verdict(const struct dj_gate *range);

/* "B against A: worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 8 equivalent". */
void dj_compare_range_words(struct dj_text *text, const struct dj_gate *range);

void dj_compare_range_terminal(struct dj_text *text, const struct dj_gate *range);
void dj_compare_range_markdown(struct dj_text *text, const struct dj_gate *range);
/* One page that works offline: the summary, a line for each device, then each in full. */
void dj_compare_range_html(struct dj_text *text, const struct dj_gate *range);
/* Schema dejank.compare/1 with `devices` and `range` (docs/format/compare.md). */
void dj_compare_range_json(struct dj_text *text, const struct dj_gate *range);

/* A summary's members alone, for an object that is open. */
void dj_range_json_members(struct dj_text *text, const struct dj_range_summary *range);

#endif
