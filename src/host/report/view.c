#include "report/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "frame/interval.h"

static void find_interval(struct dj_view *view)
{
    const struct dj_dump_process *process = view->process;
    const struct dj_dump_window *window = view->window;
    struct dj_interval interval = dj_interval_of(
        (struct dj_interval){process->interval_ns, process->interval_assumed},
        window != NULL ? window->frames : NULL, window != NULL ? window->frame_count : 0);
    view->interval_ns = interval.ns;
    view->interval_assumed = interval.assumed;
}

static void find_hwui(struct dj_view *view)
{
    if (view->window != NULL && view->window->stats.present) {
        view->hwui = &view->window->stats;
        view->hwui_of_window = true;
    } else if (view->process->stats.present) {
        view->hwui = &view->process->stats;
    }
}

static void add_frame(struct dj_view *view, const struct dj_frame *frame,
                      const struct dj_row_facts *facts)
{
    struct dj_view_frame *out = &view->frames[view->frame_count++];
    int64_t start_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    int64_t completed_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    out->frame = frame;
    int64_t first_ns = view->frames[0].frame->value[DJ_COLUMN_INTENDED_VSYNC];
    out->at_ns = dj_subtract_saturated(start_ns, first_ns);
    out->frame_time_ns = facts->frame_time_ns;
    out->guide_total_ns = dj_subtract_saturated(completed_ns, start_ns);
    out->janky = facts->janky;
    dj_stages_of(frame, &out->stages);
    view->stages_known |= out->stages.known;
}

static bool add_frames(struct dj_view *view)
{
    const struct dj_dump_window *window = view->window;
    if (window == NULL || window->frame_count == 0) {
        return true;
    }
    struct dj_summary_rules rules = {.dialect = view->dialect,
                                     .interval_ns = view->interval_ns};
    struct dj_row_facts *facts = calloc(window->frame_count, sizeof(*facts));
    int64_t *scratch = calloc(window->frame_count, DJ_SUMMARY_SCRATCH * sizeof(*scratch));
    view->frames = calloc(window->frame_count, sizeof(*view->frames));
    bool enough = facts != NULL && scratch != NULL && view->frames != NULL;
    if (enough) {
        dj_summarize(window->frames, window->frame_count, &rules, facts, scratch,
                     &view->summary);
    }
    for (size_t i = 0; enough && i < window->frame_count; i++) {
        if (facts[i].judged && facts[i].usability == DJ_ROW_USABLE) {
            add_frame(view, &window->frames[i], &facts[i]);
        }
    }
    free(scratch);
    free(facts);
    return enough;
}

static bool add_view(struct dj_views *views, const struct dj_dump *dump,
                     const struct dj_dump_process *process,
                     const struct dj_dump_window *window)
{
    struct dj_view *view = &views->view[views->count++];
    *view = (struct dj_view){
        .dump = dump,
        .process = process,
        .window = window,
        .dialect = dump->dialect != NULL ? dump->dialect : dj_dialect_default(),
    };
    find_interval(view);
    find_hwui(view);
    return add_frames(view);
}

static size_t count_views(const struct dj_dump *dump)
{
    size_t count = 0;
    for (size_t i = 0; i < dump->process_count; i++) {
        size_t windows = dump->processes[i].window_count;
        count += windows == 0 ? 1 : windows;
    }
    return count;
}

int dj_views_make(const struct dj_dump *dump, struct dj_views *views,
                  struct dj_error *err)
{
    size_t count = count_views(dump);
    *views = (struct dj_views){0};
    if (count == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "the dump holds no process");
    }
    views->view = calloc(count, sizeof(*views->view));
    bool made = views->view != NULL;
    for (size_t i = 0; i < dump->process_count && made; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        if (process->window_count == 0) {
            made = add_view(views, dump, process, NULL);
        }
        for (size_t k = 0; k < process->window_count && made; k++) {
            made = add_view(views, dump, process, &process->windows[k]);
        }
    }
    return made ? 0
                : dj_error_set(err, DJ_E_NO_MEMORY, "no memory for %zu windows", count);
}

void dj_views_finish(struct dj_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        free(views->view[i].frames);
    }
    free(views->view);
    *views = (struct dj_views){0};
}

const char *dj_view_process_name(const struct dj_view *view, char *buffer, size_t size)
{
    if (view->process->name != NULL) {
        return view->process->name;
    }
    if (view->process->pid < 0) {
        return "unnamed process";
    }
    snprintf(buffer, size, "pid %" PRId64, view->process->pid);
    return buffer;
}

const char *dj_view_window_name(const struct dj_view *view)
{
    if (view->window == NULL) {
        return NULL;
    }
    if (view->window->stats_title != NULL) {
        return view->window->stats_title;
    }
    if (view->window->title != NULL) {
        return view->window->title;
    }
    return view->process->window_count > 1 ? "unnamed window" : NULL;
}

uint32_t dj_view_hwui_frames(const struct dj_view *view)
{
    return view->hwui == NULL ? 0 : view->hwui->stats.counter[DJ_COUNTER_TOTAL];
}

bool dj_view_has_profile(const struct dj_view *view)
{
    return view->window != NULL && view->window->profile_count > 0;
}

bool dj_view_is_empty(const struct dj_view *view)
{
    return view->frame_count == 0 && dj_view_hwui_frames(view) == 0 &&
           !dj_view_has_profile(view);
}

void dj_view_bucket_edges(uint32_t from_ms[DJ_FRAME_BUCKETS])
{
    size_t next = 0;
    for (uint32_t ms = 0; next < DJ_FRAME_BUCKETS; ms++) {
        if (dj_frame_bucket((int64_t)ms * 1000000) == next) {
            from_ms[next++] = ms;
        }
    }
}
