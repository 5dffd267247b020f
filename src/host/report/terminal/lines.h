/* Lines of a terminal report: colours, wrapping, bars. */
#ifndef DEJANK_REPORT_TERMINAL_LINES_H
#define DEJANK_REPORT_TERMINAL_LINES_H

#include "base/text.h"
#include "report/terminal/style.h"

struct dj_terminal {
    struct dj_text *text;
    struct dj_terminal_style style; /* The width is within its limits. */
};

/* Returns a terminal that appends to `text` in this style. */
struct dj_terminal dj_terminal_init(struct dj_text *text,
                                    const struct dj_terminal_style *style);

/* Numbers of the palette's colours among the terminal's 256 colours. They approximate the
 * palette of Okabe and Ito. */
enum dj_terminal_set_color {
    DJ_COLOR_NONE = -1,
    DJ_COLOR_GOOD = 32,
    DJ_COLOR_BAD = 166,
    DJ_COLOR_DEADLINE = 161,
    DJ_COLOR_MUTED = 245
};

/* Sets the colour of the following text if the style has colours. DJ_COLOR_NONE ends it.
 */
void dj_terminal_set_color(struct dj_terminal *out, int color);
void dj_terminal_set_bold(struct dj_terminal *out, bool on);

/* Returns `unicode` or `ascii`, depending on the style. */
const char *dj_terminal_choose_glyph(const struct dj_terminal *out, const char *unicode,
                                     const char *ascii);

void dj_terminal_write_repeated(struct dj_terminal *out, const char *glyph, size_t count);

/* Appends a string in a colour. */
void dj_terminal_write_colored(struct dj_terminal *out, int color, const char *string);

/* Appends a line over the whole width in the colour of deadlines, with a label near its
 * start. */
void dj_terminal_write_rule(struct dj_terminal *out, const char *label);

/* A blank at which no line is broken. Names cannot contain it, because they are escaped.
 */
#define DJ_GLUE "\x1f"

/* Appends `sentence`, broken into lines. The first line starts with `first`, and further
 * lines start with `rest`, which must be equally wide. A word that is wider than a line
 * is split. In ASCII style, other characters are respelled. */
void dj_terminal_wrap(struct dj_terminal *out, const char *first, const char *rest,
                      const char *sentence);

/* Appends `words` like dj_terminal_wrap(), then frees `words`. */
void dj_terminal_wrap_and_finish(struct dj_terminal *out, const char *first,
                                 const char *rest, struct dj_text *words);

/* Appends `words` unwrapped to the current line, respelled as above. */
void dj_terminal_write_words(struct dj_terminal *out, const char *words);

/* Removes blanks from the ends of the lines that begin at or after `start`. Output in
 * columns leaves these blanks. */
void dj_terminal_remove_blanks(struct dj_text *text, size_t start);

/* Appends a bar of length `part` / `whole` in at most `columns` columns: eighths in
 * Unicode, '#' in ASCII. A part above 0 is always visible. */
void dj_terminal_write_bar(struct dj_terminal *out, double part, double whole,
                           size_t columns);

/* Appends a column for each share: its height is that share of the highest one. A
 * negative share is an empty column. */
void dj_terminal_append_sparkline(struct dj_text *text, const double *shares,
                                  size_t count, bool unicode);

#endif
