/* Writes events into a file and reads them again, for tests of writers. */
#ifndef DEJANK_TEST_WRITTEN_H
#define DEJANK_TEST_WRITTEN_H

#include "trace/perfetto/read.h"
#include "trace/pftrace_writer.h"

/* The bytes of a deleted file. The caller frees them. */
struct written {
    uint8_t *bytes;
    size_t size;
};

/* Returns an empty file without a name. */
int written_open(void);
/* Reads the whole file and closes it. */
struct written written_take(int fd);

/* Writes the events for Perfetto. origin NULL: nothing is known. */
struct written written_pftrace(const struct dj_event *events, size_t count,
                               const struct dj_trace_origin *origin);

/* Reads the file into the sink. Returns the reader's summary. */
struct dj_perfetto_summary written_read(const struct written *written,
                                        struct dj_event_sink sink);

/* A struct dj_str of a string literal. */
#define WORDS(text)                                                                      \
    {                                                                                    \
        text, sizeof(text) - 1                                                           \
    }

#endif
