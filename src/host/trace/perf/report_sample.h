/*
 * Reads the file that 'simpleperf report-sample --protobuf' writes: sampled call stacks
 * with the names of their functions. The file is the magic SIMPLEPERF, a version, then
 * records. A record is its size in four bytes and a message of protocol buffers. Names of
 * files, functions and threads come after the samples, so the file is read twice.
 */
#ifndef DEJANK_TRACE_PERF_REPORT_SAMPLE_H
#define DEJANK_TRACE_PERF_REPORT_SAMPLE_H

#include "trace/event.h"
#include "trace/mapped_file.h"

struct dj_report_sample_summary {
    uint64_t events;  /* Samples and switches that were passed to the sink. */
    uint64_t unused;  /* Samples of events that do not show where CPU time was spent. */
    uint64_t lost;    /* Samples that simpleperf reports as lost. */
    uint64_t damaged; /* Number of parts that could not be read. */
    /* Offset and kind of the first damaged part, or "" if there is none. */
    char damage[200];
};

/* Returns true if the bytes are the start of a file of simpleperf report-sample. */
bool dj_report_sample_sniff(const char *bytes, size_t length);

/* Passes the events to the sink, in order of time. Damage is counted in *summary, and the
 * other records are read. The memory for the order is limited; names of files, functions
 * and threads stay in memory. Returns 0, DJ_E_UNSUPPORTED, DJ_E_IO or the sink's result.
 */
int dj_report_sample_read(const struct dj_trace_file *file, struct dj_event_sink sink,
                          struct dj_report_sample_summary *summary, struct dj_error *err);

#endif
