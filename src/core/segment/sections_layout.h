/* The file with the trace sections of a process, next to its segment:
 * SEGMENT.sections. It has a ring of slots per thread that uses sections.
 * docs/format/sections.md describes it, and every number here is part of it.
 *
 * Protocol: the thread of a ring raises `begun` before it writes slots, and
 * `published` after. A reader loads published, copies, then loads begun: slots below
 * begun − keep were overwritten in the meantime and do not count. Published slots
 * remain valid, also after SIGKILL. */
#ifndef DEJANK_SEGMENT_SECTIONS_LAYOUT_H
#define DEJANK_SEGMENT_SECTIONS_LAYOUT_H

#include <stdatomic.h>

#include "segment/layout.h"

#define DJ_SECTIONS_MAGIC "DJSECT\r\n"
#define DJ_SECTIONS_SUFFIX ".sections"

enum {
    DJ_SECTIONS_VERSION = 1,
    DJ_SECTIONS_RINGS = 64,   /* threads at a time; events of more threads are dropped */
    DJ_SECTIONS_KEEP = 32768, /* default number of slots per ring: 1 MiB */
    DJ_SECTIONS_KEEP_MIN = 1024, /* minimum; always a power of two */
    DJ_SECTIONS_KEEP_MAX = 1048576,
    DJ_SECTIONS_NAME = 127,     /* maximum bytes of a name; longer ones are truncated */
    DJ_SECTIONS_TEXT_FIRST = 8, /* bytes of a name in an event's first slot */
    DJ_SECTIONS_TEXT_MORE = 24, /* and in each later slot */
    DJ_SECTIONS_SLOTS_MOST = 6, /* maximum slots per event */
    DJ_SECTIONS_THREAD_NAME = 16
};

enum dj_section_kind {
    DJ_SECTION_BEGIN = 1,
    DJ_SECTION_END =
        2, /* ends the most recently begun section of the thread; has no name */
    DJ_SECTION_ASYNC_BEGIN = 3,
    DJ_SECTION_ASYNC_END = 4,
    DJ_SECTION_COUNTER = 5,
    DJ_SECTION_THREAD = 6, /* a thread acquires the ring; has the thread's name */
    DJ_SECTION_KIND_COUNT
};

/* The first slot of an event. Word 0: timestamp in ns of CLOCK_MONOTONIC, > 0. Word 1:
 * thread id (bits 0–31), kind (32–39), length of the name (40–47), slots of the event
 * (48–55). Word 2: value or cookie. Word 3: first bytes of the name. In later slots,
 * word 0 is 0 and words 1 to 3 are text. */
struct dj_section_slot {
    _Atomic uint64_t word[4];
};

enum dj_ring_state {
    DJ_RING_FREE = 0,
    DJ_RING_IN_USE = 1, /* by a thread that may still write */
    DJ_RING_RELEASED =
        2 /* its thread has ended; its contents stay until another thread acquires it */
};

/* The fixed part of a ring, one page. Its slots follow. */
struct dj_section_ring {
    _Atomic uint32_t state;     /* enum dj_ring_state */
    _Atomic uint32_t tid;       /* of the thread that acquired it last */
    _Atomic uint64_t begun;     /* number of slots whose writing has begun */
    _Atomic uint64_t published; /* number of complete slots; slot n is at n % keep */
    _Atomic int64_t left_ns;    /* when its last thread ended */
    char thread[DJ_SECTIONS_THREAD_NAME]; /* name of that thread when it acquired the ring
                                           */
};

struct dj_sections_header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint32_t header_bytes; /* offset of the first ring */
    uint32_t ring_bytes;   /* distance of two rings */
    uint32_t rings;
    uint32_t keep; /* slots per ring, a power of two */
    int64_t pid;
    uint64_t start_ticks;
    char boot_id[40];
    int64_t created_ns; /* CLOCK_MONOTONIC */
    char name[DJ_SEGMENT_NAME];
    char program[DJ_SEGMENT_NAME];
    _Atomic uint32_t used;    /* number of first rings used so far */
    _Atomic uint64_t dropped; /* events seen but not recorded */
};

_Static_assert(sizeof(struct dj_sections_header) <= DJ_SEGMENT_PAGE, "one page");
_Static_assert(sizeof(struct dj_section_ring) <= DJ_SEGMENT_PAGE, "one page");
_Static_assert(DJ_SECTIONS_TEXT_FIRST +
                       (DJ_SECTIONS_SLOTS_MOST - 1) * DJ_SECTIONS_TEXT_MORE >=
                   DJ_SECTIONS_NAME,
               "the longest name fits");

static inline size_t dj_segment_sections_ring_bytes(size_t keep)
{
    return DJ_SEGMENT_PAGE + keep * sizeof(struct dj_section_slot);
}

/* Returns the number of slots of an event whose name has `length` bytes. */
static inline unsigned dj_segment_sections_slots(size_t length)
{
    return length <= DJ_SECTIONS_TEXT_FIRST
               ? 1
               : (unsigned)(1 + (length - DJ_SECTIONS_TEXT_FIRST + DJ_SECTIONS_TEXT_MORE -
                                 1) /
                                    DJ_SECTIONS_TEXT_MORE);
}

#endif
