/* How a capture of the system is made, in the words that the key `trace:` of plans, the
 * options of `dejank run` and those of `dejank trace capture` share. */
#ifndef DEJANK_MEASURE_TRACE_WORDS_H
#define DEJANK_MEASURE_TRACE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/capture.h"

/* NULL and 0: not said. */
struct dj_trace_words {
    const char *level;
    int64_t before_ns, after_ns, buffer_mb, size_mb;
};

enum {
    DJ_TRACE_BUFFER_MOST_MB = 1024,
    DJ_TRACE_SIZE_MOST_MB = 512,    /* of a run's trace: a store keeps DJ_EVIDENCE_MOST */
    DJ_TRACE_FILE_MOST_MB = 1 << 20 /* of one that is a file of its own */
};

/* "perf" → DJ_CAPTURE_PERF. False: no level is called so. */
bool dj_trace_level_find(const char *name, enum dj_capture_level *level);

#endif
