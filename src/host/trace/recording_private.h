/* Converts rows of frames to begins and ends of frames and stages. */
#ifndef DEJANK_TRACE_RECORDING_PRIVATE_H
#define DEJANK_TRACE_RECORDING_PRIVATE_H

#include "trace/recording.h"

/* What the events of a frame need. */
struct dj_recording_row {
    int64_t token;
    uint64_t id;    /* unique among all frames; ids differ by at least 2 */
    uint32_t title; /* offset in recorded->titles */
    int32_t pid;
    bool janky;
};

enum dj_recording_edge_kind {
    DJ_RECORDING_EXPECTED_BEGIN,
    DJ_RECORDING_ACTUAL_BEGIN,
    DJ_RECORDING_STAGE_BEGIN,
    DJ_RECORDING_STAGE_END,
    DJ_RECORDING_ACTUAL_END,
    DJ_RECORDING_EXPECTED_END
};

struct dj_recording_edge {
    int64_t at_ns;
    uint32_t order; /* order of edges with equal stamps */
    uint32_t row;
    uint8_t what;  /* enum dj_recording_edge_kind */
    uint8_t stage; /* enum dj_stage */
};

/* Converts an edge to an event. The event points into `recorded` and to *frame. */
void dj_recording_convert_edge(const struct dj_trace_recording *recorded,
                               const struct dj_recording_edge *edge,
                               struct dj_event *event, struct dj_event_frame *frame);

#endif
