/* Lines of a terminal report: colours, wrapping, bars. */
#ifndef DEJANK_REPORT_TERMINAL_LINES_H
#define DEJANK_REPORT_TERMINAL_LINES_H

#include "base/text.h"
#include "report/terminal/style.h"

struct dj_terminal {
    struct dj_text *text;
    struct dj_terminal_style style; /* The width is within its limits. */
};

/* A terminal that appends to `text` in that style. */
struct dj_terminal dj_terminal_init(struct dj_text *text,
                                    const struct dj_terminal_style *style);

/* 256-colour numbers of the palette, which is Okabe and Ito's as far as the colour cube
 * allows. */
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

/* Returns one of two spellings, by the style. */
const char *dj_terminal_choose_glyph(const struct dj_terminal *out, const char *unicode,
                                     const char *ascii);

void dj_terminal_write_repeated(struct dj_terminal *out, const char *glyph, size_t count);

/* Appends a string in that colour. */
void dj_terminal_write_colored(struct dj_terminal *out, int color, const char *string);

/* Appends a line over the whole width in the colour of deadlines, with a label near its
 * start. */
void dj_terminal_write_rule(struct dj_terminal *out, const char *label);

/* A blank at which no line is broken. Names cannot contain it, because they are escaped.
 */
#define DJ_GLUE "\x1f"

/* Appends `sentence` in lines that start with `first`, then `rest` (strings of equal
 * columns). A word that is wider than a line is split. In ASCII style, characters that
 * ASCII lacks are respelled. */
void dj_terminal_wrap(struct dj_terminal *out, const char *first, const char *rest,
                      const char *sentence);

/* Appends `words` in the same way, then finishes them. */
void dj_terminal_wrap_and_finish(struct dj_terminal *out, const char *first,
                                 const char *rest, struct dj_text *words);

/* Appends `words` unwrapped to the current line, respelled as above. */
void dj_terminal_write_words(struct dj_terminal *out, const char *words);

/* Removes blanks from the ends of the lines from `start` on. Output in columns leaves
 * such blanks. */
void dj_terminal_remove_blanks(struct dj_text *text, size_t start);

/* Appends a bar of length `part` / `whole` in at most `columns` columns: eighths in
 * Unicode, '#' in ASCII. A part above 0 is always visible. */
void dj_terminal_write_bar(struct dj_terminal *out, double part, double whole,
                           size_t columns);

#endif
