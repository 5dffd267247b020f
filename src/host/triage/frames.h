/* Which frames a trace shows, and which of them were late. */
#ifndef DEJANK_TRIAGE_FRAMES_H
#define DEJANK_TRIAGE_FRAMES_H

#include "triage/index.h"
#include "triage/refresh.h"
#include "triage/triage.h"

struct dj_triage_frame {
    const char *name;   /* of the slice it was, or of what it was told as; the trace's */
    uint32_t tid;       /* in which it ended */
    uint32_t start_tid; /* in which it began; 0: the same */
    int64_t start_ns, end_ns, deadline_ns;
    int32_t slice;    /* that it is, or DJ_NO_SLICE */
    int64_t shown_ns; /* when it was composed, too late; 0: in time, or it is not told */
    int64_t shown_late_ns; /* … by so much beyond what it came late itself */
    int64_t made_ns;       /* … and when it came */
    const char *shown_by;  /* what kept it then */
    int32_t shown_pid;     /* … and who composed it; 0: not told */
    bool by_gpu;           /* … the GPU's work for the compositor */
    bool incomplete; /* events of its time are lost: nothing is said of its causes */
};

struct dj_triage_frames {
    struct dj_triage_frame *all; /* by start; owned */
    size_t count;
    const char *source;               /* "slices", "FrameTimeline"… */
    int64_t budget_ns;                /* of all of them; 0: each its own */
    const char *budget_from;          /* as struct dj_triage_result has it */
    struct dj_triage_refresh refresh; /* of the display, where budgets follow it */
    size_t stuffed;        /* frames that waited behind others, and were not shown late */
    int64_t stuffed_ns;    /* … one of them for so long, the longest */
    size_t shown_untold;   /* frames that were shown late, and not by how much */
    const char *untold_by; /* what kept one of them */
};

/* DJ_E_NO_DATA, with what there is, where no frame is found. Finish them in every case.
 */
int dj_triage_frames_find(const struct dj_triage_index *index,
                          const struct dj_triage_rules *rules,
                          struct dj_triage_frames *frames, struct dj_error *err);
void dj_triage_frames_finish(struct dj_triage_frames *frames);

#endif
