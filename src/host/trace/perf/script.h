/*
 * Reads text that 'perf script' prints, line by line: sampled call stacks and events of
 * the kernel. Names of functions are taken as printed. Keeps at most one sample in
 * memory.
 */
#ifndef DEJANK_TRACE_PERF_SCRIPT_H
#define DEJANK_TRACE_PERF_SCRIPT_H

#include "base/map.h"
#include "base/text.h"
#include "trace/event.h"
#include "trace/perf/sampled_event.h"

struct dj_perf_script_sample;

/* The state of a reader. Zero the struct before use. */
struct dj_perf_script {
    /* True if a line of a sample or of another record was read. */
    bool begun;
    bool clock_reported; /* True if the clock of the samples was reported. */
    uint64_t samples;    /* Number of samples that were passed on. */
    struct dj_perf_choice choice;
    /* Maps a thread id to a hash of the thread's name and process. */
    struct dj_map threads;
    /* The sample whose stack is being read. NULL before the first one. Owned by this
     * struct. */
    struct dj_perf_script_sample *sample;
};

enum dj_perf_script_line {
    /* The line has another format, so the caller must interpret it. */
    DJ_PERF_SCRIPT_OTHER,
    DJ_PERF_SCRIPT_DONE, /* The line was read. */
    /* The line is an event of the kernel. It was written to *event, and the caller passes
     * it on. Its strings point into the line. */
    DJ_PERF_SCRIPT_EVENT
};

/* Reads a line without its line end. Sets *code to the sink's result. `clock_is_known` is
 * true if the text has named the clock; otherwise the clock is reported as "perf" before
 * the first sample. */
enum dj_perf_script_line dj_perf_script_read_line(struct dj_perf_script *script,
                                                  struct dj_str line, bool clock_is_known,
                                                  struct dj_event_sink sink,
                                                  struct dj_event *event, int *code);

/* Passes on the last sample. Call this function after the last line. Returns the sink's
 * result. */
int dj_perf_script_end(struct dj_perf_script *script, struct dj_event_sink sink);
void dj_perf_script_finish(struct dj_perf_script *script);

#endif
