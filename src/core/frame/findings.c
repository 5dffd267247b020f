#include "frame/findings.h"

#include "base/checked.h"

#define MS INT64_C(1000000)
#define US INT64_C(1000)

/* ---- measures ---- */

/* The time a rule looks at; false, and *ns untouched, where the frame cannot tell. */
typedef bool measure(const struct dj_frame *frame, enum dj_column start,
                     enum dj_column end, int64_t *ns);

/* hwui leaves spans of 10 s and more out of its counters: garbage stamps (gfxinfo.md
 * §3.1). Those of phases are the UI thread's own and stay. */
static const int64_t IMPLAUSIBLE_NS = 10000 * MS;

/* A stamp of 0 was never taken: 12 and later leave DrawStart so where nothing was drawn,
 * 6.0 all phases of a frame that the render thread drove. */
static bool has_stamps(const struct dj_frame *frame, enum dj_column start,
                       enum dj_column end)
{
    return dj_frame_has_all(frame, DJ_COLUMN_BIT(start) | DJ_COLUMN_BIT(end)) &&
           frame->value[start] > 0 && frame->value[end] >= frame->value[start];
}

/* hwui's duration, whose other cases has_stamps() has left out. */
static bool measure_span(const struct dj_frame *frame, enum dj_column start,
                         enum dj_column end, int64_t *ns)
{
    if (!has_stamps(frame, start, end)) {
        return false;
    }
    *ns = frame->value[end] - frame->value[start];
    if (start < DJ_COLUMN_SYNC_QUEUED && end > DJ_COLUMN_SYNC_QUEUED) {
        int64_t worked_ns = *ns - dj_frame_stall_ns(frame);
        *ns = worked_ns > 0 ? worked_ns : 0;
    }
    return true;
}

/* The wait for the render thread is part of a hang. */
static bool measure_total(const struct dj_frame *frame, enum dj_column start,
                          enum dj_column end, int64_t *ns)
{
    bool measured = has_stamps(frame, start, end);
    *ns = measured ? frame->value[end] - frame->value[start] : *ns;
    return measured;
}

/* Between stamps of which one comes from outside the app's threads. It may be stale. */
static bool measure_plausible(const struct dj_frame *frame, enum dj_column start,
                              enum dj_column end, int64_t *ns)
{
    if (!has_stamps(frame, start, end)) {
        return false;
    }
    int64_t span_ns = frame->value[end] - frame->value[start];
    if (span_ns >= IMPLAUSIBLE_NS) {
        return false;
    }
    *ns = span_ns;
    return true;
}

/* 0 is also what stands there where the buffer was taken before SyncStart, or none was.
 */
static bool measure_length(const struct dj_frame *frame, enum dj_column start,
                           enum dj_column end, int64_t *ns)
{
    (void)end;
    if (!dj_frame_has(frame, start) || frame->value[start] <= 0 ||
        frame->value[start] >= IMPLAUSIBLE_NS) {
        return false;
    }
    *ns = frame->value[start];
    return true;
}

/* How late the buffer was: hwui misses a deadline that GpuCompleted is not before, so 0
 * is late already; −1 is the least that was in time. */
static bool measure_lateness(const struct dj_frame *frame, enum dj_column start,
                             enum dj_column end, int64_t *ns)
{
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(start) | DJ_COLUMN_BIT(end)) ||
        frame->value[start] <= 0 || frame->value[start] == INT64_MAX ||
        frame->value[end] <= 0) {
        return false;
    }
    int64_t late_ns = frame->value[end] - frame->value[start];
    if (late_ns >= IMPLAUSIBLE_NS || late_ns <= -IMPLAUSIBLE_NS) {
        return false;
    }
    *ns = late_ns;
    return true;
}

/* ---- looking at rows ---- */

enum { ROWS = 128 }; /* looked at together: they stay in the cache for all rules */

/* The usable ones of them. */
struct dj_finding_rows {
    const struct dj_frame *frames; /* the window's */
    const struct dj_row_facts *facts;
    const struct dj_frame *frame[ROWS];
    bool janky[ROWS];
    bool in_motion[ROWS];
    size_t count;
    uint32_t *marks; /* of the window's rows; NULL: not asked for */
    uint32_t mark;   /* of the rule that looks */
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
    finding->total_ns = dj_add_saturated(finding->total_ns, ns);
}

/* Inlined once for each measure: a call for each row and rule would take longer than what
 * it does. */
static inline __attribute__((always_inline)) void look(const struct dj_finding_rule *rule,
                                                       const struct dj_finding_rows *rows,
                                                       struct dj_finding *finding,
                                                       measure *measure_of)
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

static void look_at_spans(const struct dj_finding_rule *rule,
                          const struct dj_finding_rows *rows, struct dj_finding *finding)
{
    look(rule, rows, finding, measure_span);
}

static void look_at_totals(const struct dj_finding_rule *rule,
                           const struct dj_finding_rows *rows, struct dj_finding *finding)
{
    look(rule, rows, finding, measure_total);
}

static void look_at_plausible(const struct dj_finding_rule *rule,
                              const struct dj_finding_rows *rows,
                              struct dj_finding *finding)
{
    look(rule, rows, finding, measure_plausible);
}

static void look_at_lengths(const struct dj_finding_rule *rule,
                            const struct dj_finding_rows *rows,
                            struct dj_finding *finding)
{
    look(rule, rows, finding, measure_length);
}

static void look_at_lateness(const struct dj_finding_rule *rule,
                             const struct dj_finding_rows *rows,
                             struct dj_finding *finding)
{
    look(rule, rows, finding, measure_lateness);
}

/* ---- the rules ---- */

#define SPAN(from, to) .start = DJ_COLUMN_##from, .end = DJ_COLUMN_##to

/*
 * Limits are the guide's where it gives one ("Framestats data format"). Where it says
 * "long" or "close to zero" they are parts of the frame interval that follow from hwui's
 * own thresholds (JankTracker.cpp; gfxinfo.md §3.1), as said at each.
 */
static const struct dj_finding_rule rules[DJ_FINDING_COUNT] = {
    /* Any difference at all: Choreographer moves Vsync on by whole intervals. */
    [DJ_FINDING_UI_THREAD_LATE] = {.id = "ui-thread-late",
                                   SPAN(INTENDED_VSYNC, VSYNC),
                                   .limit_ns = 0,
                                   .stage = DJ_STAGE_VSYNC_DELAY,
                                   .look = look_at_spans},
    [DJ_FINDING_INPUT_HANDLING] = {.id = "input-handling",
                                   SPAN(HANDLE_INPUT_START, ANIMATION_START),
                                   .limit_ns = 2 * MS,
                                   .stage = DJ_STAGE_INPUT,
                                   .look = look_at_spans},
    [DJ_FINDING_ANIMATION] = {.id = "animation",
                              SPAN(ANIMATION_START, PERFORM_TRAVERSALS_START),
                              .limit_ns = 2 * MS,
                              .stage = DJ_STAGE_ANIMATION,
                              .look = look_at_spans},
    /* "Close to zero" while things move: half of what input or animation may take. */
    [DJ_FINDING_LAYOUT_IN_MOTION] = {.id = "layout-in-motion",
                                     SPAN(PERFORM_TRAVERSALS_START, DRAW_START),
                                     .limit_ns = 1 * MS,
                                     .stage = DJ_STAGE_LAYOUT,
                                     .in_motion = true,
                                     .look = look_at_spans},
    /* hwui gives all of the UI thread half an interval; this is one of its two great
     * parts. The wait for the render thread is not drawing. */
    [DJ_FINDING_DRAW] = {.id = "draw",
                         SPAN(DRAW_START, SYNC_START),
                         .intervals = 0.25,
                         .stage = DJ_STAGE_DRAW,
                         .look = look_at_spans},
    [DJ_FINDING_RENDER_THREAD_BUSY] = {.id = "render-thread-busy",
                                       SPAN(SYNC_QUEUED, SYNC_START),
                                       .limit_ns = 100 * US,
                                       .stage = DJ_STAGE_WAIT,
                                       .look = look_at_spans},
    [DJ_FINDING_SYNC] = {.id = "sync",
                         SPAN(SYNC_START, ISSUE_DRAW_COMMANDS_START),
                         .limit_ns = 400 * US,
                         .stage = DJ_STAGE_SYNC,
                         .look = look_at_spans},
    /* hwui's "Slow issue draw commands". */
    [DJ_FINDING_DRAW_COMMANDS] = {.id = "draw-commands",
                                  SPAN(ISSUE_DRAW_COMMANDS_START, FRAME_COMPLETED),
                                  .intervals = 0.75,
                                  .stage = DJ_STAGE_ISSUE,
                                  .look = look_at_spans},
    /* From where hwui of 7.1 … 11 begins to forgive a slow dequeue (§3.3). */
    [DJ_FINDING_DEQUEUE_BUFFER] = {.id = "dequeue-buffer",
                                   SPAN(DEQUEUE_BUFFER_DURATION, DEQUEUE_BUFFER_DURATION),
                                   .limit_ns = 500 * US,
                                   .stage = DJ_STAGE_ISSUE,
                                   .look = look_at_lengths},
    /* Handing a buffer over is a call to another process: as long as a phase may take. */
    [DJ_FINDING_QUEUE_BUFFER] = {.id = "queue-buffer",
                                 SPAN(QUEUE_BUFFER_DURATION, QUEUE_BUFFER_DURATION),
                                 .limit_ns = 2 * MS,
                                 .stage = DJ_STAGE_SWAP,
                                 .look = look_at_lengths},
    /* A GPU that needs more than an interval cannot keep the rate, whatever else. */
    [DJ_FINDING_GPU] = {.id = "gpu",
                        SPAN(SWAP_BUFFERS, GPU_COMPLETED),
                        .intervals = 1,
                        .stage = DJ_STAGE_SWAP,
                        .look = look_at_plausible},
    [DJ_FINDING_DEADLINE_MISSED] = {.id = "deadline-missed",
                                    SPAN(FRAME_DEADLINE, GPU_COMPLETED),
                                    .limit_ns = -1,
                                    .stage = DJ_STAGE_COUNT,
                                    .look = look_at_lateness},
    /* hwui's "High input latency" of 6 … 8, 1.5 intervals from the event to its vsync,
     * and one for the frame. NewestInputEvent is 0 or INT64_MAX where there was none. */
    [DJ_FINDING_INPUT_LATENCY] = {.id = "input-latency",
                                  SPAN(NEWEST_INPUT_EVENT, FRAME_COMPLETED),
                                  .intervals = 2.5,
                                  .stage = DJ_STAGE_COUNT,
                                  .look = look_at_plausible},
    /* From where hwui leaves a span out of its counters. Rows with implausible stamps are
     * not usable, so this time was really spent. */
    [DJ_FINDING_HANG] = {.id = "hang",
                         SPAN(INTENDED_VSYNC, FRAME_COMPLETED),
                         .limit_ns = 10000 * MS - 1,
                         .stage = DJ_STAGE_COUNT,
                         .look = look_at_totals},
};

const struct dj_finding_rule *dj_finding_rule(enum dj_finding_id id)
{
    return &rules[id];
}

/* ---- finding ---- */

/* How many frames the movement has that a row continues; 0 for its first. */
struct motion {
    const struct dj_frame *last;
    size_t frames;
    int64_t gap_ns;
};

static void move_on(struct motion *motion, const struct dj_frame *frame)
{
    if (motion->last != NULL) {
        int64_t start_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
        int64_t step_ns = dj_subtract_saturated(
            start_ns, motion->last->value[DJ_COLUMN_INTENDED_VSYNC]);
        int64_t idle_ns = dj_subtract_saturated(
            start_ns, motion->last->value[DJ_COLUMN_FRAME_COMPLETED]);
        bool goes_on = step_ns > 0 && idle_ns < motion->gap_ns;
        motion->frames = goes_on ? motion->frames + 1 : 0;
    }
    motion->last = frame;
}

static int64_t limit_of(const struct dj_finding_rule *rule, int64_t interval_ns)
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
        findings->of[i].limit_ns = limit_of(&rules[i], interval_ns);
    }
}

/* Takes up to ROWS usable rows from `row` on; where to go on. */
static size_t take_rows(struct dj_finding_rows *rows, struct motion *motion, size_t row,
                        size_t count)
{
    rows->count = 0;
    for (; row < count && rows->count < ROWS; row++) {
        if (!dj_row_was_counted(&rows->facts[row])) {
            continue;
        }
        move_on(motion, &rows->frames[row]);
        if (rows->facts[row].usability == DJ_ROW_USABLE) {
            rows->frame[rows->count] = &rows->frames[row];
            rows->janky[rows->count] = rows->facts[row].janky;
            rows->in_motion[rows->count] = motion->frames >= DJ_MOTION_FRAMES;
            rows->count++;
        }
    }
    return row;
}

void dj_findings_mark(const struct dj_frame *frames, size_t count,
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
        row = take_rows(&rows, &motion, row, count);
        for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
            rows.mark = UINT32_C(1) << i;
            rules[i].look(&rules[i], &rows, &findings->of[i]);
        }
    }
}

void dj_findings_of(const struct dj_frame *frames, size_t count,
                    const struct dj_row_facts *facts, int64_t interval_ns,
                    struct dj_findings *findings)
{
    dj_findings_mark(frames, count, facts, interval_ns, findings, NULL);
}

static bool is_graver(const struct dj_finding *a, const struct dj_finding *b)
{
    if (a->janky_frames != b->janky_frames) {
        return a->janky_frames > b->janky_frames;
    }
    if (a->frames != b->frames) {
        return a->frames > b->frames;
    }
    return a->total_ns > b->total_ns;
}

size_t dj_findings_order(const struct dj_findings *findings,
                         enum dj_finding_id order[DJ_FINDING_COUNT])
{
    size_t found = 0;
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        size_t at = found;
        if (findings->of[i].frames == 0) {
            continue;
        }
        for (; at > 0 && is_graver(&findings->of[i], &findings->of[order[at - 1]]);
             at--) {
            order[at] = order[at - 1];
        }
        order[at] = (enum dj_finding_id)i;
        found++;
    }
    return found;
}
