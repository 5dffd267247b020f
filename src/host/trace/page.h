/* Lines of a page, and of a trace within one. Of this room only. */
#ifndef DEJANK_TRACE_PAGE_H
#define DEJANK_TRACE_PAGE_H

#include "trace/event.h"

struct dj_str dj_line_without_indent(struct dj_str line);
/* Without the mark of UTF-8 that editors put before a text. */
struct dj_str dj_line_without_mark(struct dj_str line);

/* A part of the page's data is a trace, or something that its first line names. */
bool dj_line_is_foreign(struct dj_str line);

/* `<script id="viewer-data" type="text/plain">` is a line alone. */
bool dj_line_begins_viewer(struct dj_str line);

/* Cuts the end of a page's data off: what has no line end itself stands before it. */
bool dj_line_cut_closing(struct dj_str *line);

/* ---- lines within a string of JavaScript ---- */

/*
 * What a line of the string says: without the characters \n and a backslash at its end,
 * or the \n"; that ends the string, and with \" \' \\ \/ undone. Other backslashes stay:
 * those pages were written without any. `room` takes what comes of that, of at least the
 * line's length; the answer lies there or in the line. *ended: the string does here.
 */
struct dj_str dj_unquoted(struct dj_str line, char *room, bool *ended);

#endif
