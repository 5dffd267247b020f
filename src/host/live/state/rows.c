#include <stdlib.h>
#include <string.h>

#include "live/state/state.h"
#include "metrics/judged_rows.h"

/* Returns IntendedVsync, or else the first known timestamp of a stage, or else the
 * present, or −1 if none is known. */
static int64_t find_start(const struct dj_frame *frame)
{
    for (size_t i = DJ_COLUMN_INTENDED_VSYNC; i < DJ_COLUMN_COUNT; i++) {
        enum dj_column column = (enum dj_column)i;
        if (dj_frame_column_kind(column) == DJ_KIND_STAGE &&
            dj_frame_has(frame, column)) {
            return frame->value[column];
        }
    }
    return dj_frame_get_time(frame, -1);
}

/* Returns whether the row describes a frame that was drawn. Its times may be unknown. */
static bool is_drawn(const struct dj_row_facts *facts, const struct dj_frame *frame)
{
    return (dj_frame_row_was_shown(facts) || facts->usability == DJ_ROW_INCOMPLETE) &&
           find_start(frame) >= 0;
}

static void add_lost(int64_t *sum, int64_t lost)
{
    *sum = *sum < 0 || lost < 0 ? -1 : dj_checked_add_saturated(*sum, lost);
}

static bool add_frame(struct dj_live *live, struct dj_live_window_state *window,
                      const struct dj_frame *row, const struct dj_row_facts *facts,
                      struct dj_live_frame *frame)
{
    frame->window = window->window.id;
    frame->lost_before = window->pending_lost;
    frame->start_ns = find_start(row);
    frame->frame_time_ns = facts->frame_time_ns;
    frame->is_judged = facts->judged;
    frame->is_janky = facts->judged && facts->janky;
    dj_frame_compute_stages(row, &frame->stages);
    int64_t end_ns = dj_frame_get_end(row, frame->start_ns);
    window->pending_lost = 0;
    window->window.frames++;
    return dj_live_add_frame(live, frame, end_ns);
}

/* Stores the newest rows as context for the next ones. */
static void keep_context(struct dj_live_window_state *window, const struct dj_frame *rows,
                         size_t count)
{
    size_t kept = count < DJ_LIVE_CONTEXT ? count : DJ_LIVE_CONTEXT;
    memcpy(window->context, rows + count - kept, kept * sizeof(rows[0]));
    window->context_count = kept;
    const struct dj_frame *last = &rows[count - 1];
    window->last_start_ns = find_start(last);
    window->last_end_ns = dj_frame_get_end(last, -1);
}

/* Adds the judged rows, except for the first `context` ones. */
static bool add_judged(struct dj_live *live, struct dj_live_window_state *window,
                       const struct dj_judged_rows *judged, size_t context)
{
    for (size_t i = context; i < judged->count; i++) {
        struct dj_live_frame frame = {.number = window->next_number++,
                                      .findings = judged->marks[i]};
        if (is_drawn(&judged->facts[i], &judged->frames[i]) &&
            !add_frame(live, window, &judged->frames[i], &judged->facts[i], &frame)) {
            return false;
        }
    }
    return true;
}

/* Judges `count` rows and adds them, except for the first `context` ones, which were
 * added before. */
static bool judge_rows(struct dj_live *live, struct dj_live_window_state *window,
                       const struct dj_live_rows *rows, struct dj_frame *frames,
                       size_t count, size_t context)
{
    struct dj_judged_rows judged = {0};
    struct dj_dump_window shown = *rows->window;
    shown.frames = frames;
    shown.frame_count = count;
    judged.marks = calloc(count, sizeof(*judged.marks));
    bool done = judged.marks != NULL &&
                dj_metrics_judged_rows_open(&judged, rows->dump, rows->process, &shown);
    if (done) {
        if (rows->interval_ns > 0) {
            judged.rules.interval_ns = rows->interval_ns;
        }
        window->window.interval_ns = judged.rules.interval_ns;
        window->window.is_interval_assumed = judged.rules.interval_assumed;
        dj_metrics_judged_rows_judge(&judged, frames, count);
        done = add_judged(live, window, &judged, context);
    }
    dj_metrics_judged_rows_close(&judged);
    free(judged.marks);
    return done;
}

int dj_live_add_rows(struct dj_live *live, struct dj_live_window_state *window,
                     const struct dj_live_rows *rows, struct dj_error *err)
{
    if (rows->lost_before != 0) {
        add_lost(&window->pending_lost, rows->lost_before);
        window->context_count = 0;
    }
    if (rows->count == 0) {
        return 0;
    }
    size_t context = window->context_count;
    size_t count = context + rows->count;
    struct dj_frame *frames = calloc(count, sizeof(*frames));
    bool done = frames != NULL;
    if (done) {
        memcpy(frames, window->context, context * sizeof(*frames));
        memcpy(frames + context, rows->frames, rows->count * sizeof(*frames));
        window->next_number = rows->first_number;
        done = judge_rows(live, window, rows, frames, count, context);
        keep_context(window, frames, count);
    }
    free(frames);
    return done ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}
