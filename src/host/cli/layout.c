#include "cli/layout.h"

#include <string.h>

enum { MARGIN = 2, GAP = 2, TERM_MOST = 24, TOGETHER_MOST = 24 };

static void append_spaces(struct dj_text *text, size_t count)
{
    dj_text_format(text, "%*s", (int)count, "");
}

/* Returns the length of the first word. Short brackets are one word: "[--keep N]". */
static size_t find_word_length(struct dj_str words)
{
    const char *closing = words.at[0] == '[' ? "]" : words.at[0] == '(' ? ")" : "";
    size_t plain = 0, bracketed = 0;
    while (plain < words.length && words.at[plain] != ' ') {
        plain++;
    }
    while (bracketed < words.length && closing[0] != '\0' &&
           words.at[bracketed] != closing[0]) {
        bracketed++;
    }
    while (bracketed < words.length && words.at[bracketed] != ' ') {
        bracketed++;
    }
    bool together = closing[0] != '\0' && bracketed <= TOGETHER_MOST;
    return together && bracketed > plain ? bracketed : plain;
}

void dj_layout_wrap(struct dj_text *text, struct dj_str words, size_t column,
                    size_t indent)
{
    bool first = true;
    while (words.length > 0) {
        struct dj_str word = {words.at, find_word_length(words)};
        size_t width = dj_str_count_characters(word);
        if (!first && column + 1 + width > DJ_LAYOUT_COLUMNS) {
            dj_text_add(text, "\n");
            append_spaces(text, indent);
            column = indent;
        } else if (!first) {
            dj_text_add(text, " ");
            column++;
        }
        dj_text_append(text, word.at, word.length);
        column += width;
        first = false;
        words = dj_str_from(words, word.length + (word.length < words.length));
    }
    dj_text_add(text, "\n");
}

void dj_layout_append_item(struct dj_text *text, struct dj_str term, struct dj_str words,
                           size_t column)
{
    size_t used = MARGIN + dj_str_count_characters(term);
    append_spaces(text, MARGIN);
    dj_text_append(text, term.at, term.length);
    if (used + GAP > column) {
        dj_text_add(text, "\n");
        used = 0;
    }
    append_spaces(text, column - used);
    dj_layout_wrap(text, words, column, column);
}

bool dj_cli_layout_next(const char **description, struct dj_layout_block *block)
{
    const char *line = *description;
    size_t length = strcspn(line, "\n");
    const char *tab = memchr(line, '\t', length);
    size_t before = tab != NULL ? (size_t)(tab - line) : 0;
    size_t skipped = tab != NULL ? before + 1 : 0;
    if (length == 0) {
        return false;
    }
    block->term = (struct dj_str){line, before};
    block->words = (struct dj_str){line + skipped, length - skipped};
    *description = line + length + (line[length] == '\n');
    return true;
}

/* Returns the column in which the texts of a list start. */
static size_t find_list_column(const char *description)
{
    struct dj_layout_block block;
    size_t widest = 0;
    while (dj_cli_layout_next(&description, &block)) {
        size_t width = dj_str_count_characters(block.term);
        widest = width > widest && width <= TERM_MOST ? width : widest;
    }
    return MARGIN + widest + GAP;
}

void dj_layout_append(struct dj_text *text, const char *description)
{
    size_t column = find_list_column(description);
    struct dj_layout_block block;
    while (dj_cli_layout_next(&description, &block)) {
        if (block.term.length > 0) {
            dj_layout_append_item(text, block.term, block.words, column);
        } else {
            dj_text_add(text, "\n");
            dj_layout_wrap(text, block.words, 0, 0);
        }
    }
}
