/*
 * Joins begins and ends of a compositor's timelines to frames. A frame has an expected
 * and an actual timeline.
 */
#ifndef DEJANK_TRACE_MODEL_FRAMES_H
#define DEJANK_TRACE_MODEL_FRAMES_H

#include "trace/trace.h"

struct dj_frame_timeline;
struct dj_frame_timeline_end;

/* Zero it before use. */
struct dj_frames {
    struct dj_frame_timeline *begins;   /* Begins of timelines. Owned. */
    struct dj_frame_timeline_end *ends; /* Ends of timelines. Owned. */
    size_t begin_count, end_count;
};

/* Adds a DJ_EVENT_FRAME_BEGIN or DJ_EVENT_FRAME_END. They may come in any order.
 * trace->name_store stores the names. */
void dj_frames_add_event(struct dj_frames *frames, struct dj_trace *trace,
                         const struct dj_event *event);

/* Sets trace->frames. Call it after the last event. A timeline ends at the first end
 * with its cookie that is not before its begin. An end without a begin is counted in
 * trace->endings. An expected timeline without an end is dropped. Expected and actual
 * timelines are joined if their process and token are equal. If several expected
 * timelines are possible, one with the same layer is preferred. If several layers of an
 * app have the same token, one expected timeline may be joined with several actual
 * ones. */
void dj_frames_complete(struct dj_frames *frames, struct dj_trace *trace);
void dj_frames_finish(struct dj_frames *frames);

#endif
