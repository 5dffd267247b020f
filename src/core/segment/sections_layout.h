/*
 * The file of a process's trace sections, beside its segment: SEGMENT.sections. Rings of
 * slots, one for each thread that uses sections. docs/format/sections.md describes it;
 * every number here is part of it.
 *
 * Protocol: a ring's thread raises `begun` before it writes slots and `published` after.
 * A reader takes published, copies, then takes begun: slots below begun − keep were
 * overwritten meanwhile and do not count. What was published stands, also after SIGKILL.
 */
#ifndef DEJANK_SEGMENT_SECTIONS_LAYOUT_H
#define DEJANK_SEGMENT_SECTIONS_LAYOUT_H

#include <stdatomic.h>

#include "segment/layout.h"

#define DJ_SECTIONS_MAGIC "DJSECT\r\n"
#define DJ_SECTIONS_SUFFIX ".sections"

enum {
    DJ_SECTIONS_VERSION = 1,
    DJ_SECTIONS_RINGS = 64,   /* threads at a time; events of further ones are dropped */
    DJ_SECTIONS_KEEP = 32768, /* slots of a ring unless asked otherwise: 1 MiB */
    DJ_SECTIONS_KEEP_MIN = 1024, /* always powers of two */
    DJ_SECTIONS_KEEP_MAX = 1048576,
    DJ_SECTIONS_NAME = 127,     /* longest name in bytes; longer ones are cut */
    DJ_SECTIONS_TEXT_FIRST = 8, /* bytes of a name in an event's first slot */
    DJ_SECTIONS_TEXT_MORE = 24, /* and in each further one */
    DJ_SECTIONS_SLOTS_MOST = 6, /* of one event */
    DJ_SECTIONS_THREAD_NAME = 16
};

enum dj_section_kind {
    DJ_SECTION_BEGIN = 1,
    DJ_SECTION_END = 2, /* of the thread's section begun last; has no name */
    DJ_SECTION_ASYNC_BEGIN = 3,
    DJ_SECTION_ASYNC_END = 4,
    DJ_SECTION_COUNTER = 5,
    DJ_SECTION_THREAD = 6, /* a thread takes the ring; its name */
    DJ_SECTION_KIND_COUNT
};

/*
 * An event's first slot: word 0 the stamp in ns of CLOCK_MONOTONIC, > 0; word 1 thread id
 * (bits 0–31), kind (32–39), length of the name (40–47), slots of the event (48–55); word
 * 2 the value or cookie; word 3 the name's first bytes. Further ones: word 0 is 0, words
 * 1 to 3 are text.
 */
struct dj_section_slot {
    _Atomic uint64_t word[4];
};

enum dj_ring_state {
    DJ_RING_FREE = 0,
    DJ_RING_HELD = 1, /* by a thread that may still write */
    DJ_RING_LEFT =
        2 /* its thread has ended; what it holds stays until another takes it */
};

/* A ring's fixed part, one page; its slots follow. */
struct dj_section_ring {
    _Atomic uint32_t state;     /* enum dj_ring_state */
    _Atomic uint32_t tid;       /* of the thread that took it last */
    _Atomic uint64_t begun;     /* slots whose writing has begun, ever */
    _Atomic uint64_t published; /* slots complete, ever; slot n stands at n % keep */
    _Atomic int64_t left_ns;    /* when its last thread ended */
    char thread[DJ_SECTIONS_THREAD_NAME]; /* that thread's name when it took the ring */
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
    _Atomic uint32_t used;    /* rings ever used, from the first */
    _Atomic uint64_t dropped; /* events seen but not recorded */
};

_Static_assert(sizeof(struct dj_sections_header) <= DJ_SEGMENT_PAGE, "one page");
_Static_assert(sizeof(struct dj_section_ring) <= DJ_SEGMENT_PAGE, "one page");
_Static_assert(DJ_SECTIONS_TEXT_FIRST +
                       (DJ_SECTIONS_SLOTS_MOST - 1) * DJ_SECTIONS_TEXT_MORE >=
                   DJ_SECTIONS_NAME,
               "the longest name fits");

static inline size_t dj_sections_ring_bytes(size_t keep)
{
    return DJ_SEGMENT_PAGE + keep * sizeof(struct dj_section_slot);
}

/* Slots of an event whose name has so many bytes. */
static inline unsigned dj_sections_slots(size_t length)
{
    return length <= DJ_SECTIONS_TEXT_FIRST
               ? 1
               : (unsigned)(1 + (length - DJ_SECTIONS_TEXT_FIRST + DJ_SECTIONS_TEXT_MORE -
                                 1) /
                                    DJ_SECTIONS_TEXT_MORE);
}

#endif
