#include "report/dump/markdown.h"

#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/escape/markdown.h"
#include "report/escape/name.h"
#include "report/terminal/sections.h"
#include "report/view/figures.h"
#include "report/view/notes.h"
#include "report/view/view.h"

enum { HISTOGRAM_COLUMNS = 72 };

static void write_head(struct dj_text *text, const struct dj_view *view)
{
    struct dj_text words = {0};
    dj_text_add(text, "## ");
    dj_markdown_write_code(text, dj_view_get_process_name(view));
    if (dj_view_get_window_name(view) != NULL) {
        dj_text_add(text, " — ");
        dj_markdown_write_code(text, dj_view_get_window_name(view));
    }
    dj_text_add(text, "\n\n**");
    dj_notes_write_verdict(view, &words);
    dj_markdown_escape_and_finish(text, &words);
    dj_text_add(text, "**\n\n");
    dj_notes_write_facts(view, &words);
    dj_markdown_escape_and_finish(text, &words);
    if (view->parsed->source != NULL) {
        dj_text_add(text, " · ");
        dj_markdown_write_code(text, view->parsed->source);
    }
    dj_text_add(text, "\n");
}

static void write_figures(struct dj_text *text, const struct dj_view *view)
{
    struct dj_figures figures = dj_figures_compute(view);
    if (figures.count == 0) {
        return;
    }
    dj_text_add(text, "\n| Figure |");
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        if (figures.has[i]) {
            dj_text_format(text, " %s |",
                           dj_figures_get_column_name((enum dj_figure_column)i));
        }
    }
    dj_text_add(text, "\n|---|");
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        dj_text_add(text, figures.has[i] ? "---:|" : "");
    }
    dj_text_add(text, "\n");
    for (size_t i = 0; i < figures.count; i++) {
        dj_text_format(text, "| %s |", figures.row[i].name);
        for (size_t k = 0; k < DJ_FIGURE_COLUMNS; k++) {
            if (figures.has[k]) {
                dj_text_format(text, " %s |", figures.row[i].cell[k]);
            }
        }
        dj_text_add(text, "\n");
    }
    dj_text_add(text, "\n");
    dj_markdown_escape(text, dj_figures_explain(view));
    dj_text_add(text, "\n");
}

/* The histogram of the terminal form: its bars are characters. */
static void write_histogram(struct dj_text *text, const struct dj_view *view)
{
    struct dj_terminal out = {text, {.width = HISTOGRAM_COLUMNS, .unicode = true}};
    if (view->frame_count == 0 && dj_view_count_hwui_frames(view) == 0) {
        return;
    }
    dj_text_add(text, "\n```text");
    size_t start = text->length;
    if (view->frame_count > 0) {
        dj_terminal_write_exact_histogram(&out, view);
    } else {
        dj_terminal_write_hwui_histogram(&out, view);
    }
    dj_terminal_remove_blanks(text, start);
    dj_text_add(text, "```\n");
}

static void write_findings(struct dj_text *text, const struct dj_view *view)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    size_t count =
        view->findings == NULL ? 0 : dj_frame_findings_sort(view->findings, order);
    for (size_t i = 0; i < count; i++) {
        struct dj_text sentence = {0};
        dj_notes_describe_finding(view, order[i], &sentence);
        dj_text_add(text, i == 0 ? "\nFindings, the gravest first:\n\n1. " : "1. ");
        dj_markdown_escape_and_finish(text, &sentence);
        dj_text_add(text, " ");
        dj_markdown_escape(text, dj_frame_finding_get_text(order[i])->look_at);
        dj_text_add(text, "\n");
    }
}

static void write_worst(struct dj_text *text, const struct dj_view *view)
{
    size_t longest[DJ_LONGEST_FRAMES];
    size_t count = dj_view_find_longest(view, longest);
    if (count == 0) {
        return;
    }
    dj_text_add(text, "\n| Slowest: row | at | frame time | of the interval | "
                      "longest stage | |\n|---:|---:|---:|---:|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        const struct dj_view_frame *frame = &view->frames[longest[i]];
        enum dj_stage stage = dj_view_get_longest_stage(&frame->stages);
        dj_text_format(text, "| %zu | %.3f s | %.2f ms | %.1f × |", frame->row,
                       (double)frame->at_ns / 1e9, dj_units_ms(frame->frame_time_ns),
                       (double)frame->frame_time_ns / (double)view->interval_ns);
        if (stage != DJ_STAGE_COUNT) {
            dj_text_format(text, " %s (%.2f ms)", dj_frame_stage_name(stage),
                           dj_units_ms(frame->stages.ns[stage]));
        }
        dj_text_format(text, " | %s |\n", frame->janky ? "janky" : "");
    }
}

static void write_view(struct dj_text *text, const struct dj_view *view)
{
    struct dj_text note = {0};
    size_t at = 0;
    write_head(text, view);
    write_figures(text, view);
    write_histogram(text, view);
    write_findings(text, view);
    write_worst(text, view);
    dj_text_add(text, "\n");
    while (dj_notes_get_next(view, &at, &note)) {
        dj_text_add(text, "* ");
        dj_markdown_escape(text, dj_xtext(&note));
        dj_text_add(text, "\n");
    }
}

void dj_report_write_markdown(struct dj_text *text, const struct dj_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        write_view(text, &views->view[i]);
        dj_text_add(text, "\n");
    }
    dj_text_add(text, "Made by dejank " DEJANK_VERSION ".\n");
}
