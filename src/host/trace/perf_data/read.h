/*
 * Reads perf.data files of Linux perf and of simpleperf (Android): sampled stacks, names
 * of threads, and context switches and tracepoints if they were recorded.
 * docs/format/trace.md lists what is read.
 */
#ifndef DEJANK_TRACE_PERF_DATA_READ_H
#define DEJANK_TRACE_PERF_DATA_READ_H

#include "trace/mapped_file.h"
#include "trace/perf_data/notes.h"

/* Zero the struct before use. */
struct dj_perf_data_summary {
    /* Time in seconds since 1970 after which nothing was recorded, or 0 if unknown. Set
     * before reading. A file without a build-id gives names only if it is not newer than
     * this time. */
    int64_t recorded_s;
    uint64_t events;  /* Number of events that were passed to the sink. */
    uint64_t damaged; /* Number of parts of the file that could not be read. */
    char damage[200]; /* Message about the first damaged part, or "" if there is none. */
    /* Sentences for the user: what the samples mean, and which data is missing. The
     * caller frees notes.sentences. */
    struct dj_perf_data_notes notes;
};

/* Reads the mapped bytes of a perf.data file, and passes the events to the sink in order
 * of time. If a part of the file is damaged, the events before it are passed on. Returns
 * 0, the sink's result, DJ_E_INVALID or DJ_E_IO. */
int dj_perf_data_read(const struct dj_trace_file *mapped, struct dj_event_sink sink,
                      struct dj_perf_data_summary *summary, struct dj_error *err);

#endif
