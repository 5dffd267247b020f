/* What `am instrument` said, kept in files or the store, as JUnit XML. */
#ifndef DEJANK_CLI_REPORT_TESTS_H
#define DEJANK_CLI_REPORT_TESTS_H

#include "report/batches.h"

/* Appends the tests of all inputs, a suite each. Returns the exit code; an input that is
 * no such stream is named on stderr, and the others are written all the same. Where none
 * is one nothing is appended. */
int dj_report_tests(int count, char **paths, struct dj_text *text);

/* Batches of a store as one document: a suite of each batch's runs, and where they were
 * driven by instrumentation a suite of each run's tests. */
int dj_report_batch_tests(struct dj_history *history, const struct dj_batches *batches,
                          struct dj_text *text, struct dj_error *err);

#endif
