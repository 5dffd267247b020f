/* Two builds compared on each of several devices, and what these come to together
 * (judge/range.h): as judged by dj_gate_judge() of one flow, without objectives. */
#ifndef DEJANK_REPORT_COMPARE_RANGE_H
#define DEJANK_REPORT_COMPARE_RANGE_H

#include "judge/gate.h"

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
