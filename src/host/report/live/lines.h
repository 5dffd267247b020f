/* Lines of a screen in columns. */
#ifndef DEJANK_REPORT_LIVE_LINES_H
#define DEJANK_REPORT_LIVE_LINES_H

#include "report/live.h"

/* Adds an empty line. The pointer is valid until the next call. */
struct dj_live_line *dj_lines_add(struct dj_live_screen *screen, enum dj_tone tone);

/* Adds a line of words, shortened to the width of the screen. */
void dj_lines_add_words(struct dj_live_screen *screen,
                        const struct dj_terminal_style *style, enum dj_tone tone,
                        const char *words);

/* Appends a name, escaped, in exactly `width` columns. A longer name is shortened. */
void dj_lines_append_name(struct dj_text *text, const struct dj_terminal_style *style,
                          const char *name, size_t width);

/* Appends a time in ms in `width` columns, or "-" if it is unknown. */
void dj_lines_append_ms(struct dj_text *text, size_t width, int64_t ns);

/* Appends a sparkline of `width` columns: the longest frame time in each part of the last
 * 10 s. Half of the height is one frame interval. */
void dj_lines_append_sparkline(struct dj_text *text,
                               const struct dj_terminal_style *style,
                               const struct dj_live *live, size_t width);

#endif
