/* Converts frames to events. An edge is the begin or the end of a frame or stage. Each
 * edge becomes one event. */
#ifndef DEJANK_TRACE_RECORDING_PRIVATE_H
#define DEJANK_TRACE_RECORDING_PRIVATE_H

#include "trace/recording.h"

/* The properties of a frame that are needed for its events. */
struct dj_recording_row {
    int64_t token;
    /* Unique id of the frame. The ids of two frames differ by at least 2. */
    uint64_t id;
    uint32_t title; /* Offset of the window's title in recorded->titles. */
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
    uint32_t order; /* Determines the order of edges with equal times. */
    uint32_t row;
    uint8_t what;  /* A value of enum dj_recording_edge_kind. */
    uint8_t stage; /* A value of enum dj_stage. */
};

/* Converts an edge to an event. The event points to *frame and to data that belongs to
 * `recorded`. */
void dj_recording_convert_edge(const struct dj_trace_recording *recorded,
                               const struct dj_recording_edge *edge,
                               struct dj_event *event, struct dj_event_frame *frame);

#endif
