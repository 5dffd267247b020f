#include "triage/presents.h"

#include <stdlib.h>
#include <string.h>

#include "jank/figures.h"
#include "memory/memory.h"
#include "process/deadline.h"
#include "triage/frames/refresh.h"

/* Display interval that is used to recognise pauses if the trace does not show the
 * display's interval. */
#define USUAL_INTERVAL_NS (DJ_SECOND_NS / 60)

/* Perfetto's present type of a frame that the compositor dropped. */
enum { DROPPED = 4 };

/* A frame of a layer, and the time at which the display showed it. */
struct shown {
    const struct dj_trace_frame *frame;
    /* Time at which the display showed the frame. DJ_JANK_UNKNOWN if the frame was
     * dropped or the time is unknown. */
    int64_t present_ns;
    int64_t start_ns;
};

/* The frames of the display, sorted by token, and the frames of layers. */
struct presents {
    const struct dj_trace_frame **displays;
    size_t display_count;
    struct shown *shown;
    size_t shown_count;
    struct dj_triage_refresh refresh;
};

static int compare_tokens(const void *a, const void *b)
{
    const struct dj_trace_frame *const *left = a, *const *right = b;
    return ((*left)->token > (*right)->token) - ((*left)->token < (*right)->token);
}

/* Compares by process, then by layer, then by start. */
static int compare_shown(const void *a, const void *b)
{
    const struct shown *left = a, *right = b;
    int by_pid =
        (left->frame->pid > right->frame->pid) - (left->frame->pid < right->frame->pid);
    int by_layer = strcmp(left->frame->layer, right->frame->layer);
    int by_start =
        (left->start_ns > right->start_ns) - (left->start_ns < right->start_ns);
    return by_pid != 0 ? by_pid : by_layer != 0 ? by_layer : by_start;
}

/* Returns when the display showed the frame, or DJ_JANK_UNKNOWN. */
static int64_t find_present(const struct presents *presents,
                            const struct dj_trace_frame *frame)
{
    const struct dj_trace_frame wanted = {.token = frame->display_token};
    const struct dj_trace_frame *key = &wanted;
    const struct dj_trace_frame *const *found =
        frame->display_token != 0 && frame->present != DROPPED &&
                presents->display_count > 0
            ? bsearch(&key, presents->displays, presents->display_count,
                      sizeof(*presents->displays), compare_tokens)
            : NULL;
    return found != NULL ? (*found)->end_ns : DJ_JANK_UNKNOWN;
}

static int64_t get_start_ns(const struct dj_trace_frame *frame)
{
    return frame->start_ns != 0 ? frame->start_ns : frame->expected_start_ns;
}

static void collect_frames(struct presents *presents, const struct dj_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++) {
        const struct dj_trace_frame *frame = &trace->frames[i];
        if (frame->display && !frame->open && frame->end_ns > frame->start_ns) {
            DJ_XPUSH(presents->displays, presents->display_count, frame);
        }
    }
    if (presents->display_count == 0) {
        return;
    }
    qsort(presents->displays, presents->display_count, sizeof(*presents->displays),
          compare_tokens);
    for (size_t i = 0; i < trace->frame_count; i++) {
        const struct dj_trace_frame *frame = &trace->frames[i];
        int64_t present_ns =
            frame->display ? DJ_JANK_UNKNOWN : find_present(presents, frame);
        struct shown shown = {frame, present_ns, get_start_ns(frame)};
        if (!frame->display) {
            DJ_XPUSH(presents->shown, presents->shown_count, shown);
        }
    }
    qsort(presents->shown, presents->shown_count, sizeof(*presents->shown),
          compare_shown);
}

static struct dj_jank_frame convert(const struct presents *presents,
                                    const struct shown *shown)
{
    const struct dj_trace_frame *frame = shown->frame;
    int64_t start_ns = get_start_ns(frame);
    int64_t period_ns = dj_triage_refresh_get_period(&presents->refresh, shown->start_ns);
    return (struct dj_jank_frame){
        .start_ns = start_ns,
        .completed_ns = frame->end_ns > start_ns ? frame->end_ns : start_ns,
        .present_ns = shown->present_ns,
        /* The app draws the state of the animation at the expected start of the frame. */
        .animation_ns =
            frame->expected_start_ns > 0 ? frame->expected_start_ns : DJ_JANK_UNKNOWN,
        .interval_ns = period_ns > 0 ? period_ns : DJ_JANK_UNKNOWN,
        .deadline_ns = DJ_JANK_UNKNOWN,
        .ui_ns = DJ_JANK_UNKNOWN,
    };
}

static bool is_same_layer(const struct shown *a, const struct shown *b)
{
    return a->frame->pid == b->frame->pid &&
           strcmp(a->frame->layer, b->frame->layer) == 0;
}

/* Adds the frames of one layer to the totals. Two frames count as successive only if all
 * frames between them were dropped. So the frames before and after a frame with an
 * unknown present are not successive. The same is true for a frame that was shown before
 * an older one. */
static void add_frames(const struct presents *presents, const struct shown *shown,
                       size_t count, struct dj_jank_totals *totals)
{
    struct dj_jank_frame *frames = dj_xcalloc(count, sizeof(*frames));
    int64_t period_ns =
        dj_triage_refresh_get_period(&presents->refresh, shown[0].start_ns);
    struct dj_jank_log log = {
        .frames = frames, .interval_ns = period_ns > 0 ? period_ns : USUAL_INTERVAL_NS};
    int64_t last_ns = DJ_JANK_UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        bool is_dropped = shown[i].frame->present == DROPPED;
        bool is_known = shown[i].present_ns != DJ_JANK_UNKNOWN;
        if (!is_dropped && (!is_known || shown[i].present_ns < last_ns)) {
            dj_xcheck(dj_jank_add(totals, &log));
            log.count = 0;
        }
        if (is_dropped || is_known) {
            frames[log.count++] = convert(presents, &shown[i]);
            last_ns = is_known ? shown[i].present_ns : last_ns;
        }
    }
    dj_xcheck(dj_jank_add(totals, &log));
    free(frames);
}

static void add_layer(struct dj_triage *triage, const struct presents *presents,
                      const struct shown *shown, size_t count)
{
    struct dj_jank_totals totals = {0};
    struct dj_jank_figures figures;
    add_frames(presents, shown, count, &totals);
    dj_jank_compute(&totals, &figures);
    dj_jank_finish(&totals);
    if (figures.present.presents > 0) {
        struct dj_triage_result *result = &triage->result;
        DJ_XPUSH(result->presents, result->present_count,
                 (struct dj_triage_presents){
                     .layer = dj_triage_intern(triage, shown[0].frame->layer),
                     .trace = triage->trace_name,
                     .figures = figures.present});
    }
}

void dj_triage_presents_add_trace(struct dj_triage *triage, const struct dj_trace *trace)
{
    struct presents presents = {0};
    collect_frames(&presents, trace);
    if (presents.shown_count > 0) {
        dj_triage_refresh_find(trace, &presents.refresh);
    }
    for (size_t i = 0, end; i < presents.shown_count; i = end) {
        end = i + 1;
        while (end < presents.shown_count &&
               is_same_layer(&presents.shown[i], &presents.shown[end])) {
            end++;
        }
        add_layer(triage, &presents, &presents.shown[i], end - i);
    }
    dj_triage_refresh_finish(&presents.refresh);
    free(presents.displays);
    free(presents.shown);
}
