/* Pages of the kernel's ring buffers, of all CPUs in order of time. For readers of this
 * room, and captures. */
#ifndef DEJANK_TRACE_RING_H
#define DEJANK_TRACE_RING_H

#include "trace/format.h"

/* Of a page's commit: the length of its data. */
#define DJ_RING_LENGTH ((UINT32_C(1) << 27) - 1)

/* How a stamp of the pages becomes nanoseconds: ((stamp × multiplier) >> shift) + moved.
 * All zero: it is nanoseconds. */
struct dj_ring_time {
    uint32_t multiplier, shift; /* 0, 0: as it is */
    int64_t moved_ns;
};

/* How pages are laid out: header_page tells. */
struct dj_ring_layout {
    uint32_t page_size;
    uint32_t commit_size; /* 4 or 8 bytes */
    uint32_t data_offset;
    struct dj_ring_time time;
};

/* The layout that header_page describes; where it is empty, that of kernels of 64 bits.
 * DJ_E_INVALID where it makes no sense. Its time is in nanoseconds. page_size is the
 * caller's to know, if not 4096.
 */
int dj_ring_layout_read(struct dj_str header_page, struct dj_ring_layout *layout,
                        struct dj_error *err);

/* Where a CPU's pages come from, one after the other. */
struct dj_ring_source {
    /* *page: the next one, valid until the next call; NULL: there is none. */
    int (*next)(void *user, const uint8_t **page, struct dj_error *err);
    void *user;
};

/* A CPU's pages while they are read. The caller sets cpu and source, and zeroes the
 * rest. */
struct dj_ring_cpu {
    int32_t cpu;
    struct dj_ring_source source;
    const uint8_t *page;
    size_t at, end; /* in the page's data */
    uint64_t stamp_ns;
    const uint8_t *record; /* the next event; NULL: none */
    size_t record_size;
    uint64_t lost; /* events before it; 1 where their number is not told */
    bool ended;
};

struct dj_ring_told {
    uint64_t events;
    uint64_t damaged; /* pages that could not be read to their end */
    uint64_t unread;  /* other instances that have events of their own */
    char damage[200]; /* of the first: where, and what was expected; "": not told */
};

/* The first damage's words stay. */
void dj_ring_damage(struct dj_ring_told *told, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads all CPUs to their end, into the sink. What is lost is told by DJ_EVENT_LOST. An
 * error of a source or the sink ends it. */
int dj_ring_read(const struct dj_ring_layout *layout, const struct dj_formats *formats,
                 struct dj_ring_cpu *cpus, size_t count, struct dj_event_sink sink,
                 struct dj_ring_told *told, struct dj_error *err);

#endif
