/* Events that are written into a file and read again, for tests of writers. */
#ifndef DEJANK_TEST_WRITTEN_H
#define DEJANK_TEST_WRITTEN_H

#include "trace/perfetto_read.h"
#include "trace/pftrace_write.h"

/* Bytes of a file that is gone; the caller frees them. */
struct written {
    uint8_t *bytes;
    size_t size;
};

/* A file of no name, empty. */
int written_open(void);
/* All of it, which it closes. */
struct written written_take(int fd);

/* Writes the events for Perfetto; origin NULL: nothing is known. */
struct written written_pftrace(const struct dj_event *events, size_t count,
                               const struct dj_trace_origin *origin);

/* Reads it, into the sink; what was told of it. */
struct dj_perfetto_told written_read(const struct written *written,
                                     struct dj_event_sink sink);

/* Words of a string literal. */
#define WORDS(text)                                                                      \
    {                                                                                    \
        text, sizeof(text) - 1                                                           \
    }

#endif
