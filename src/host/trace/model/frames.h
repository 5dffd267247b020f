/*
 * Combines the timelines of a compositor to frames. A frame has an expected timeline and
 * an actual timeline, and each timeline has a begin event and an end event.
 */
#ifndef DEJANK_TRACE_MODEL_FRAMES_H
#define DEJANK_TRACE_MODEL_FRAMES_H

#include "trace/trace.h"

struct dj_frame_timeline;
struct dj_frame_timeline_end;

/* The events of all timelines. Zero the struct before use. */
struct dj_frames {
    struct dj_frame_timeline *begins;   /* Begins of timelines. Owned by this struct. */
    struct dj_frame_timeline_end *ends; /* Ends of timelines. Owned by this struct. */
    size_t begin_count, end_count;
};

/* Adds a DJ_EVENT_FRAME_BEGIN or DJ_EVENT_FRAME_END. The events may have any order. Names
 * are stored in trace->name_store. */
void dj_frames_add_event(struct dj_frames *frames, struct dj_trace *trace,
                         const struct dj_event *event);

/* Sets trace->frames. Call this function after the last event.
 *
 * A timeline ends at the first end with the same cookie that is not earlier than its
 * begin. Ends without a begin are counted in trace->endings. Expected timelines without
 * an end are dropped.
 *
 * An expected and an actual timeline are joined if their process and token are equal. If
 * several expected timelines fit, one with the same layer is preferred. If several layers
 * of an app have the same token, one expected timeline may be joined with several actual
 * timelines. */
void dj_frames_complete(struct dj_frames *frames, struct dj_trace *trace);
void dj_frames_finish(struct dj_frames *frames);

#endif
