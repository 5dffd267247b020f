/* Work of a thread that is claimed for a frame. Some toolkits make a frame in several
 * turns of their event loop: they request it in one turn and draw it in another.
 * Between them are rests, which belong to no frame. The request claims the thread's
 * work: from the beginning of that turn it counts for the next frame, because it
 * delays that frame. The rests do not count. */
#ifndef DEJANK_RECORDER_CLAIM_H
#define DEJANK_RECORDER_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

/* A display that does not fetch a frame for this time is not waiting for one (the
 * window is covered). Work during that time delays no frame. */
enum { DJ_CLAIM_REST_MAX_NS = 250000000 };

struct dj_claim {
    int64_t working_ns; /* start of the thread's present work; 0: nothing is claimed */
    int64_t worked_ns;  /* work before its last rest */
    int64_t rested_ns;  /* sum of all rests */
};

/* Claims the work from from_ns on. Returns false if there is a claim already, which
 * stays. */
bool dj_claim_begin(struct dj_claim *claim, int64_t from_ns);

/* Notes a rest of the thread's loop. */
void dj_claim_add_rest(struct dj_claim *claim, int64_t begin_ns, int64_t end_ns);

/* The frame begins: ends the claim and returns the work before the last rest. */
int64_t dj_claim_end(struct dj_claim *claim);

#endif
