/* Writes events to a file and reads them back. For tests of writers. */
#ifndef DEJANK_TEST_WRITTEN_H
#define DEJANK_TEST_WRITTEN_H

#include "trace/perfetto/read.h"
#include "trace/pftrace_writer.h"

/* The content of a file that was deleted. The caller frees the bytes. */
struct written {
    uint8_t *bytes;
    size_t size;
};

/* Returns a new empty file without a name. */
int written_open(void);
/* Reads the whole file and closes it. */
struct written written_read_bytes(int fd);

/* Writes the events as a Perfetto trace. If `origin` is NULL, nothing is known about
 * the origin. */
struct written written_pftrace(const struct dj_event *events, size_t count,
                               const struct dj_trace_origin *origin);

/* Reads the file and passes the events to the sink. Returns the reader's summary. */
struct dj_perfetto_summary written_read(const struct written *written,
                                        struct dj_event_sink sink);

/* Initializes a struct dj_str with a string literal. */
#define WORDS(text)                                                                      \
    {                                                                                    \
        text, sizeof(text) - 1                                                           \
    }

#endif
