/* Stores captured pages until they are read. The pages are in an unnamed file in the
 * folder of the output, so that nothing remains if the process dies. A rolling spool
 * keeps only the newest pages, and the pages of the spans around janky frames. */
#ifndef DEJANK_CAPTURE_LINUX_PAGE_SPOOL_H
#define DEJANK_CAPTURE_LINUX_PAGE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/janky.h"
#include "spill/spill.h"
#include "trace/event.h"

/* A stored page. The first 8 bytes of a page are the time of its first event, in the
 * machine's byte order. */
struct dj_spool_page {
    int64_t first_ns, last_ns; /* Time of the first event of this page, and of the
                                * CPU's next page. */
    uint32_t slot;             /* Index of the page in the file. */
    int32_t cpu;
    bool dropped;
};

/* Zero-initialise it. */
struct dj_spool {
    struct dj_spill file;
    size_t page_size;
    size_t slots_most; /* Maximum number of pages in the file. */
    bool rolling;
    bool full;                   /* True if a page was refused because the file had its
                                  * maximum size. */
    bool frees;                  /* True if the disk space of each page is freed after
                                  * the page was read. */
    struct dj_spool_page *pages; /* In the order in which they were stored. Owned by
                                  * this struct. */
    size_t count;
    size_t oldest;       /* Index of the oldest page that a rolling spool may still
                          * drop. */
    size_t used;         /* Number of used slots in the file. */
    size_t dropped;      /* Number of dropped pages in `pages`. */
    bool lacks_oldest;   /* True if a page was ever dropped. */
    struct dj_keep keep; /* Pages of these spans are never dropped. Spans may be added
                          * while pages are stored. */
    size_t *last_of_cpu; /* For each CPU, 1 + the index of its last page in `pages`, or
                          * 0. Owned by this struct. */
    size_t cpu_count;
};

/* Creates the file in the folder of `output`. Returns DJ_E_OUTPUT if that is not
 * possible. */
int dj_page_spool_open(struct dj_spool *spool, const char *output, size_t page_size,
                       int64_t bytes_most, bool rolling, struct dj_error *err);
void dj_page_spool_close(struct dj_spool *spool);

/* Frees the reserved disk space. Call it before the trace is written to the same disk.
 * If the disk is nearly full, also frees each page after it was read. In that case no
 * page can be read twice. */
void dj_page_spool_free_space(struct dj_spool *spool);

/* Stores a page. The pages of one CPU must be stored in order of time. If the spool is
 * full, refuses the page and sets `full`. Returns 0, DJ_E_OUTPUT or DJ_E_NO_MEMORY. */
int dj_page_spool_push(struct dj_spool *spool, int32_t cpu, const void *page,
                       struct dj_error *err);

/* Reads the pages of one CPU. Set `spool` and `cpu`, and zero the other members. */
struct dj_spool_cursor {
    const struct dj_spool *spool;
    int32_t cpu;
    size_t at;
    bool begun;
    bool skipped;     /* True if pages were skipped since the last page that was
                       * returned. */
    int64_t after_ns; /* End of the last page that was returned. */
    uint8_t *page;    /* Owned by this struct. */
};

/* Sets *page to the CPU's next page, or to NULL after the last one. A rolling spool
 * returns only the pages that are kept. Sets *gap to true if pages before this page
 * are missing. */
int dj_page_spool_next(struct dj_spool_cursor *cursor, uint8_t **page, bool *gap,
                       struct dj_error *err);
/* Reports skipped pages after the last page. If there are any, passes a DJ_EVENT_LOST
 * at `at_ns` to the sink, because no later event shows the gap. Call it after the last
 * page. Returns the sink's result. */
int dj_page_spool_write_gap(const struct dj_spool_cursor *cursor, int64_t at_ns,
                            struct dj_event_sink sink);
void dj_page_spool_cursor_finish(struct dj_spool_cursor *cursor);

#endif
