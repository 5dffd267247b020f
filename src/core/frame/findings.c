#include "frame/findings.h"

#include "base/checked.h"

#define MS INT64_C(1000000)
#define US INT64_C(1000)

/* Measures the time that a rule checks. Returns false if the frame does not contain
 * it. */
typedef bool measure(const struct dj_frame *frame, enum dj_column start,
                     enum dj_column end, int64_t *ns);

/* hwui excludes times of 10 s and more from its counters because it considers their
 * timestamps invalid. Times between two timestamps of the app's own threads are real, so
 * rules include them. */
static const int64_t IMPLAUSIBLE_NS = 10000 * MS;

/* Returns whether both timestamps were recorded and are in order. 0 means not recorded.
 * Android 12 and later set DrawStart to 0 if nothing was drawn. Android 6.0 sets all
 * timestamps of the UI thread to 0 if the render thread started the frame. */
static bool has_stamps(const struct dj_frame *frame, enum dj_column start,
                       enum dj_column end)
{
    return dj_frame_has_all(frame, DJ_COLUMN_BIT(start) | DJ_COLUMN_BIT(end)) &&
           frame->value[start] > 0 && frame->value[end] >= frame->value[start];
}

/* Measures end − start, including the wait for the render thread. */
static bool measure_total(const struct dj_frame *frame, enum dj_column start,
                          enum dj_column end, int64_t *ns)
{
    if (!has_stamps(frame, start, end)) {
        return false;
    }
    *ns = frame->value[end] - frame->value[start];
    return true;
}

/* Measures like dj_frame_duration(): end − start without the wait for the render thread.
 * Timestamps of 0, which dj_frame_duration() treats specially, give no time. */
static bool measure_span(const struct dj_frame *frame, enum dj_column start,
                         enum dj_column end, int64_t *ns)
{
    if (!measure_total(frame, start, end, ns)) {
        return false;
    }
    if (start < DJ_COLUMN_SYNC_QUEUED && end > DJ_COLUMN_SYNC_QUEUED) {
        int64_t worked_ns = *ns - dj_frame_stall_ns(frame);
        *ns = worked_ns > 0 ? worked_ns : 0;
    }
    return true;
}

/* Measures end − start if the result is below IMPLAUSIBLE_NS. One of the two timestamps
 * is written outside the app's threads, and that timestamp may belong to an earlier
 * frame. */
static bool measure_plausible(const struct dj_frame *frame, enum dj_column start,
                              enum dj_column end, int64_t *ns)
{
    return measure_total(frame, start, end, ns) && *ns < IMPLAUSIBLE_NS;
}

/* Measures a column that contains a duration. Treats a duration of 0 as unknown, because
 * hwui also prints 0 if the buffer was dequeued before SyncStart, or not at all. */
static bool measure_length(const struct dj_frame *frame, enum dj_column start,
                           enum dj_column end, int64_t *ns)
{
    (void)end;
    *ns = frame->value[start];
    return dj_frame_has(frame, start) && *ns > 0 && *ns < IMPLAUSIBLE_NS;
}

/* Measures how long after the deadline the GPU completed. The result is negative if the
 * GPU completed before the deadline. hwui reports a missed deadline if GpuCompleted ≥
 * FrameDeadline, so 0 is a missed deadline and −1 is in time. */
static bool measure_lateness(const struct dj_frame *frame, enum dj_column start,
                             enum dj_column end, int64_t *ns)
{
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(start) | DJ_COLUMN_BIT(end)) ||
        frame->value[start] <= 0 || frame->value[start] == INT64_MAX ||
        frame->value[end] <= 0) {
        return false;
    }
    *ns = frame->value[end] - frame->value[start];
    return *ns<IMPLAUSIBLE_NS && * ns> - IMPLAUSIBLE_NS;
}

/* Rows per pass. This many rows stay in the CPU cache while all rules check them. */
enum { ROWS = 128 };

/* Up to ROWS usable rows of a window, which every rule checks before the next rows are
 * collected. */
struct dj_finding_rows {
    const struct dj_frame *frames; /* All rows of the window. */
    const struct dj_row_facts *facts;
    const struct dj_frame *frame[ROWS];
    bool janky[ROWS];
    bool in_motion[ROWS];
    size_t count;
    /* One bit mask per row of the window, or NULL if the caller does not want them. */
    uint32_t *marks;
    uint32_t mark; /* Bit of the current rule in `marks`. */
};

static void count_frame(struct dj_finding *finding, const struct dj_finding_rows *rows,
                        size_t i, int64_t ns)
{
    finding->measured_frames++;
    if (ns <= finding->limit_ns) {
        return;
    }
    if (rows->marks != NULL) {
        rows->marks[rows->frame[i] - rows->frames] |= rows->mark;
    }
    if (finding->frames == 0 || ns > finding->worst_ns) {
        finding->worst_row = (size_t)(rows->frame[i] - rows->frames);
        finding->worst_ns = ns;
    }
    finding->frames++;
    finding->janky_frames += rows->janky[i];
    finding->total_ns = dj_checked_add_saturated(finding->total_ns, ns);
}

/* Applies a rule to rows. Inlined once per measure function because a function call per
 * row and rule would take longer than the check. */
static inline __attribute__((always_inline)) void
check_rows(const struct dj_frame_finding_rule *rule, const struct dj_finding_rows *rows,
           struct dj_finding *finding, measure *measure_of)
{
    enum dj_column start = rule->start;
    enum dj_column end = rule->end;
    bool in_motion = rule->in_motion;
    struct dj_finding sum = *finding;
    for (size_t i = 0; i < rows->count; i++) {
        int64_t ns;
        if ((!in_motion || rows->in_motion[i]) &&
            measure_of(rows->frame[i], start, end, &ns)) {
            count_frame(&sum, rows, i, ns);
        }
    }
    *finding = sum;
}

#define CHECK_WITH(what, measure_of)                                                     \
    static void check_##what(const struct dj_frame_finding_rule *rule,                   \
                             const struct dj_finding_rows *rows,                         \
                             struct dj_finding *finding)                                 \
    {                                                                                    \
        check_rows(rule, rows, finding, measure_of);                                     \
    }
CHECK_WITH(spans, measure_span)
CHECK_WITH(totals, measure_total)
CHECK_WITH(plausible, measure_plausible)
CHECK_WITH(lengths, measure_length)
CHECK_WITH(lateness, measure_lateness)

#define RULE(finding, name, from, to, at, checker, ...)                                  \
    [DJ_FINDING_##finding] = {.id = (name),                                              \
                              .start = DJ_COLUMN_##from,                                 \
                              .end = DJ_COLUMN_##to,                                     \
                              .stage = DJ_STAGE_##at,                                    \
                              .check = check_##checker,                                  \
                              __VA_ARGS__}

/* The limits are those of Android's guide to profiling frames ("Framestats data format")
 * if the guide states a number. If the guide only says "long" or "close to zero", the
 * limit is a fraction of the frame interval that is derived from hwui's thresholds
 * (JankTracker.cpp). The comment at the rule explains how. */
static const struct dj_frame_finding_rule rules[DJ_FINDING_COUNT] = {
    /* Any difference counts because Choreographer moves Vsync by whole intervals. */
    RULE(UI_THREAD_LATE, "ui-thread-late", INTENDED_VSYNC, VSYNC, VSYNC_DELAY, spans,
         .limit_ns = 0),
    RULE(INPUT_HANDLING, "input-handling", HANDLE_INPUT_START, ANIMATION_START, INPUT,
         spans, .limit_ns = 2 * MS),
    RULE(ANIMATION, "animation", ANIMATION_START, PERFORM_TRAVERSALS_START, ANIMATION,
         spans, .limit_ns = 2 * MS),
    /* The guide says "close to zero" during motion. The limit is half of the limit for
     * input and animation. */
    RULE(LAYOUT_IN_MOTION, "layout-in-motion", PERFORM_TRAVERSALS_START, DRAW_START,
         LAYOUT, spans, .limit_ns = 1 * MS, .in_motion = true),
    /* hwui allows the whole UI thread half an interval. Drawing is one of the two large
     * parts of that thread's work, so the limit is a quarter. The wait for the render
     * thread is not drawing. */
    RULE(DRAW, "draw", DRAW_START, SYNC_START, DRAW, spans, .intervals = 0.25),
    RULE(RENDER_THREAD_BUSY, "render-thread-busy", SYNC_QUEUED, SYNC_START, WAIT, spans,
         .limit_ns = 100 * US),
    RULE(SYNC, "sync", SYNC_START, ISSUE_DRAW_COMMANDS_START, SYNC, spans,
         .limit_ns = 400 * US),
    /* The limit of hwui's "Slow issue draw commands". */
    RULE(DRAW_COMMANDS, "draw-commands", ISSUE_DRAW_COMMANDS_START, FRAME_COMPLETED,
         ISSUE, spans, .intervals = 0.75),
    /* The limit above which hwui of Android 7.1 … 11 subtracts a slow dequeue from the
     * frame time. */
    RULE(DEQUEUE_BUFFER, "dequeue-buffer", DEQUEUE_BUFFER_DURATION,
         DEQUEUE_BUFFER_DURATION, ISSUE, lengths, .limit_ns = 500 * US),
    /* Queueing a buffer is a call to another process. The limit is that of input and
     * animation. */
    RULE(QUEUE_BUFFER, "queue-buffer", QUEUE_BUFFER_DURATION, QUEUE_BUFFER_DURATION, SWAP,
         lengths, .limit_ns = 2 * MS),
    /* A GPU that needs more than one interval per frame cannot reach the display's
     * rate. */
    RULE(GPU, "gpu", SWAP_BUFFERS, GPU_COMPLETED, SWAP, plausible, .intervals = 1),
    RULE(DEADLINE_MISSED, "deadline-missed", FRAME_DEADLINE, GPU_COMPLETED, COUNT,
         lateness, .limit_ns = -1),
    /* hwui's "High input latency" of Android 6 … 8 allows 1.5 intervals from the event
     * to the vsync. The frame itself may take one more. NewestInputEvent is 0 or
     * INT64_MAX if there was no event. */
    RULE(INPUT_LATENCY, "input-latency", NEWEST_INPUT_EVENT, FRAME_COMPLETED, COUNT,
         plausible, .intervals = 2.5),
    /* The limit above which hwui excludes a time from its counters. Rows with
     * implausible timestamps are not usable, so a time that this rule measures is
     * real. */
    RULE(HANG, "hang", INTENDED_VSYNC, FRAME_COMPLETED, COUNT, totals,
         .limit_ns = 10000 * MS - 1),
};

const struct dj_frame_finding_rule *dj_frame_finding_rule(enum dj_finding_id id)
{
    return &rules[id];
}

/* State of the search for motions. `last` is the last row. `frames` is the number of
 * frames before `last` that belong to the same motion. An idle time of gap_ns or more
 * ends a motion. */
struct motion {
    const struct dj_frame *last;
    size_t frames;
    int64_t gap_ns;
};

static void update_motion(struct motion *motion, const struct dj_frame *frame)
{
    if (motion->last != NULL) {
        int64_t start_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
        int64_t step_ns = dj_checked_subtract_saturated(
            start_ns, motion->last->value[DJ_COLUMN_INTENDED_VSYNC]);
        int64_t idle_ns = dj_checked_subtract_saturated(
            start_ns, motion->last->value[DJ_COLUMN_FRAME_COMPLETED]);
        bool goes_on = step_ns > 0 && idle_ns < motion->gap_ns;
        motion->frames = goes_on ? motion->frames + 1 : 0;
    }
    motion->last = frame;
}

static int64_t compute_limit(const struct dj_frame_finding_rule *rule,
                             int64_t interval_ns)
{
    double limit_ns = rule->intervals * (double)interval_ns;
    if (rule->intervals == 0) {
        return rule->limit_ns;
    }
    return limit_ns < (double)INT64_MAX ? (int64_t)limit_ns : INT64_MAX;
}

static void set_limits(struct dj_findings *findings, int64_t interval_ns)
{
    *findings = (struct dj_findings){0};
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        findings->of[i].limit_ns = compute_limit(&rules[i], interval_ns);
    }
}

/* Collects up to ROWS usable rows, starting at index `row`. Returns the index of the
 * next row to check. */
static size_t collect_rows(struct dj_finding_rows *rows, struct motion *motion,
                           size_t row, size_t count)
{
    rows->count = 0;
    for (; row < count && rows->count < ROWS; row++) {
        if (!dj_frame_row_was_counted(&rows->facts[row])) {
            continue;
        }
        update_motion(motion, &rows->frames[row]);
        if (rows->facts[row].usability == DJ_ROW_USABLE) {
            rows->frame[rows->count] = &rows->frames[row];
            rows->janky[rows->count] = rows->facts[row].janky;
            rows->in_motion[rows->count] = motion->frames >= DJ_MOTION_FRAMES;
            rows->count++;
        }
    }
    return row;
}

void dj_frame_findings_mark(const struct dj_frame *frames, size_t count,
                            const struct dj_row_facts *facts, int64_t interval_ns,
                            struct dj_findings *findings, uint32_t *marks)
{
    struct motion motion = {.gap_ns = interval_ns <= INT64_MAX / DJ_MOTION_INTERVALS
                                          ? DJ_MOTION_INTERVALS * interval_ns
                                          : INT64_MAX};
    struct dj_finding_rows rows;
    rows.frames = frames;
    rows.facts = facts;
    rows.marks = marks;
    set_limits(findings, interval_ns);
    for (size_t row = 0; row < count;) {
        row = collect_rows(&rows, &motion, row, count);
        for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
            rows.mark = UINT32_C(1) << i;
            rules[i].check(&rules[i], &rows, &findings->of[i]);
        }
    }
}

static bool is_more_severe(const struct dj_finding *a, const struct dj_finding *b)
{
    if (a->janky_frames != b->janky_frames) {
        return a->janky_frames > b->janky_frames;
    }
    if (a->frames != b->frames) {
        return a->frames > b->frames;
    }
    return a->total_ns > b->total_ns;
}

size_t dj_frame_findings_sort(const struct dj_findings *findings,
                              enum dj_finding_id order[DJ_FINDING_COUNT])
{
    size_t found = 0;
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        size_t at = found;
        if (findings->of[i].frames == 0) {
            continue;
        }
        for (; at > 0 && is_more_severe(&findings->of[i], &findings->of[order[at - 1]]);
             at--) {
            order[at] = order[at - 1];
        }
        order[at] = (enum dj_finding_id)i;
        found++;
    }
    return found;
}
