#include "trace/model/frames.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"

/* The expected timeline or the actual timeline of a frame. */
struct dj_frame_timeline {
    /* The frame with the times of this timeline in start_ns and end_ns. The members
     * expected_start_ns and expected_end_ns are set later. */
    struct dj_trace_frame frame;
    int64_t cookie;
    size_t order;
    bool actual, used;
};

struct dj_frame_timeline_end {
    int64_t cookie, at_ns;
};

static void add_timeline(struct dj_frames *frames, struct dj_trace *trace,
                         const struct dj_event *event)
{
    const struct dj_event_frame *source = event->frame;
    const struct dj_frame_timeline timeline = {
        .frame = {.layer = dj_trace_names_add(&trace->name_store, source->layer),
                  .start_ns = event->at_ns,
                  .token = source->token,
                  .display_token = source->display_token,
                  .pid = event->pid,
                  .jank_types = source->jank_types,
                  .present = source->present,
                  .prediction = source->prediction,
                  .severity = source->severity,
                  .finished_on_time = source->finished_on_time,
                  .composed_by_gpu = source->composed_by_gpu,
                  .display = source->side >= DJ_FRAME_EXPECTED_DISPLAY,
                  .open = true},
        .cookie = event->value,
        .order = frames->begin_count,
        .actual = source->side == DJ_FRAME_ACTUAL_SURFACE ||
                  source->side == DJ_FRAME_ACTUAL_DISPLAY};
    DJ_XPUSH(frames->begins, frames->begin_count, timeline);
}

void dj_frames_add_event(struct dj_frames *frames, struct dj_trace *trace,
                         const struct dj_event *event)
{
    if (event->kind == DJ_EVENT_FRAME_END) {
        DJ_XPUSH(frames->ends, frames->end_count,
                 (struct dj_frame_timeline_end){event->value, event->at_ns});
    } else if (event->frame != NULL) {
        add_timeline(frames, trace, event);
    }
}

static int by_cookie(const void *a, const void *b)
{
    const struct dj_frame_timeline *left = a, *right = b;
    int order = DJ_COMPARE(left->cookie, right->cookie);
    order = order != 0 ? order : DJ_COMPARE(left->frame.start_ns, right->frame.start_ns);
    return order != 0 ? order : DJ_COMPARE(left->order, right->order);
}

static int by_end(const void *a, const void *b)
{
    const struct dj_frame_timeline_end *left = a, *right = b;
    int order = DJ_COMPARE(left->cookie, right->cookie);
    return order != 0 ? order : DJ_COMPARE(left->at_ns, right->at_ns);
}

/* Assigns each end to a timeline. This is the first timeline with the same cookie that
 * has no end yet. */
static void end_timelines(struct dj_frames *frames, struct dj_trace *trace)
{
    size_t at = 0;
    for (size_t i = 0; i < frames->end_count; i++) {
        const struct dj_frame_timeline_end *end = &frames->ends[i];
        while (at < frames->begin_count && frames->begins[at].cookie < end->cookie) {
            at++;
        }
        struct dj_frame_timeline *timeline =
            at < frames->begin_count && frames->begins[at].cookie == end->cookie
                ? &frames->begins[at]
                : NULL;
        if (timeline == NULL || timeline->frame.start_ns > end->at_ns) {
            trace->endings++;
            continue;
        }
        timeline->frame.end_ns = end->at_ns;
        timeline->frame.open = false;
        at++;
    }
}

static int by_identity(const struct dj_frame_timeline *left,
                       const struct dj_frame_timeline *right)
{
    int order = left->frame.display - right->frame.display;
    order = order != 0 ? order : DJ_COMPARE(left->frame.pid, right->frame.pid);
    return order != 0 ? order : DJ_COMPARE(left->frame.token, right->frame.token);
}

/* Sorts expected timelines before actual timelines. Timelines of the same kind are sorted
 * by the fields by which they are joined. */
static int by_side(const void *a, const void *b)
{
    const struct dj_frame_timeline *left = a, *right = b;
    int order = left->actual - right->actual;
    order = order != 0 ? order : by_identity(left, right);
    return order != 0 ? order : by_cookie(a, b);
}

/* Returns the index of the first expected timeline that is not sorted before `timeline`.
 */
static size_t find_first_like(const struct dj_frame_timeline *expected, size_t count,
                              const struct dj_frame_timeline *timeline)
{
    size_t low = 0;
    size_t high = count;
    DJ_SEARCH(low, high, middle, by_identity(&expected[middle], timeline) < 0);
    return low;
}

static int compute_fit(const struct dj_frame_timeline *expected,
                       const struct dj_frame_timeline *timeline)
{
    return 4 * (expected->frame.layer == timeline->frame.layer) +
           2 * (expected->frame.display_token == timeline->frame.display_token) +
           !expected->used;
}

/* Maximum number of expected timelines that are compared with an actual timeline. A token
 * belongs to one frame of a process, so few timelines of a real trace have the same
 * token. */
enum { MOST_ALIKE = 64 };

static struct dj_frame_timeline *find_expected(struct dj_frame_timeline *expected,
                                               size_t count,
                                               const struct dj_frame_timeline *timeline)
{
    struct dj_frame_timeline *best = NULL;
    size_t from = find_first_like(expected, count, timeline);
    for (size_t i = from;
         i < count && i - from < MOST_ALIKE && by_identity(&expected[i], timeline) == 0;
         i++) {
        if (!expected[i].frame.open &&
            (best == NULL ||
             compute_fit(&expected[i], timeline) > compute_fit(best, timeline))) {
            best = &expected[i];
        }
    }
    return best;
}

/* Returns the frame that combines both timelines. If there is only an expected timeline,
 * pass it as both arguments. */
static struct dj_trace_frame make_frame(const struct dj_frame_timeline *timeline,
                                        const struct dj_frame_timeline *expected)
{
    struct dj_trace_frame frame = timeline->frame;
    if (!timeline->actual) {
        frame.start_ns = frame.end_ns = 0;
    }
    if (expected != NULL) {
        frame.expected_start_ns = expected->frame.start_ns;
        frame.expected_end_ns = expected->frame.end_ns;
    }
    return frame;
}

static int64_t get_start(const struct dj_trace_frame *frame)
{
    return frame->start_ns != 0 || frame->end_ns != 0 ? frame->start_ns
                                                      : frame->expected_start_ns;
}

static int by_start(const void *a, const void *b)
{
    const struct dj_trace_frame *left = a, *right = b;
    int order = DJ_COMPARE(get_start(left), get_start(right));
    order = order != 0 ? order : DJ_COMPARE(left->pid, right->pid);
    return order != 0 ? order : DJ_COMPARE(left->token, right->token);
}

void dj_frames_complete(struct dj_frames *frames, struct dj_trace *trace)
{
    size_t expected_count = 0;
    if (frames->begin_count > 0) {
        qsort(frames->begins, frames->begin_count, sizeof(*frames->begins), by_cookie);
    }
    if (frames->end_count > 0) {
        qsort(frames->ends, frames->end_count, sizeof(*frames->ends), by_end);
    }
    end_timelines(frames, trace);
    if (frames->begin_count == 0) {
        return;
    }
    trace->frames = dj_xresize(NULL, frames->begin_count, sizeof(*trace->frames));
    qsort(frames->begins, frames->begin_count, sizeof(*frames->begins), by_side);
    while (expected_count < frames->begin_count &&
           !frames->begins[expected_count].actual) {
        expected_count++;
    }
    for (size_t i = expected_count; i < frames->begin_count; i++) {
        struct dj_frame_timeline *timeline = &frames->begins[i];
        timeline->frame.end_ns =
            timeline->frame.open ? trace->last_ns : timeline->frame.end_ns;
        struct dj_frame_timeline *expected =
            find_expected(frames->begins, expected_count, timeline);
        if (expected != NULL) {
            expected->used = true;
        }
        trace->frames[trace->frame_count++] = make_frame(timeline, expected);
    }
    for (size_t i = 0; i < expected_count; i++) {
        const struct dj_frame_timeline *timeline = &frames->begins[i];
        if (!timeline->used && !timeline->frame.open) {
            trace->frames[trace->frame_count++] = make_frame(timeline, timeline);
        }
    }
    qsort(trace->frames, trace->frame_count, sizeof(*trace->frames), by_start);
}

void dj_frames_finish(struct dj_frames *frames)
{
    free(frames->begins);
    free(frames->ends);
    *frames = (struct dj_frames){0};
}
