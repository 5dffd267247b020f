/* Finds the frames of a trace, and which of them were late. */
#ifndef DEJANK_TRIAGE_FRAMES_FRAMES_H
#define DEJANK_TRIAGE_FRAMES_FRAMES_H

#include "base/error.h"
#include "triage/frames/refresh.h"
#include "triage/index/index.h"
#include "triage/rules.h"

struct dj_triage_frame {
    const char *name;   /* of the slice or the layer; owned by the trace */
    uint32_t tid;       /* the thread in which the frame ended */
    uint32_t start_tid; /* the thread in which it began; 0: the same */
    int64_t start_ns, end_ns, deadline_ns;
    int32_t slice;         /* the frame's own slice, or DJ_NO_SLICE */
    int64_t shown_ns;      /* when it was composed, if late; 0: in time, or unknown */
    int64_t shown_late_ns; /* how late the compositor was, beyond the app's own
                            * lateness */
    int64_t made_ns;       /* when the app had finished it, if it was composed late */
    const char *shown_by;  /* what delayed the compositor */
    int32_t shown_pid;     /* process that composed it; 0: unknown */
    bool by_gpu;           /* the GPU's work for the compositor delayed it */
    bool incomplete; /* events of its time are lost, so its causes are not analysed */
};

struct dj_triage_frames {
    struct dj_triage_frame *all; /* sorted by start; owned */
    size_t count;
    const char *source;               /* "slices", "FrameTimeline"… */
    int64_t budget_ns;                /* the same for all frames; 0: each has its own */
    const char *budget_from;          /* as in struct dj_triage_result */
    struct dj_triage_refresh refresh; /* of the display, if budgets follow it */
    size_t stuffed;     /* frames that waited after others, and were not shown late */
    int64_t stuffed_ns; /* the longest of these waits */
    size_t late_unknown_count; /* frames that were shown late by an unknown amount */
    const char *late_unknown_reason; /* what delayed one of them */
};

/* Returns DJ_E_NO_DATA, with the slices that exist, if the trace has no frame. Call
 * dj_triage_frames_finish() in every case. */
int dj_triage_frames_find(const struct dj_triage_index *index,
                          const struct dj_triage_rules *rules,
                          struct dj_triage_frames *frames, struct dj_error *err);
void dj_triage_frames_finish(struct dj_triage_frames *frames);

#endif
