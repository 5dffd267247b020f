/* Reads a sections file: the contents of all rings at one time, in order. The file is
 * read and not mapped, and every byte is checked. */
#ifndef DEJANK_SEGMENT_SECTIONS_READER_H
#define DEJANK_SEGMENT_SECTIONS_READER_H

#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "segment/sections_layout.h"

enum { DJ_SECTIONS_EVENTS_MOST = 8 * 1024 * 1024, DJ_SECTIONS_THREADS_MOST = 65536 };

struct dj_section_event {
    int64_t at_ns;  /* CLOCK_MONOTONIC */
    int64_t value;  /* cookie or counter */
    uint64_t order; /* position in its ring: preserves the order of events with equal
                       timestamps */
    uint32_t tid;
    uint32_t name; /* offset in `names`; NUL-terminated */
    uint8_t kind;  /* enum dj_section_kind */
};

struct dj_section_thread {
    uint32_t tid;
    uint32_t order; /* private */
    char name[DJ_SECTIONS_THREAD_NAME];
};

/* Zero it before use; finish it also after errors. */
struct dj_sections {
    int64_t pid;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    int64_t created_ns;
    bool ended;            /* the process that wrote it has ended */
    uint64_t dropped;      /* events that the writer saw but could not record */
    uint64_t overwritten;  /* slots that newer ones have overwritten */
    int64_t whole_from_ns; /* from here on every ring is complete; 0: from the start */
    uint64_t damaged;      /* slots without a valid event */
    struct dj_text names;  /* each name once */
    struct dj_section_event *events; /* by time; without DJ_SECTION_THREAD */
    size_t count;
    struct dj_section_thread *threads; /* each thread once, by tid; owned */
    size_t thread_count;
    struct dj_map index; /* of names, by hash; private */
};

/* Reads the file. It must be a regular file, not a link, and belong to `owner` unless
 * that is DJ_ANY_OWNER (DJ_E_OWNER). Invalid bytes give DJ_E_INVALID, DJ_E_TRUNCATED
 * or DJ_E_VERSION with an offset. Returns DJ_E_NO_DATA if the header is not written
 * yet, and DJ_E_LIMIT beyond DJ_SECTIONS_EVENTS_MOST. Does not stop an active writer:
 * slots that it overwrites during reading are excluded and counted. */
enum { DJ_ANY_OWNER = -1 };
int dj_segment_sections_read(const char *path, int64_t owner,
                             struct dj_sections *sections, struct dj_error *err);
void dj_segment_sections_finish(struct dj_sections *sections);

/* Returns whether these are the first bytes of a sections file. */
bool dj_segment_sections_sniff(const void *bytes, size_t size);

#endif
