/* The file of a capture: what it writes itself, and what its user asked for. */
#ifndef DEJANK_CLI_CAPTURE_OUTPUT_H
#define DEJANK_CLI_CAPTURE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct dj_capture_output {
    const char *asked; /* -o */
    const char *path; /* what the capture is to write: the same, or a trace beside it that
                         becomes Chrome's JSON in the end */
    char *beside;     /* owned; NULL: nothing is made of it */
};

/* DJ_E_USAGE where the name asks for a form that a capture cannot have (`local`: of this
 * machine), DJ_E_OUTPUT where it cannot be written. */
int dj_capture_output_open(struct dj_capture_output *output, const char *asked,
                           bool local, struct dj_error *err);

/* Makes what was asked for of what was captured; *bytes becomes that one's size. Where it
 * cannot be written the trace stays where it is, and the error names it. */
int dj_capture_output_end(struct dj_capture_output *output, int64_t *bytes,
                          struct dj_error *err);

void dj_capture_output_finish(struct dj_capture_output *output);

#endif
