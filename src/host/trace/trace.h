/*
 * trace: what happened when, from whatever recorded it — slices of threads, async slices
 * and counters in one model. Not what it means for frames, and no output.
 *
 * This header: the model. All stamps are ns of the traced machine's CLOCK_MONOTONIC.
 */
#ifndef DEJANK_TRACE_TRACE_H
#define DEJANK_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* Something with a beginning and, mostly, an end. */
struct dj_trace_slice {
    const char *name;
    int64_t start_ns;
    int64_t end_ns;  /* meaningless while `open` */
    int64_t self_ns; /* without the slices inside it; 0 of async and open ones */
    int64_t cookie;  /* of an async slice */
    uint32_t tid;    /* where it began */
    uint32_t end_tid;
    uint32_t depth; /* slices around it, on its thread */
    bool async;
    bool open; /* it had not ended when the trace did */
};

struct dj_trace_count {
    const char *name;
    int64_t at_ns;
    int64_t value;
    uint32_t tid;
};

struct dj_trace_thread {
    uint32_t tid;
    char name[16]; /* "": unknown */
};

/* Zero it before use. */
struct dj_trace {
    const char *source; /* what kind of recording it was */
    char process[256], program[256];
    int64_t pid;
    bool ended;                    /* the process is no more */
    int64_t first_ns, last_ns;     /* of all events; 0, 0 where there is none */
    struct dj_trace_slice *slices; /* by start, outer before inner; owned */
    size_t slice_count;
    struct dj_trace_count *counts; /* by time; owned */
    size_t count_count;
    struct dj_trace_thread *threads; /* by tid; owned */
    size_t thread_count;
    /* What is missing. */
    uint64_t overwritten;  /* pieces of events that newer ones have taken */
    int64_t whole_from_ns; /* before it some threads' events are lost; 0: none are */
    uint64_t dropped;      /* events that could not be recorded */
    uint64_t damaged;      /* parts that could not be read */
    uint64_t endings;      /* ends of slices whose beginning is not there */
    struct dj_text names;  /* where names point to; owned */
};

void dj_trace_finish(struct dj_trace *trace);

/* The thread's name, "" where unknown. */
const char *dj_trace_thread_name(const struct dj_trace *trace, uint32_t tid);

/* What slices of one name add up to. */
struct dj_trace_sum {
    const char *name;
    bool async;
    size_t count, open;
    int64_t total_ns, self_ns, longest_ns; /* of those that ended */
};

/* By name, most self time first, async ones after the others by total. *sums is the
 * caller's to free; 0 or DJ_E_NO_MEMORY. */
int dj_trace_sum_up(const struct dj_trace *trace, struct dj_trace_sum **sums,
                    size_t *count, struct dj_error *err);

#endif
