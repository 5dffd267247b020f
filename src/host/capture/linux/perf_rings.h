/* Ring buffers of perf events, one for each CPU. Moves their records to a spool. Captures
 * use perf events if tracefs is not permitted. The times of records are in
 * CLOCK_MONOTONIC. */
#ifndef DEJANK_CAPTURE_LINUX_PERF_RINGS_H
#define DEJANK_CAPTURE_LINUX_PERF_RINGS_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "capture/linux/page_spool.h"

/* A page of the spool. It contains records in the format of the kernel, and the time of
 * the first of these records. */
struct dj_perf_page {
    int64_t first_ns;
    uint32_t used; /* Number of bytes in `records`. */
    uint32_t reserved;
    uint8_t records[];
};
enum { DJ_PERF_PAGE = 16384 };

/* The part of each record that contains the record's process, thread, time and CPU. */
struct dj_perf_id {
    uint32_t pid, tid;
    uint64_t at_ns;
    uint32_t cpu, reserved;
};

/* Returns the struct dj_perf_id of a record. The record must be at least as large as its
 * header and a struct dj_perf_id together. */
struct dj_perf_id dj_perf_rings_read_id(const uint8_t *record,
                                        const struct perf_event_header *header);

struct dj_perf_ring {
    int32_t cpu;
    /* Descriptor of the event that owns the ring, or −1 if the CPU has no event yet. */
    int fd;
    struct perf_event_mmap_page *head;
    size_t size; /* Size of the area for records in bytes, a power of two. */
    struct dj_perf_page *page;
};

/* The perf events of a capture, and their rings. Zero the struct before use. */
struct dj_perf {
    struct dj_perf_ring *rings; /* One ring for each CPU. Owned by this struct. */
    size_t count;
    int *fds; /* Descriptors of all events. Owned by this struct. */
    size_t fd_count;
    size_t pages;  /* Number of pages of each ring, a power of two. If 0, each ring has
                    * the size that every user may lock. */
    uint64_t lost; /* Number of lost records. */
    int64_t bytes;
};

/* Requests a total size for the rings. The size is at least the size that every user may
 * lock. If the kernel does not permit to lock so much memory, dj_perf_rings_add() uses
 * smaller rings. Call this function before events are added. */
void dj_perf_rings_set_size(struct dj_perf *perf, int64_t bytes);
/* Like dj_perf_rings_set_size(), for the size of each ring. */
void dj_perf_rings_set_size_each(struct dj_perf *perf, int64_t bytes);

/* Adds an event on each CPU. If `pid` is −1, the event covers all threads. Otherwise it
 * covers the process or thread `pid` and its children. `tracepoint` is the id of a
 * tracepoint, or 0 for context switches, names and ends of threads. `filter` is a filter
 * of the tracepoint, or NULL. If the kernel refuses the filter, all events are recorded.
 * Records are written after dj_perf_rings_enable(). Returns 0, DJ_E_OWNER,
 * DJ_E_UNSUPPORTED, DJ_E_IO, or DJ_E_NOT_FOUND if the process has ended. Returns
 * DJ_E_LIMIT if there are not enough file descriptors, or if the kernel does not permit
 * to lock the memory. */
int dj_perf_rings_add(struct dj_perf *perf, pid_t pid, uint32_t tracepoint,
                      const char *filter, struct dj_error *err);

/* An event that dj_perf_rings_add() cannot describe. */
struct dj_perf_event {
    pid_t pid; /* Process id, with the same meaning as for dj_perf_rings_add(). */
    /* Attributes. dj_perf_rings_add_event() adds those that all events have: the size,
     * the clock, and the members of struct dj_perf_id in each record. */
    struct perf_event_attr attr;
    const char *filter; /* Filter of a tracepoint, or NULL. */
    /* True if the event is recorded without its filter where the kernel refuses it. */
    bool is_filter_optional;
};

/* Adds an event on each CPU. Returns what dj_perf_rings_add() returns. */
int dj_perf_rings_add_event(struct dj_perf *perf, const struct dj_perf_event *event,
                            struct dj_error *err);

void dj_perf_rings_enable(const struct dj_perf *perf, bool on);

/* Returns bytes of a ring where they are, until the caller frees their space. Returns
 * NULL if they continue at the start of the ring. `at` is as for dj_perf_rings_copy(). */
const uint8_t *dj_perf_rings_find(const struct dj_perf_ring *ring, uint64_t at,
                                  size_t size);

/* Copies bytes of a ring. `at` counts all bytes that the kernel ever wrote to the ring.
 */
void dj_perf_rings_copy(const struct dj_perf_ring *ring, uint64_t at, void *to,
                        size_t size);

/* Moves the records of the rings to the spool. Only complete pages are stored, unless
 * `rest` is true. */
int dj_perf_rings_drain(struct dj_perf *perf, struct dj_spool *spool, bool rest,
                        struct dj_error *err);

void dj_perf_rings_finish(struct dj_perf *perf);

#endif
