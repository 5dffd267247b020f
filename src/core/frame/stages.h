/* Divides a frame into the stages of its pipeline, as far as the source recorded them. */
#ifndef DEJANK_FRAME_STAGES_H
#define DEJANK_FRAME_STAGES_H

#include "base/checked.h"
#include "frame/frame.h"

/* In pipeline order. A stage lasts from its own timestamp to the next known one. */
enum dj_stage {
    DJ_STAGE_APP, /* IntendedVsync → queueing, if nothing between them is known */
    DJ_STAGE_VSYNC_DELAY, /* IntendedVsync → HandleInputStart: the thread was busy or late
                           */
    DJ_STAGE_INPUT,       /* HandleInputStart → AnimationStart */
    DJ_STAGE_ANIMATION,   /* AnimationStart → PerformTraversalsStart */
    DJ_STAGE_LAYOUT,      /* PerformTraversalsStart → DrawStart */
    DJ_STAGE_DRAW,        /* DrawStart → SyncQueued */
    DJ_STAGE_WAIT,  /* SyncQueued → SyncStart: waiting, not part of the frame time */
    DJ_STAGE_SYNC,  /* SyncStart → IssueDrawCommandsStart */
    DJ_STAGE_ISSUE, /* IssueDrawCommandsStart → SwapBuffers */
    DJ_STAGE_SWAP,  /* SwapBuffers → FrameCompleted */
    DJ_STAGE_COUNT
};

struct dj_stages {
    int64_t ns[DJ_STAGE_COUNT]; /* ≥ 0 */
    uint32_t known;             /* bit n: stage n was recorded; the others are 0 */
};

/* Each returns a property of a stage: its English name for charts and tables
 * ("Layout"), and its two columns. */
const char *dj_frame_stage_name(enum dj_stage stage);
void dj_frame_stage_columns(enum dj_stage stage, enum dj_column *start,
                            enum dj_column *end);

/* The division of all frames with the same known columns, computed once for many of
 * them. */
struct dj_stage_division {
    uint64_t known;  /* their columns, as in struct dj_frame */
    uint32_t stages; /* bit n: they have stage n, between these two columns */
    uint8_t start[DJ_STAGE_COUNT], end[DJ_STAGE_COUNT];
};

/* Computes the division. If a timestamp is unknown, the stage before it extends to the
 * next known one. If none between IntendedVsync and queueing is known, that whole part
 * is DJ_STAGE_APP. The frame's two ends alone give no stage. The stages except
 * DJ_STAGE_WAIT add up to the frame time if the timestamps are in order; decreasing
 * timestamps give 0. */
void dj_frame_divide_stages(uint64_t known, struct dj_stage_division *cut);

/* Returns the duration of a stage that frames of this division have, ≥ 0. */
static inline int64_t dj_stages_duration_ns(const struct dj_stage_division *cut,
                                            const struct dj_frame *frame,
                                            enum dj_stage stage)
{
    int64_t ns = dj_checked_subtract_saturated(frame->value[cut->end[stage]],
                                               frame->value[cut->start[stage]]);
    return ns > 0 ? ns : 0;
}

/* Computes all stages of one frame. */
void dj_frame_compute_stages(const struct dj_frame *frame, struct dj_stages *stages);

#endif
