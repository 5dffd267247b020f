/* What a reader of a report must know beside the figures, as sentences: the same for
 * terminal and HTML. */
#ifndef DEJANK_REPORT_NOTES_H
#define DEJANK_REPORT_NOTES_H

#include "report/view.h"

/* Sets *sentence to the next of the notes, without newline; names in it are escaped for a
 * terminal. *at is 0 before the first. False: there are no more; the sentence is
 * finished.
 */
bool dj_notes_next(const struct dj_view *view, size_t *at, struct dj_text *sentence);

/* That the device refused part of what should be in a dump which has frames: the outcome
 * says it of others. Nothing where it did not. Part of the notes where the dump has one
 * process. */
void dj_note_refusal(const struct dj_parsed *parsed, struct dj_text *sentence);

/* "JANKY: 13 of 120 counted frames janky (10.83 %), 13 of 120 rows (10.83 %).": how the
 * view fares. Of an empty one, that this says nothing about smoothness. */
void dj_note_verdict(const struct dj_view *view, struct dj_text *sentence);

/* "Slow animation callbacks (AnimationStart → PerformTraversalsStart beyond 2 ms): 12 of
 * 116 frames, 3 of them janky; worst 37.92 ms in row 72." for what was found in the view,
 * without what to look at. Rows are those of struct dj_view_frame. */
void dj_note_finding(const struct dj_view *view, enum dj_finding_id id,
                     struct dj_text *sentence);

/* Whose frames by which rule: pid, release, frame interval, between dots. */
void dj_note_facts(const struct dj_view *view, struct dj_text *text);

#endif
