/* How a capture of the system is made, in words: one table for the key `trace:` of plans,
 * the options of `dejank run` and those of `dejank trace capture`. */
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

/* X(word, member, kind, least, most, value, help); the kinds are TEXT, DURATION (in ns)
 * and COUNT. The bounds are those of a run's trace, which a store keeps. */
#define DJ_TRACE_WORDS(X)                                                                \
    X(before, before_ns, DURATION, 1000000, 0, "TIME",                                   \
      "…so long before each (default 250ms)")                                            \
    X(after, after_ns, DURATION, 1000000, 0, "TIME", "…and after (default 250ms)")       \
    X(level, level, TEXT, 0, 0, "L",                                                     \
      "no other than tracefs, perf, own-threads (default: the first that is permitted)") \
    X(buffer, buffer_mb, COUNT, 1, DJ_TRACE_BUFFER_MOST_MB, "MB",                        \
      "of the system's rings, all together (default 16; a device's own)")                \
    X(size, size_mb, COUNT, 1, DJ_TRACE_SIZE_MOST_MB, "MB", "of the file at most")

/* The size is DJ_EVIDENCE_MOST. */
enum { DJ_TRACE_BUFFER_MOST_MB = 1024, DJ_TRACE_SIZE_MOST_MB = 512 };

/* "perf" → DJ_CAPTURE_PERF. False: no level is called so. */
bool dj_trace_level_find(const char *name, enum dj_capture_level *level);

#endif
