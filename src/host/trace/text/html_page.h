/* Recognizes lines of an HTML page, and of a trace inside one. */
#ifndef DEJANK_TRACE_TEXT_HTML_PAGE_H
#define DEJANK_TRACE_TEXT_HTML_PAGE_H

#include "trace/event.h"

struct dj_str dj_line_skip_indent(struct dj_str line);
/* Returns the line without the UTF-8 byte order mark. */
struct dj_str dj_line_skip_byte_order_mark(struct dj_str line);

/* Returns true if a part of the page's data is no trace but something that its first line
 * names. */
bool dj_line_is_other_data(struct dj_str line);

/* Returns true for a line with nothing but `<script id="viewer-data" type="text/plain">`.
 */
bool dj_line_is_viewer_start(struct dj_str line);

/* Removes the end of a page's data. The line may have text before it. */
bool dj_line_remove_closing_tag(struct dj_str *line);

/* ---- lines within a JavaScript string ---- */

/* Returns the content of a line of the string: without the characters \n and a backslash
 * at its end, or the \n"; that ends the string, and with \" \' \\ \/ unescaped. Other
 * backslashes stay, since those pages did not escape them. `buffer` is a buffer of at
 * least the line's length. The result points to it or into the line. Sets *ended if the
 * string ends here. */
struct dj_str dj_line_unescape(struct dj_str line, char *buffer, bool *ended);

#endif
