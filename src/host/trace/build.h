/* Events become a trace. Of this room only. */
#ifndef DEJANK_TRACE_BUILD_H
#define DEJANK_TRACE_BUILD_H

#include "trace/clock.h"
#include "trace/frames.h"
#include "trace/spans.h"
#include "trace/states.h"
#include "trace/summing.h"
#include "trace/threads.h"

/* Zero it but for the trace, which is empty. */
struct dj_build {
    struct dj_trace *trace;
    struct dj_threads threads;
    struct dj_states states;
    struct dj_map process_names; /* by pid: what it was called last, in trace->kept */
    struct dj_clock clock;
    struct dj_frames frames;
    struct dj_spans spans;
    struct dj_rows edges, counts;
    struct dj_summing summing;      /* of edges, where the trace sums its slices up */
    uint8_t parts[DJ_EVENT_KINDS];  /* where events of each kind go */
    struct dj_trace_thread *former; /* whose ids others have now; owned */
    size_t former_count;
};

/* What the first event begins, or the end of a trace without any. */
void dj_build_begin(struct dj_build *build);

/* An event sink's `take`; user is the struct dj_build. DJ_E_IO of rows, or DJ_E_LIMIT:
 * slices cannot be summed up as they come (summing.unfit, which stays also where the
 * build is finished). Both may be returned some events later, or by dj_build_end(). */
int dj_build_take(void *build, const struct dj_event *event);

/* All events are in: completes the trace, and finishes the build in every case. */
int dj_build_end(struct dj_build *build, struct dj_error *err);
void dj_build_finish(struct dj_build *build);

/* ---- build_parts.c: where events go that are more than something a thread does ---- */

/* Where an event goes beside to its thread: most go nowhere else. */
enum dj_build_part {
    DJ_PART_MARK = 1,
    DJ_PART_SPAN = 2,
    DJ_PART_EDGE = 4,
    DJ_PART_COUNT = 8,
    DJ_PART_FRAME = 16,
    DJ_PART_CHANGE = 32, /* it changes what is known of threads */
    DJ_PART_APART = 64   /* it is nothing that a thread did */
};

/* Puts it there; the last two are no places. */
void dj_build_put(struct dj_build *build, const struct dj_event *event, uint8_t parts);

#endif
