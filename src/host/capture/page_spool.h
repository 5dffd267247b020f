/*
 * Captured pages, until they are read: in a file without a name in the output's folder,
 * so that nothing is left of it whatever happens to us. One that rolls keeps the newest,
 * and those around the times that were asked for. Of this room only.
 */
#ifndef DEJANK_CAPTURE_PAGE_SPOOL_H
#define DEJANK_CAPTURE_PAGE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/janky.h"
#include "spill/spill.h"
#include "trace/event.h"

/* A page begins with its first stamp, 8 bytes in the machine's order. */
struct dj_spool_page {
    int64_t first_ns, last_ns; /* last_ns: where the CPU's next page begins */
    uint32_t slot;             /* its place in the file */
    int32_t cpu;
    bool dropped;
};

/* Zero it. */
struct dj_spool {
    struct dj_spill file;
    size_t page_size;
    size_t slots_most; /* pages the file may hold */
    bool rolling;
    bool full;                   /* …and does: pages were refused */
    bool frees;                  /* pages are given back as they are handed out */
    struct dj_spool_page *pages; /* as they came; owned */
    size_t count;
    size_t oldest;       /* that may still be dropped, of a rolling one */
    size_t used;         /* slots */
    size_t dropped;      /* pages */
    bool lacks_oldest;   /* some were dropped, now or earlier */
    struct dj_keep keep; /* what is and will be of these times stays */
    size_t *last_of_cpu; /* 1 + index in pages; 0: none; owned */
    size_t cpu_count;
};

/* DJ_E_OUTPUT where the folder of `output` takes no file. */
int dj_spool_open(struct dj_spool *spool, const char *output, size_t page_size,
                  int64_t bytes_most, bool rolling, struct dj_error *err);
void dj_spool_close(struct dj_spool *spool);

/* Before what is made of it is written beside it: gives back what was reserved for that,
 * and where the disk has little room, each page once it was handed out; none can be
 * handed out twice then. */
void dj_spool_make_room(struct dj_spool *spool);

/* Takes a page of a CPU, whose pages come in order. Where it is full it is refused, which
 * `full` tells. DJ_E_OUTPUT, DJ_E_NO_MEMORY. */
int dj_spool_put(struct dj_spool *spool, int32_t cpu, const void *page,
                 struct dj_error *err);

/* Pages of one CPU as they are handed out. Zero it but for spool and cpu. */
struct dj_spool_cursor {
    const struct dj_spool *spool;
    int32_t cpu;
    size_t at;
    bool begun;
    bool left_out;    /* pages since the one handed out last; at the end: behind it */
    int64_t after_ns; /* where the page handed out last ended */
    uint8_t *page;    /* owned */
};

/* *page: the CPU's next one, of a rolling spool only what was to be kept; NULL: there is
 * none. *gap: pages before it are not there. */
int dj_spool_next(struct dj_spool_cursor *cursor, uint8_t **page, bool *gap,
                  struct dj_error *err);
/* After the last page: tells a loss at `at_ns` where pages behind it were left out, since
 * no event follows to tell it. What the sink returned. */
int dj_spool_tell_left_out(const struct dj_spool_cursor *cursor, int64_t at_ns,
                           struct dj_event_sink sink);
void dj_spool_cursor_finish(struct dj_spool_cursor *cursor);

#endif
