/*
 * Reads pages of the kernel's ring buffers, and returns the events of all CPUs in order
 * of time. The readers of this module and the capture module use it.
 */
#ifndef DEJANK_TRACE_RING_H
#define DEJANK_TRACE_RING_H

#include "trace/event_format.h"

/* Bits of a page's commit field that contain the length of the page's data. */
#define DJ_RING_LENGTH ((UINT32_C(1) << 27) - 1)

/* Converts the times in pages to nanoseconds: ((time × multiplier) >> shift) +
 * moved_ns. All members are 0 if the times are already in nanoseconds. */
struct dj_trace_ring_time {
    uint32_t multiplier, shift; /* Both 0 if the times are not multiplied. */
    int64_t moved_ns;
};

/* The layout of pages, as the kernel's file header_page describes it. */
struct dj_trace_ring_layout {
    uint32_t page_size;
    uint32_t commit_size; /* 4 or 8 bytes. */
    uint32_t data_offset;
    struct dj_trace_ring_time time;
};

/* Parses the content of the kernel's file header_page. If the text is empty, sets the
 * layout of 64-bit kernels. Sets `time` to nanoseconds. Returns DJ_E_INVALID if the
 * text is malformed. The caller must set page_size if it is not 4096. */
int dj_trace_ring_read_layout(struct dj_str header_page,
                              struct dj_trace_ring_layout *layout, struct dj_error *err);

/* Returns the pages of a CPU, one per call. */
struct dj_trace_ring_source {
    /* Sets *page to the next page, or to NULL at the end. The page is valid until the
     * next call. Returns 0 or an error code. */
    int (*next)(void *user, const uint8_t **page, struct dj_error *err);
    void *user;
};

/* A reader of a CPU's pages. The caller sets `cpu` and `source` and zeroes the other
 * members. */
struct dj_trace_ring_cpu {
    int32_t cpu;
    struct dj_trace_ring_source source;
    const uint8_t *page;
    /* Offsets in `page`: of the next entry, and of the end of the data. */
    size_t at, end;
    uint64_t stamp_ns;
    const uint8_t *record; /* The next event, or NULL if there is none. */
    size_t record_size;
    /* Number of lost events before `record`, or 1 if the number is unknown. */
    uint64_t lost;
    bool ended;
};

struct dj_trace_ring_summary {
    uint64_t events;
    uint64_t damaged; /* Pages that could not be read completely. */
    uint64_t unread;  /* Additional instances with events. They were not read. */
    /* Description of the first damage: where it is and what was expected. "" if there
     * is none. */
    char damage[200];
};

/* Sets summary->damage to the message. Does nothing if summary->damage is already set. */
void dj_trace_ring_note_damage(struct dj_trace_ring_summary *summary, const char *format,
                               ...) __attribute__((format(printf, 2, 3)));

/* Reads all pages of all CPUs and passes the events to the sink. Reports lost events as
 * DJ_EVENT_LOST. Stops at the first error of a source or of the sink and returns its
 * code. */
int dj_trace_ring_read(const struct dj_trace_ring_layout *layout,
                       const struct dj_trace_formats *formats,
                       struct dj_trace_ring_cpu *cpus, size_t count,
                       struct dj_event_sink sink, struct dj_trace_ring_summary *summary,
                       struct dj_error *err);

#endif
