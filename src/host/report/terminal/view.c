#include "report/terminal.h"

#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/terminal/sections.h"
#include "report/view/figures.h"
#include "report/view/notes.h"

/* A terminal with TABLE_COLUMNS or more gets a table with a column per source, with
 * LIST_COLUMNS or more a sentence per figure, and below that a line per value. */
enum { TABLE_COLUMNS = 76, LIST_COLUMNS = 40, CELL_COLUMNS = 15, NAME_COLUMNS = 38 };

static void print_table(struct dj_terminal *out, const struct dj_figures *figures)
{
    int available = out->style.width - DJ_FIGURE_COLUMNS * CELL_COLUMNS;
    int names = available < NAME_COLUMNS ? available : NAME_COLUMNS;
    dj_terminal_set_color(out, DJ_COLOR_MUTED);
    dj_text_format(out->text, "%*s", names, "");
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        if (figures->has[i]) {
            dj_text_format(out->text, "%*s", CELL_COLUMNS,
                           dj_figures_get_column_name((enum dj_figure_column)i));
        }
    }
    dj_terminal_set_color(out, DJ_COLOR_NONE);
    dj_text_add(out->text, "\n");
    for (size_t i = 0; i < figures->count; i++) {
        const struct dj_figure *row = &figures->row[i];
        dj_text_format(out->text, "%-*.*s", names, names, row->name);
        for (size_t k = 0; k < DJ_FIGURE_COLUMNS; k++) {
            if (figures->has[k]) {
                dj_text_format(out->text, "%*s", CELL_COLUMNS, row->cell[k]);
            }
        }
        dj_text_add(out->text, "\n");
    }
}

/* Keeps a value and its unit on one line. */
static void append_cell(struct dj_text *line, const char *cell)
{
    for (; *cell != '\0'; cell++) {
        dj_text_append(line, *cell == ' ' ? DJ_GLUE : cell, 1);
    }
}

/* "Janky frames: hwui 14 (11.67%), exact 14 (11.67%)" */
static void print_sentence(struct dj_terminal *out, const struct dj_figure *row)
{
    struct dj_text line = {0};
    const char *before = ": ";
    dj_text_add(&line, row->name);
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        if (row->cell[i][0] != '\0') {
            dj_text_format(&line, "%s%s" DJ_GLUE, before,
                           dj_figures_get_column_name((enum dj_figure_column)i));
            append_cell(&line, row->cell[i]);
            before = ", ";
        }
    }
    dj_terminal_wrap_and_finish(out, "", "  ", &line);
}

static void print_values(struct dj_terminal *out, const struct dj_figure *row)
{
    dj_terminal_wrap(out, "", "", row->name);
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        if (row->cell[i][0] != '\0') {
            struct dj_text line = {0};
            dj_text_format(&line, "%s ",
                           dj_figures_get_column_name((enum dj_figure_column)i));
            append_cell(&line, row->cell[i]);
            dj_terminal_wrap_and_finish(out, " ", "   ", &line);
        }
    }
}

void dj_terminal_write_figures(struct dj_terminal *out, const struct dj_view *view)
{
    struct dj_figures figures = dj_figures_compute(view);
    if (figures.count == 0) {
        return;
    }
    dj_terminal_write_heading(out, "Figures");
    if (out->style.width >= TABLE_COLUMNS) {
        print_table(out, &figures);
    }
    for (size_t i = 0; i < figures.count && out->style.width < TABLE_COLUMNS; i++) {
        (out->style.width >= LIST_COLUMNS ? print_sentence
                                          : print_values)(out, &figures.row[i]);
    }
    dj_terminal_wrap(out, "", "", dj_figures_explain(view));
}

/* Names the rules without a finding, either those that the rows can show or those that
 * they cannot: unknown is not the same as in order. */
static void print_rules_without_finding(struct dj_terminal *out,
                                        const struct dj_findings *findings,
                                        const char *before, bool measured)
{
    struct dj_text line = {0};
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        const struct dj_finding *finding = &findings->of[i];
        if (finding->frames == 0 && (finding->measured_frames > 0) == measured) {
            dj_text_add(&line, line.length > 0 ? ", " : before);
            dj_text_add(&line, dj_frame_finding_rule((enum dj_finding_id)i)->id);
        }
    }
    if (line.length > 0) {
        dj_text_add(&line, ".");
        dj_terminal_wrap_and_finish(out, "", "  ", &line);
    }
}

void dj_terminal_write_findings(struct dj_terminal *out, const struct dj_view *view)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    const struct dj_findings *findings = view->findings;
    if (findings == NULL || view->summary.usable == 0) {
        return;
    }
    size_t found = dj_frame_findings_sort(findings, order);
    dj_terminal_write_heading(out, "Findings (the guide's advice per column)");
    for (size_t i = 0; i < found; i++) {
        struct dj_text sentence = {0};
        dj_notes_describe_finding(view, order[i], &sentence);
        dj_terminal_wrap_and_finish(out, dj_terminal_choose_glyph(out, "• ", "* "), "  ",
                                    &sentence);
        dj_terminal_wrap(out, "  ", "  ", dj_frame_finding_get_text(order[i])->look_at);
    }
    print_rules_without_finding(out, findings, "In order: ", true);
    print_rules_without_finding(out, findings, "Not told by these rows: ", false);
}

static void print_long_frame(struct dj_terminal *out, const struct dj_view *view,
                             const struct dj_view_frame *frame)
{
    enum dj_stage stage = dj_view_get_longest_stage(&frame->stages);
    dj_text_format(out->text, "%8zu %10.3f %10.2f %9.1f", frame->row,
                   dj_units_ms(frame->at_ns) / 1e3, dj_units_ms(frame->frame_time_ns),
                   (double)frame->frame_time_ns / (double)view->interval_ns);
    if (stage < DJ_STAGE_COUNT) {
        dj_text_format(out->text, "   %s %.2f ms", dj_frame_stage_name(stage),
                       dj_units_ms(frame->stages.ns[stage]));
    }
    dj_text_add(out->text, frame->janky ? ", janky\n" : "\n");
}

void dj_terminal_write_longest(struct dj_terminal *out, const struct dj_view *view)
{
    size_t longest[DJ_LONGEST_FRAMES];
    size_t count = dj_view_find_longest(view, longest);
    if (count == 0) {
        return;
    }
    dj_terminal_write_heading(out, "Longest frames");
    dj_text_format(out->text, "%8s %10s %10s %9s   %s\n", "row", "at, s", "time, ms",
                   "intervals", "longest stage");
    for (size_t i = 0; i < count; i++) {
        print_long_frame(out, view, &view->frames[longest[i]]);
    }
}

static void print_names(struct dj_terminal *out, const struct dj_view *view,
                        bool new_process)
{
    struct dj_text name = {0};
    if (new_process) {
        dj_name_escape(&name, dj_view_get_process_name(view), !out->style.unicode);
        if (view->process->name != NULL && view->process->pid >= 0) {
            dj_text_format(&name, " (pid %lld)", (long long)view->process->pid);
        }
        dj_terminal_write_heading(out, dj_xtext(&name));
        dj_terminal_write_repeated(out, dj_terminal_choose_glyph(out, "═", "="),
                                   (size_t)out->style.width);
        dj_text_add(out->text, "\n");
        dj_text_finish(&name);
    }
    if (dj_view_get_window_name(view) != NULL) {
        dj_text_add(&name, "Window ");
        dj_name_escape(&name, dj_view_get_window_name(view), !out->style.unicode);
        dj_terminal_wrap_and_finish(out, "", "  ", &name);
    }
}

static void print_view(struct dj_terminal *out, const struct dj_view *view,
                       bool new_process)
{
    struct dj_text verdict = {0};
    struct dj_text note = {0};
    size_t at = 0;
    print_names(out, view, new_process);
    dj_notes_write_verdict(view, &verdict);
    dj_terminal_set_bold(out, true);
    dj_terminal_wrap_and_finish(out, "", "  ", &verdict);
    dj_terminal_set_bold(out, false);
    while (dj_notes_get_next(view, &at, &note)) {
        dj_terminal_wrap(out, dj_terminal_choose_glyph(out, "• ", "* "), "  ",
                         dj_xtext(&note));
    }
    if (dj_view_is_empty(view)) {
        return;
    }
    dj_terminal_write_figures(out, view);
    dj_terminal_write_exact_histogram(out, view);
    dj_terminal_write_hwui_histogram(out, view);
    dj_terminal_write_stages(out, view);
    dj_terminal_write_findings(out, view);
    dj_terminal_write_profile(out, view);
}

void dj_report_write_text(struct dj_text *text, const struct dj_views *views,
                          const struct dj_terminal_style *style)
{
    struct dj_terminal out = dj_terminal_init(text, style);
    size_t start = text->length;
    for (size_t i = 0; i < views->count; i++) {
        bool new_process = i == 0 || views->view[i].process != views->view[i - 1].process;
        if (i > 0 && !new_process) {
            dj_text_add(text, "\n");
        }
        print_view(&out, &views->view[i], new_process);
    }
    dj_terminal_remove_blanks(text, start);
}
