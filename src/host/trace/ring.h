/*
 * Reads pages of the kernel's ring buffers. Passes the events of all CPUs on in order of
 * time. Both the trace readers and the capture module use it.
 */
#ifndef DEJANK_TRACE_RING_H
#define DEJANK_TRACE_RING_H

#include "trace/event_format.h"

/* Bits of a page's commit field that contain the length of the page's data. */
#define DJ_RING_LENGTH ((UINT32_C(1) << 27) - 1)

/* The conversion from times in pages to nanoseconds: ((time × multiplier) >> shift) +
 * moved_ns. If all members are 0, times are in nanoseconds already. */
struct dj_trace_ring_time {
    /* Factor and shift. Both are 0 if times are not multiplied. */
    uint32_t multiplier, shift;
    int64_t moved_ns;
};

/* The layout of pages, as the kernel's file header_page describes it. */
struct dj_trace_ring_layout {
    uint32_t page_size;
    uint32_t commit_size; /* Size of the commit field: 4 or 8 bytes. */
    uint32_t data_offset;
    struct dj_trace_ring_time time;
};

/* Sets *layout from the content of the kernel's file header_page. If the text is empty,
 * sets the layout of 64-bit kernels. layout->time means nanoseconds. The caller must set
 * page_size if it is not 4096. Returns DJ_E_INVALID if the text is malformed. */
int dj_trace_ring_read_layout(struct dj_str header_page,
                              struct dj_trace_ring_layout *layout, struct dj_error *err);

/* Returns the pages of a CPU, one per call. */
struct dj_trace_ring_source {
    /* Sets *page to the next page, or to NULL at the end. The page is valid until the
     * next call. Returns 0 or an error code. */
    int (*next)(void *user, const uint8_t **page, struct dj_error *err);
    void *user;
};

/* Reads the pages of one CPU. Set `cpu` and `source`, and zero the other members. */
struct dj_trace_ring_cpu {
    int32_t cpu;
    struct dj_trace_ring_source source;
    const uint8_t *page;
    /* Offset in `page` of the next entry, and offset of the end of the data. */
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
    uint64_t damaged; /* Number of pages that could not be read completely. */
    /* Number of further tracing instances that contain events. They were not read. */
    uint64_t unread;
    /* Message about the first damage. It says where the damage is and what was expected.
     * "" if there is no damage. */
    char damage[200];
};

/* Sets summary->damage to the message. Does nothing if summary->damage is already set. */
void dj_trace_ring_note_damage(struct dj_trace_ring_summary *summary, const char *format,
                               ...) __attribute__((format(printf, 2, 3)));

/* Reads all pages of all CPUs and passes their events to the sink. Passes lost events as
 * DJ_EVENT_LOST. If a source or the sink returns a value other than 0, stops and returns
 * this value. */
int dj_trace_ring_read(const struct dj_trace_ring_layout *layout,
                       const struct dj_trace_formats *formats,
                       struct dj_trace_ring_cpu *cpus, size_t count,
                       struct dj_event_sink sink, struct dj_trace_ring_summary *summary,
                       struct dj_error *err);

#endif
