/* A process on the page of a dump: its figures, and the notes that apply. */
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "memory/memory.h"
#include "report/dump/page_process.h"
#include "report/escape/name.h"
#include "report/terminal/sections.h"
#include "report/verdict/assessment.h"
#include "report/view/notes.h"

static void write_stages(struct dj_terminal *out, const struct dj_view *view)
{
    if (view->stages_known == 0) {
        return;
    }
    dj_terminal_write_heading(out, "Stages, ms");
    dj_text_format(out->text, "%-16s%10s%10s%10s%10s%10s%10s%12s\n", "", "p50", "p90",
                   "p95", "p99", "max", "mean", "sum");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        const struct dj_spread *spread = &view->summary.stage[i];
        if (spread->count > 0) {
            dj_text_format(out->text, "%-16s%10.2f%10.2f%10.2f%10.2f%10.2f%10.2f%12.2f\n",
                           dj_frame_stage_name((enum dj_stage)i), spread->p50_ns / 1e6,
                           spread->p90_ns / 1e6, spread->p95_ns / 1e6,
                           spread->p99_ns / 1e6, dj_units_ms(spread->max_ns),
                           spread->mean_ns / 1e6, dj_units_ms(spread->total_ns));
        }
    }
}

/* The bars are '#', because pages are pasted into places that show few other characters.
 * `sums`: also draw hwui's own histogram. */
static void write_view(struct dj_terminal *out, const struct dj_view *view, bool sums)
{
    struct dj_terminal plain = *out;
    plain.style.unicode = false;
    dj_terminal_write_figures(out, view);
    write_stages(out, view);
    dj_terminal_write_exact_histogram(&plain, view);
    if (sums && view->hwui != NULL &&
        (view->hwui->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM)) != 0) {
        dj_terminal_write_hwui_histogram(&plain, view);
    }
    dj_terminal_write_profile(&plain, view);
    dj_terminal_write_longest(out, view);
    dj_terminal_write_findings(out, view);
}

static bool has_own_frames(const struct dj_view *view)
{
    return view->frame_count > 0 || dj_view_has_profile(view) ||
           (view->hwui_of_window && dj_view_count_hwui_frames(view) > 0);
}

static void write_window_name(struct dj_terminal *out, const struct dj_view *view)
{
    static const char *const seen[] = {[0] = "visible", [4] = "invisible", [8] = "gone"};
    struct dj_text line = {0};
    const struct dj_dump_window *window = view->window;
    const char *name = window->stats_title != NULL ? window->stats_title : window->title;
    int visibility = window->visibility;
    dj_text_add(&line, "Window ");
    dj_name_escape(&line, name != NULL ? name : "without a title", false);
    if (visibility >= 0 && visibility <= 8 && seen[visibility] != NULL) {
        dj_text_format(&line, " (%s)", seen[visibility]);
    }
    dj_text_add(&line, has_own_frames(view) ? "" : ": no frames of its own");
    dj_text_add(out->text, "\n");
    dj_terminal_wrap_and_finish(out, "== ", "   ", &line);
}

/* Whether the sums of a process need a section of their own: no window's figures show
 * them. */
static bool need_section_for_sums(const struct dj_view *views, size_t count)
{
    const struct dj_stats_block *sums = &views->process->stats;
    bool is_separate = true;
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
        is_separate = is_separate && !same && (own != NULL || views[i].frame_count == 0);
    }
    return is_separate && sums->present && sums->stats.counter[DJ_COUNTER_TOTAL] > 0;
}

/* Shows the process without its windows. */
static void write_sums(struct dj_terminal *out, const struct dj_view *first)
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
        dj_text_add(out->text, "\n== Whole process\n");
    }
    write_view(out, &view, true);
}

/* Windows without data get no notes, unless all windows are like that. */
static bool has_notes(const struct dj_view *view)
{
    return has_own_frames(view) || view->summary.rows > 0;
}

/* Writes the notes of each view, a line each. Views without data get none. */
static void collect_notes(const struct dj_view *views, size_t count,
                          struct dj_text *notes)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any = any || has_notes(&views[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (!any || has_notes(&views[i])) {
            struct dj_text note = {0};
            size_t at = 0;
            while (dj_notes_get_next(&views[i], &at, &note)) {
                dj_text_format(&notes[i], "%s\n", dj_xtext(&note));
            }
        }
    }
}

/* Moves the notes that all views with notes share to *common. */
static void extract_common_notes(struct dj_text *notes, size_t count,
                                 struct dj_text *common)
{
    const struct dj_text *first = NULL;
    for (size_t i = 0; i < count && first == NULL; i++) {
        first = notes[i].length > 0 ? &notes[i] : NULL;
    }
    for (const char *at = first != NULL ? dj_xtext(first) : ""; *at != '\0';) {
        struct dj_text line = {0};
        bool all = true;
        size_t length = strcspn(at, "\n");
        dj_text_append(&line, at, length + (at[length] == '\n'));
        for (size_t i = 0; i < count && all; i++) {
            all = notes[i].length == 0 ||
                  strstr(dj_xtext(&notes[i]), dj_xtext(&line)) != NULL;
        }
        dj_text_append(common, dj_xtext(&line), all ? line.length : 0);
        at += line.length;
        dj_text_finish(&line);
    }
}

void dj_page_write_notes(struct dj_terminal *out, const struct dj_text *lines,
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

static void write_windows(struct dj_terminal *out, const struct dj_view *views,
                          size_t count, const struct dj_text *notes,
                          const struct dj_text *common)
{
    bool is_separate = need_section_for_sums(views, count);
    bool drawn = is_separate;
    if (is_separate) {
        /* Use the view that knows the frame interval, if any does. */
        size_t first = 0;
        while (first < count && views[first].interval_assumed) {
            first++;
        }
        write_sums(out, &views[first < count ? first : 0]);
    }
    for (size_t i = 0; i < count; i++) {
        if (views[i].window == NULL) {
            continue;
        }
        write_window_name(out, &views[i]);
        dj_page_write_notes(out, &notes[i], common);
        if (has_own_frames(&views[i])) {
            write_view(out, &views[i], views[i].hwui_of_window || !drawn);
            drawn = true;
        }
    }
}

void dj_page_write_process(struct dj_terminal *out, const struct dj_view *views,
                           size_t count)
{
    struct dj_text common = {0};
    struct dj_text *notes = dj_xcalloc(count, sizeof(*notes));
    collect_notes(views, count, notes);
    extract_common_notes(notes, count, &common);
    dj_page_write_notes(out, &common, NULL);
    write_windows(out, views, count, notes, &common);
    for (size_t i = 0; i < count; i++) {
        dj_text_finish(&notes[i]);
    }
    dj_text_finish(&common);
    free(notes);
}
