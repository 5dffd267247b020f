/* Instrumentation tests as JUnit XML, from the output of `am instrument`. */
#ifndef DEJANK_REPORT_INSTRUMENT_TESTS_H
#define DEJANK_REPORT_INSTRUMENT_TESTS_H

#include "base/messages.h"
#include "report/batches.h"
#include "report/junit.h"

/* Reads a file of such output ("-": the standard input), and adds its tests as a suite
 * named after the file. DJ_E_NO_DATA if it is not such output. */
int dj_report_add_instrument_output(struct dj_junit *junit, const char *path,
                                    const struct dj_messages *messages,
                                    struct dj_error *err);

/* Appends batches of the store with the tests of their runs. */
int dj_report_batch_tests(struct dj_store *history, const struct dj_batches *batches,
                          struct dj_text *text, struct dj_error *err);

#endif
