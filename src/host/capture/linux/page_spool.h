/* Stores captured pages until they are read, in an unnamed file in the output's folder,
 * so that nothing remains if the process dies. A rolling spool keeps the newest pages,
 * and those around the requested times. */
#ifndef DEJANK_CAPTURE_LINUX_PAGE_SPOOL_H
#define DEJANK_CAPTURE_LINUX_PAGE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/janky.h"
#include "spill/spill.h"
#include "trace/event.h"

/* A page begins with its first stamp, 8 bytes in the machine's byte order. */
struct dj_spool_page {
    int64_t first_ns, last_ns; /* last_ns: start of the CPU's next page */
    uint32_t slot;             /* its place in the file */
    int32_t cpu;
    bool dropped;
};

/* Zero-initialise it. */
struct dj_spool {
    struct dj_spill file;
    size_t page_size;
    size_t slots_most; /* maximum number of pages in the file */
    bool rolling;
    bool full;                   /* the file has that many: pages were refused */
    bool frees;                  /* pages are freed as they are read */
    struct dj_spool_page *pages; /* in order of arrival; owned */
    size_t count;
    size_t oldest;       /* the oldest page that may still be dropped (rolling spool) */
    size_t used;         /* slots */
    size_t dropped;      /* pages */
    bool lacks_oldest;   /* pages were dropped, now or earlier */
    struct dj_keep keep; /* pages of these times, present and future, stay */
    size_t *last_of_cpu; /* 1 + index in pages; 0: none; owned */
    size_t cpu_count;
};

/* Creates the file. DJ_E_OUTPUT if the folder of `output` accepts no file. */
int dj_page_spool_open(struct dj_spool *spool, const char *output, size_t page_size,
                       int64_t bytes_most, bool rolling, struct dj_error *err);
void dj_page_spool_close(struct dj_spool *spool);

/* Call it before the trace is written next to the spool. It frees the reserved space and,
 * if the disk has little space, each page after it was read. Then no page can be read
 * twice. */
void dj_page_spool_free_space(struct dj_spool *spool);

/* Stores a page. Pages of one CPU come in order. If the spool is full, the page is
 * refused and `full` is set. DJ_E_OUTPUT, DJ_E_NO_MEMORY. */
int dj_page_spool_push(struct dj_spool *spool, int32_t cpu, const void *page,
                       struct dj_error *err);

/* Reads the pages of one CPU. Zero it, except for spool and cpu. */
struct dj_spool_cursor {
    const struct dj_spool *spool;
    int32_t cpu;
    size_t at;
    bool begun;
    bool left_out;    /* pages since the last one were skipped; at the end: after it */
    int64_t after_ns; /* end of the last page */
    uint8_t *page;    /* owned */
};

/* *page: the CPU's next page, in a rolling spool only pages to keep; NULL: there is none.
 * *gap: pages before it are missing. */
int dj_page_spool_next(struct dj_spool_cursor *cursor, uint8_t **page, bool *gap,
                       struct dj_error *err);
/* Call it after the last page. If pages after it were skipped, it passes a loss at
 * `at_ns` to the sink, since no later event shows it. Returns the sink's result. */
int dj_page_spool_write_gap(const struct dj_spool_cursor *cursor, int64_t at_ns,
                            struct dj_event_sink sink);
void dj_page_spool_cursor_finish(struct dj_spool_cursor *cursor);

#endif
