/*
 * A document: the content of a report, without its appearance. Code that knows a subject
 * appends blocks. A back end then shows the blocks on a terminal, in Markdown, in an HTML
 * page or in a picture. A document owns copies of everything in it. Its text may contain
 * any bytes: each back end escapes them. DJ_NBSP joins two words that must stay on one
 * line.
 */
#ifndef DEJANK_REPORT_DOCUMENT_H
#define DEJANK_REPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "report/document/chart.h"
#include "report/terminal/style.h"

/* A no-break space. Back ends never break a line at this character. */
#define DJ_NBSP "\xc2\xa0"

/* The meaning of a text to the reader. Back ends choose the colour. */
enum dj_tone {
    DJ_TONE_PLAIN,
    DJ_TONE_GOOD,
    DJ_TONE_BAD,
    DJ_TONE_WARNING,
    DJ_TONE_MUTED,
    DJ_TONE_COUNT
};

struct dj_cell {
    /* The text that people see. It is empty if the value is unknown. */
    struct dj_text text;
    enum dj_tone tone;
    bool is_label; /* An HTML page shows the text as a label with a background. */
    /* Target of the cell's link, or empty. The target is the id of a section of the same
     * document, or the path of a page of the server. A path starts with '/'. */
    struct dj_text target;
};

/* Formats like printf() and appends the result to the text of the cell. */
void dj_cell_format(struct dj_cell *cell, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the text to a number with `digits` digits after the point. The cell stays empty
 * for NaN. */
void dj_cell_set_number(struct dj_cell *cell, double value, int digits);

/* Sets the text to a line chart of one line, from the least value to the greatest. */
void dj_cell_set_sparkline(struct dj_cell *cell, const double *values, size_t count);

struct dj_table_column {
    const char *label;
    const char *unit; /* Unit of the values, or NULL if they have none. */
    /* True if the cells contain numbers. They are aligned to the right. */
    bool is_number;
    /* Fills the cell of a row. NULL if dj_document_add_cell() fills the table. */
    void (*get)(struct dj_cell *cell, const void *record);
};

struct dj_table {
    /* The table owns the columns, their labels and their units. */
    struct dj_table_column *columns;
    size_t column_count;
    /* The cells of all rows, with one cell per column, row after row. */
    struct dj_cell *cells;
    size_t cell_count;
};

struct dj_web_field {
    const char *name;
    const char *label; /* Label of the field, or NULL if users do not see the field. */
    const char *value; /* The value that the field has at first, or NULL. */
    /* The values to choose from, or NULL if there are none. Each is VALUE or
     * VALUE<tab>LABEL, and ends with a newline. */
    const char *choices;
    enum {
        DJ_FIELD_ONE,    /* One of the choices, or any text if there are none. */
        DJ_FIELD_ANY,    /* Any text. The choices are suggestions. */
        DJ_FIELD_SEVERAL /* Any number of the choices. `value` has a line for each. */
    } kind;
    /* For a field with several values: true if the choices are shown only after a click
     * on the label. */
    bool folded;
};

/* A form of the server. Only its pages show forms. */
struct dj_web_form {
    const char *action; /* The path that receives the form. */
    const char *submit; /* Text of the button that submits the form. */
    bool writes;        /* The form changes data, so it is sent as a POST request. */
    struct dj_web_field *fields;
    size_t field_count;
};

enum dj_block_kind {
    DJ_BLOCK_HEADING,
    DJ_BLOCK_VERDICT, /* The answer, in one line. */
    DJ_BLOCK_PARAGRAPH,
    DJ_BLOCK_NOTE,  /* An item of a list. */
    DJ_BLOCK_FIELD, /* A label and its value. */
    DJ_BLOCK_TABLE,
    DJ_BLOCK_CHART,
    DJ_BLOCK_COMMAND, /* A command that the reader may type next. */
    DJ_BLOCK_LINK,    /* A link to a page of the server. */
    DJ_BLOCK_FORM,
    DJ_BLOCK_DETAILS, /* The title of the details that follow. */
    DJ_BLOCK_END      /* The end of the details. */
};

struct dj_block {
    enum dj_block_kind kind;
    enum dj_tone tone;
    int level;   /* The level of a heading, from 2. */
    bool folded; /* For details: true if an HTML page shows them only after a click. */
    /* The label of a field, the purpose of a command, the path of a link, or the id of a
     * heading. NULL if there is none. */
    char *label;
    char *text;
    struct dj_table table;
    struct dj_chart *chart;  /* Owned by this struct. */
    struct dj_web_form form; /* The block owns its texts. */
};

/* Returns whether only the pages of the server show blocks of this kind. */
static inline bool dj_document_is_served(enum dj_block_kind kind)
{
    return kind == DJ_BLOCK_LINK || kind == DJ_BLOCK_FORM;
}

struct dj_document {
    char *title; /* Title of the document, or NULL if it has none. */
    /* The document is shown without its details, so builders may omit the content of the
     * details. */
    bool is_brief;
    struct dj_block *blocks;
    size_t block_count;
};

/* Zero a document before its first use. */
void dj_document_finish(struct dj_document *document);

/* Sets the title of the document, which is also the title of its HTML page. Replaces an
 * earlier title. */
void dj_document_set_title(struct dj_document *document, const char *title);

/* The functions with `words` append its text and then finish it. */
void dj_document_add_heading(struct dj_document *document, int level, const char *title);
void dj_document_add_section(struct dj_document *document, int level, const char *id,
                             struct dj_text *words);
void dj_document_add_verdict(struct dj_document *document, enum dj_tone tone,
                             struct dj_text *words);
void dj_document_add_paragraph(struct dj_document *document, struct dj_text *words);
void dj_document_add_note(struct dj_document *document, enum dj_tone tone,
                          struct dj_text *words);
/* Adds a label and its value, and finishes `value`. Adds nothing if `value` is empty. */
void dj_document_add_field(struct dj_document *document, const char *label,
                           struct dj_text *value);

/* Adds a command and its purpose. */
void dj_document_add_command(struct dj_document *document, const char *command,
                             const char *purpose);

/* Adds a link to a page of the server. Only pages of the server show links. */
void dj_document_add_link(struct dj_document *document, const char *path,
                          const char *title);
/* Adds a copy of the form. */
void dj_document_add_form(struct dj_document *document, const struct dj_web_form *form);

/* Blocks that are added between these calls are details. The terminal hides them unless
 * the reader asks for everything. An HTML page shows them, and folds them if `folded` is
 * set. Pairs of calls may nest. Details without a block are removed. */
void dj_document_begin_details(struct dj_document *document, const char *title,
                               bool folded);
void dj_document_end_details(struct dj_document *document);

/* Adds only the title of details, for a brief document. */
void dj_document_omit_details(struct dj_document *document, const char *title);

/* Starts a table. The following calls of dj_document_add_row() or dj_document_add_cell()
 * fill it. Copies the columns. A table without a row is not shown. */
void dj_document_begin_table(struct dj_document *document,
                             const struct dj_table_column *columns, size_t column_count);
/* Adds a row: calls the getter of each column for this record. */
void dj_document_add_row(struct dj_document *document, const void *record);

/* Adds the next cell, for tables whose columns are not known in advance. The cell is
 * valid until the next call. */
struct dj_cell *dj_document_add_cell(struct dj_document *document);

/* Moves the chart into the document. Frees a chart without points instead. */
void dj_document_add_chart(struct dj_document *document, struct dj_chart *chart);

/* Moves the blocks of `other` to the end of the document. `other` is then empty. */
void dj_document_append(struct dj_document *document, struct dj_document *other);
/* Moves the blocks of `other` to the place before the first details of the document, or
 * to its end if it has no details. `other` is then empty. */
void dj_document_insert_before_details(struct dj_document *document,
                                       struct dj_document *other);
/* Removes the commands that a reader may type next. */
void dj_document_remove_commands(struct dj_document *document);

/* Writes the document for a terminal. No line is wider than the style's width. With
 * `with_details`, the output contains the details. Otherwise a line says that details
 * exist and that --all shows them. */
void dj_document_write_terminal(struct dj_text *text, const struct dj_document *document,
                                const struct dj_terminal_style *style, bool with_details);

/* Returns the back end for a file with the suffix .md, .html, .htm, .svg or .png. Returns
 * NULL for other files. */
struct dj_document_format;
const struct dj_document_format *dj_document_find_format(const char *path);
/* Returns 0, or the error of a picture. */
int dj_document_write(struct dj_text *text, const struct dj_document *document,
                      const struct dj_document_format *format, struct dj_error *err);

/* Returns whether a file of this format can be written part by part, which needs less
 * memory than the whole document. Only Markdown and HTML can. Returns false for pictures.
 */
bool dj_document_has_parts(const struct dj_document_format *format);
/* Appends the blocks of one part. */
void dj_document_write_part(struct dj_text *text, const struct dj_document *part,
                            const struct dj_document_format *format);
/* Appends the text before the first part of a file and the text after its last part. An
 * HTML page has the title of `summary`, and its copy button copies the summary as
 * Markdown. */
void dj_document_write_frame(struct dj_text *before, struct dj_text *after,
                             const struct dj_document *summary,
                             const struct dj_document_format *format);

#endif
