/* A process on the page of a dump: its figures, and the notes that apply. */
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "memory/memory.h"
#include "report/dump/page_process.h"
#include "report/name.h"
#include "report/notes.h"
#include "report/standing.h"
#include "report/terminal/sections.h"

static void put_stages(struct dj_terminal *out, const struct dj_view *view)
{
    if (view->stages_known == 0) {
        return;
    }
    dj_terminal_heading(out, "Stages, ms");
    dj_text_format(out->text, "%-16s%10s%10s%10s%10s%10s%10s%12s\n", "", "p50", "p90",
                   "p95", "p99", "max", "mean", "sum");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        const struct dj_spread *spread = &view->summary.stage[i];
        if (spread->count > 0) {
            dj_text_format(out->text, "%-16s%10.2f%10.2f%10.2f%10.2f%10.2f%10.2f%12.2f\n",
                           dj_stage_name((enum dj_stage)i), spread->p50_ns / 1e6,
                           spread->p90_ns / 1e6, spread->p95_ns / 1e6,
                           spread->p99_ns / 1e6, dj_ms(spread->max_ns),
                           spread->mean_ns / 1e6, dj_ms(spread->total_ns));
        }
    }
}

/* The bars are '#', because pages are pasted into places that show few other characters.
 * `sums`: also draw hwui's own histogram. */
static void put_view(struct dj_terminal *out, const struct dj_view *view, bool sums)
{
    struct dj_terminal plain = *out;
    plain.style.unicode = false;
    dj_terminal_figures(out, view);
    put_stages(out, view);
    dj_terminal_histogram_exact(&plain, view);
    if (sums && view->hwui != NULL &&
        (view->hwui->lines & dj_lines_of_kind(DJ_LINE_HISTOGRAM)) != 0) {
        dj_terminal_histogram_hwui(&plain, view);
    }
    dj_terminal_profile(&plain, view);
    dj_terminal_longest(out, view);
    dj_terminal_findings(out, view);
}

static bool has_its_own(const struct dj_view *view)
{
    return view->frame_count > 0 || dj_view_has_profile(view) ||
           (view->hwui_of_window && dj_view_hwui_frames(view) > 0);
}

static void put_window_name(struct dj_terminal *out, const struct dj_view *view)
{
    static const char *const seen[] = {[0] = "visible", [4] = "invisible", [8] = "gone"};
    struct dj_text line = {0};
    const struct dj_dump_window *window = view->window;
    const char *name = window->stats_title != NULL ? window->stats_title : window->title;
    int visibility = window->visibility;
    dj_text_string(&line, "Window ");
    dj_name_append(&line, name != NULL ? name : "without a title", false);
    if (visibility >= 0 && visibility <= 8 && seen[visibility] != NULL) {
        dj_text_format(&line, " (%s)", seen[visibility]);
    }
    dj_text_string(&line, has_its_own(view) ? "" : ": no frames of its own");
    dj_text_string(out->text, "\n");
    dj_terminal_put(out, "== ", "   ", &line);
}

/* Whether the sums of a process need a section of their own: no window's figures show
 * them. */
static bool sums_stand_alone(const struct dj_view *views, size_t count)
{
    const struct dj_stats_block *sums = &views->process->stats;
    bool alone = true;
    for (size_t i = 0; i < count; i++) {
        /* A process with one window has the same sums twice, counted from different
         * times. */
        const struct dj_stats *own =
            views[i].hwui_of_window ? &views[i].hwui->stats : NULL;
        bool same =
            own != NULL &&
            memcmp(own->counter, sums->stats.counter, sizeof(own->counter)) == 0 &&
            memcmp(own->frame_histogram, sums->stats.frame_histogram,
                   sizeof(own->frame_histogram)) == 0;
        alone = alone && !same && (own != NULL || views[i].frame_count == 0);
    }
    return alone && sums->present && sums->stats.counter[DJ_COUNTER_TOTAL] > 0;
}

/* Shows the process without its windows. */
static void put_sums(struct dj_terminal *out, const struct dj_view *first)
{
    struct dj_view view = *first;
    view.window = NULL;
    view.hwui = &first->process->stats;
    view.hwui_of_window = false;
    view.summary = (struct dj_summary){0};
    view.findings = NULL;
    view.frames = NULL;
    view.frame_count = 0;
    view.stages_known = 0;
    if (first->window != NULL) {
        dj_text_string(out->text, "\n== Whole process\n");
    }
    put_view(out, &view, true);
}

/* Windows without data get no notes, unless all windows are like that. */
static bool speaks(const struct dj_view *view)
{
    return has_its_own(view) || view->summary.rows > 0;
}

/* Writes the notes of each view, a line each. Views without data get none. */
static void collect_notes(const struct dj_view *views, size_t count, struct dj_text *said)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any = any || speaks(&views[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (!any || speaks(&views[i])) {
            struct dj_text note = {0};
            size_t at = 0;
            while (dj_notes_next(&views[i], &at, &note)) {
                dj_text_format(&said[i], "%s\n", dj_xtext(&note));
            }
        }
    }
}

/* Moves the notes that all views with notes share to *common. */
static void find_common(struct dj_text *said, size_t count, struct dj_text *common)
{
    const struct dj_text *first = NULL;
    for (size_t i = 0; i < count && first == NULL; i++) {
        first = said[i].length > 0 ? &said[i] : NULL;
    }
    for (const char *at = first != NULL ? dj_xtext(first) : ""; *at != '\0';) {
        struct dj_text line = {0};
        bool all = true;
        size_t length = strcspn(at, "\n");
        dj_text_append(&line, at, length + (at[length] == '\n'));
        for (size_t i = 0; i < count && all; i++) {
            all = said[i].length == 0 ||
                  strstr(dj_xtext(&said[i]), dj_xtext(&line)) != NULL;
        }
        dj_text_append(common, dj_xtext(&line), all ? line.length : 0);
        at += line.length;
        dj_text_finish(&line);
    }
}

void dj_page_notes(struct dj_terminal *out, const struct dj_text *lines,
                   const struct dj_text *before)
{
    struct dj_text line = {0};
    const char *at = dj_xtext(lines);
    while (*at != '\0') {
        size_t length = strcspn(at, "\n");
        dj_text_clear(&line);
        dj_text_append(&line, at, length);
        at += length + (at[length] == '\n');
        if (before == NULL || strstr(dj_xtext(before), dj_xtext(&line)) == NULL) {
            dj_terminal_wrap(out, "  ", "  ", dj_xtext(&line));
        }
    }
    dj_text_finish(&line);
}

static void put_windows(struct dj_terminal *out, const struct dj_view *views,
                        size_t count, const struct dj_text *said,
                        const struct dj_text *common)
{
    bool alone = sums_stand_alone(views, count);
    bool drawn = alone;
    if (alone) {
        /* Use the view that knows the frame interval, if any does. */
        size_t first = 0;
        while (first < count && views[first].interval_assumed) {
            first++;
        }
        put_sums(out, &views[first < count ? first : 0]);
    }
    for (size_t i = 0; i < count; i++) {
        if (views[i].window == NULL) {
            continue;
        }
        put_window_name(out, &views[i]);
        dj_page_notes(out, &said[i], common);
        if (has_its_own(&views[i])) {
            put_view(out, &views[i], views[i].hwui_of_window || !drawn);
            drawn = true;
        }
    }
}

void dj_page_process(struct dj_terminal *out, const struct dj_view *views, size_t count)
{
    struct dj_text common = {0};
    struct dj_text *said = dj_xcalloc(count, sizeof(*said));
    collect_notes(views, count, said);
    find_common(said, count, &common);
    dj_page_notes(out, &common, NULL);
    put_windows(out, views, count, said, &common);
    for (size_t i = 0; i < count; i++) {
        dj_text_finish(&said[i]);
    }
    dj_text_finish(&common);
    free(said);
}
