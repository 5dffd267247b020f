#include "trace/recording_private.h"

#include <string.h>

#include "frame/stages.h"
#include "frame/tracker.h"
#include "memory/memory.h"

/* Maximum number of edges of a frame. An edge is the begin or the end of a frame or
 * stage. */
enum { EDGES_MOST = 4 + 2 * DJ_STAGE_COUNT };

struct span {
    int64_t intended_ns, deadline_ns, start_ns, end_ns;
};

/* Returns the later one of FrameCompleted and GpuCompleted. If GpuCompleted is at least
 * one second later, ignores it, because it may belong to another frame. */
static int64_t get_end(const struct dj_frame *frame)
{
    enum { LATEST_NS = 1000000000 };
    int64_t end_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    int64_t gpu_ns = dj_frame_get(frame, DJ_COLUMN_GPU_COMPLETED, end_ns);
    return gpu_ns > end_ns && dj_checked_subtract_saturated(gpu_ns, end_ns) < LATEST_NS
               ? gpu_ns
               : end_ns;
}

static bool get_span(const struct dj_frame *frame, int64_t interval_ns, struct span *span)
{
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED)) ||
        (dj_frame_get(frame, DJ_COLUMN_FLAGS, 0) & DJ_FLAG_SKIPPED_FRAME) != 0) {
        return false;
    }
    int64_t intended_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    int64_t deadline_ns = dj_frame_fallback(frame, DJ_COLUMN_FRAME_DEADLINE, interval_ns);
    int64_t begun_ns = dj_frame_get(frame, DJ_COLUMN_HANDLE_INPUT_START, 0);
    span->intended_ns = intended_ns;
    span->deadline_ns = deadline_ns == INT64_MAX || deadline_ns < intended_ns
                            ? dj_checked_add_saturated(intended_ns, interval_ns)
                            : deadline_ns;
    span->end_ns = get_end(frame);
    span->start_ns =
        begun_ns > intended_ns && begun_ns <= span->end_ns ? begun_ns : intended_ns;
    return intended_ns > 0 && span->end_ns >= intended_ns;
}

static void add_edge(struct dj_trace_recording *recorded, int64_t at_ns,
                     enum dj_recording_edge_kind what, enum dj_stage stage)
{
    recorded->edges[recorded->edge_count] =
        (struct dj_recording_edge){.at_ns = at_ns,
                                   .order = (uint32_t)recorded->edge_count,
                                   .row = (uint32_t)recorded->row_count,
                                   .what = (uint8_t)what,
                                   .stage = (uint8_t)stage};
    recorded->edge_count++;
}

/* Adds the stages of a frame. If the timestamps of a frame run backwards, a stage begins
 * at the end of the previous stage. */
static void add_stages(struct dj_trace_recording *recorded, const struct dj_frame *frame)
{
    struct dj_stage_division cut;
    int64_t at_ns = INT64_MIN;
    dj_frame_divide_stages(frame->known, &cut);
    for (int i = 0; i < DJ_STAGE_COUNT; i++) {
        enum dj_stage stage = (enum dj_stage)i;
        if ((cut.stages >> i & 1) == 0) {
            continue;
        }
        int64_t start_ns = frame->value[cut.start[i]];
        int64_t end_ns = frame->value[cut.end[i]];
        start_ns = start_ns > at_ns ? start_ns : at_ns;
        end_ns = end_ns > start_ns ? end_ns : start_ns;
        add_edge(recorded, start_ns, DJ_RECORDING_STAGE_BEGIN, stage);
        add_edge(recorded, end_ns, DJ_RECORDING_STAGE_END, stage);
        at_ns = end_ns;
    }
}

/* Computes the id of a frame. Its upper bits identify the process, and its lower bits
 * identify the frame of the process. */
static uint64_t make_id(int32_t pid, size_t row)
{
    enum { PID_SHIFT = 38 };
    return (uint64_t)(pid > 0 ? pid : 0) << PID_SHIFT | ((uint64_t)row + 1) << 2;
}

static void add_row(struct dj_trace_recording *recorded,
                    const struct dj_trace_frame_rows *rows, size_t i,
                    const struct span *span, bool janky)
{
    const struct dj_frame *frame = &rows->frames[i];
    int64_t number = (int64_t)(rows->first + i + 1);
    int64_t vsync = dj_frame_get(frame, DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID, 0);
    add_edge(recorded, span->intended_ns, DJ_RECORDING_EXPECTED_BEGIN, 0);
    add_edge(recorded, span->start_ns, DJ_RECORDING_ACTUAL_BEGIN, 0);
    add_stages(recorded, frame);
    add_edge(recorded, span->end_ns, DJ_RECORDING_ACTUAL_END, 0);
    add_edge(recorded, span->deadline_ns, DJ_RECORDING_EXPECTED_END, 0);
    recorded->rows[recorded->row_count] =
        (struct dj_recording_row){.token = vsync > 0 ? vsync : number,
                                  .id = make_id(rows->pid, recorded->row_count),
                                  .title = (uint32_t)recorded->titles.length,
                                  .pid = rows->pid,
                                  .janky = janky};
    recorded->row_count++;
}

void dj_trace_recording_add_rows(struct dj_trace_recording *recorded,
                                 const struct dj_trace_frame_rows *rows)
{
    struct dj_tracker tracker;
    const char *title = rows->window != NULL ? rows->window : "";
    dj_xcheck(rows->count <= UINT32_MAX / EDGES_MOST - recorded->row_count);
    DJ_XRESERVE(recorded->rows, recorded->row_capacity,
                recorded->row_count + rows->count);
    DJ_XRESERVE(recorded->edges, recorded->edge_capacity,
                recorded->edge_count + EDGES_MOST * rows->count);
    if (rows->dialect != NULL && rows->interval_ns > 0) {
        dj_frame_tracker_init(&tracker, rows->dialect, rows->interval_ns);
        tracker.rejudges = true;
    }
    for (size_t i = 0; i < rows->count; i++) {
        struct span span;
        struct dj_verdict verdict;
        bool whole = get_span(&rows->frames[i], rows->interval_ns, &span);
        bool judged = rows->dialect != NULL && rows->interval_ns > 0 &&
                      dj_frame_tracker_judge(&tracker, &rows->frames[i], &verdict);
        if (whole) {
            add_row(recorded, rows, i, &span,
                    judged ? dj_frame_verdict_is_janky(&verdict)
                           : span.end_ns > span.deadline_ns);
        }
    }
    recorded->frames = recorded->row_count;
    dj_text_append(&recorded->titles, title, strlen(title) + 1);
    dj_xcheck(!recorded->titles.failed);
}

static const uint8_t kinds[] = {
    [DJ_RECORDING_EXPECTED_BEGIN] = DJ_EVENT_FRAME_BEGIN,
    [DJ_RECORDING_ACTUAL_BEGIN] = DJ_EVENT_FRAME_BEGIN,
    [DJ_RECORDING_STAGE_BEGIN] = DJ_EVENT_ASYNC_BEGIN,
    [DJ_RECORDING_STAGE_END] = DJ_EVENT_ASYNC_END,
    [DJ_RECORDING_ACTUAL_END] = DJ_EVENT_FRAME_END,
    [DJ_RECORDING_EXPECTED_END] = DJ_EVENT_FRAME_END,
};

/* Values of members of struct dj_event_frame, with Perfetto's meanings. */
enum {
    PRESENT_ON_TIME = 1,
    PRESENT_LATE = 2,
    PREDICTION_VALID = 1,
    JANK_NONE = 1,
    JANK_APP_DEADLINE = 64
};

static void fill_frame(const struct dj_trace_recording *recorded,
                       const struct dj_recording_row *row, bool actual,
                       struct dj_event_frame *frame)
{
    *frame = (struct dj_event_frame){
        .token = row->token,
        .layer = dj_str_of(recorded->titles.data + row->title),
        .side = DJ_FRAME_EXPECTED_SURFACE,
    };
    if (actual) {
        frame->side = DJ_FRAME_ACTUAL_SURFACE;
        frame->jank_types = row->janky ? JANK_APP_DEADLINE : JANK_NONE;
        frame->present = row->janky ? PRESENT_LATE : PRESENT_ON_TIME;
        frame->prediction = PREDICTION_VALID;
        frame->finished_on_time = !row->janky;
    }
}

void dj_recording_convert_edge(const struct dj_trace_recording *recorded,
                               const struct dj_recording_edge *edge,
                               struct dj_event *event, struct dj_event_frame *frame)
{
    const struct dj_recording_row *row = &recorded->rows[edge->row];
    bool actual = edge->what != DJ_RECORDING_EXPECTED_BEGIN &&
                  edge->what != DJ_RECORDING_EXPECTED_END;
    *event = (struct dj_event){.at_ns = edge->at_ns,
                               .kind = kinds[edge->what],
                               .pid = row->pid,
                               .tid = row->pid > 0 ? row->pid : 0,
                               .cpu = -1,
                               .value = (int64_t)row->id + actual};
    if (event->kind == DJ_EVENT_FRAME_BEGIN) {
        fill_frame(recorded, row, actual, frame);
        event->frame = frame;
    } else if (event->kind != DJ_EVENT_FRAME_END) {
        event->name = dj_str_of(dj_frame_stage_name((enum dj_stage)edge->stage));
        event->other_name = dj_str_of(DJ_FRAMES_TRACK);
        event->value_2 = event->kind == DJ_EVENT_ASYNC_BEGIN ? (int64_t)row->id : 0;
    }
}
