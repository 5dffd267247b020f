/* Claims of work for a frame. Some toolkits make a frame in two iterations of their
 * event loop: they request the frame in one iteration and draw it in a later one.
 * While the loop waits between the two, the thread rests. A request claims the
 * thread's work: the work counts for the next frame from the beginning of the
 * requesting iteration, because that work delays the frame. The rests do not count. */
#ifndef DEJANK_RECORDER_CLAIM_H
#define DEJANK_RECORDER_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum sum of the rests of a claim. If the rests exceed this time, the display is not
 * waiting for a frame, for example because the window is covered. In that case, the work
 * delays no frame, and the claim is dropped. */
enum { DJ_CLAIM_REST_MAX_NS = 250000000 };

struct dj_claim {
    int64_t working_ns; /* Start of the work since the last rest, or 0 if nothing is
                         * claimed. */
    int64_t worked_ns;  /* Duration of the work before the last rest. */
    int64_t rested_ns;  /* Total duration of all rests. */
};

/* Starts a claim of the work since from_ns. Returns false and changes nothing if the
 * thread already has a claim. */
bool dj_claim_begin(struct dj_claim *claim, int64_t from_ns);

/* Excludes a rest of the thread's loop from the claimed work. Drops the claim if the
 * rests exceed DJ_CLAIM_REST_MAX_NS in total. */
void dj_claim_add_rest(struct dj_claim *claim, int64_t begin_ns, int64_t end_ns);

/* Ends the claim because its frame begins. Returns the duration of the work before the
 * last rest. */
int64_t dj_claim_end(struct dj_claim *claim);

#endif
