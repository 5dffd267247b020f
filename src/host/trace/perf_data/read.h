/*
 * Reads perf.data files of Linux perf and of simpleperf (Android): sampled stacks, names
 * of threads, and context switches and tracepoints if they were recorded.
 * docs/format/trace.md lists what is read.
 */
#ifndef DEJANK_TRACE_PERF_DATA_READ_H
#define DEJANK_TRACE_PERF_DATA_READ_H

#include "trace/mapped_file.h"
#include "trace/perf_data/notes.h"

/* Zero it before use. */
struct dj_perf_data_summary {
    /* Set before reading: seconds since 1970 after which nothing was recorded, or 0 if
     * unknown. Without a build-id, files that are newer are not used for names. */
    int64_t recorded_s;
    uint64_t events;  /* Number of events that were passed to the sink. */
    uint64_t damaged; /* Number of parts that could not be read. */
    char damage[200]; /* Message about the first of them, or "". */
    /* What the samples mean, and what is missing. The caller frees notes.sentences. */
    struct dj_perf_data_notes notes;
};

/* Reads the mapped bytes of a file, and passes events in order of time to the sink. If a
 * part of the file is damaged, the events before it are passed on. Returns 0, the sink's
 * result, DJ_E_INVALID or DJ_E_IO. */
int dj_perf_data_read(const struct dj_trace_file *mapped, struct dj_event_sink sink,
                      struct dj_perf_data_summary *summary, struct dj_error *err);

#endif
