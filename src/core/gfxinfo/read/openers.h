/* Finds and reads openers. An opener is a line that begins a part of a dump, such as a
 * process or the view hierarchy, or that contains a fixed word. */
#ifndef DEJANK_GFXINFO_READ_OPENERS_H
#define DEJANK_GFXINFO_READ_OPENERS_H

#include "gfxinfo/read/reader.h"

enum dj_opener_kind {
    DJ_OPENER_PLAIN,
    /* The text before the word on its line, such as "> " or the prefix of a log, is
     * also removed from the next lines. */
    DJ_OPENER_QUOTED,
    DJ_OPENER_KEPT, /* The line is also stored as text of the process. */
    /* Like DJ_OPENER_QUOTED. The line begins a text of SurfaceFlinger. */
    DJ_OPENER_SURFACE
};

/* An opener: the word with which a line begins, and the function that reads the line. */
struct dj_opener {
    const char *word;
    enum dj_opener_kind kind;
    void (*read)(struct dj_reader *reader,
                 struct dj_str rest); /* Gets the text after the word. */
};

/* Returns the opener with which the line begins, or NULL. The line must not be empty. */
const struct dj_opener *dj_reader_openers_find(struct dj_str line);

/* Reads the line of an opener. `unquoted` is the same line with its indentation. */
void dj_reader_openers_read(struct dj_reader *reader, const struct dj_opener *opener,
                            struct dj_str line, struct dj_str unquoted);

/* Reads the text after "Window:". */
void dj_reader_openers_open_window(struct dj_reader *reader, struct dj_str rest);

#endif
