/* Writes sentences that explain or limit the figures of a report. The terminal and HTML
 * use the same sentences. */
#ifndef DEJANK_REPORT_VIEW_NOTES_H
#define DEJANK_REPORT_VIEW_NOTES_H

#include "report/view/view.h"

/* Sets *sentence to the next note, without a newline; names in it are escaped for a
 * terminal. *at is 0 before the first call. Returns false, and finishes the sentence, if
 * there are no more notes. */
bool dj_notes_get_next(const struct dj_view *view, size_t *at, struct dj_text *sentence);

/* Appends that the device refused a part of a dump that has frames. Appends nothing if
 * the device refused nothing. Also appends nothing if the dump has no frames, because
 * then the outcome reports the refusal. For a dump with a single process, the sentence is
 * one of the notes. */
void dj_notes_describe_refusal(const struct dj_parsed *parsed, struct dj_text *sentence);

/* Appends "JANKY: 13 of 120 frames janky (10.83 %)", the verdict on the view. */
void dj_notes_write_verdict(const struct dj_view *view, struct dj_text *sentence);

/* Appends the meaning and the limits of the verdict, and the sample that the verdict
 * omits. For an empty view, appends that the view shows nothing about smoothness. */
void dj_notes_explain_verdict(const struct dj_view *view, struct dj_text *sentences);

/* Appends "Slow animation callbacks: 12 of 116 frames over 2 ms, 3 of them janky, worst
 * 37.92 ms (row 72).": a finding of the view, without the advice. Row numbers are those
 * of struct dj_view_frame. */
void dj_notes_describe_finding(const struct dj_view *view, enum dj_finding_id id,
                               struct dj_text *sentence);

/* Appends the pid, the release whose rule judges the frames, the frame interval, and the
 * input's name, separated by dots. */
void dj_notes_write_facts(const struct dj_view *view, struct dj_text *text);

#endif
