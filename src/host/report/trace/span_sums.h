/* Sums over the spans of a trace, for span_tables.c. Each sum is a line of the trace
 * summary, or a part of a line. */
#ifndef DEJANK_REPORT_TRACE_SPAN_SUMS_H
#define DEJANK_REPORT_TRACE_SPAN_SUMS_H

#include "trace/trace.h"

/* The process and thread of a call if they are unknown. */
enum { DJ_SPAN_NO_PROCESS = -1 };

/* The tables of spans, in the order in which they are shown. */
enum dj_span_table {
    DJ_SPANS_FREQUENCIES,
    DJ_SPANS_IDLENESS,
    DJ_SPANS_READINGS,
    DJ_SPANS_TIMES,
    DJ_SPANS_CALLS
};

/* Lengths of some spans. */
struct dj_span_lengths {
    size_t count;
    int64_t total_ns, longest_ns;
};

/* The sum of all spans with the same kind, name, `key` and `key_2`. */
struct dj_span_sum {
    const char *name;
    uint8_t kind;  /* A value of enum dj_trace_span_kind. */
    uint8_t table; /* A value of enum dj_span_table. */
    /* For limits: true for the upper limit. For interrupts: true for a soft interrupt. */
    bool second;
    /* The meaning of these numbers depends on the kind: a CPU and a value, a GPU, an
     * interrupt line, a block device, or caller and callee. A caller or callee is a
     * pid, or −1 − tid if the pid is unknown. */
    int64_t key, key_2;
    int64_t first_ns; /* Start of the earliest span. */
    size_t open;      /* Number of spans with an unknown end or beginning. */
    /* Lengths of all other spans. For calls, the time until the call was received. */
    struct dj_span_lengths ended;
    /* For calls: the time until the reply was received. */
    struct dj_span_lengths replies;
    int64_t least, most, last; /* Smallest, largest and last value of readings. */
};

/* Computes rows of struct dj_span_sum, sorted by table. CPUs and readings are sorted by
 * number. Other rows, and the parts of a CPU's line, are sorted by total time, longest
 * first. The caller finishes `sums` in every case. Returns the result of
 * dj_trace_rows_get_error(). */
int dj_span_sums(struct dj_trace *trace, struct dj_trace_rows *sums,
                 struct dj_error *err);

#endif
