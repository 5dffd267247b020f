#include "base/json.h"
#include "report/live.h"

#define SCHEMA "dejank.live/1"

/* The keys of the stages are those of the metrics in the store. */
static const char *const stage_keys[DJ_STAGE_COUNT] = {
    [DJ_STAGE_APP] = "app",       [DJ_STAGE_VSYNC_DELAY] = "vsync_delay",
    [DJ_STAGE_INPUT] = "input",   [DJ_STAGE_ANIMATION] = "animation",
    [DJ_STAGE_LAYOUT] = "layout", [DJ_STAGE_DRAW] = "draw",
    [DJ_STAGE_WAIT] = "wait",     [DJ_STAGE_SYNC] = "sync",
    [DJ_STAGE_ISSUE] = "issue",   [DJ_STAGE_SWAP] = "swap",
};

static void open_event(struct dj_text *text, const struct dj_live *live, const char *kind)
{
    /* Each event is a document of its own, so no comma precedes it. */
    dj_text_add(text, "{\"schema\":\"" SCHEMA "\"");
    dj_json_add_string(text, "kind", kind);
    dj_json_add_string(text, "device", dj_live_get_device(live));
    dj_json_add_string(text, "app", dj_live_get_app(live));
}

static void add_window(struct dj_text *text, const struct dj_live *live, uint32_t id)
{
    const struct dj_live_window *window = dj_live_find_window(live, id);
    dj_json_add_known(text, "pid", window != NULL ? window->pid : -1);
    dj_json_add_name(text, "process", window != NULL ? window->process : NULL);
    dj_json_add_int(text, "window", id);
    dj_json_add_name(text, "title", window != NULL ? window->title : NULL);
}

static void add_interval(struct dj_text *text, const struct dj_live_window *window)
{
    bool is_known = window != NULL && window->interval_ns > 0;
    dj_json_add_optional(text, "interval_ns", is_known,
                         is_known ? window->interval_ns : 0);
    if (is_known) {
        dj_json_add_bool(text, "interval_assumed", window->is_interval_assumed);
    } else {
        dj_json_add_null(text, "interval_assumed");
    }
}

static void add_frame(struct dj_text *text, const struct dj_live_frame *frame)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "number", (int64_t)frame->number);
    dj_json_add_int(text, "start_ns", frame->start_ns);
    dj_json_add_known(text, "frame_time_ns", frame->frame_time_ns);
    if (frame->is_judged) {
        dj_json_add_bool(text, "janky", frame->is_janky);
    } else {
        dj_json_add_null(text, "janky");
    }
    dj_json_open_object(text, "stages");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((frame->stages.known >> i & 1) != 0) {
            dj_json_add_int(text, stage_keys[i], frame->stages.ns[i]);
        }
    }
    dj_json_close(text, "}");
    dj_json_open_array(text, "findings");
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        if ((frame->findings >> i & 1) != 0) {
            dj_json_append_string(text, dj_frame_finding_rule((enum dj_finding_id)i)->id);
        }
    }
    dj_json_close(text, "]}");
}

/* Appends an event that reports that the viewer was too slow: frames that it has not
 * received are no longer kept. */
static void write_missed(struct dj_text *text, const struct dj_live *live,
                         uint64_t from_sequence, uint64_t count)
{
    open_event(text, live, "lost");
    dj_json_add_null(text, "pid");
    dj_json_add_null(text, "process");
    dj_json_add_null(text, "window");
    dj_json_add_null(text, "title");
    dj_json_add_int(text, "sequence", (int64_t)from_sequence);
    dj_json_add_int(text, "count", (int64_t)count);
    dj_json_add_null(text, "after");
    dj_json_add_null(text, "before");
    dj_json_close(text, "}\n");
}

static void write_lost(struct dj_text *text, const struct dj_live *live,
                       const struct dj_live_frame *next)
{
    int64_t gap = next->lost_before > 0 ? next->lost_before : 1;
    open_event(text, live, "lost");
    add_window(text, live, next->window);
    dj_json_add_int(text, "sequence", (int64_t)next->sequence - 1);
    dj_json_add_known(text, "count", next->lost_before);
    dj_json_add_int(text, "after", (int64_t)next->number - gap - 1);
    dj_json_add_int(text, "before", (int64_t)next->number);
    dj_json_close(text, "}\n");
}

/* Returns the index after the last frame that belongs to the event of frame `first`: the
 * frames have one window, and none is lost between them. */
static size_t find_end(const struct dj_live *live, size_t first)
{
    uint32_t window = dj_live_get_frame(live, first)->window;
    size_t end = first + 1;
    while (end < dj_live_frame_count(live) && end - first < DJ_LIVE_EVENT_FRAMES &&
           dj_live_get_frame(live, end)->window == window &&
           dj_live_get_frame(live, end)->lost_before == 0) {
        end++;
    }
    return end;
}

static void write_frames(struct dj_text *text, const struct dj_live *live, size_t first,
                         size_t end)
{
    uint32_t window = dj_live_get_frame(live, first)->window;
    open_event(text, live, "frames");
    add_window(text, live, window);
    add_interval(text, dj_live_find_window(live, window));
    dj_json_add_int(text, "sequence",
                    (int64_t)dj_live_get_frame(live, end - 1)->sequence);
    dj_json_open_array(text, "frames");
    for (size_t i = first; i < end; i++) {
        add_frame(text, dj_live_get_frame(live, i));
    }
    dj_json_close(text, "]}\n");
}

bool dj_report_live_next_event(struct dj_text *text, const struct dj_live *live,
                               struct dj_live_viewer *viewer)
{
    size_t first = dj_live_find_after(live, viewer->sequence);
    if (first == dj_live_frame_count(live)) {
        return false;
    }
    const struct dj_live_frame *next = dj_live_get_frame(live, first);
    uint64_t missed = next->sequence - viewer->sequence - 1;
    if (viewer->sequence > 0 && missed > 0) {
        write_missed(text, live, viewer->sequence + missed, missed);
        viewer->sequence += missed;
        viewer->was_told_lost = true;
    } else if (next->lost_before != 0 && !viewer->was_told_lost) {
        write_lost(text, live, next);
        viewer->was_told_lost = true;
    } else {
        size_t end = find_end(live, first);
        write_frames(text, live, first, end);
        viewer->sequence = dj_live_get_frame(live, end - 1)->sequence;
        viewer->was_told_lost = false;
    }
    return true;
}

void dj_report_live_state_event(struct dj_text *text, const struct dj_live *live)
{
    open_event(text, live, "state");
    dj_json_add_known(text, "pid", dj_live_get_pid(live));
    dj_json_add_string(text, "state", dj_live_state_name(dj_live_get_state(live)));
    dj_json_add_int(text, "restarts", dj_live_get_restarts(live));
    dj_json_close(text, "}\n");
}

static void add_figures(struct dj_text *text, const char *key,
                        const struct dj_live_figures *figures)
{
    dj_json_open_object(text, key);
    dj_json_add_int(text, "span_ns", figures->span_ns);
    dj_json_add_int(text, "frames", (int64_t)figures->frames);
    dj_json_add_int(text, "judged", (int64_t)figures->judged);
    dj_json_add_int(text, "janky", (int64_t)figures->janky);
    dj_json_add_real(text, "janky_percent", dj_live_janky_percent(figures));
    dj_json_add_int(text, "lost", (int64_t)figures->lost);
    dj_json_add_int(text, "lost_ranges", (int64_t)figures->lost_ranges);
    dj_json_add_real(text, "fps", figures->fps);
    dj_json_add_known(text, "p50_ns", figures->p50_ns);
    dj_json_add_known(text, "p90_ns", figures->p90_ns);
    dj_json_add_known(text, "p95_ns", figures->p95_ns);
    dj_json_add_known(text, "p99_ns", figures->p99_ns);
    dj_json_add_known(text, "longest_ns", figures->longest_ns);
    dj_json_close(text, "}");
}

int dj_report_live_second_event(struct dj_text *text, const struct dj_live *live,
                                struct dj_error *err)
{
    struct dj_live_figures last;
    struct dj_live_figures total;
    int code = dj_live_compute_last(live, &last, err);
    if (code != 0) {
        return code;
    }
    dj_live_compute_total(live, &total);
    open_event(text, live, "second");
    dj_json_add_known(text, "pid", dj_live_get_pid(live));
    dj_json_add_string(text, "state", dj_live_state_name(dj_live_get_state(live)));
    dj_json_add_known(text, "now_ns", dj_live_get_now_ns(live));
    add_figures(text, "last_10_s", &last);
    add_figures(text, "since_start", &total);
    dj_json_close(text, "}\n");
    return 0;
}
