/* Builds dumps for the report's tests, and compares output with golden files. */
#ifndef DEJANK_TESTS_REPORT_SUPPORT_H
#define DEJANK_TESTS_REPORT_SUPPORT_H

#include "report/document.h"
#include "report/view/view.h"

enum { INTERVAL_NS = 16666667 };

/* Frames of 8.0 … 9.9 ms; every 9th has 20 ms more of layout, and one at `freeze` takes
 * 400 ms (SIZE_MAX: none). Stages in `unknown` (a mask of columns) are not recorded. The
 * dump has one process and one window, with the statistics block of the rows. */
struct made_dump {
    size_t frames;
    size_t freeze;
    uint64_t unknown;
    const char *process;
    const char *window;
};

/* Returns a dump that the caller finishes. Aborts the test if memory runs out. */
struct dj_dump make_dump(const struct made_dump *spec);

/* Adds a window with such frames to a process. */
struct dj_dump_window *add_window(struct dj_dump_process *process,
                                  const struct made_dump *spec);

/* strdup() that cannot fail. */
char *copy_string(const char *string);

/* Computes the facts of a dump, which must not change afterwards; eight per test. Kept
 * until the test ends. */
const struct dj_parsed *compute_facts(const struct dj_dump *dump);

/* Views of a dump, which must not change afterwards. */
struct dj_views create_views(const struct dj_dump *dump);

/* Compares with tests/unit/report/golden/NAME; with DEJANK_BLESS=1 in the environment,
 * writes the file instead. */
void expect_golden(const char *name, const struct dj_text *text);

/* Compares the document, with its details, as a terminal of this many columns without
 * colours shows it. Then finishes the document. */
void expect_document(struct dj_document *document, int width, const char *expected);

extern const char golden_folder[];

#endif
