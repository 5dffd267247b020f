/* Lines of a terminal report: colours, wrapping, bars. Private to the terminal form. */
#ifndef DEJANK_REPORT_TERMINAL_PAGE_H
#define DEJANK_REPORT_TERMINAL_PAGE_H

#include "report/terminal.h"
#include "stats/shift.h"

struct dj_terminal {
    struct dj_text *text;
    struct dj_terminal_style style; /* width within its limits */
};

/* What is appended to `text`, in that style. */
struct dj_terminal dj_terminal_on(struct dj_text *text,
                                  const struct dj_terminal_style *style);

/* 256-colour numbers of the palette, which is Okabe and Ito's as far as the cube has it.
 */
enum dj_terminal_color {
    DJ_COLOR_NONE = -1,
    DJ_COLOR_GOOD = 32,
    DJ_COLOR_BAD = 166,
    DJ_COLOR_DEADLINE = 161,
    DJ_COLOR_MUTED = 245
};

/* Colour of what follows, where the style has colours; DJ_COLOR_NONE ends it. */
void dj_terminal_color(struct dj_terminal *out, int color);
void dj_terminal_bold(struct dj_terminal *out, bool on);

/* One of two spellings, by the style. */
const char *dj_terminal_glyph(const struct dj_terminal *out, const char *unicode,
                              const char *ascii);

void dj_terminal_repeat(struct dj_terminal *out, const char *glyph, size_t count);

/* A string in that colour. */
void dj_terminal_colored(struct dj_terminal *out, int color, const char *string);

/* A line over the whole width in the colour of deadlines, with a label near its start. */
void dj_terminal_rule(struct dj_terminal *out, const char *label);

/* A line of points, where in the range the finite values lie; a digit where several do.
 * It leaves 4 columns free. `median`: marked by a bar; NaN: none. */
void dj_terminal_strip(struct dj_terminal *out, const double *values, size_t count,
                       const struct dj_bounds *range, double median);

/* A blank at which no line is broken; names cannot hold it, as they are escaped. */
#define DJ_GLUE "\x1f"

/* Words of `sentence` in lines that start with `first`, then `rest` (strings of equal
 * columns). A word that is wider than a line is cut into several. In ASCII style signs
 * that ASCII lacks are respelled. */
void dj_terminal_wrap(struct dj_terminal *out, const char *first, const char *rest,
                      const char *sentence);

/* The same of a text, which is empty then. */
void dj_terminal_put(struct dj_terminal *out, const char *first, const char *rest,
                     struct dj_text *words);

/* Words as they are, on the line that is being written; respelled as above. */
void dj_terminal_line(struct dj_terminal *out, const char *words);

/* A blank line and a bold title with a line below. `title` is already escaped. */
void dj_terminal_heading(struct dj_terminal *out, const char *title);

/* Takes blanks from the ends of the lines from `start` on: what is built in columns
 * leaves them. */
void dj_terminal_strip_blanks(struct dj_text *text, size_t start);

/* A bar of `part` of `whole` in at most `columns` columns: eighths in Unicode, '#' in
 * ASCII; more than nothing shows. */
void dj_terminal_bar(struct dj_terminal *out, double part, double whole, size_t columns);

/* Headed parts of the report of a view; each is nothing where the view has none of it. */
void dj_terminal_figures(struct dj_terminal *out, const struct dj_view *view);

/* What was found in the rows, and in which there was nothing to find; the longest of
 * them. */
void dj_terminal_findings(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_longest(struct dj_terminal *out, const struct dj_view *view);

/* Of the rows; and of all frames counted, where there are more. */
void dj_terminal_histogram_exact(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_histogram_hwui(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_stages(struct dj_terminal *out, const struct dj_view *view);
void dj_terminal_profile(struct dj_terminal *out, const struct dj_view *view);

#endif
