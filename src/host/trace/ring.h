/*
 * Reads pages of the kernel's ring buffers, of all CPUs in order of time. Readers of
 * this module and captures use it.
 */
#ifndef DEJANK_TRACE_RING_H
#define DEJANK_TRACE_RING_H

#include "trace/event_format.h"

/* The bits of a page's commit that contain the length of its data. */
#define DJ_RING_LENGTH ((UINT32_C(1) << 27) - 1)

/* How a stamp of the pages becomes nanoseconds: ((stamp × multiplier) >> shift) + moved.
 * All zero: it is already nanoseconds. */
struct dj_trace_ring_time {
    uint32_t multiplier, shift; /* 0, 0: unchanged */
    int64_t moved_ns;
};

/* The layout of pages, from header_page. */
struct dj_trace_ring_layout {
    uint32_t page_size;
    uint32_t commit_size; /* 4 or 8 bytes */
    uint32_t data_offset;
    struct dj_trace_ring_time time;
};

/* Reads the layout that header_page describes. If it is empty, uses that of 64-bit
 * kernels. Returns DJ_E_INVALID if it is wrong. The time is in nanoseconds. The caller
 * sets page_size if it is not 4096. */
int dj_trace_ring_read_layout(struct dj_str header_page,
                              struct dj_trace_ring_layout *layout, struct dj_error *err);

/* Provides the pages of a CPU, one after the other. */
struct dj_trace_ring_source {
    /* Sets *page to the next page, valid until the next call; NULL at the end. */
    int (*next)(void *user, const uint8_t **page, struct dj_error *err);
    void *user;
};

/* The state of reading a CPU's pages. The caller sets cpu and source, and zeroes the
 * rest. */
struct dj_trace_ring_cpu {
    int32_t cpu;
    struct dj_trace_ring_source source;
    const uint8_t *page;
    size_t at, end; /* in the page's data */
    uint64_t stamp_ns;
    const uint8_t *record; /* the next event; NULL: none */
    size_t record_size;
    uint64_t lost; /* lost events before it; 1 if their number is unknown */
    bool ended;
};

struct dj_trace_ring_summary {
    uint64_t events;
    uint64_t damaged; /* pages that could not be read to their end */
    uint64_t unread;  /* further instances with events of their own */
    char damage[200]; /* the first damage: where, and what was expected; "" none */
};

/* Records the message of a damage. Keeps the first one. */
void dj_trace_ring_note_damage(struct dj_trace_ring_summary *summary, const char *format,
                               ...) __attribute__((format(printf, 2, 3)));

/* Reads all CPUs to their end and passes the events to the sink. Reports losses as
 * DJ_EVENT_LOST. An error of a source or of the sink ends it. */
int dj_trace_ring_read(const struct dj_trace_ring_layout *layout,
                       const struct dj_trace_formats *formats,
                       struct dj_trace_ring_cpu *cpus, size_t count,
                       struct dj_event_sink sink, struct dj_trace_ring_summary *summary,
                       struct dj_error *err);

#endif
