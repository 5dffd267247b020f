/* The file with the trace sections of a process, next to its segment: SEGMENT.sections.
 * A section is a part of a thread's run time that the app has named, as with
 * android.os.Trace. Each thread that uses sections has a ring buffer ("ring") of slots.
 * docs/format/sections.md describes the file, and every number here is part of it.
 *
 * Concurrency: the thread of a ring increases `begun` before it writes slots, and
 * `published` after it. A reader loads `published`, copies the slots, and then loads
 * `begun`. Slots below begun − keep may have been overwritten during the copy and are
 * ignored. Published slots are valid even after SIGKILL. */
#ifndef DEJANK_SEGMENT_SECTIONS_LAYOUT_H
#define DEJANK_SEGMENT_SECTIONS_LAYOUT_H

#include <stdatomic.h>

#include "segment/layout.h"

#define DJ_SECTIONS_MAGIC "DJSECT\r\n"
#define DJ_SECTIONS_SUFFIX ".sections"

enum {
    DJ_SECTIONS_VERSION = 1,
    /* Maximum number of threads at a time. Events of other threads are dropped. */
    DJ_SECTIONS_RINGS = 64,
    DJ_SECTIONS_KEEP = 32768, /* Default number of slots per ring, 1 MiB. */
    /* Minimum number of slots per ring. All numbers of slots are powers of two. */
    DJ_SECTIONS_KEEP_MIN = 1024,
    DJ_SECTIONS_KEEP_MAX = 1048576,
    /* Maximum length of a name in bytes. Longer names are truncated. */
    DJ_SECTIONS_NAME = 127,
    /* Number of bytes of the name in the first slot of an event. */
    DJ_SECTIONS_TEXT_FIRST = 8,
    DJ_SECTIONS_TEXT_MORE = 24, /* Number of bytes of the name in each further slot. */
    DJ_SECTIONS_SLOTS_MOST = 6, /* Maximum number of slots per event. */
    DJ_SECTIONS_THREAD_NAME = 16
};

enum dj_section_kind {
    DJ_SECTION_BEGIN = 1,
    /* Ends the section that the thread began last. This event has no name. */
    DJ_SECTION_END = 2,
    DJ_SECTION_ASYNC_BEGIN = 3,
    DJ_SECTION_ASYNC_END = 4,
    DJ_SECTION_COUNTER = 5,
    /* A thread acquires the ring. The name is that of the thread. */
    DJ_SECTION_THREAD = 6,
    DJ_SECTION_KIND_COUNT
};

/* A slot. An event uses one or more. In its first slot:
 *   word 0: timestamp in ns of CLOCK_MONOTONIC, > 0
 *   word 1: thread id (bits 0–31), kind (32–39), length of the name (40–47), number of
 *           slots (48–55)
 *   word 2: value or cookie
 *   word 3: first bytes of the name
 * In further slots, word 0 is 0, and words 1 to 3 contain the rest of the name. */
struct dj_section_slot {
    _Atomic uint64_t word[4];
};

enum dj_ring_state {
    DJ_RING_FREE = 0,
    DJ_RING_IN_USE = 1, /* A thread may write to the ring. */
    /* The thread has ended. The events remain until another thread acquires the ring. */
    DJ_RING_RELEASED = 2
};

/* The fixed part of a ring, one page long. The slots follow it. */
struct dj_section_ring {
    _Atomic uint32_t state; /* A value of enum dj_ring_state. */
    _Atomic uint32_t tid;   /* Thread id of the thread that acquired the ring last. */
    _Atomic uint64_t begun; /* Number of slots that the writer has started to write. */
    /* Number of complete slots. Slot n is at index n % keep. */
    _Atomic uint64_t published;
    /* Time at which the last thread released the ring, in ns of CLOCK_MONOTONIC. */
    _Atomic int64_t left_ns;
    /* Name of the thread at the time when it acquired the ring. */
    char thread[DJ_SECTIONS_THREAD_NAME];
};

struct dj_sections_header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint32_t header_bytes; /* Offset of the first ring. */
    uint32_t ring_bytes;   /* Size of a ring. */
    uint32_t rings;
    uint32_t keep; /* Number of slots per ring, a power of two. */
    int64_t pid;
    uint64_t start_ticks;
    char boot_id[40];
    int64_t created_ns; /* Creation time in ns of CLOCK_MONOTONIC. */
    char name[DJ_SEGMENT_NAME];
    char program[DJ_SEGMENT_NAME];
    /* Number of rings that were used so far. The used rings are the first rings of the
     * file. */
    _Atomic uint32_t used;
    _Atomic uint64_t dropped; /* Number of events that were seen but not recorded. */
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

/* Returns the number of slots of an event with a name of `length` bytes. */
static inline unsigned dj_segment_sections_slots(size_t length)
{
    return length <= DJ_SECTIONS_TEXT_FIRST
               ? 1
               : (unsigned)(1 + (length - DJ_SECTIONS_TEXT_FIRST + DJ_SECTIONS_TEXT_MORE -
                                 1) /
                                    DJ_SECTIONS_TEXT_MORE);
}

#endif
