/* Divides a frame into the stages of the rendering pipeline, as far as their timestamps
 * are known. */
#ifndef DEJANK_FRAME_STAGES_H
#define DEJANK_FRAME_STAGES_H

#include "base/checked.h"
#include "frame/frame.h"

/* The stages in pipeline order. A stage lasts from its own timestamp to the next known
 * one. */
enum dj_stage {
    /* IntendedVsync → SyncQueued, if no timestamp between the two is known. */
    DJ_STAGE_APP,
    /* IntendedVsync → HandleInputStart: the UI thread was busy or started late. */
    DJ_STAGE_VSYNC_DELAY,
    DJ_STAGE_INPUT,     /* HandleInputStart → AnimationStart */
    DJ_STAGE_ANIMATION, /* AnimationStart → PerformTraversalsStart */
    DJ_STAGE_LAYOUT,    /* PerformTraversalsStart → DrawStart */
    DJ_STAGE_DRAW,      /* DrawStart → SyncQueued */
    /* SyncQueued → SyncStart: the wait for the render thread, not part of the frame
     * time. */
    DJ_STAGE_WAIT,
    DJ_STAGE_SYNC,  /* SyncStart → IssueDrawCommandsStart */
    DJ_STAGE_ISSUE, /* IssueDrawCommandsStart → SwapBuffers */
    DJ_STAGE_SWAP,  /* SwapBuffers → FrameCompleted */
    DJ_STAGE_COUNT
};

struct dj_stages {
    int64_t ns[DJ_STAGE_COUNT]; /* Duration of each stage in ns, ≥ 0. */
    /* Bit mask: bit n is set if stage n was recorded. The duration of other stages is
     * 0. */
    uint32_t known;
};

/* Returns the English name of a stage for charts and tables, such as "Layout". */
const char *dj_frame_stage_name(enum dj_stage stage);

/* Sets *start and *end to the two columns between which the stage lies. */
void dj_frame_stage_columns(enum dj_stage stage, enum dj_column *start,
                            enum dj_column *end);

/* Describes the stages of all frames that have the same known columns. Computing it once
 * for many frames saves time. */
struct dj_stage_division {
    uint64_t known; /* Known columns, as in struct dj_frame. */
    /* Bit mask: bit n is set if the frames have stage n, from start[n] to end[n]. */
    uint32_t stages;
    uint8_t start[DJ_STAGE_COUNT], end[DJ_STAGE_COUNT];
};

/* Computes the division for frames with these known columns. If a timestamp is unknown,
 * the stage before it ends at the next known one. If no timestamp between IntendedVsync
 * and SyncQueued is known, the time between these two is DJ_STAGE_APP. A frame with only
 * IntendedVsync and FrameCompleted has no stages.
 *
 * If the timestamps of a frame are in order, all stages except DJ_STAGE_WAIT add up to
 * the frame time. A stage that ends before it starts lasts 0 ns. */
void dj_frame_divide_stages(uint64_t known, struct dj_stage_division *division);

/* Returns the duration of a stage in ns, ≥ 0. The stage must be in division->stages. */
static inline int64_t dj_stages_duration_ns(const struct dj_stage_division *division,
                                            const struct dj_frame *frame,
                                            enum dj_stage stage)
{
    int64_t ns = dj_checked_subtract_saturated(frame->value[division->end[stage]],
                                               frame->value[division->start[stage]]);
    return ns > 0 ? ns : 0;
}

/* Computes all stages of one frame. */
void dj_frame_compute_stages(const struct dj_frame *frame, struct dj_stages *stages);

#endif
