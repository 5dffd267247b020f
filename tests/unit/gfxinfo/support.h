/* Helpers for the tests of the parser: create texts, parse them, and describe the result
 * in words. Two dumps are equal if their descriptions are equal. */
#ifndef DEJANK_TESTS_GFXINFO_SUPPORT_H
#define DEJANK_TESTS_GFXINFO_SUPPORT_H

#include "gfxinfo/parse.h"

/* The results of parsing the last text. Test suites use finish_reading as .fini. */
extern struct dj_dump dump;
extern struct dj_parse_report report;
extern struct dj_error err;

/* Free the last results and parse a text. */
int parse_bytes(const char *text, size_t length);
int parse(const char *text);
int parse_text(const struct dj_text *text);
void finish_reading(void);

/* Return the first warning that contains these words (NULL if there is none), and
 * whether there is one. */
const struct dj_parse_warning *warning_of(const char *words);
bool warned_of(const char *words);

/* Returns the number of warnings except those about a truncated text. Most texts of the
 * tests are not complete dumps. */
size_t warnings_in(const struct dj_parse_report *of);

/* Return the only process, and its only window. The test fails if there are more. */
const struct dj_dump_process *only_process(void);
const struct dj_dump_window *only_window(void);

enum {
    DESCRIBE_PLACES = 1,   /* Line numbers of sections and Davey lines. */
    DESCRIBE_SECTIONS = 2, /* Text that the parser does not interpret. */
    DESCRIBE_ALL = 3
};

/* Describes every field of a dump, one line per field. */
void describe(struct dj_text *out, const struct dj_dump *described, unsigned parts);

/* Describes every warning with its position. */
void describe_warnings(struct dj_text *out, const struct dj_parse_report *described);

/* Fails the test at the first line that differs. */
void expect_same_text(const struct dj_text *got, const struct dj_text *want,
                      const char *context, size_t number);

/* The columns of each release as its own header names them. They are repeated here so
 * that the tests do not depend on the product's table. */
struct columns {
    const char *release; /* Oldest release with these columns. */
    size_t count;
    bool header;       /* Whether the release prints a header. */
    const char *names; /* Names, each with a comma after it. */
};
enum { COLUMN_SETS = 8 };
extern const struct columns column_sets[COLUMN_SETS];

/* Returns the value in a column of row n of a sample. `name` is the true name of the
 * column, not an exchanged one. */
int64_t sample_value(const char *name, size_t n);

/* Appends a row of a sample without a newline. */
void append_row(struct dj_text *out, const struct columns *set, size_t n);

/* Appends rows of framestats with a header between two markers. */
void append_framestats(struct dj_text *out, const struct columns *set, size_t rows);

/* Appends a dump with two windows and all other text that this release prints. */
void append_sample(struct dj_text *out, const struct columns *set, int64_t uptime_ms);

/* Fails the test unless frame n of the window is row n of the sample. */
void expect_sample_row(const struct dj_dump_window *window, const struct columns *set,
                       size_t n);

/* Appends every line of the text with `before` in front of it and `after` instead of the
 * newline. */
void append_with_prefix(struct dj_text *out, const struct dj_text *text,
                        const char *before, const char *after);

/* Breaks every line after `width` bytes. If `soft`, breaks at the last blank before
 * that. */
void wrap(struct dj_text *out, const struct dj_text *text, size_t width, bool soft);

#endif
