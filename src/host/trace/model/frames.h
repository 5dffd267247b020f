/*
 * Joins the begins and ends of a compositor's timelines to frames, each with its
 * expected and its actual timeline.
 */
#ifndef DEJANK_TRACE_MODEL_FRAMES_H
#define DEJANK_TRACE_MODEL_FRAMES_H

#include "trace/trace.h"

struct dj_frame_timeline;
struct dj_frame_timeline_end;

/* Zero it before use. */
struct dj_frames {
    struct dj_frame_timeline *parts;     /* begins of timelines; owned */
    struct dj_frame_timeline_end *stops; /* ends of timelines; owned */
    size_t part_count, stop_count;
};

/* Accepts a DJ_EVENT_FRAME_BEGIN or DJ_EVENT_FRAME_END, in any order. The trace keeps the
 * names. */
void dj_frames_add_event(struct dj_frames *frames, struct dj_trace *trace,
                         const struct dj_event *event);

/* Fills trace->frames after the last event. A timeline ends at the first end of its
 * cookie that is not before its begin. An end without a begin counts in trace->endings.
 * An expected timeline without an end is dropped. Process, token and layer join an
 * expected and an actual timeline. If layers of an app share a token, one expected
 * timeline may belong to all of them. */
void dj_frames_complete(struct dj_frames *frames, struct dj_trace *trace);
void dj_frames_finish(struct dj_frames *frames);

#endif
