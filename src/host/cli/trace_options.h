/* The options that say how a capture is made, of `dejank run` and `dejank trace capture`.
 */
#ifndef DEJANK_CLI_TRACE_OPTIONS_H
#define DEJANK_CLI_TRACE_OPTIONS_H

#include "base/error.h"
#include "measure/trace_words.h"

/* Whether each may be as it was said. `prefix` stands before its name ("trace-" or ""),
 * `size_most_mb` bounds the file. 0, or DJ_E_USAGE with the option that is wrong. */
int dj_trace_options_check(const struct dj_trace_words *words, const char *prefix,
                           int64_t size_most_mb, struct dj_error *err);

#endif
