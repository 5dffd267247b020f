#include <string.h>

#include "triage/frames_parts.h"

/* The first change of a thread's sections from then on. */
static size_t first_inner(const struct dj_triage_index *index,
                          const struct dj_triage_thread *thread, int64_t from_ns)
{
    size_t from = thread->inner.from;
    size_t to = thread->inner.to;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (index->inner[middle].start_ns < from_ns) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

uint32_t dj_triage_thread_of_end(const struct dj_triage_index *index, int32_t pid,
                                 int64_t start_ns, int64_t end_ns)
{
    const struct dj_trace *trace = index->trace;
    uint32_t tid = (uint32_t)pid;
    int64_t latest_ns = INT64_MIN;
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        if (thread->pid != pid) {
            continue;
        }
        for (size_t at = first_inner(index, thread, start_ns);
             at < thread->inner.to && index->inner[at].start_ns < end_ns; at++) {
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

/* Bits of Perfetto's JankType that are the compositor's and not the app's. */
static const struct {
    uint32_t bit;
    const char *name;
    bool gpu;
} compositor[] = {
    {32, "SurfaceFlinger's GPU deadline", true},
    {16, "SurfaceFlinger's CPU deadline", false},
    {8, "display HAL", false},
    {2, "SurfaceFlinger's scheduling", false},
    {512, "SurfaceFlinger's stuffing", false},
    {128, "buffer stuffing", false},
    {4, "prediction error", false},
};

enum { APP_DEADLINE = 64 };

/* The compositor kept it, not the app. */
static bool is_in_time(const struct dj_trace_frame *told,
                       const struct dj_triage_frame *frame)
{
    return (told->jank_types & APP_DEADLINE) == 0 &&
           (frame->end_ns <= frame->deadline_ns || told->finished_on_time);
}

static const struct dj_trace_frame *display_of(const struct dj_trace *trace,
                                               const struct dj_trace_frame *told)
{
    for (size_t i = 0; told->display_token != 0 && i < trace->frame_count; i++) {
        const struct dj_trace_frame *shown = &trace->frames[i];
        if (shown->display && !shown->open && shown->token == told->display_token) {
            return shown;
        }
    }
    return NULL;
}

/* A frame that came in time and was composed late: its display frame tells how late. */
static void extend_to_display(const struct dj_trace *trace,
                              const struct dj_trace_frame *told,
                              struct dj_triage_frames *frames,
                              struct dj_triage_frame *frame)
{
    size_t reason = 0;
    size_t reasons = sizeof(compositor) / sizeof(compositor[0]);
    while (reason < reasons && (told->jank_types & compositor[reason].bit) == 0) {
        reason++;
    }
    if (reason == reasons || !is_in_time(told, frame)) {
        return;
    }
    if (frame->deadline_ns < frame->end_ns) {
        frame->deadline_ns = frame->end_ns;
    }
    const struct dj_trace_frame *shown = display_of(trace, told);
    if (shown == NULL || shown->expected_end_ns <= 0 ||
        shown->end_ns <= shown->expected_end_ns || shown->end_ns <= frame->end_ns) {
        frames->shown_untold++;
        frames->untold_by = compositor[reason].name;
        return;
    }
    frame->shown_ns = shown->end_ns;
    frame->shown_by = compositor[reason].name;
    frame->by_gpu = compositor[reason].gpu;
    frame->shown_pid = shown->pid;
    frame->deadline_ns =
        shown->expected_end_ns > frame->end_ns ? shown->expected_end_ns : frame->end_ns;
}

bool dj_triage_frames_told(const struct dj_triage_index *index, int64_t budget_ns,
                           struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < trace->frame_count; i++) {
        const struct dj_trace_frame *told = &trace->frames[i];
        if (told->display || told->open || told->end_ns <= told->start_ns) {
            continue;
        }
        bool expected = told->expected_end_ns > 0 && budget_ns == 0;
        int64_t start_ns = expected && told->expected_start_ns > 0 &&
                                   told->expected_start_ns < told->start_ns
                               ? told->expected_start_ns
                               : told->start_ns;
        struct dj_triage_frame frame = {
            .name = told->layer,
            .start_tid = told->pid > 0 ? (uint32_t)told->pid : 0,
            .start_ns = start_ns,
            .end_ns = told->end_ns,
            .deadline_ns =
                expected ? told->expected_end_ns
                         : told->start_ns + (budget_ns > 0 ? budget_ns : DJ_SIXTIETH_NS),
            .tid = dj_triage_thread_of_end(index, told->pid, start_ns, told->end_ns),
            .slice = DJ_NO_SLICE};
        if (budget_ns == 0) {
            extend_to_display(trace, told, frames, &frame);
        }
        if (!dj_triage_frames_put(frames, &frame)) {
            return false;
        }
    }
    dj_triage_frames_find_threads(index, frames);
    frames->source = "FrameTimeline";
    return true;
}
