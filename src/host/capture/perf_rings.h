/*
 * Perf events into rings of our own, one for each CPU, and from there into a spool: for
 * who may see no tracefs. Stamps are CLOCK_MONOTONIC. Of this room only.
 */
#ifndef DEJANK_CAPTURE_PERF_RINGS_H
#define DEJANK_CAPTURE_PERF_RINGS_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "capture/page_spool.h"

/* A page of the spool: records as the kernel wrote them, the first one's stamp first. */
struct dj_perf_page {
    int64_t first_ns;
    uint32_t used; /* bytes of records */
    uint32_t reserved;
    uint8_t records[];
};
enum { DJ_PERF_PAGE = 16384 };

/* What of a record tells its thread, its stamp and its CPU. */
struct dj_perf_id {
    uint32_t pid, tid;
    uint64_t at_ns;
    uint32_t cpu, reserved;
};

/* Reads it of a record of at least the size of both. */
struct dj_perf_id dj_perf_id_of(const uint8_t *record,
                                const struct perf_event_header *header);

struct dj_perf_ring {
    int32_t cpu;
    int fd; /* of the event whose ring it is; −1: none yet */
    struct perf_event_mmap_page *head;
    size_t size; /* bytes of records it holds, a power of two */
    struct dj_perf_page *page;
};

/* Zero it. */
struct dj_perf {
    struct dj_perf_ring *rings; /* one for each CPU that is on; owned */
    size_t count;
    int *fds; /* of all events; owned */
    size_t fd_count;
    size_t pages;  /* of each ring, a power of two; 0: as many as anybody may lock */
    uint64_t lost; /* records */
    int64_t bytes;
};

/* Has rings of so many bytes, all together, as far as they may be locked; before events
 * are added. No less than anybody may have. */
void dj_perf_set_size(struct dj_perf *perf, int64_t bytes);

/* Adds an event on each CPU: of one process or thread (`pid`) and those that it starts,
 * or of all (−1). `tracepoint` is its id; 0: switches, names and ends of threads. It
 * counts once dj_perf_enable() is called. DJ_E_OWNER, DJ_E_NOT_FOUND (the process is
 * gone), DJ_E_LIMIT (too many descriptors, or too little memory may be locked),
 * DJ_E_UNSUPPORTED, DJ_E_IO. */
int dj_perf_add(struct dj_perf *perf, pid_t pid, uint32_t tracepoint,
                struct dj_error *err);
void dj_perf_enable(const struct dj_perf *perf, bool on);

/* Moves what the rings hold into the spool; `rest`: also a page that is not full. */
int dj_perf_drain(struct dj_perf *perf, struct dj_spool *spool, bool rest,
                  struct dj_error *err);

void dj_perf_finish(struct dj_perf *perf);

#endif
