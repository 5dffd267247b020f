/* Reads the records of several rings of perf events in order of time. Records stay in
 * their rings until the callback has returned, so that they need not be copied. */
#ifndef DEJANK_CAPTURE_SAMPLING_MERGE_H
#define DEJANK_CAPTURE_SAMPLING_MERGE_H

#include "capture/linux/perf_rings.h"

/* A record. It is valid until the callback returns. */
struct dj_sampling_record {
    const uint8_t *bytes; /* Bytes of the record, including its header. */
    struct perf_event_header header;
    struct dj_perf_id id;
    size_t set; /* Index in `sets` of the set of rings that contained the record. */
};

struct dj_perf_merge {
    /* Sets of rings, for example one for each kind of event. */
    struct dj_perf *const *sets;
    size_t set_count;
    /* Receives each record. */
    void (*take)(void *user, const struct dj_sampling_record *record);
    void *user;
    uint64_t damaged; /* Number of rings whose contents could not be read. */
};

/* Passes all records with a time up to `until_ns` to the callback, and frees their space.
 * A ring may receive an older record later, if the kernel was interrupted while it wrote.
 * Therefore pass a time that is some milliseconds ago. Returns 0 or DJ_E_NO_MEMORY. */
int dj_sampling_merge_read(struct dj_perf_merge *merge, int64_t until_ns,
                           struct dj_error *err);

#endif
