/* Finds the frames of a trace and their deadlines. */
#ifndef DEJANK_TRIAGE_FRAMES_FRAMES_H
#define DEJANK_TRIAGE_FRAMES_FRAMES_H

#include "base/error.h"
#include "triage/frames/refresh.h"
#include "triage/index/index.h"
#include "triage/rules.h"

struct dj_triage_frame {
    const char *name;   /* Name of the slice or the layer, owned by the trace. */
    uint32_t tid;       /* Thread in which the frame ended. */
    uint32_t start_tid; /* Thread in which the frame began, or 0 if that is `tid`. */
    int64_t start_ns, end_ns, deadline_ns;
    int32_t slice; /* Index of the frame's own slice, or DJ_NO_SLICE. */
    /* End of the composition if the compositor was late. 0 if it was in time or that is
     * unknown. */
    int64_t shown_ns;
    /* Lateness that the compositor added to the app's own lateness. */
    int64_t shown_late_ns;
    int64_t made_ns;      /* When the app had finished the frame, if shown_ns is not 0. */
    const char *shown_by; /* The reason why the compositor was late. */
    int32_t shown_pid;    /* Process of the compositor, or 0 if it is unknown. */
    bool by_gpu;          /* True if the GPU's work for the compositor was late. */
    /* True if events during the frame were lost, so that its causes are not analysed. */
    bool incomplete;
};

struct dj_triage_frames {
    struct dj_triage_frame *all; /* Sorted by start. Owned. */
    size_t count;
    const char *source; /* How the frames were found: "slices", "FrameTimeline", … */
    int64_t budget_ns;  /* Budget of all frames, or 0 if budgets differ. */
    const char *budget_from; /* As budget_from of struct dj_triage_result. */
    /* The display's refresh rate, if budgets depend on it. */
    struct dj_triage_refresh refresh;
    /* Frames that waited in the buffer queue (buffer stuffing) but were not shown
     * late. */
    size_t stuffed;
    int64_t stuffed_ns; /* Longest time between a stuffed frame and the previous frame on
                           the display. */
    size_t late_unknown_count; /* Frames that were shown late by an unknown amount. */
    const char *late_unknown_reason; /* Why one of these frames was shown late. */
};

/* Finds the frames. If there are none, returns DJ_E_NO_DATA with an error that lists the
 * trace's slices. Call dj_triage_frames_finish() in both cases. */
int dj_triage_frames_find(const struct dj_triage_index *index,
                          const struct dj_triage_rules *rules,
                          struct dj_triage_frames *frames, struct dj_error *err);
void dj_triage_frames_finish(struct dj_triage_frames *frames);

#endif
