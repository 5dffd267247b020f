/* Texts for the reader's tests, reading them, and describing the result in words: two
 * dumps are equal if their descriptions are. */
#ifndef DEJANK_TESTS_GFXINFO_SUPPORT_H
#define DEJANK_TESTS_GFXINFO_SUPPORT_H

#include "gfxinfo/parse.h"

/* The results of the last text. Suites use finish_reading as .fini. */
extern struct dj_dump dump;
extern struct dj_parse_report report;
extern struct dj_error err;

/* Clears the last results and reads a text. */
int parse_bytes(const char *text, size_t length);
int parse(const char *text);
int parse_text(const struct dj_text *text);
void finish_reading(void);

/* Returns the first warning that contains these words, or NULL. */
const struct dj_parse_warning *warning_of(const char *words);
bool warned_of(const char *words);

/* Counts the warnings except those about missing data at the text's end: most texts of
 * the tests are not complete dumps. */
size_t warnings_in(const struct dj_parse_report *of);

/* Returns the only process, or its only window. Fails the test if there are more. */
const struct dj_dump_process *only_process(void);
const struct dj_dump_window *only_window(void);

enum {
    SAID_PLACES = 1,   /* the lines of sections and Davey lines */
    SAID_SECTIONS = 2, /* other text */
    SAID_ALL = 3
};

/* Describes every field of a dump, one line each. */
void describe(struct dj_text *out, const struct dj_dump *described, unsigned said);

/* Describes every warning with its place. */
void describe_warnings(struct dj_text *out, const struct dj_parse_report *described);

/* Fails the test at the first different line. */
void expect_same_text(const struct dj_text *got, const struct dj_text *want,
                      const char *context, size_t number);

/* The columns of each release as its own header names them. Repeated here so that the
 * tests do not depend on the product's table. */
struct columns {
    const char *release; /* the oldest release that has them */
    size_t count;
    bool header;       /* the release prints one */
    const char *names; /* a comma after each */
};
enum { COLUMN_SETS = 8 };
extern const struct columns column_sets[COLUMN_SETS];

/* Returns the value in a column of row n of a sample, by the column's true name. */
int64_t sample_value(const char *name, size_t n);

/* Appends a row of a sample without a newline. */
void append_row(struct dj_text *out, const struct columns *set, size_t n);

/* Appends "---PROFILEDATA---", header, rows, and the marker again. */
void append_framestats(struct dj_text *out, const struct columns *set, size_t rows);

/* Appends a dump with two windows and all other text that this release prints. */
void append_sample(struct dj_text *out, const struct columns *set, int64_t uptime_ms);

/* Expects frame n of a window to be the complete sample row n. */
void expect_sample_row(const struct dj_dump_window *window, const struct columns *set,
                       size_t n);

/* Appends every line of the text between `before` and `after`, which contains the
 * newline. */
void dress(struct dj_text *out, const struct dj_text *text, const char *before,
           const char *after);

/* Breaks every line after `width` bytes, or (soft) at the last blank before that. */
void wrap(struct dj_text *out, const struct dj_text *text, size_t width, bool soft);

#endif
