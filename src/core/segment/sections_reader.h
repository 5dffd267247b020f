/* The reading end of a sections file: all that its rings hold at one time, in order. The
 * file is read, not mapped, and every byte is checked. */
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
    uint64_t order; /* of the ring it stood in: events of one stamp stay in order */
    uint32_t tid;
    uint32_t name; /* offset in `names`; ends with a NUL */
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
    bool ended;            /* the process that wrote it is no more */
    uint64_t dropped;      /* events the writer saw and could not record */
    uint64_t overwritten;  /* slots that newer ones have taken */
    int64_t whole_from_ns; /* from here on no ring lacks anything; 0: from the start */
    uint64_t damaged;      /* slots that hold no event */
    struct dj_text names;  /* each once */
    struct dj_section_event *events; /* by time; DJ_SECTION_THREAD is not among them */
    size_t count;
    struct dj_section_thread *threads; /* each once, by tid; owned */
    size_t thread_count;
    struct dj_map index; /* of names, by hash; private */
};

/*
 * Reads the file. It must be a regular file, no link, and of `owner`, unless that is
 * DJ_ANY_OWNER (DJ_E_OWNER). Hostile bytes give DJ_E_INVALID, DJ_E_TRUNCATED or
 * DJ_E_VERSION with an offset; DJ_E_NO_DATA where the header does not stand yet;
 * DJ_E_LIMIT beyond DJ_SECTIONS_EVENTS_MOST. A writer at work is never stopped: of its
 * ring what was overwritten while it was read is left out and counted.
 */
enum { DJ_ANY_OWNER = -1 };
int dj_sections_read(const char *path, int64_t owner, struct dj_sections *sections,
                     struct dj_error *err);
void dj_sections_finish(struct dj_sections *sections);

/* True for the first bytes of a sections file. */
bool dj_sections_sniff(const void *bytes, size_t size);

#endif
