/* Lines of a trace within a string of JavaScript, as pages of systrace had them until
 * 2015. Of this room only. */
#ifndef DEJANK_TRACE_QUOTED_H
#define DEJANK_TRACE_QUOTED_H

#include "trace/event.h"

/*
 * What a line of the string says: without the characters \n and a backslash at its end,
 * or the \n"; that ends the string, and with \" \' \\ \/ undone. Other backslashes stay:
 * those pages were written without any. `room` takes what comes of that, of at least the
 * line's length; the answer lies there or in the line. *ended: the string does here.
 */
struct dj_str dj_unquoted(struct dj_str line, char *room, bool *ended);

#endif
