#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "triage/frames/frames_private.h"

uint32_t dj_triage_frames_find_end_thread(const struct dj_triage_index *index,
                                          int32_t pid, int64_t start_ns, int64_t end_ns)
{
    const struct dj_trace *trace = index->trace;
    uint32_t tid = (uint32_t)pid;
    int64_t latest_ns = INT64_MIN;
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        if (thread->pid != pid) {
            continue;
        }
        size_t at = thread->inner.from, to = thread->inner.to;
        DJ_SEARCH(at, to, middle, index->inner[middle].start_ns < start_ns);
        for (; at < thread->inner.to && index->inner[at].start_ns < end_ns; at++) {
            int32_t slice = index->inner[at].slice;
            if (slice != DJ_NO_SLICE && trace->slices[slice].end_ns > latest_ns &&
                strncmp(trace->slices[slice].name, "DrawFrame", 9) == 0) {
                latest_ns = trace->slices[slice].end_ns;
                tid = thread->tid;
            }
        }
    }
    return tid;
}

/* Reasons for jank that the compositor caused, as bits of Perfetto's JankType. */
static const struct reason {
    uint32_t bit;
    const char *name;
    bool gpu;
    bool late; /* True if the compositor or the display missed its own deadline. */
} reasons[] = {
    {32, "SurfaceFlinger's GPU deadline", true, true},
    {16, "SurfaceFlinger's CPU deadline", false, true},
    {8, "display HAL", false, true},
    {2, "SurfaceFlinger's scheduling", false, true},
    {512, "SurfaceFlinger's stuffing", false, true},
    {128, "buffer stuffing", false, false},
    {4, "prediction error", false, false},
};

enum {
    APP_DEADLINE = 64,
    STUFFED = 128,
    /* Maximum number of earlier frame events among which the previous frame of a layer is
     * searched. */
    LOOK_BACK = 64,
    /* A frame that is shown later than expected by at most this time is not late.
     * SurfaceFlinger uses the same threshold. */
    PRESENT_NS = 2000000
};

static const struct reason *find_reason(const struct dj_trace_frame *frame_event)
{
    for (size_t i = 0; i < COUNT_OF(reasons); i++) {
        if ((frame_event->jank_types & reasons[i].bit) != 0) {
            return &reasons[i];
        }
    }
    return NULL;
}

/* Returns true if the app finished the frame in time. Only the compositor can then have
 * delayed the frame. */
static bool is_app_in_time(const struct dj_trace_frame *frame_event,
                           const struct dj_triage_frame *frame)
{
    return (frame_event->jank_types & APP_DEADLINE) == 0 &&
           (frame->end_ns <= frame->deadline_ns || frame_event->finished_on_time);
}

/* The frame events of a trace. */
struct timeline {
    const struct dj_trace *trace;
    /* Frames of the display that have ended, by token. Owned by this struct. */
    const struct dj_trace_frame **shown;
    size_t shown_count;
};

/* Frames with the same token keep their order in the trace. */
static int by_token(const void *a, const void *b)
{
    const struct dj_trace_frame *left = *(const struct dj_trace_frame *const *)a,
                                *right = *(const struct dj_trace_frame *const *)b;
    int order = DJ_COMPARE(left->token, right->token);
    return order != 0 ? order : DJ_COMPARE(left, right);
}

static void init_timeline(struct timeline *timeline, const struct dj_trace *trace)
{
    *timeline = (struct timeline){.trace = trace};
    for (size_t i = 0; i < trace->frame_count; i++) {
        const struct dj_trace_frame *frame_event = &trace->frames[i];
        if (frame_event->display && !frame_event->open) {
            DJ_XPUSH(timeline->shown, timeline->shown_count, frame_event);
        }
    }
    if (timeline->shown_count > 0) {
        qsort(timeline->shown, timeline->shown_count, sizeof(*timeline->shown), by_token);
    }
}

static const struct dj_trace_frame *
find_display_frame(const struct timeline *timeline,
                   const struct dj_trace_frame *frame_event)
{
    int64_t token = frame_event->display_token;
    size_t at = 0, to = timeline->shown_count;
    DJ_SEARCH(at, to, middle, timeline->shown[middle]->token < token);
    return token != 0 && at < timeline->shown_count && timeline->shown[at]->token == token
               ? timeline->shown[at]
               : NULL;
}

static void set_shown(struct dj_triage_frame *frame, const struct reason *reason,
                      const struct dj_trace_frame *shown, int64_t late_ns)
{
    frame->shown_ns = shown->end_ns;
    frame->shown_late_ns = late_ns;
    frame->shown_by = reason->name;
    frame->by_gpu = reason->gpu;
    frame->shown_pid = shown->pid;
}

/* Returns how late the compositor showed the frame. If the app finished the frame after
 * the expected time, the compositor's lateness starts when the app had finished. Returns
 * 0 or less if the compositor was in time or its times are unknown. */
static int64_t compute_compositor_late_ns(const struct dj_trace_frame *shown,
                                          const struct dj_triage_frame *frame)
{
    if (shown == NULL || shown->expected_end_ns <= 0) {
        return 0;
    }
    int64_t due_ns =
        shown->expected_end_ns > frame->end_ns ? shown->expected_end_ns : frame->end_ns;
    return shown->end_ns > shown->expected_end_ns ? shown->end_ns - due_ns : 0;
}

/* Returns the previous frame of the same layer. Returns NULL if it is not among the last
 * LOOK_BACK frame events. */
static const struct dj_trace_frame *
find_previous_frame(const struct dj_trace *trace,
                    const struct dj_trace_frame *frame_event)
{
    const struct dj_trace_frame *at = frame_event;
    for (size_t i = 0; i < LOOK_BACK && at > trace->frames; i++) {
        at--;
        if (!at->display && !at->open && at->pid == frame_event->pid &&
            at->display_token != 0 && at->display_token != frame_event->display_token &&
            strcmp(at->layer, frame_event->layer) == 0) {
            return at;
        }
    }
    return NULL;
}

/* Handles a frame that was finished before the previous frame was shown (buffer
 * stuffing). Computes the time between the two frames on the display and the time between
 * their expected starts. The frame is late by the difference of the two times. Returns
 * false if these times are unknown. */
static bool set_stuffed(const struct timeline *timeline,
                        const struct dj_trace_frame *frame_event,
                        const struct dj_trace_frame *shown, const struct reason *reason,
                        struct dj_triage_frames *frames, struct dj_triage_frame *frame)
{
    const struct dj_trace_frame *before =
        find_previous_frame(timeline->trace, frame_event);
    const struct dj_trace_frame *last =
        before != NULL ? find_display_frame(timeline, before) : NULL;
    if (last == NULL || shown == NULL || last->end_ns < frame->end_ns ||
        shown->end_ns <= last->end_ns || before->expected_start_ns <= 0 ||
        frame_event->expected_start_ns <= before->expected_start_ns) {
        return false;
    }
    int64_t apart_ns = shown->end_ns - last->end_ns;
    int64_t late_ns =
        apart_ns - (frame_event->expected_start_ns - before->expected_start_ns);
    if (late_ns > PRESENT_NS) {
        frame->deadline_ns = shown->end_ns - late_ns;
        set_shown(frame, reason, shown, late_ns);
    } else {
        frames->stuffed++;
        frames->stuffed_ns =
            apart_ns > frames->stuffed_ns ? apart_ns : frames->stuffed_ns;
    }
    return true;
}

/* Sets how late the compositor showed the frame. If the app was late too, sets only the
 * time that the compositor added. */
static void extend_to_display(const struct timeline *timeline,
                              const struct dj_trace_frame *frame_event,
                              struct dj_triage_frames *frames,
                              struct dj_triage_frame *frame)
{
    const struct reason *reason = find_reason(frame_event);
    if (reason == NULL) {
        return;
    }
    const struct dj_trace_frame *shown = find_display_frame(timeline, frame_event);
    int64_t late_ns = compute_compositor_late_ns(shown, frame);
    if (!is_app_in_time(frame_event, frame)) {
        if (late_ns > 0 && reason->late && frame->end_ns > frame->deadline_ns) {
            set_shown(frame, reason, shown, late_ns);
        }
        return;
    }
    if (frame->deadline_ns < frame->end_ns) {
        frame->deadline_ns = frame->end_ns;
    }
    if (late_ns > 0) {
        set_shown(frame, reason, shown, late_ns);
        frame->deadline_ns = shown->end_ns - late_ns;
    } else if (reason->bit != STUFFED ||
               !set_stuffed(timeline, frame_event, shown, reason, frames, frame)) {
        frames->late_unknown_count++;
        frames->late_unknown_reason = reason->name;
    }
}

void dj_triage_frames_add_timeline(const struct dj_triage_index *index, int64_t budget_ns,
                                   struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    struct timeline timeline;
    init_timeline(&timeline, trace);
    for (size_t i = 0; i < trace->frame_count; i++) {
        const struct dj_trace_frame *frame_event = &trace->frames[i];
        if (frame_event->display || frame_event->open ||
            frame_event->end_ns <= frame_event->start_ns) {
            continue;
        }
        bool expected = frame_event->expected_end_ns > 0 && budget_ns == 0;
        int64_t start_ns = expected && frame_event->expected_start_ns > 0 &&
                                   frame_event->expected_start_ns < frame_event->start_ns
                               ? frame_event->expected_start_ns
                               : frame_event->start_ns;
        struct dj_triage_frame frame = {
            .name = frame_event->layer,
            .start_tid = frame_event->pid > 0 ? (uint32_t)frame_event->pid : 0,
            .start_ns = start_ns,
            .end_ns = frame_event->end_ns,
            .deadline_ns =
                expected ? frame_event->expected_end_ns
                         : frame_event->start_ns +
                               dj_triage_frames_get_budget(frames, frame_event->start_ns),
            .tid = dj_triage_frames_find_end_thread(index, frame_event->pid, start_ns,
                                                    frame_event->end_ns),
            .slice = DJ_NO_SLICE};
        if (budget_ns == 0) {
            extend_to_display(&timeline, frame_event, frames, &frame);
        }
        DJ_XPUSH(frames->all, frames->count, frame);
    }
    free(timeline.shown);
    dj_triage_frames_set_end_threads(index, frames);
    frames->source = "FrameTimeline";
}
