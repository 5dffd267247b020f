/* The frames that a compositor told of: beginnings and ends, of what was expected and of
 * what became of it, become frames. Of this room only. */
#ifndef DEJANK_TRACE_FRAMES_H
#define DEJANK_TRACE_FRAMES_H

#include "trace/trace.h"

struct dj_frame_part;
struct dj_frame_stop;

/* Zero it before use. */
struct dj_frames {
    struct dj_frame_part *parts; /* what begun; owned */
    struct dj_frame_stop *stops; /* and ended; owned */
    size_t part_count, stop_count;
};

/* Takes a DJ_EVENT_FRAME_BEGIN or …_END in, in any order; names are kept by the trace. */
void dj_frames_take(struct dj_frames *frames, struct dj_trace *trace,
                    const struct dj_event *event);

/*
 * All are in: fills trace->frames. A part ends with the first end of its cookie that is
 * not before its beginning; an end without one is among trace->endings, an expectation
 * without an end is none. What was expected goes with what became of it by process, token
 * and layer; where an app's layers share a token, one expectation may be of them all.
 */
void dj_frames_end(struct dj_frames *frames, struct dj_trace *trace);
void dj_frames_finish(struct dj_frames *frames);

#endif
