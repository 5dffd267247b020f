#include "report/view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "frame/interval.h"
#include "import/parsed_dump.h"
#include "memory/memory.h"
#include "report/dump/other_dumps.h"

static void add_frame(struct dj_view *view, const struct dj_frame *frame,
                      const struct dj_row_facts *facts)
{
    struct dj_view_frame *out = &view->frames[view->frame_count++];
    int64_t start_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    int64_t completed_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    out->frame = frame;
    out->row = (size_t)(frame - view->window->frames) + 1;
    int64_t first_ns = view->frames[0].frame->value[DJ_COLUMN_INTENDED_VSYNC];
    out->at_ns = dj_checked_subtract_saturated(start_ns, first_ns);
    out->frame_time_ns = facts->frame_time_ns;
    out->guide_total_ns = dj_checked_subtract_saturated(completed_ns, start_ns);
    out->janky = facts->janky;
    dj_frame_compute_stages(frame, &out->stages);
    view->stages_known |= out->stages.known;
}

/* Copies the facts that dj_import_compute_dump() found for the window's rows. */
static void add_frames(struct dj_view *view, const struct dj_window_facts *facts)
{
    size_t count = view->window->frame_count;
    view->summary = facts->summary;
    view->findings = &facts->findings;
    view->interval_ns = facts->interval_ns;
    view->interval_assumed = facts->interval_assumed;
    view->frames = dj_xcalloc(count, sizeof(*view->frames));
    for (size_t i = 0; i < count; i++) {
        if (facts->rows[i].judged && facts->rows[i].usability == DJ_ROW_USABLE) {
            add_frame(view, &view->window->frames[i], &facts->rows[i]);
        }
    }
}

/* Appends the view of a window. If `window` is past the last one, the view shows a
 * process without windows. */
static void add_view(struct dj_views *views, const struct dj_view *kind, size_t process,
                     size_t window)
{
    const struct dj_parsed *parsed = kind->parsed;
    DJ_XPUSH(views->view, views->count, *kind);
    struct dj_view *view = &views->view[views->count - 1];
    view->process = &parsed->dump.processes[process];
    if (view->process->pid >= 0) {
        snprintf(view->pid_name, sizeof(view->pid_name), "pid %" PRId64,
                 view->process->pid);
    }
    view->dialect = dj_gfxinfo_dump_dialect(&parsed->dump, view->process);
    view->release_known = dj_import_dump_get_release(parsed, view->process) != NULL;
    if (window < view->process->window_count) {
        view->window = &view->process->windows[window];
        add_frames(view, &parsed->processes[process].windows[window]);
    } else {
        /* A process without windows has its interval from its notes, or the interval is
         * unknown. */
        struct dj_interval interval = dj_frame_choose_interval(
            (struct dj_interval){view->process->interval_ns,
                                 view->process->interval_assumed},
            NULL, 0, NULL);
        view->interval_ns = interval.ns;
        view->interval_assumed = interval.assumed;
    }
    view->hwui_of_window = view->window != NULL && view->window->stats.present;
    view->hwui = view->hwui_of_window           ? &view->window->stats
                 : view->process->stats.present ? &view->process->stats
                                                : NULL;
}

static void add_views(struct dj_views *views, const struct dj_parsed *parsed,
                      enum dj_view_origin origin)
{
    const struct dj_view kind = {
        .parsed = parsed, .origin = origin, .pid_name = "unnamed process"};
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        size_t count = parsed->dump.processes[i].window_count;
        for (size_t k = 0; k < (count > 0 ? count : 1); k++) {
            add_view(views, &kind, i, k);
        }
    }
}

static void add_extra_views(struct dj_views *views, const struct dj_parsed *parsed,
                            void (*make)(const struct dj_parsed *parsed,
                                         struct dj_parsed *extra),
                            enum dj_view_origin origin)
{
    struct dj_parsed *extra = dj_xcalloc(1, sizeof(*extra));
    DJ_XPUSH(views->extra, views->extra_count, extra);
    make(parsed, extra);
    add_views(views, extra, origin);
}

void dj_report_add_views(struct dj_views *views, const struct dj_parsed *parsed)
{
    add_views(views, parsed, DJ_ORIGIN_GFXINFO);
    add_extra_views(views, parsed, dj_other_dumps_from_graphicsstats,
                    DJ_ORIGIN_GRAPHICSSTATS);
    add_extra_views(views, parsed, dj_other_dumps_from_daveys, DJ_ORIGIN_DAVEYS);
}

void dj_report_finish_views(struct dj_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        free(views->view[i].frames);
    }
    for (size_t i = 0; i < views->extra_count; i++) {
        dj_import_finish_dump(views->extra[i]);
        free(views->extra[i]);
    }
    free(views->extra);
    free(views->view);
    *views = (struct dj_views){0};
}

const char *dj_view_get_process_name(const struct dj_view *view)
{
    return view->process->name != NULL ? view->process->name : view->pid_name;
}

const char *dj_view_get_window_name(const struct dj_view *view)
{
    const struct dj_dump_window *window = view->window;
    return window == NULL                    ? NULL
           : window->stats_title != NULL     ? window->stats_title
           : window->title != NULL           ? window->title
           : view->process->window_count > 1 ? "unnamed window"
                                             : NULL;
}

uint32_t dj_view_count_hwui_frames(const struct dj_view *view)
{
    return view->hwui == NULL ? 0 : view->hwui->stats.counter[DJ_COUNTER_TOTAL];
}

bool dj_view_has_profile(const struct dj_view *view)
{
    return view->window != NULL && view->window->profile_count > 0;
}

bool dj_view_is_empty(const struct dj_view *view)
{
    return view->frame_count == 0 && dj_view_count_hwui_frames(view) == 0 &&
           !dj_view_has_profile(view);
}

void dj_view_get_bucket_edges(uint32_t from_ms[DJ_FRAME_BUCKETS])
{
    size_t next = 0;
    for (uint32_t ms = 0; next < DJ_FRAME_BUCKETS; ms++) {
        if (dj_frame_bucket((int64_t)ms * 1000000) == next) {
            from_ms[next++] = ms;
        }
    }
}

size_t dj_view_find_longest(const struct dj_view *view, size_t longest[DJ_LONGEST_FRAMES])
{
    size_t found = 0;
    for (size_t i = 0; i < view->frame_count; i++) {
        size_t at = found;
        while (at > 0 && view->frames[longest[at - 1]].frame_time_ns <
                             view->frames[i].frame_time_ns) {
            at--;
        }
        if (at == DJ_LONGEST_FRAMES) {
            continue;
        }
        found += found < DJ_LONGEST_FRAMES;
        for (size_t k = found - 1; k > at; k--) {
            longest[k] = longest[k - 1];
        }
        longest[at] = i;
    }
    return found;
}

enum dj_stage dj_view_get_longest_stage(const struct dj_stages *stages)
{
    size_t longest = DJ_STAGE_COUNT;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        bool counts = (stages->known & (1U << i)) != 0 && i != DJ_STAGE_WAIT;
        if (counts &&
            (longest == DJ_STAGE_COUNT || stages->ns[i] > stages->ns[longest])) {
            longest = i;
        }
    }
    return (enum dj_stage)longest;
}
