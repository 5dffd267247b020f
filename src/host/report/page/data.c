#include "report/page/html.h"

#include "base/json.h"
#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/document/render.h"
#include "report/dump/dump.h"
#include "report/dumps.h"
#include "report/escape/name.h"
#include "report/verdict/assessment.h"
#include "report/view/figures.h"
#include "report/view/notes.h"

/* Appends a name, first escaped as for a terminal and then quoted as JSON. */
static void write_name(struct dj_text *text, const char *key, const char *name)
{
    struct dj_text shown = {0};
    if (name != NULL) {
        dj_name_escape(&shown, name, false);
    }
    dj_json_add_string(text, key, name != NULL ? dj_xtext(&shown) : NULL);
    dj_text_finish(&shown);
}

/* Returns whether a stamp is a time, and not a special value for "no input", "no
 * deadline" or "not written yet". */
static bool is_time(const struct dj_frame *frame, enum dj_column column)
{
    return dj_frame_has(frame, column) && dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC) &&
           frame->value[column] > 0 && frame->value[column] != INT64_MAX;
}

/* Appends the values of one column for all frames, as offsets from IntendedVsync of the
 * frame. Numbers of JavaScript represent these offsets exactly, but not always
 * nanoseconds since boot. */
static void write_column(struct dj_text *text, const struct dj_view *view,
                         enum dj_column column)
{
    bool any = false;
    for (size_t i = 0; i < view->frame_count && !any; i++) {
        any = is_time(view->frames[i].frame, column);
    }
    if (!any) {
        return;
    }
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "name", dj_frame_column_name(column));
    dj_json_open_array(text, "ns");
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_frame *frame = view->frames[i].frame;
        bool known = is_time(frame, column);
        dj_json_add_optional(
            text, NULL, known,
            known ? frame->value[column] - frame->value[DJ_COLUMN_INTENDED_VSYNC] : 0);
    }
    dj_json_close(text, "]}");
}

static void write_stage(struct dj_text *text, const struct dj_view *view,
                        enum dj_stage stage)
{
    enum dj_column start;
    enum dj_column end;
    if ((view->stages_known & (1U << stage)) == 0) {
        return;
    }
    dj_frame_stage_columns(stage, &start, &end);
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "id", (int64_t)stage);
    dj_json_add_string(text, "name", dj_frame_stage_name(stage));
    dj_json_add_string(text, "from", dj_frame_column_name(start));
    dj_json_add_string(text, "to", dj_frame_column_name(end));
    dj_json_add_bool(text, "wait", stage == DJ_STAGE_WAIT);
    dj_json_open_array(text, "ns");
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_stages *stages = &view->frames[i].stages;
        dj_json_add_known(text, NULL,
                          (stages->known & (1U << stage)) != 0 ? stages->ns[stage] : -1);
    }
    dj_json_close(text, "]}");
}

/* Keys of arrays in the JSON that have one number per frame. */
static const char *const per_frame[] = {"row",   "at_ns", "time_ns", "guide_total_ns",
                                        "janky", "flags"};

static void write_frames(struct dj_text *text, const struct dj_view *view)
{
    dj_json_open_object(text, "frames");
    dj_json_add_int(text, "count", (int64_t)view->frame_count);
    for (size_t k = 0; k < COUNT_OF(per_frame); k++) {
        dj_json_open_array(text, per_frame[k]);
        for (size_t i = 0; i < view->frame_count; i++) {
            const struct dj_view_frame *frame = &view->frames[i];
            const int64_t numbers[COUNT_OF(per_frame)] = {
                (int64_t)frame->row,  frame->at_ns,
                frame->frame_time_ns, frame->guide_total_ns,
                frame->janky,         dj_frame_get(frame->frame, DJ_COLUMN_FLAGS, 0),
            };
            dj_json_append_int(text, numbers[k]);
        }
        dj_json_close(text, "]");
    }
    dj_json_open_array(text, "stages");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        write_stage(text, view, (enum dj_stage)i);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "columns");
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        enum dj_frame_column_kind kind = dj_frame_column_kind((enum dj_column)i);
        if (kind == DJ_KIND_STAGE || kind == DJ_KIND_INPUT || kind == DJ_KIND_DEADLINE ||
            kind == DJ_KIND_LATE) {
            write_column(text, view, (enum dj_column)i);
        }
    }
    dj_json_close(text, "]}");
}

static void write_hwui(struct dj_text *text, const struct dj_view *view)
{
    uint32_t from_ms[DJ_FRAME_BUCKETS];
    if (view->hwui == NULL) {
        dj_json_add_null(text, "hwui");
        return;
    }
    dj_view_get_bucket_edges(from_ms);
    dj_json_open_object(text, "hwui");
    dj_json_open_array(text, "histogram");
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        uint32_t count = view->hwui->stats.frame_histogram[i];
        if (count > 0) {
            dj_json_open_array(text, NULL);
            dj_json_append_int(text, from_ms[i]);
            dj_json_add_known(text, NULL,
                              i + 1 < DJ_FRAME_BUCKETS ? (int64_t)from_ms[i + 1] : -1);
            dj_json_append_int(text, count);
            dj_json_close(text, "]");
        }
    }
    dj_json_close(text, "]}");
}

static void write_figures(struct dj_text *text, const struct dj_view *view)
{
    struct dj_figures table = dj_figures_compute(view);
    dj_json_open_array(text, "figure_columns");
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        dj_json_append_string(text, dj_figures_get_column_name((enum dj_figure_column)i));
    }
    dj_json_close(text, "]");
    dj_json_add_string(text, "figures_about", dj_figures_explain(view));
    dj_json_open_array(text, "figures");
    for (size_t i = 0; i < table.count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", table.row[i].name);
        dj_json_add_bool(text, "headline", table.row[i].is_headline);
        dj_json_open_array(text, "cells");
        for (size_t k = 0; k < DJ_FIGURE_COLUMNS; k++) {
            dj_json_add_name(text, NULL, table.row[i].cell[k]);
        }
        dj_json_close(text, "]}");
    }
    dj_json_close(text, "]");
}

static void write_profile(struct dj_text *text, const struct dj_dump_window *window)
{
    dj_json_open_array(text, "profile");
    for (size_t i = 0; window != NULL && i < window->profile_count; i++) {
        dj_report_write_json_profile_row(text, &window->profile[i], true);
    }
    dj_json_close(text, "]");
}

/* Appends the findings as sentences, most severe first, each with the frame that shows it
 * best. */
static void write_findings(struct dj_text *text, const struct dj_view *view)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    size_t found =
        view->findings == NULL ? 0 : dj_frame_findings_sort(view->findings, order);
    dj_json_open_array(text, "findings");
    for (size_t i = 0; i < found; i++) {
        struct dj_text sentence = {0};
        dj_notes_describe_finding(view, order[i], &sentence);
        dj_json_open_object(text, NULL);
        dj_json_add_text(text, "sentence", &sentence);
        dj_json_add_string(text, "look_at", dj_frame_finding_get_text(order[i])->look_at);
        /* Index of the worst row's frame. Stays −1 if the rule of the release does not
         * judge the worst row. */
        int64_t worst = -1;
        for (size_t k = view->frame_count; k-- > 0;) {
            bool is_worst =
                view->frames[k].row == view->findings->of[order[i]].worst_row + 1;
            worst = is_worst ? (int64_t)k : worst;
        }
        dj_json_add_known(text, "worst", worst);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

/* The class in report.css that determines the colour of the verdict. */
static const char *const tones[DJ_GRADE_COUNT] = {
    [DJ_GRADE_NO_FRAMES] = "muted", [DJ_GRADE_UNJUDGED] = "muted",
    [DJ_GRADE_FEW] = "muted",       [DJ_GRADE_SMOOTH] = "good",
    [DJ_GRADE_UNEVEN] = "warning",  [DJ_GRADE_JANKY] = "bad",
};

static void write_view(struct dj_text *text, const struct dj_view *view)
{
    struct dj_text verdict = {0};
    struct dj_text note = {0};
    size_t at = 0;
    dj_json_open_object(text, NULL);
    write_name(text, "source", view->parsed->source);
    dj_json_add_string(text, "release", view->release_known ? view->dialect->name : NULL);
    write_name(text, "process", view->process->name);
    dj_json_add_int(text, "pid", view->process->pid);
    write_name(text, "window", dj_view_get_window_name(view));
    dj_json_add_int(text, "interval_ns", view->interval_ns);
    dj_json_add_bool(text, "interval_assumed", view->interval_assumed);
    dj_json_open_array(text, "notes");
    while (dj_notes_get_next(view, &at, &note)) {
        dj_json_append_string(text, dj_xtext(&note));
    }
    dj_json_close(text, "]");
    dj_notes_write_verdict(view, &verdict);
    dj_json_add_text(text, "verdict", &verdict);
    dj_notes_explain_verdict(view, &verdict);
    dj_json_add_text(text, "explanation", &verdict);
    dj_json_add_string(text, "tone", tones[dj_assessment_compute_view(view).grade]);
    dj_json_add_bool(text, "empty", dj_view_is_empty(view));
    dj_json_add_bool(text, "stages_missing", view->process->not_recorded != 0);
    write_figures(text, view);
    write_hwui(text, view);
    write_frames(text, view);
    write_findings(text, view);
    write_profile(text, view->window);
    dj_json_close(text, "}");
}

/* Returns the worst view, which the page shows first. */
static size_t find_worst(const struct dj_views *views)
{
    size_t worst = 0;
    for (size_t i = 1; i < views->count; i++) {
        struct dj_assessment a = dj_assessment_compute_view(&views->view[worst]);
        struct dj_assessment b = dj_assessment_compute_view(&views->view[i]);
        worst = dj_assessment_is_worse(&b, &a) ? i : worst;
    }
    return worst;
}

/* Appends the text that the button "Copy as Markdown" copies. */
static void write_markdown(struct dj_text *text, const struct dj_views *views)
{
    struct dj_document document = {0};
    struct dj_text markdown = {0};
    dj_report_build_views(&document, views);
    dj_document_write_markdown(&markdown, &document);
    dj_json_add_text(text, "markdown", &markdown);
    dj_document_finish(&document);
}

void dj_report_write_page_data(struct dj_text *text, const struct dj_views *views)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.report-page/1");
    dj_json_add_string(text, "version", DEJANK_VERSION);
    dj_json_add_int(text, "worst", (int64_t)find_worst(views));
    write_markdown(text, views);
    dj_json_open_array(text, "views");
    for (size_t i = 0; i < views->count; i++) {
        write_view(text, &views->view[i]);
    }
    dj_json_close(text, "]}");
}
