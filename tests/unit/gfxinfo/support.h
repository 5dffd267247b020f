/* Texts made for the reader's tests, what was read of them, and that in words: two dumps
 * are the same where their descriptions are. */
#ifndef DEJANK_TESTS_GFXINFO_SUPPORT_H
#define DEJANK_TESTS_GFXINFO_SUPPORT_H

#include "gfxinfo/parse.h"

/* ---- reading ---- */

/* Of the last text; a test suite's .fini is finish_reading. */
extern struct dj_dump dump;
extern struct dj_parse_report report;
extern struct dj_error err;

/* Reads a text anew. */
int parse_bytes(const char *text, size_t length);
int parse(const char *text);
int parse_text(const struct dj_text *text);
void finish_reading(void);

/* The first warning with these words in it; NULL: there is none. */
const struct dj_parse_warning *warning_of(const char *words);
bool warned_of(const char *words);

/* How many there are besides those of what the text's end lacks: most texts of the tests
 * are no whole dumps. */
size_t warnings_in(const struct dj_parse_report *of);

/* The one process, the one window of it. Fails the test where there are more. */
const struct dj_dump_process *only_process(void);
const struct dj_dump_window *only_window(void);

/* ---- what was read, in words ---- */

enum {
    SAID_PLACES = 1,   /* the lines of sections and Davey lines */
    SAID_SECTIONS = 2, /* other text */
    SAID_ALL = 3
};

/* Every field of a dump, one line each. */
void describe(struct dj_text *out, const struct dj_dump *described, unsigned said);

/* Every warning with its place. */
void describe_warnings(struct dj_text *out, const struct dj_parse_report *described);

/* Fails the test at the first line that differs. */
void expect_same_text(const struct dj_text *got, const struct dj_text *want,
                      const char *context, size_t number);

/* ---- texts ---- */

/* The columns of each release as its own header names them; written down here anew, so
 * that the tests do not read by the product's table. */
struct columns {
    const char *release; /* the oldest that has them */
    size_t count;
    bool header;       /* the release prints one */
    const char *names; /* with a comma behind each */
};
enum { COLUMN_SETS = 8 };
extern const struct columns column_sets[COLUMN_SETS];

/* The number in a column of row n of a sample, by the column's true name. */
int64_t sample_value(const char *name, size_t n);

/* A row of a sample, without a newline. */
void append_row(struct dj_text *out, const struct columns *set, size_t n);

/* "---PROFILEDATA---", header, rows, and the marker again. */
void append_framestats(struct dj_text *out, const struct columns *set, size_t rows);

/* A dump with two windows and all that this release prints around them. */
void append_sample(struct dj_text *out, const struct columns *set, int64_t uptime_ms);

/* That frame n of a window is the sample's row n, whole. */
void expect_sample_row(const struct dj_dump_window *window, const struct columns *set,
                       size_t n);

/* ---- disguises ---- */

/* Every line of the text between `before` and `after`, which has the newline. */
void dress(struct dj_text *out, const struct dj_text *text, const char *before,
           const char *after);

/* Every line broken after `width` bytes, or (soft) at the last blank before. */
void wrap(struct dj_text *out, const struct dj_text *text, size_t width, bool soft);

#endif
