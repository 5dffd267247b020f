/* Rows of frames become beginnings and ends: of the frame, of what was expected of it, of
 * its stages. Of recorded.c only. */
#ifndef DEJANK_TRACE_FRAME_ROWS_H
#define DEJANK_TRACE_FRAME_ROWS_H

#include "trace/recorded.h"

/* What is written of a frame. */
struct dj_recorded_row {
    int64_t token;
    uint64_t id;    /* of the frame among all; others' are at least 2 away from it */
    uint32_t title; /* where that is in recorded->titles */
    int32_t pid;
    bool janky;
};

enum dj_recorded_what {
    DJ_RECORDED_EXPECTED_BEGIN,
    DJ_RECORDED_ACTUAL_BEGIN,
    DJ_RECORDED_STAGE_BEGIN,
    DJ_RECORDED_STAGE_END,
    DJ_RECORDED_ACTUAL_END,
    DJ_RECORDED_EXPECTED_END
};

struct dj_recorded_edge {
    int64_t at_ns;
    uint32_t order; /* of those of one stamp */
    uint32_t row;
    uint8_t what;  /* enum dj_recorded_what */
    uint8_t stage; /* enum dj_stage */
};

/* The edge as an event, which points into `recorded` and *frame. */
void dj_recorded_event(const struct dj_recorded *recorded,
                       const struct dj_recorded_edge *edge, struct dj_event *event,
                       struct dj_event_frame *frame);

#endif
