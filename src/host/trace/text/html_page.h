/* Recognizes the lines of an HTML page, and the lines of a trace inside an HTML page. */
#ifndef DEJANK_TRACE_TEXT_HTML_PAGE_H
#define DEJANK_TRACE_TEXT_HTML_PAGE_H

#include "trace/event.h"

struct dj_str dj_line_skip_indent(struct dj_str line);
/* Removes a UTF-8 byte order mark at the start of the line. */
struct dj_str dj_line_skip_byte_order_mark(struct dj_str line);

/* Returns true if other data than a trace starts with this line. A page of systrace
 * may contain, for example, a list of processes. */
bool dj_line_is_other_data(struct dj_str line);

/* Returns true for the line `<script id="viewer-data" type="text/plain">`. */
bool dj_line_is_viewer_start(struct dj_str line);

/* Removes "</script>" and the text after it. Returns false if the line does not contain
 * this tag. */
bool dj_line_remove_closing_tag(struct dj_str *line);

/* Returns the content of a line of a JavaScript string that contains a trace. Removes the
 * characters \n\ at the end of the line. If the line ends in \n"; instead, the string
 * ends there: removes this end and sets *ended. Replaces the escapes \" \' \\ and \/.
 * Keeps other backslashes, because pages with such strings did not escape them. `buffer`
 * must be at least as long as the line. The result points to `buffer` or into the line.
 */
struct dj_str dj_line_unescape(struct dj_str line, char *buffer, bool *ended);

#endif
