#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "report/dump_output.h"
#include "report/dump_verdict.h"
#include "report/name.h"
#include "report/next_step_text.h"
#include "report/notes.h"
#include "report/terminal_page.h"

enum {
    PAGE_COLUMNS = 96,
    WEAK_BYTES = 1 << 20 /* after so many, dumps in which no process drew are counted */
};

/* ---- figures ---- */

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
                           spread->p99_ns / 1e6, (double)spread->max_ns / 1e6,
                           spread->mean_ns / 1e6, (double)spread->total_ns / 1e6);
        }
    }
}

static bool has_histogram(const struct dj_view *view)
{
    return view->hwui != NULL &&
           (view->hwui->lines & dj_lines_of_kind(DJ_LINE_HISTOGRAM)) != 0;
}

/* The bars are '#': a page is pasted into places that show little else. `sums`: hwui's
 * own are drawn here, too. */
static void put_view(struct dj_terminal *out, const struct dj_view *view, bool sums)
{
    struct dj_terminal plain = *out;
    plain.style.unicode = false;
    dj_terminal_figures(out, view);
    put_stages(out, view);
    dj_terminal_histogram_exact(&plain, view);
    if (sums && has_histogram(view)) {
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
    dj_terminal_wrap(out, "== ", "   ", dj_text_get(&line));
    dj_text_finish(&line);
}

/* A process with one window has the same sums twice, begun at different times. */
static bool counts_the_same(const struct dj_stats *a, const struct dj_stats *b)
{
    return memcmp(a->counter, b->counter, sizeof(a->counter)) == 0 &&
           memcmp(a->frame_histogram, b->frame_histogram, sizeof(a->frame_histogram)) ==
               0;
}

/* Whether the sums of a process stand by themselves: where no window's figures have them
 * beside its own. */
static bool sums_stand_alone(const struct dj_view *views, size_t count)
{
    const struct dj_stats_block *sums = &views->process->stats;
    bool alone = true;
    for (size_t i = 0; i < count; i++) {
        if (views[i].hwui_of_window ? counts_the_same(&sums->stats, &views[i].hwui->stats)
                                    : views[i].frame_count > 0) {
            alone = false;
        }
    }
    return alone && sums->present && sums->stats.counter[DJ_COUNTER_TOTAL] > 0;
}

/* A view of the process without its windows. */
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

/* ---- notes: each sentence where it is true ---- */

static void collect_note(void *context, const char *sentence)
{
    dj_text_format(context, "%s\n", sentence);
}

/* Of windows with nothing in them there is nothing to note, save where all are so. */
static bool speaks(const struct dj_view *view)
{
    return has_its_own(view) || view->summary.rows > 0;
}

/* The notes of each view, a line each; none of those that have nothing to say. */
static void collect_notes(const struct dj_view *views, size_t count, struct dj_text *said)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any = any || speaks(&views[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (!any || speaks(&views[i])) {
            dj_notes_of(&views[i], &(struct dj_note_sink){collect_note, &said[i]});
        }
    }
}

/* Moves what all say, who say anything, from their notes to *common. */
static void find_common(struct dj_text *said, size_t count, struct dj_text *common)
{
    const struct dj_text *first = NULL;
    for (size_t i = 0; i < count && first == NULL; i++) {
        first = said[i].length > 0 ? &said[i] : NULL;
    }
    for (const char *at = first != NULL ? dj_text_get(first) : ""; *at != '\0';) {
        struct dj_text line = {0};
        bool all = true;
        size_t length = strcspn(at, "\n");
        dj_text_append(&line, at, length + (at[length] == '\n'));
        for (size_t i = 0; i < count && all; i++) {
            all = said[i].length == 0 ||
                  strstr(dj_text_get(&said[i]), dj_text_get(&line)) != NULL;
        }
        dj_text_append(common, dj_text_get(&line), all ? line.length : 0);
        at += line.length;
        common->failed = common->failed || line.failed;
        dj_text_finish(&line);
    }
}

/* The lines but those that were said before. */
static void put_notes(struct dj_terminal *out, const struct dj_text *lines,
                      const struct dj_text *before)
{
    struct dj_text line = {0};
    const char *at = dj_text_get(lines);
    while (*at != '\0') {
        size_t length = strcspn(at, "\n");
        dj_text_clear(&line);
        dj_text_append(&line, at, length);
        at += length + (at[length] == '\n');
        if (before == NULL || strstr(dj_text_get(before), dj_text_get(&line)) == NULL) {
            dj_terminal_wrap(out, "  ", "  ", dj_text_get(&line));
        }
    }
    out->text->failed = out->text->failed || lines->failed || line.failed;
    dj_text_finish(&line);
}

/* ---- a process ---- */

/* One that knows how long the display shows a frame, if any does. */
static const struct dj_view *view_for_sums(const struct dj_view *views, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!views[i].interval_assumed) {
            return &views[i];
        }
    }
    return views;
}

static void put_windows(struct dj_terminal *out, const struct dj_view *views,
                        size_t count, const struct dj_text *said,
                        const struct dj_text *common)
{
    bool alone = sums_stand_alone(views, count);
    bool drawn = alone;
    if (alone) {
        put_sums(out, view_for_sums(views, count));
    }
    for (size_t i = 0; i < count; i++) {
        if (views[i].window == NULL) {
            continue;
        }
        put_window_name(out, &views[i]);
        put_notes(out, &said[i], common);
        if (has_its_own(&views[i])) {
            put_view(out, &views[i], views[i].hwui_of_window || !drawn);
            drawn = true;
        }
    }
}

/* `views` are those of one process. */
static void put_process(struct dj_terminal *out, const struct dj_view *views,
                        size_t count)
{
    struct dj_text common = {0};
    struct dj_text *said = calloc(count, sizeof(*said));
    if (said == NULL) {
        out->text->failed = true;
        return;
    }
    collect_notes(views, count, said);
    find_common(said, count, &common);
    put_notes(out, &common, NULL);
    put_windows(out, views, count, said, &common);
    for (size_t i = 0; i < count; i++) {
        dj_text_finish(&said[i]);
    }
    dj_text_finish(&common);
    free(said);
}

/* ---- the page ---- */

/* The process that looks worst; false where there is none. */
static bool find_worst(const struct dj_parsed *parsed, size_t *worst,
                       struct dj_standing *standing)
{
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        struct dj_standing other;
        dj_standing_of(parsed, i, &other);
        if (i == 0 || dj_standing_is_worse(&other, standing)) {
            *worst = i;
            *standing = other;
        }
    }
    return parsed->dump.process_count > 0;
}

/* Views stand in the order of processes; each has one or more. */
static void put_processes(struct dj_terminal *out, const struct dj_parsed *parsed,
                          const struct dj_views *views)
{
    size_t next = 0;
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        struct dj_standing standing;
        size_t count = 0;
        while (next + count < views->count &&
               views->view[next + count].process == &parsed->dump.processes[i]) {
            count++;
        }
        dj_standing_of(parsed, i, &standing);
        dj_text_string(out->text, i > 0 ? "\n" : "");
        dj_verdict_of_process(out, parsed, i, &standing);
        put_process(out, &views->view[next], count);
        next += count;
    }
}

static void put_dump(struct dj_text *text, const struct dj_parsed *parsed, size_t worst)
{
    struct dj_terminal out = {text, {.width = PAGE_COLUMNS, .unicode = true}};
    struct dj_views views = {0};
    struct dj_text refusal = {0};
    size_t start = text->length;
    if (dj_views_add(&views, parsed) != 0) {
        text->failed = true;
    } else {
        dj_verdict_of_dump(&out, parsed, worst);
        if (parsed->dump.process_count > 1) {
            dj_note_refusal(parsed, &refusal);
            put_notes(&out, &refusal, NULL);
            dj_text_string(text, refusal.length > 0 ? "\n" : "");
        }
        put_processes(&out, parsed, &views);
        dj_terminal_strip_blanks(text, start);
    }
    dj_text_finish(&refusal);
    dj_views_finish(&views);
}

/* ---- what to do next: what the best evidence calls for ---- */

enum { EVIDENCE_NONE, EVIDENCE_NOTHING, EVIDENCE_DAVEYS, EVIDENCE_SUMS, EVIDENCE_FRAMES };

static int evidence_of(const struct dj_dump *dump, const struct dj_standing *standing)
{
    return standing != NULL && standing->grade != DJ_GRADE_NO_FRAMES ? EVIDENCE_FRAMES
           : dump->graphicsstats_count > 0                           ? EVIDENCE_SUMS
           : dump->davey_count > 0                                   ? EVIDENCE_DAVEYS
                                                                     : EVIDENCE_NOTHING;
}

static void take_next_step(struct dj_page *page, const struct dj_parsed *parsed,
                           size_t worst, const struct dj_standing *standing)
{
    struct dj_next_subject subject;
    int evidence = evidence_of(&parsed->dump, standing);
    dj_next_subject_of(parsed, worst, &subject);
    if (page->name.length == 0) {
        dj_text_append(&page->name, dj_text_get(&subject.name), subject.name.length);
    }
    if (evidence > page->evidence || (evidence == EVIDENCE_FRAMES &&
                                      dj_standing_is_worse(standing, &page->standing))) {
        dj_text_finish(&page->subject.name);
        page->subject = subject;
        page->evidence = evidence;
        page->standing = standing != NULL ? *standing : (struct dj_standing){0};
        page->step = dj_next_step_of(parsed, standing);
    } else {
        dj_text_finish(&subject.name);
    }
}

static void put_next_step(struct dj_terminal *out, struct dj_page *page)
{
    dj_terminal_heading(out, "Next");
    dj_terminal_wrap(out, "  ", "  ", dj_next_step_text(page->step));
    if (page->subject.name.length == 0) {
        dj_text_append(&page->subject.name, dj_text_get(&page->name), page->name.length);
    }
    dj_next_step_commands(out->text, page->step, &page->subject, "    ");
}

/* ---- the page of an input ---- */

static void put_gap(struct dj_text *text, struct dj_page *page)
{
    dj_text_string(text, page->any ? "\n" : "");
    page->any = true;
}

/* Log lines or sums alone are no dump of processes: they have their verdict at the end.
 */
static bool has_logs_alone(const struct dj_parsed *parsed)
{
    return parsed->dump.process_count == 0 && parsed->outcome == DJ_OUTCOME_OK;
}

void dj_report_page_dump(struct dj_text *text, struct dj_page *page,
                         const struct dj_parsed *parsed)
{
    struct dj_standing standing = {0};
    size_t worst = 0;
    bool any = find_worst(parsed, &worst, &standing);
    if (any && standing.grade != DJ_GRADE_NO_FRAMES) {
        put_gap(text, page);
        put_dump(text, parsed, worst);
    } else if (page->weak.length > WEAK_BYTES) {
        page->weak_beyond++;
    } else if (!has_logs_alone(parsed)) {
        dj_text_string(&page->weak, page->weak.length > 0 ? "\n" : "");
        put_dump(&page->weak, parsed, worst);
    }
    dj_logs_add(&page->logs, &parsed->dump);
    take_next_step(page, parsed, worst, any ? &standing : NULL);
}

static void put_weak(struct dj_terminal *out, struct dj_page *page)
{
    if (page->weak.length > 0) {
        put_gap(out->text, page);
        dj_text_append(out->text, dj_text_get(&page->weak), page->weak.length);
    }
    if (page->weak_beyond > 0) {
        dj_text_format(out->text, "… and %zu more dumps in which no process drew\n",
                       page->weak_beyond);
    }
    out->text->failed = out->text->failed || page->weak.failed;
}

/* Of what the device refused after the last dump. */
static void put_refusal(struct dj_terminal *out, const struct dj_input *input)
{
    struct dj_parsed rest = {.refusal = input->report.refusal,
                             .refused_here = dj_input_was_refused(input),
                             .outcome = input->outcome};
    struct dj_text sentence = {0};
    dj_note_refusal(&rest, &sentence);
    if (sentence.length > 0) {
        dj_text_string(out->text, "\n");
        dj_terminal_wrap(out, "  ", "  ", dj_text_get(&sentence));
    }
    dj_text_finish(&sentence);
}

void dj_report_page_end(struct dj_text *text, struct dj_page *page,
                        const struct dj_input *input)
{
    struct dj_terminal out = {text, {.width = PAGE_COLUMNS, .unicode = true}};
    size_t start = text->length;
    if (!page->any && dj_logs_any(&page->logs)) {
        put_gap(text, page);
        dj_logs_verdict(&out, &page->logs, input->source);
    }
    put_weak(&out, page);
    put_refusal(&out, input);
    dj_logs_put(&out, &page->logs);
    put_next_step(&out, page);
    dj_terminal_strip_blanks(text, start);
    dj_report_page_finish(page);
}

void dj_report_page_finish(struct dj_page *page)
{
    dj_logs_finish(&page->logs);
    dj_text_finish(&page->weak);
    dj_text_finish(&page->name);
    dj_text_finish(&page->subject.name);
    *page = (struct dj_page){0};
}
