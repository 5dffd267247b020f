/* Lays out text for a terminal of 80 columns. */
#ifndef DEJANK_CLI_LAYOUT_H
#define DEJANK_CLI_LAYOUT_H

#include "base/text.h"

enum { DJ_LAYOUT_COLUMNS = 80 };

/* Appends words and a newline. Breaks lines between words so that none is longer than
 * DJ_LAYOUT_COLUMNS. The current line has `column` columns already. Each further line
 * starts with `indent` spaces. */
void dj_layout_wrap(struct dj_text *text, struct dj_str words, size_t column,
                    size_t indent);

/* Appends "  TERM  words", where the words start in `column` and are wrapped there. A
 * longer term has a line of its own. */
void dj_layout_append_item(struct dj_text *text, struct dj_str term, struct dj_str words,
                           size_t column);

/* One line of a description in a struct dj_verb. */
struct dj_layout_block {
    struct dj_str term; /* Term of a list entry. Empty for a paragraph. */
    struct dj_str words;
};

/* Reads the next block of *description and moves *description after the block. Returns
 * false at the end. */
bool dj_cli_layout_next(const char **description, struct dj_layout_block *block);

/* Appends a description: paragraphs after an empty line, and lists. */
void dj_layout_append(struct dj_text *text, const char *description);

#endif
