/* Perf events in rings, one per CPU, that are moved to a spool: for users who cannot read
 * tracefs. Stamps are CLOCK_MONOTONIC. */
#ifndef DEJANK_CAPTURE_LINUX_PERF_RINGS_H
#define DEJANK_CAPTURE_LINUX_PERF_RINGS_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "capture/linux/page_spool.h"

/* A page of the spool: records as the kernel wrote them, after the first one's stamp. */
struct dj_perf_page {
    int64_t first_ns;
    uint32_t used; /* bytes of records */
    uint32_t reserved;
    uint8_t records[];
};
enum { DJ_PERF_PAGE = 16384 };

/* The part of a record with its thread, stamp and CPU. */
struct dj_perf_id {
    uint32_t pid, tid;
    uint64_t at_ns;
    uint32_t cpu, reserved;
};

/* Reads it from a record that is at least as large as the header and this. */
struct dj_perf_id dj_perf_rings_read_id(const uint8_t *record,
                                        const struct perf_event_header *header);

struct dj_perf_ring {
    int32_t cpu;
    int fd; /* of the event that owns the ring; −1: none yet */
    struct perf_event_mmap_page *head;
    size_t size; /* bytes of records, a power of two */
    struct dj_perf_page *page;
};

/* Zero-initialise it. */
struct dj_perf {
    struct dj_perf_ring *rings; /* one per CPU that is on; owned */
    size_t count;
    int *fds; /* of all events; owned */
    size_t fd_count;
    size_t pages;  /* of each ring, a power of two; 0: as many as every user may lock */
    uint64_t lost; /* records */
    int64_t bytes;
};

/* Creates rings with this total size, or the largest that may be locked, at least the
 * unprivileged size. Call it before events are added. */
void dj_perf_rings_set_size(struct dj_perf *perf, int64_t bytes);

/* Adds an event on each CPU: of one process or thread (`pid`) and its children, or of all
 * (−1). `tracepoint` is its id; 0: switches, names and ends of threads. It counts after
 * dj_perf_rings_enable(). DJ_E_OWNER, DJ_E_NOT_FOUND (the process has ended), DJ_E_LIMIT
 * (too many descriptors, or too little memory may be locked), DJ_E_UNSUPPORTED, DJ_E_IO.
 */
int dj_perf_rings_add(struct dj_perf *perf, pid_t pid, uint32_t tracepoint,
                      struct dj_error *err);
void dj_perf_rings_enable(const struct dj_perf *perf, bool on);

/* Moves the rings' contents to the spool; `rest`: also incomplete pages. */
int dj_perf_rings_drain(struct dj_perf *perf, struct dj_spool *spool, bool rest,
                        struct dj_error *err);

void dj_perf_rings_finish(struct dj_perf *perf);

#endif
