/* What `am instrument` said, kept in files, as JUnit XML. */
#ifndef DEJANK_CLI_REPORT_TESTS_H
#define DEJANK_CLI_REPORT_TESTS_H

#include "base/text.h"

/* Appends the tests of all inputs, a suite each. Returns the exit code; an input that is
 * no such stream is named on stderr, and the others are written all the same. Where none
 * is one nothing is appended. */
int dj_report_tests(int count, char **paths, struct dj_text *text);

#endif
