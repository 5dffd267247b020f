/* The longest frames of a view, and what each of them spent its time on. */
#ifndef DEJANK_REPORT_LONGEST_H
#define DEJANK_REPORT_LONGEST_H

#include "report/view.h"

enum { DJ_LONGEST_FRAMES = 5 };

/* Indices of the view's longest frames, the longest first, of equals the earlier first.
 * Returns how many. */
size_t dj_view_longest(const struct dj_view *view, size_t longest[DJ_LONGEST_FRAMES]);

/* The longest stage that is part of a frame's own time: the wait is not. DJ_STAGE_COUNT
 * where none is known. */
enum dj_stage dj_longest_stage(const struct dj_stages *stages);

#endif
