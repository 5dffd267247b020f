/* Documents on a terminal. */
#include <string.h>

#include "memory/memory.h"
#include "report/document/render.h"
#include "report/escape/name.h"
#include "report/terminal/lines.h"

enum {
    GAP = 2,
    LABEL_MAX = 24, /* Columns of the labels of fields. */
    INDENT = 2,
    WRAPPED_MIN = 20 /* Minimum columns of a cell that has several lines. */
};

static const int colors[DJ_TONE_COUNT] = {[DJ_TONE_PLAIN] = DJ_COLOR_NONE,
                                          [DJ_TONE_GOOD] = DJ_COLOR_GOOD,
                                          [DJ_TONE_BAD] = DJ_COLOR_BAD,
                                          [DJ_TONE_WARNING] = DJ_COLOR_DEADLINE,
                                          [DJ_TONE_MUTED] = DJ_COLOR_MUTED};

static void set_tone(struct dj_terminal *out, enum dj_tone tone)
{
    if (tone != DJ_TONE_PLAIN) {
        dj_terminal_set_color(out, colors[tone]);
    }
}

static void reset_tone(struct dj_terminal *out, enum dj_tone tone)
{
    if (tone != DJ_TONE_PLAIN) {
        dj_terminal_set_color(out, DJ_COLOR_NONE);
    }
}

/* Appends the string escaped. Replaces DJ_NBSP by the terminal's blank at which lines are
 * not broken. */
static void append_escaped(struct dj_text *text, const char *string)
{
    const char *blank;
    while ((blank = strstr(string, DJ_NBSP)) != NULL) {
        char *before = dj_xcopy(string, (size_t)(blank - string));
        dj_text_append_escaped_name(text, before);
        dj_text_add(text, DJ_GLUE);
        free(before);
        string = blank + strlen(DJ_NBSP);
    }
    dj_text_append_escaped_name(text, string);
}

static void write_wrapped(struct dj_terminal *out, const char *first, const char *rest,
                          const char *string)
{
    struct dj_text words = {0};
    append_escaped(&words, string);
    dj_terminal_wrap_and_finish(out, first, rest, &words);
}

static void write_gap(struct dj_terminal *out)
{
    dj_text_add(out->text, out->text->length > 0 ? "\n" : "");
}

/* Writes the text of a cell as the terminal shows it. Unknown values become a dash. */
static void write_cell(struct dj_terminal *out, struct dj_text *shown,
                       const struct dj_cell *cell)
{
    struct dj_terminal plain = {shown, out->style};
    struct dj_text words = {0};
    append_escaped(&words, cell->text.length > 0 ? dj_xtext(&cell->text) : "–");
    for (size_t i = 0; i < words.length; i++) {
        words.data[i] = words.data[i] == DJ_GLUE[0] ? ' ' : words.data[i];
    }
    dj_terminal_write_words(&plain, dj_xtext(&words));
    dj_text_finish(&words);
}

static void write_label(struct dj_terminal *out, struct dj_text *shown,
                        const struct dj_table_column *column)
{
    struct dj_terminal plain = {shown, out->style};
    dj_terminal_write_words(&plain, column->label);
    if (column->unit != NULL) {
        dj_text_add(shown, column->label[0] != '\0' ? ", " : "");
        dj_terminal_write_words(&plain, column->unit);
    }
}

/* Returns the width of the table, and sets the width of each column. */
static size_t measure_columns(struct dj_terminal *out, const struct dj_table *table,
                              size_t *widths)
{
    size_t total = 0;
    struct dj_text shown = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        write_label(out, &shown, &table->columns[i]);
        widths[i] = dj_name_count_columns(dj_xtext(&shown));
        dj_text_clear(&shown);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t *width = &widths[i % table->column_count];
        write_cell(out, &shown, &table->cells[i]);
        size_t columns = dj_name_count_columns(dj_xtext(&shown));
        *width = columns > *width ? columns : *width;
        dj_text_clear(&shown);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        total += widths[i] + (i > 0 ? GAP : 0);
    }
    dj_text_finish(&shown);
    return total;
}

static void write_padded(struct dj_terminal *out, const char *string, size_t width,
                         bool right, enum dj_tone tone)
{
    size_t used = dj_name_count_columns(string);
    size_t blanks = used < width ? width - used : 0;
    dj_terminal_write_repeated(out, " ", right ? blanks : 0);
    set_tone(out, tone);
    dj_text_add(out->text, string);
    reset_tone(out, tone);
    dj_terminal_write_repeated(out, " ", right ? 0 : blanks);
}

static void write_head(struct dj_terminal *out, const struct dj_table *table,
                       const size_t *widths)
{
    struct dj_text shown = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        write_label(out, &shown, &table->columns[i]);
        dj_terminal_write_repeated(out, " ", i > 0 ? GAP : 0);
        write_padded(out, dj_xtext(&shown), widths[i], table->columns[i].is_number,
                     DJ_TONE_MUTED);
        dj_text_clear(&shown);
    }
    dj_text_add(out->text, "\n");
    dj_text_finish(&shown);
}

/* Writes the last cell of a row from column `start` on, in as many lines as it needs. */
static void write_last_cell(struct dj_terminal *out, const struct dj_cell *cell,
                            size_t start)
{
    struct dj_text wrapped = {0};
    struct dj_text indent = {0};
    struct dj_terminal rest = {&wrapped, out->style};
    rest.style.width -= (int)start;
    write_wrapped(&rest, "", "", cell->text.length > 0 ? dj_xtext(&cell->text) : "–");
    dj_terminal_write_repeated(&(struct dj_terminal){&indent, out->style}, " ", start);
    set_tone(out, cell->tone);
    for (const char *line = dj_xtext(&wrapped); *line != '\0';) {
        size_t length = strcspn(line, "\n") + 1;
        dj_text_add(out->text, line == wrapped.data ? "" : dj_xtext(&indent));
        dj_text_append(out->text, line, length);
        line += length;
    }
    reset_tone(out, cell->tone);
    dj_text_finish(&wrapped);
    dj_text_finish(&indent);
}

static void write_rows(struct dj_terminal *out, const struct dj_table *table,
                       const size_t *widths)
{
    struct dj_text shown = {0};
    size_t last = table->column_count - 1;
    size_t start = 0;
    for (size_t i = 0; i < last; i++) {
        start += widths[i] + GAP;
    }
    write_head(out, table, widths);
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t column = i % table->column_count;
        dj_terminal_write_repeated(out, " ", column > 0 ? GAP : 0);
        if (column == last && !table->columns[last].is_number) {
            write_last_cell(out, &table->cells[i], start);
            continue;
        }
        write_cell(out, &shown, &table->cells[i]);
        write_padded(out, dj_xtext(&shown), widths[column],
                     table->columns[column].is_number, table->cells[i].tone);
        dj_text_add(out->text, column == last ? "\n" : "");
        dj_text_clear(&shown);
    }
    dj_text_finish(&shown);
}

/* Writes a table for which the terminal is too narrow: the first cell of each row, and
 * below it the other cells with the labels of their columns. */
static void write_records(struct dj_terminal *out, const struct dj_table *table)
{
    for (size_t i = 0; i < table->cell_count; i += table->column_count) {
        struct dj_text words = {0};
        write_wrapped(out, "", "  ", dj_xtext(&table->cells[i].text));
        for (size_t k = 1; k < table->column_count; k++) {
            const struct dj_cell *cell = &table->cells[i + k];
            const struct dj_table_column *column = &table->columns[k];
            if (cell->text.length == 0) {
                continue;
            }
            dj_text_add(&words, words.length > 0 ? ", " : "");
            dj_text_format(&words, "%s%s%s", column->label,
                           column->label[0] != '\0' ? DJ_NBSP : "",
                           dj_xtext(&cell->text));
            if (column->unit != NULL) {
                dj_text_format(&words, DJ_NBSP "%s", column->unit);
            }
        }
        write_wrapped(out, "  ", "  ", dj_xtext(&words));
        dj_text_finish(&words);
    }
}

static void write_table(struct dj_terminal *out, const struct dj_table *table)
{
    size_t *widths = dj_xcalloc(table->column_count, sizeof(*widths));
    size_t total = measure_columns(out, table, widths);
    size_t *last = &widths[table->column_count - 1];
    if (!table->columns[table->column_count - 1].is_number && *last > WRAPPED_MIN) {
        /* The last column can be narrower, because its cells may have several lines. */
        total -= *last - WRAPPED_MIN;
    }
    if (total <= (size_t)out->style.width) {
        write_rows(out, table, widths);
    } else {
        write_records(out, table);
    }
    free(widths);
}

/* Returns the number of consecutive blocks of this kind from `first` on. */
static size_t count_blocks(const struct dj_document *document, size_t first,
                           enum dj_block_kind kind)
{
    size_t count = 0;
    while (first + count < document->block_count &&
           document->blocks[first + count].kind == kind) {
        count++;
    }
    return count;
}

static size_t find_widest(const struct dj_block *blocks, size_t count, bool of_label)
{
    size_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t columns =
            dj_name_count_columns(of_label ? blocks[i].label : blocks[i].text);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

static void write_fields(struct dj_terminal *out, const struct dj_block *blocks,
                         size_t count)
{
    size_t widest = find_widest(blocks, count, true);
    bool narrow = widest > LABEL_MAX || (int)widest > out->style.width / 2;
    struct dj_text first = {0};
    struct dj_text rest = {0};
    dj_terminal_write_repeated(&(struct dj_terminal){&rest, out->style}, " ",
                               narrow ? INDENT : widest + GAP);
    for (size_t i = 0; i < count; i++) {
        size_t blanks = widest + GAP - dj_name_count_columns(blocks[i].label);
        dj_text_add(&first, blocks[i].label);
        dj_terminal_write_repeated(&(struct dj_terminal){&first, out->style}, " ",
                                   narrow ? GAP : blanks);
        write_wrapped(out, dj_xtext(&first), dj_xtext(&rest), blocks[i].text);
        dj_text_clear(&first);
    }
    dj_text_finish(&first);
    dj_text_finish(&rest);
}

static void write_notes(struct dj_terminal *out, const struct dj_block *blocks,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set_tone(out, blocks[i].tone);
        write_wrapped(out, dj_terminal_choose_glyph(out, "• ", "* "), "  ",
                      blocks[i].text);
        reset_tone(out, blocks[i].tone);
    }
}

/* Writes commands with their purposes. Commands are never broken into several lines,
 * because the reader copies them. */
static void write_commands(struct dj_terminal *out, const struct dj_block *blocks,
                           size_t count)
{
    size_t widest = find_widest(blocks, count, false);
    dj_text_add(out->text, "next:\n");
    for (size_t i = 0; i < count; i++) {
        const struct dj_block *block = &blocks[i];
        size_t used = INDENT + widest + GAP + dj_name_count_columns(block->label);
        dj_terminal_write_repeated(out, " ", INDENT);
        append_escaped(out->text, block->text);
        if (used <= (size_t)out->style.width) {
            dj_terminal_write_repeated(out, " ",
                                       widest + GAP - dj_name_count_columns(block->text));
            dj_terminal_write_words(out, block->label);
            dj_text_add(out->text, "\n");
        } else {
            dj_text_add(out->text, "\n");
            write_wrapped(out, "    ", "    ", block->label);
        }
    }
}

/* Writes the block at `at`, or the list that starts there. Returns the number of written
 * blocks. */
static size_t write_blocks(struct dj_terminal *out, const struct dj_document *document,
                           size_t at)
{
    const struct dj_block *block = &document->blocks[at];
    size_t count = count_blocks(document, at, block->kind);
    switch (block->kind) {
    case DJ_BLOCK_FIELD:
        write_fields(out, block, count);
        return count;
    case DJ_BLOCK_NOTE:
        write_notes(out, block, count);
        return count;
    case DJ_BLOCK_COMMAND:
        write_commands(out, block, count);
        return count;
    case DJ_BLOCK_TABLE:
        write_table(out, &block->table);
        return 1;
    case DJ_BLOCK_CHART:
        dj_chart_write_terminal(out, block->chart);
        return 1;
    case DJ_BLOCK_HEADING:
    case DJ_BLOCK_DETAILS:
    case DJ_BLOCK_VERDICT:
        dj_terminal_set_bold(out, true);
        set_tone(out, block->tone);
        write_wrapped(out, "", "  ", block->text);
        dj_terminal_set_color(out, DJ_COLOR_NONE);
        return 1;
    default:
        write_wrapped(out, "", "", block->text);
        return 1;
    }
}

/* Returns the index of the block after the end of the details that start at `at`. */
static size_t skip_details(const struct dj_document *document, size_t at)
{
    size_t depth = 0;
    do {
        depth += document->blocks[at].kind == DJ_BLOCK_DETAILS;
        depth -= document->blocks[at].kind == DJ_BLOCK_END;
        at++;
    } while (depth > 0 && at < document->block_count);
    return at;
}

/* Adds the title of hidden details to the list, unless the list already contains it:
 * several details may have the same title. */
static void add_hidden(struct dj_text *hidden, const char *title)
{
    if (strstr(dj_xtext(hidden), title) == NULL) {
        dj_text_format(hidden, "%s%s", hidden->length > 0 ? ", " : "", title);
    }
}

/* Writes a line that names the hidden details. */
static void write_hidden(struct dj_terminal *out, const struct dj_text *hidden)
{
    if (hidden->length > 0) {
        struct dj_text words = {0};
        dj_text_format(&words, "Not shown: %s (--all shows everything).",
                       dj_xtext(hidden));
        write_gap(out);
        set_tone(out, DJ_TONE_MUTED);
        write_wrapped(out, "", "", dj_xtext(&words));
        reset_tone(out, DJ_TONE_MUTED);
        dj_text_finish(&words);
    }
}

/* Returns whether a blank line precedes the block. A block that explains the previous one
 * has no blank line before it. */
static bool needs_gap(const struct dj_document *document, size_t at)
{
    enum dj_block_kind kind = document->blocks[at].kind;
    enum dj_block_kind before = at > 0 ? document->blocks[at - 1].kind : kind;
    bool titled = before == DJ_BLOCK_HEADING || before == DJ_BLOCK_DETAILS;
    bool same = before == kind && kind == DJ_BLOCK_PARAGRAPH;
    bool answered = before == DJ_BLOCK_VERDICT && kind == DJ_BLOCK_PARAGRAPH;
    return at > 0 && !titled && !same && !answered;
}

void dj_document_write_terminal(struct dj_text *text, const struct dj_document *document,
                                const struct dj_terminal_style *style, bool with_details)
{
    struct dj_terminal out = dj_terminal_init(text, style);
    struct dj_text hidden = {0};
    size_t start = text->length;
    for (size_t i = 0; i < document->block_count;) {
        const struct dj_block *block = &document->blocks[i];
        bool commands = block->kind == DJ_BLOCK_COMMAND;
        if (commands) {
            write_hidden(&out, &hidden);
            dj_text_clear(&hidden);
        }
        if (block->kind == DJ_BLOCK_DETAILS && !with_details) {
            add_hidden(&hidden, block->text);
            i = skip_details(document, i);
        } else if (block->kind == DJ_BLOCK_END || dj_document_is_served(block->kind)) {
            i++;
        } else {
            dj_text_add(text, needs_gap(document, i) ? "\n" : "");
            i += write_blocks(&out, document, i);
        }
    }
    write_hidden(&out, &hidden);
    dj_text_finish(&hidden);
    dj_terminal_remove_blanks(text, start);
}
