/* Finds the frames of a trace and their deadlines. */
#ifndef DEJANK_TRIAGE_FRAMES_FRAMES_H
#define DEJANK_TRIAGE_FRAMES_FRAMES_H

#include "base/error.h"
#include "triage/frames/refresh.h"
#include "triage/index/index.h"
#include "triage/rules.h"

struct dj_triage_frame {
    const char *name; /* Name of the frame's slice or layer. The trace owns the string. */
    uint32_t tid;     /* Thread in which the frame ended. */
    /* Thread in which the frame began, or 0 if it began in thread `tid`. */
    uint32_t start_tid;
    int64_t start_ns, end_ns, deadline_ns;
    /* Index of the slice that is the frame, or DJ_NO_SLICE if the frame is not a slice.
     */
    int32_t slice;
    /* Time at which the compositor showed the frame, if the compositor was late.
     * Otherwise 0. */
    int64_t shown_ns;
    /* Time that the compositor added to the lateness of the app. */
    int64_t shown_late_ns;
    /* Time at which the app had finished the frame. Set if shown_ns is not 0. */
    int64_t made_ns;
    const char *shown_by; /* Reason why the compositor was late. */
    int32_t shown_pid;    /* Process of the compositor, or 0 if it is unknown. */
    bool by_gpu; /* True if the compositor was late because of its work on the GPU. */
    /* True if events during the frame were lost. The causes of such a frame are not
     * analysed. */
    bool incomplete;
};

struct dj_triage_frames {
    struct dj_triage_frame *all; /* Frames, sorted by start. Owned by this struct. */
    size_t count;
    /* How the frames were found, for example "slices" or "FrameTimeline". */
    const char *source;
    /* Budget of all frames in ns, or 0 if frames have different budgets. */
    int64_t budget_ns;
    const char *budget_from; /* Source of the budget, as in struct dj_triage_result. */
    /* Refresh rates of the display. Used if the budget depends on them. */
    struct dj_triage_refresh refresh;
    /* Number of frames that waited in the buffer queue (buffer stuffing) but were not
     * shown late. */
    size_t stuffed;
    /* Longest time between a stuffed frame and the frame that the display showed before
     * it. */
    int64_t stuffed_ns;
    /* Number of frames that were shown late by an unknown time. */
    size_t late_unknown_count;
    const char *late_unknown_reason; /* Reason why one of these frames was shown late. */
};

/* Finds the frames of a trace. If the trace has no frames, returns DJ_E_NO_DATA, and the
 * error lists names of slices. Call dj_triage_frames_finish() even after an error. */
int dj_triage_frames_find(const struct dj_triage_index *index,
                          const struct dj_triage_rules *rules,
                          struct dj_triage_frames *frames, struct dj_error *err);
void dj_triage_frames_finish(struct dj_triage_frames *frames);

#endif
