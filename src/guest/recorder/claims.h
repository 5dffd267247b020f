/*
 * Frames of toolkits that make them in more than one turn of their event loop: asked for
 * in one, drawn in another, with rests in between that belong to no frame. Whoever asks
 * claims the thread's work: from that turn's beginning it counts to the next frame,
 * whatever it is, since the frame is late by it; the rests do not.
 */
#ifndef DEJANK_RECORDER_CLAIMS_H
#define DEJANK_RECORDER_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

/* A display that does not fetch a frame for so long is not waiting for one (the window is
 * covered): what the thread does in the meantime makes no frame late. */
enum { DJ_CLAIM_REST_MAX_NS = 250000000 };

struct dj_claim {
    int64_t
        working_ns;    /* since when the thread has been at work; 0: nothing is claimed */
    int64_t worked_ns; /* and for how long before its last rest */
    int64_t rested_ns; /* all rests */
};

/* Work since from_ns is claimed. False where some was before, which stays. */
bool dj_claim_make(struct dj_claim *claim, int64_t from_ns);

/* The thread's loop has rested. */
void dj_claim_rested(struct dj_claim *claim, int64_t begin_ns, int64_t end_ns);

/* The frame begins: how long the thread worked for it before its last rest. */
int64_t dj_claim_take(struct dj_claim *claim);

/*
 * The same for the calling thread. Its present turn began where its loop woke, where its
 * last frame was done or handed over, or at since_ns, whichever is last.
 */
bool dj_recorder_claims(int64_t since_ns);

/* What was made of a frame so far, by a thread that hands it over to another. */
struct dj_handover {
    int64_t woke_ns;   /* where the thread's loop woke last */
    int64_t worked_ns; /* how long it worked for the frame before that */
    bool claimed;
};

/* The calling thread has done its part of a frame that another may draw. */
struct dj_handover dj_recorder_hands_over(void);

/* The calling thread has waited for the display, from begin_ns until now, for the swap it
 * comes to next: a part of that. */
void dj_recorder_waited_before_swap(int64_t begin_ns);

#endif
