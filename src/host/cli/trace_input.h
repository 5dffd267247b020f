/* The files that trace verbs are given. */
#ifndef DEJANK_CLI_TRACE_INPUT_H
#define DEJANK_CLI_TRACE_INPUT_H

#include "base/error.h"

/* A file that is not there, or cannot be read, is no trouble of a device: the code of bad
 * data for that; others as they are. */
int dj_trace_input_code(int code);

#endif
