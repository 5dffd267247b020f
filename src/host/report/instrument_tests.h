/* Converts the output of `am instrument` to JUnit XML. */
#ifndef DEJANK_REPORT_INSTRUMENT_TESTS_H
#define DEJANK_REPORT_INSTRUMENT_TESTS_H

#include "base/messages.h"
#include "report/batches.h"
#include "report/junit.h"

/* Reads a file with output of `am instrument`, and adds its tests as a suite that is
 * named after the file. The path "-" is the standard input. Returns 0, DJ_E_NO_DATA if
 * the file contains other data, or another error. */
int dj_report_add_instrument_output(struct dj_junit *junit, const char *path,
                                    const struct dj_messages *messages,
                                    struct dj_error *err);

/* Appends JUnit XML with the tests of all runs of the batches. */
int dj_report_batch_tests(struct dj_store *history, const struct dj_batches *batches,
                          struct dj_text *text, struct dj_error *err);

#endif
