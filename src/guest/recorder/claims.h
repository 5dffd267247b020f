/* Claims of the calling thread (claim.h), and frames that it transfers to another
 * thread. */
#ifndef DEJANK_RECORDER_CLAIMS_H
#define DEJANK_RECORDER_CLAIMS_H

#include "recorder/claim.h"

/* Claims the work of the calling thread for its next frame. The claimed work starts at
 * the latest of three times: the last wake-up of the thread's loop, the end (or
 * transfer) of the thread's last frame, and since_ns (0 if unknown). Returns false if
 * the thread already has a claim. */
bool dj_recorder_claim_work(int64_t since_ns);

/* The work that a thread did for a frame before the thread transferred the frame to
 * another thread. */
struct dj_frame_transfer {
    int64_t woke_ns;   /* Time at which the transferring thread's loop last woke. */
    int64_t worked_ns; /* Duration of the thread's work for the frame before woke_ns. */
    bool claimed;
};

/* Ends the calling thread's part of a frame that another thread may draw. Returns the
 * work that the calling thread did for the frame. */
struct dj_frame_transfer dj_recorder_transfer_frame(void);

/* Records that the calling thread waited for the display from begin_ns until now. The
 * wait counts as a part of the thread's next swap. */
void dj_recorder_add_wait_before_swap(int64_t begin_ns);

#endif
