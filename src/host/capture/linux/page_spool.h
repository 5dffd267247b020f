/* Stores captured pages in a temporary file until the trace is written. The file is in
 * the folder of the output and has no name, so nothing remains if the process dies. A
 * rolling spool has a fixed size. If it is full, it drops the oldest pages, except those
 * of the spans around janky frames. */
#ifndef DEJANK_CAPTURE_LINUX_PAGE_SPOOL_H
#define DEJANK_CAPTURE_LINUX_PAGE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/janky.h"
#include "spill/spill.h"
#include "trace/event.h"

/* A stored page. The first 8 bytes of the page contain the time of its first event, in
 * the machine's byte order. */
struct dj_spool_page {
    /* Time of the first event of this page, and of the first event of the CPU's next
     * page. */
    int64_t first_ns, last_ns;
    uint32_t slot; /* Position of the page in the file, in units of the page size. */
    int32_t cpu;
    bool dropped;
};

/* A spool. Zero the struct before use. */
struct dj_spool {
    struct dj_spill file;
    size_t page_size;
    size_t slots_most; /* Maximum number of pages in the file. */
    bool rolling;
    bool full;  /* True if a page was not stored because the file had its maximum size. */
    bool frees; /* True if reading a page also frees its disk space. */
    struct dj_spool_page *pages; /* In the order in which they were stored. Owned by
                                  * this struct. */
    size_t count;
    size_t oldest;     /* Index of the oldest page that may still be dropped. */
    size_t used;       /* Number of slots of the file that were used so far. */
    size_t dropped;    /* Number of dropped pages in `pages`. */
    bool lacks_oldest; /* True if at least one page was dropped. */
    /* Spans of time whose pages are never dropped. The caller may add spans at any time.
     */
    struct dj_keep keep;
    /* For each CPU, the index of its last page in `pages` plus 1, or 0 if the CPU has no
     * page. Owned by this struct. */
    size_t *last_of_cpu;
    size_t cpu_count;
};

/* Creates the file in the folder of `output`. `bytes_most` is the maximum size of the
 * file. Returns 0, or DJ_E_OUTPUT if the file cannot be created. */
int dj_page_spool_open(struct dj_spool *spool, const char *output, size_t page_size,
                       int64_t bytes_most, bool rolling, struct dj_error *err);
void dj_page_spool_close(struct dj_spool *spool);

/* Frees the reserved disk space. Call this function before the trace is written to the
 * same disk. If the disk is nearly full, each page is then also freed after it was read,
 * so no page can be read twice. */
void dj_page_spool_free_space(struct dj_spool *spool);

/* Stores a page. The pages of one CPU must be stored in order of time. If the spool is
 * full, does not store the page, sets `full` and returns 0. Returns DJ_E_OUTPUT or
 * DJ_E_NO_MEMORY after errors. */
int dj_page_spool_push(struct dj_spool *spool, int32_t cpu, const void *page,
                       struct dj_error *err);

/* Reads the pages of one CPU. Set `spool` and `cpu`, and zero the other members. */
struct dj_spool_cursor {
    const struct dj_spool *spool;
    int32_t cpu;
    size_t at;
    bool begun;
    /* True if pages were dropped between the last page that was returned and the next
     * one. */
    bool skipped;
    int64_t after_ns; /* End of the last page that was returned (last_ns of this page). */
    uint8_t *page;    /* Buffer for a page. Owned by this struct. */
};

/* Sets *page to the CPU's next page, or to NULL after the last page. A rolling spool does
 * not return dropped pages. Sets *gap to true if pages immediately before this page were
 * dropped. */
int dj_page_spool_next(struct dj_spool_cursor *cursor, uint8_t **page, bool *gap,
                       struct dj_error *err);
/* Reports pages that were dropped after the last page that was returned. Call this
 * function after the last page. If there are such pages, passes a DJ_EVENT_LOST with the
 * time `at_ns` to the sink, because no later event shows the gap. Returns the sink's
 * result. */
int dj_page_spool_write_gap(const struct dj_spool_cursor *cursor, int64_t at_ns,
                            struct dj_event_sink sink);
void dj_page_spool_cursor_finish(struct dj_spool_cursor *cursor);

#endif
