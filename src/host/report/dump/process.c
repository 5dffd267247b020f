/* Adds one process of a dump to a document: its verdict, figures, windows and notes. */
#include "report/dump/process.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/dump/verdict.h"
#include "report/view/document.h"
#include "report/view/notes.h"

static bool has_own_frames(const struct dj_view *view)
{
    return view->frame_count > 0 || dj_view_has_profile(view) ||
           (view->hwui_of_window && dj_view_count_hwui_frames(view) > 0);
}

/* Appends the heading of a window, such as "Window com.example/Main (visible)". */
static void append_window(struct dj_text *words, const struct dj_view *view)
{
    static const char *const seen[] = {[0] = "visible", [4] = "invisible", [8] = "gone"};
    const struct dj_dump_window *window = view->window;
    const char *name = window->stats_title != NULL ? window->stats_title : window->title;
    int visibility = window->visibility;
    dj_text_format(words, "Window %s", name != NULL ? name : "without a title");
    if (visibility >= 0 && visibility <= 8 && seen[visibility] != NULL) {
        dj_text_format(words, " (%s)", seen[visibility]);
    }
}

/* Returns whether the sums of a process need a separate section because the figures of no
 * window contain them. */
static bool need_section_for_sums(const struct dj_view *views, size_t count)
{
    const struct dj_stats_block *sums = &views->process->stats;
    bool is_separate = true;
    for (size_t i = 0; i < count; i++) {
        /* A process with one window has the same sums twice, but the times since which
         * hwui counts differ. So only the counters are compared. */
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

/* Adds the sums of the process, without the rows of its windows. */
static void add_sums(struct dj_document *document, const struct dj_view *first,
                     bool has_heading)
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
    if (has_heading) {
        dj_document_add_heading(document, 3, "Whole process");
    }
    dj_view_add_figures(document, &view, true);
}

/* Returns whether the document shows notes about the view. It shows none about a window
 * without data. */
static bool has_notes(const struct dj_view *view)
{
    return has_own_frames(view) || view->summary.rows > 0;
}

/* Appends the notes of views[i] to notes[i] as lines. If at least one view has frames, a
 * view without frames gets no notes. */
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

/* Copies to *common the notes that all views with notes share. */
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

/* Adds each line as a note, except for lines that also occur in `before`, which may be
 * NULL. */
static void add_notes(struct dj_document *document, const struct dj_text *lines,
                      const struct dj_text *before)
{
    const char *at = dj_xtext(lines);
    while (*at != '\0') {
        struct dj_text line = {0};
        size_t length = strcspn(at, "\n");
        dj_text_append(&line, at, length);
        at += length + (at[length] == '\n');
        if (before == NULL || strstr(dj_xtext(before), dj_xtext(&line)) == NULL) {
            dj_document_add_note(document, DJ_TONE_PLAIN, &line);
        } else {
            dj_text_finish(&line);
        }
    }
}

/* The windows of a process, and their notes. */
struct windows {
    const struct dj_view *views;
    size_t count;
    const struct dj_text *notes;  /* Notes of each view, with one line per note. */
    const struct dj_text *common; /* Notes that all windows have in common. */
    size_t drawn_count;           /* Number of windows that drew frames. */
    size_t main;                  /* Index of the window with the most rows. */
};

static void count_windows(struct windows *windows)
{
    size_t most = 0;
    bool any = false;
    for (size_t i = 0; i < windows->count; i++) {
        const struct dj_view *view = &windows->views[i];
        if (view->window != NULL && has_own_frames(view)) {
            windows->drawn_count++;
            windows->main = !any || view->frame_count > most ? i : windows->main;
            most = view->frame_count > most ? view->frame_count : most;
            any = true;
        }
    }
}

static void add_window(struct dj_document *document, const struct windows *windows,
                       size_t index, bool with_counts)
{
    const struct dj_view *view = &windows->views[index];
    if (windows->drawn_count > 1) {
        struct dj_text words = {0};
        append_window(&words, view);
        dj_document_add_section(document, 3, NULL, &words);
    }
    dj_view_add_figures(document, view, view->hwui_of_window || with_counts);
    add_notes(document, &windows->notes[index], windows->common);
}

static void add_other_windows(struct dj_document *document, const struct windows *windows)
{
    const char *title =
        windows->drawn_count == 2 ? "the other window" : "the other windows";
    if (document->is_brief) {
        dj_document_omit_details(document, title);
        return;
    }
    dj_document_begin_details(document, title, true);
    for (size_t i = 0; i < windows->count; i++) {
        bool drawn = windows->views[i].window != NULL && i != windows->main &&
                     has_own_frames(&windows->views[i]);
        if (drawn) {
            add_window(document, windows, i, false);
        }
    }
    dj_document_end_details(document);
}

static void add_windows(struct dj_document *document, const struct windows *windows)
{
    bool is_separate = need_section_for_sums(windows->views, windows->count);
    if (is_separate) {
        /* If several views exist, uses one whose frame interval is known. */
        size_t first = 0;
        while (first < windows->count && windows->views[first].interval_assumed) {
            first++;
        }
        add_sums(document, &windows->views[first < windows->count ? first : 0],
                 windows->drawn_count > 0);
    }
    if (windows->drawn_count > 0) {
        add_window(document, windows, windows->main, !is_separate);
    }
    if (windows->drawn_count > 1) {
        add_other_windows(document, windows);
    }
}

/* Adds a note for each window without frames. If only one window has frames, adds a note
 * that names it, too. */
static void add_window_notes(struct dj_document *document, const struct windows *windows)
{
    for (size_t i = 0; i < windows->count; i++) {
        const struct dj_view *view = &windows->views[i];
        bool drawn = has_own_frames(view);
        if (view->window != NULL && (!drawn || windows->drawn_count == 1)) {
            struct dj_text words = {0};
            append_window(&words, view);
            dj_text_add(&words, drawn ? "." : " drew no frames of its own.");
            dj_document_add_note(document, DJ_TONE_PLAIN, &words);
            if (!drawn) {
                add_notes(document, &windows->notes[i], windows->common);
            }
        }
    }
}

static void add_facts(struct dj_document *document, const struct dj_view *view)
{
    struct dj_text words = {0};
    dj_notes_write_facts(view, &words);
    dj_document_add_paragraph(document, &words);
}

void dj_dump_add_process(struct dj_document *document, const struct dj_parsed *parsed,
                         size_t index, const struct dj_view *views, size_t count)
{
    struct dj_text common = {0};
    struct dj_text *notes = dj_xcalloc(count, sizeof(*notes));
    struct windows windows = {.views = views, .count = count, .notes = notes};
    struct dj_assessment assessment = dj_assessment_compute(parsed, index);
    dj_verdict_add_process(document, parsed, index, &assessment);
    collect_notes(views, count, notes);
    extract_common_notes(notes, count, &common);
    windows.common = &common;
    count_windows(&windows);
    add_facts(document, &views[windows.main]);
    add_windows(document, &windows);
    dj_document_add_heading(document, 3, "About this data");
    dj_verdict_add_rate(document, parsed, index, &assessment);
    add_notes(document, &common, NULL);
    add_window_notes(document, &windows);
    for (size_t i = 0; i < count; i++) {
        dj_text_finish(&notes[i]);
    }
    dj_text_finish(&common);
    free(notes);
}
