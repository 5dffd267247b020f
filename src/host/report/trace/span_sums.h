/* What spans of a trace add up to, a row for what is a line of the summary or a part of
 * one. For trace_span_tables. */
#ifndef DEJANK_REPORT_TRACE_SPAN_SUMS_H
#define DEJANK_REPORT_TRACE_SPAN_SUMS_H

#include "trace/trace.h"

/* The process and thread of a call are unknown. */
enum { DJ_SPAN_NO_PROCESS = -1 };

/* The tables, in their order. */
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

/* What is one line, or a part of one: those with the same kind, name and two numbers. */
struct dj_span_sum {
    const char *name;
    uint8_t kind;                   /* enum dj_trace_span_kind */
    uint8_t table;                  /* enum dj_span_table */
    bool second;                    /* limits: the upper one; interrupts: soft */
    int64_t key, key_2;             /* CPU and value; GPU; line; device; processes, or
−1 − thread */
    int64_t first_ns;               /* the earliest of them */
    size_t open;                    /* spans with an unknown end or beginning */
    struct dj_span_lengths ended;   /* the others; calls: until they were received */
    struct dj_span_lengths replies; /* calls: until their reply came */
    int64_t least, most, last;      /* readings */
};

/* Rows of struct dj_span_sum, table by table: lines of CPUs by number, their parts and
 * what took time most of it first; to be finished by the caller in every case. As
 * dj_trace_rows_get_error(). */
int dj_span_sums(struct dj_trace *trace, struct dj_trace_rows *sums,
                 struct dj_error *err);

#endif
