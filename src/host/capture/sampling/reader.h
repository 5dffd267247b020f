/* Converts records of perf events to stored call stacks. Follows the mappings, programs
 * and processes of the app. */
#ifndef DEJANK_CAPTURE_SAMPLING_READER_H
#define DEJANK_CAPTURE_SAMPLING_READER_H

#include "capture/sampling/counts.h"
#include "capture/sampling/record.h"
#include "capture/sampling/store.h"

/* Indices of the sets of rings. */
enum { DJ_SAMPLING_CPU, DJ_SAMPLING_WAITS, DJ_SAMPLING_SETS };

/* Number of waits of one thread that were sampled in the current second. */
struct dj_sampling_waits {
    int64_t second;
    uint32_t count;
};

/* A reader of records. Initialize it with dj_sampling_reader_init(). */
struct dj_stack_reader {
    struct dj_stacks_maps *maps;
    struct dj_stacks_unwinder *unwinder;
    struct dj_stack_store store;
    /* The watched processes. Maps a process id to the time in ms (of the clock of the
     * records) at which the mappings of the process were last read from /proc. */
    struct dj_map processes;
    struct dj_map wait_places;       /* Maps a thread id to an index in `waits`. */
    struct dj_sampling_waits *waits; /* Waits of all threads. Owned by this struct. */
    size_t wait_count;
    struct dj_sampler_counts counts;
    struct dj_stacks_stack *stack; /* Buffer for the newest stack. */
    struct dj_error err;           /* The first error. After it, no samples are added. */
};

int dj_sampling_reader_init(struct dj_stack_reader *reader, struct dj_error *err);
void dj_sampling_reader_finish(struct dj_stack_reader *reader);

bool dj_sampling_reader_is_watched(const struct dj_stack_reader *reader, int32_t pid);

/* Adds a process and reads its mappings. Returns false if it was added before. */
bool dj_sampling_reader_watch(struct dj_stack_reader *reader, int32_t pid);

/* Reads a record. Records must be passed in order of time. `user` is a struct
 * dj_stack_reader. */
void dj_sampling_reader_add(void *user, const struct dj_sampling_record *record);

#endif
