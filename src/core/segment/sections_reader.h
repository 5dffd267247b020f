/* Reads a sections file: the events of all rings, sorted by time. The file is read and
 * not mapped, and every byte is checked. */
#ifndef DEJANK_SEGMENT_SECTIONS_READER_H
#define DEJANK_SEGMENT_SECTIONS_READER_H

#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "segment/sections_layout.h"

enum { DJ_SECTIONS_EVENTS_MOST = 8 * 1024 * 1024, DJ_SECTIONS_THREADS_MOST = 65536 };

struct dj_section_event {
    int64_t at_ns; /* Timestamp in ns of CLOCK_MONOTONIC. */
    int64_t value; /* Cookie or value of a counter. */
    /* Number of the event in reading order. It decides the order of events with equal
     * timestamps. */
    uint64_t order;
    uint32_t tid;
    uint32_t name; /* Offset of the name in `names`. The name ends with NUL. */
    uint8_t kind;  /* A value of enum dj_section_kind. */
};

struct dj_section_thread {
    uint32_t tid;
    uint32_t order; /* Order of events with equal times. Private. */
    char name[DJ_SECTIONS_THREAD_NAME];
};

/* The contents of a sections file. Zero the struct before use. Call
 * dj_segment_sections_finish() even after an error. */
struct dj_sections {
    int64_t pid;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    int64_t created_ns;
    bool ended;           /* Whether the process that wrote the file has ended. */
    uint64_t dropped;     /* Number of events that the writer saw but could not record. */
    uint64_t overwritten; /* Number of slots that newer slots have overwritten. */
    /* Timestamp from which on the events of all rings are complete, or 0 if no event was
     * overwritten. */
    int64_t whole_from_ns;
    uint64_t damaged;     /* Number of slots without a valid event. */
    struct dj_text names; /* All names, each stored once. */
    /* Events sorted by time, without those of kind DJ_SECTION_THREAD. */
    struct dj_section_event *events;
    size_t count;
    /* Threads sorted by id, each once. Owned by the struct. */
    struct dj_section_thread *threads;
    size_t thread_count;
    struct dj_map index; /* Private: map from hashes of names to offsets. */
};

/* Reads the file. It must be a regular file, not a link. Returns DJ_E_OWNER if the file
 * does not belong to `owner`. With DJ_ANY_OWNER, the owner is not checked. Invalid bytes
 * cause DJ_E_INVALID, DJ_E_TRUNCATED or DJ_E_VERSION with an offset. Returns DJ_E_NO_DATA
 * if the header is not written yet, and DJ_E_LIMIT if there are more than
 * DJ_SECTIONS_EVENTS_MOST events. The writer may be active. Slots that it overwrites
 * during reading are excluded and counted in `overwritten`. */
enum { DJ_ANY_OWNER = -1 };
int dj_segment_sections_read(const char *path, int64_t owner,
                             struct dj_sections *sections, struct dj_error *err);
void dj_segment_sections_finish(struct dj_sections *sections);

/* Returns whether these are the first bytes of a sections file. */
bool dj_segment_sections_sniff(const void *bytes, size_t size);

#endif
