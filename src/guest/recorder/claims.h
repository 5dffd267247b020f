/* Claims of the calling thread, and frames that it transfers to another thread. */
#ifndef DEJANK_RECORDER_CLAIMS_H
#define DEJANK_RECORDER_CLAIMS_H

#include "recorder/claim.h"

/* Claims the work of the calling thread. Its present turn began when its loop woke,
 * when its last frame was finished or transferred, or at since_ns, depending on which is
 * last. */
bool dj_recorder_claim_work(int64_t since_ns);

/* The work that a thread did for a frame before it transfers the frame to another
 * thread. */
struct dj_frame_transfer {
    int64_t woke_ns;   /* when the thread's loop last woke */
    int64_t worked_ns; /* its work for the frame before that */
    bool claimed;
};

/* The calling thread has finished its part of a frame that another thread may draw. */
struct dj_frame_transfer dj_recorder_transfer_frame(void);

/* From begin_ns until now the calling thread waited for the display before its next
 * swap. The wait counts as a part of that swap. */
void dj_recorder_add_wait_before_swap(int64_t begin_ns);

#endif
