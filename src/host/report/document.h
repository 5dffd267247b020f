/*
 * A document: what a report says, without its look. Code that knows a subject appends
 * blocks; a back end shows them: the terminal, Markdown, a page, a picture. A document
 * owns copies of everything in it. Its text may contain any bytes: each back end escapes
 * them. Two words that must stay on one line are joined by DJ_NBSP.
 */
#ifndef DEJANK_REPORT_DOCUMENT_H
#define DEJANK_REPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "report/document/chart.h"
#include "report/terminal/style.h"

/* A blank at which no line is broken. */
#define DJ_NBSP "\xc2\xa0"

/* What a text means to the reader. Back ends choose its colour. */
enum dj_tone {
    DJ_TONE_PLAIN,
    DJ_TONE_GOOD,
    DJ_TONE_BAD,
    DJ_TONE_WARNING,
    DJ_TONE_MUTED,
    DJ_TONE_COUNT
};

/* ---- tables ---- */

struct dj_cell {
    struct dj_text text; /* What people see; empty: the value is unknown. */
    enum dj_tone tone;
    struct dj_text target; /* The id of the section that the cell links to, or empty. */
};

/* Appends to the text of the cell, as printf(). */
void dj_cell_format(struct dj_cell *cell, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the text to a number with these digits after the point. NaN leaves it unknown. */
void dj_cell_set_number(struct dj_cell *cell, double value, int digits);

struct dj_table_column {
    const char *label;
    const char *unit; /* NULL: it has none. */
    bool is_number;   /* Aligned to the right. */
    /* Fills the cell of a row. NULL: dj_document_add_cell() fills the table. */
    void (*get)(struct dj_cell *cell, const void *record);
};

struct dj_table {
    struct dj_table_column *columns; /* Owned, as their labels and units. */
    size_t column_count;
    struct dj_cell *cells; /* One per column, row after row. */
    size_t cell_count;
};

/* ---- blocks ---- */

enum dj_block_kind {
    DJ_BLOCK_HEADING,
    DJ_BLOCK_VERDICT, /* The answer, in one line. */
    DJ_BLOCK_PARAGRAPH,
    DJ_BLOCK_NOTE,  /* An item of a list. */
    DJ_BLOCK_FIELD, /* A label and its value. */
    DJ_BLOCK_TABLE,
    DJ_BLOCK_CHART,
    DJ_BLOCK_COMMAND, /* A command that the reader may type next. */
    DJ_BLOCK_DETAILS, /* The title of the details that follow. */
    DJ_BLOCK_END      /* The end of the details. */
};

struct dj_block {
    enum dj_block_kind kind;
    enum dj_tone tone;
    int level;   /* Of a heading, from 2. */
    bool folded; /* Of details, on a page. */
    char *label; /* Of a field; the purpose of a command; the id of a heading, or NULL. */
    char *text;
    struct dj_table table;
    struct dj_chart *chart; /* Owned. */
};

struct dj_document {
    char *title; /* NULL: it has none. */
    /* The document is shown without its details, so builders may omit their content. */
    bool is_brief;
    struct dj_block *blocks;
    size_t block_count;
};

/* Zero a document before its first use. */
void dj_document_finish(struct dj_document *document);

/* The title of the page, and of the window that shows it. Replaces an earlier title. */
void dj_document_set_title(struct dj_document *document, const char *title);

/* `words` is appended and then finished. */
void dj_document_add_heading(struct dj_document *document, int level, const char *title);
void dj_document_add_section(struct dj_document *document, int level, const char *id,
                             struct dj_text *words);
void dj_document_add_verdict(struct dj_document *document, enum dj_tone tone,
                             struct dj_text *words);
void dj_document_add_paragraph(struct dj_document *document, struct dj_text *words);
void dj_document_add_note(struct dj_document *document, enum dj_tone tone,
                          struct dj_text *words);
/* Adds nothing if `value` is empty. */
void dj_document_add_field(struct dj_document *document, const char *label,
                           struct dj_text *value);

/* Adds a command and what it does. */
void dj_document_add_command(struct dj_document *document, const char *command,
                             const char *purpose);

/* What is added between these calls is detail: the terminal hides it unless the reader
 * asks for everything. A page shows it, or folds it with `folded`. Pairs may nest.
 * Details without a block disappear. */
void dj_document_begin_details(struct dj_document *document, const char *title,
                               bool folded);
void dj_document_end_details(struct dj_document *document);

/* Adds details without their content, for a brief document. */
void dj_document_omit_details(struct dj_document *document, const char *title);

/* Starts a table, which the following dj_document_add_row() calls fill, or
 * dj_document_add_cell() calls. Copies the columns. A table without a row disappears. */
void dj_document_begin_table(struct dj_document *document,
                             const struct dj_table_column *columns, size_t column_count);
/* Calls the getter of each column for this record. */
void dj_document_add_row(struct dj_document *document, const void *record);

/* Adds the next cell, for tables whose columns are not known in advance. The cell is
 * valid until the next call. */
struct dj_cell *dj_document_add_cell(struct dj_document *document);

/* Moves the chart into the document; a chart without a point disappears. */
void dj_document_add_chart(struct dj_document *document, struct dj_chart *chart);

/* Moves the blocks of `other` to the end of the document. `other` is then empty. */
void dj_document_append(struct dj_document *document, struct dj_document *other);

/* ---- back ends ---- */

/* For a terminal: no line is wider than the style's width. `with_details` also shows the
 * details. Otherwise a line says that they exist, and that --all shows them. */
void dj_document_write_terminal(struct dj_text *text, const struct dj_document *document,
                                const struct dj_terminal_style *style, bool with_details);

/* The back end for a file with this suffix: .md, .html, .htm, .svg or .png. Returns NULL
 * for other files. */
struct dj_document_format;
const struct dj_document_format *dj_document_find_format(const char *path);
/* Returns 0, or the error of a picture. */
int dj_document_write(struct dj_text *text, const struct dj_document *document,
                      const struct dj_document_format *format, struct dj_error *err);

/* A file that is written part by part, because the whole document would need too much
 * memory. Only Markdown and pages can be written so: returns false for pictures. */
bool dj_document_has_parts(const struct dj_document_format *format);
/* Appends the blocks of one part. */
void dj_document_write_part(struct dj_text *text, const struct dj_document *part,
                            const struct dj_document_format *format);
/* Appends what the file has before and after its parts. `summary` has the title of the
 * page. The button of the page copies the summary as Markdown. */
void dj_document_write_frame(struct dj_text *before, struct dj_text *after,
                             const struct dj_document *summary,
                             const struct dj_document_format *format);

#endif
