/* Adds a view to a document: six figures, one histogram, the stages, the findings, and as
 * details all other figures and charts. */
#include "report/view/document.h"

#include <string.h>

#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/view/figures.h"
#include "report/view/notes.h"

/* The number of findings with advice in the main part. The advice on other findings is in
 * the details. */
enum { ADVICE_MAX = 3 };

static bool is_zero(const struct dj_figure *figure)
{
    bool zero = false;
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        const char *cell = figure->cell[i];
        if (cell[0] != '\0' && strcmp(cell, "0") != 0) {
            return false;
        }
        zero = zero || cell[0] != '\0';
    }
    return zero;
}

static void begin_figures(struct dj_document *document, const struct dj_figures *figures)
{
    struct dj_table_column columns[DJ_FIGURE_COLUMNS + 1] = {
        {"figure", NULL, false, NULL}};
    size_t count = 1;
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        if (figures->has[i]) {
            columns[count++] = (struct dj_table_column){
                dj_figures_get_column_name((enum dj_figure_column)i), NULL, true, NULL};
        }
    }
    dj_document_begin_table(document, columns, count);
}

static void add_figure(struct dj_document *document, const struct dj_figures *figures,
                       const struct dj_figure *figure)
{
    dj_cell_format(dj_document_add_cell(document), "%s", figure->name);
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        if (figures->has[i]) {
            dj_cell_format(dj_document_add_cell(document), "%s", figure->cell[i]);
        }
    }
}

static void add_main_figures(struct dj_document *document,
                             const struct dj_figures *figures)
{
    begin_figures(document, figures);
    for (size_t i = 0; i < figures->count; i++) {
        if (figures->row[i].is_headline) {
            add_figure(document, figures, &figures->row[i]);
        }
    }
}

/* Explains the counter of input latency, because it can exceed the number of frames
 * although the verdict is SMOOTH. */
static void explain_input_latency(struct dj_document *document,
                                  const struct dj_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct dj_figure *figure = &figures->row[i];
        if (strstr(figure->name, "High input latency") != NULL && !is_zero(figure)) {
            struct dj_text words = {0};
            dj_text_add(&words, "High input latency does not make a frame janky. hwui "
                                "may count a frame twice, and from Android 12 on even a "
                                "perfect run counts every frame.");
            dj_document_add_paragraph(document, &words);
        }
    }
}

static void add_other_figures(struct dj_document *document,
                              const struct dj_figures *figures)
{
    struct dj_text zeros = {0};
    begin_figures(document, figures);
    for (size_t i = 0; i < figures->count; i++) {
        if (!figures->row[i].is_headline && !is_zero(&figures->row[i])) {
            add_figure(document, figures, &figures->row[i]);
        }
    }
    for (size_t i = 0; i < figures->count; i++) {
        if (!figures->row[i].is_headline && is_zero(&figures->row[i])) {
            dj_text_add(&zeros, zeros.length > 0 ? ", " : "Zero: ");
            dj_text_add(&zeros, figures->row[i].name);
        }
    }
    if (zeros.length > 0) {
        dj_text_add(&zeros, ".");
        dj_document_add_paragraph(document, &zeros);
    }
    explain_input_latency(document, figures);
}

static const struct dj_spread *get_spread(const void *record)
{
    return record;
}

static void get_p50(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_spread(record)->p50_ns / 1e6, 2);
}

static void get_p90(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_spread(record)->p90_ns / 1e6, 2);
}

static void get_p95(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_spread(record)->p95_ns / 1e6, 2);
}

static void get_p99(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_spread(record)->p99_ns / 1e6, 2);
}

static void get_max(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, dj_units_ms(get_spread(record)->max_ns), 2);
}

static void get_mean(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_spread(record)->mean_ns / 1e6, 2);
}

static void get_sum(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, dj_units_ms(get_spread(record)->total_ns), 2);
}

static const struct dj_table_column stage_columns[] = {
    {"p50", "ms", true, get_p50}, {"p90", NULL, true, get_p90},
    {"p95", NULL, true, get_p95}, {"p99", NULL, true, get_p99},
    {"max", NULL, true, get_max}, {"mean", NULL, true, get_mean},
    {"sum", NULL, true, get_sum},
};

static void add_stages(struct dj_document *document, const struct dj_view *view)
{
    struct dj_table_column columns[COUNT_OF(stage_columns) + 1] = {
        {"stage", NULL, false, NULL}};
    if (view->stages_known == 0) {
        return;
    }
    memcpy(columns + 1, stage_columns, sizeof(stage_columns));
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        const struct dj_spread *spread = &view->summary.stage[i];
        if (spread->count == 0) {
            continue;
        }
        dj_cell_format(dj_document_add_cell(document), "%s",
                       dj_frame_stage_name((enum dj_stage)i));
        for (size_t k = 0; k < COUNT_OF(stage_columns); k++) {
            stage_columns[k].get(dj_document_add_cell(document), spread);
        }
    }
}

/* Lists the rules without a finding. With `measured`, lists the rules that found nothing.
 * Otherwise lists the rules that the rows cannot measure, because an unknown result is
 * not a good result. */
static void add_rules(struct dj_document *document, const struct dj_findings *findings,
                      const char *before, bool measured)
{
    struct dj_text words = {0};
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        const struct dj_finding *finding = &findings->of[i];
        if (finding->frames == 0 && (finding->measured_frames > 0) == measured) {
            dj_text_add(&words, words.length > 0 ? ", " : before);
            dj_text_add(&words, dj_frame_finding_get_text((enum dj_finding_id)i)->title);
        }
    }
    if (words.length > 0) {
        dj_text_add(&words, ".");
        dj_document_add_paragraph(document, &words);
    }
}

static void add_finding(struct dj_document *document, const struct dj_view *view,
                        enum dj_finding_id id, bool with_advice)
{
    struct dj_text words = {0};
    dj_notes_describe_finding(view, id, &words);
    if (with_advice) {
        dj_text_format(&words, " %s", dj_frame_finding_get_text(id)->look_at);
    }
    dj_document_add_note(document, DJ_TONE_PLAIN, &words);
}

/* Adds only the most severe findings, for a picture. */
static void add_top_findings(struct dj_document *document, const struct dj_view *view)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    size_t found =
        view->findings == NULL ? 0 : dj_frame_findings_sort(view->findings, order);
    for (size_t i = 0; i < found && i < ADVICE_MAX; i++) {
        add_finding(document, view, order[i], true);
    }
}

static void add_findings(struct dj_document *document, const struct dj_view *view)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    const struct dj_findings *findings = view->findings;
    if (findings == NULL || view->summary.usable == 0) {
        return;
    }
    size_t found = dj_frame_findings_sort(findings, order);
    dj_document_add_heading(document, 3,
                            found > 0 ? "Findings, most severe first" : "Findings: none");
    for (size_t i = 0; i < found; i++) {
        add_finding(document, view, order[i], i < ADVICE_MAX);
    }
    add_rules(document, findings, "Checked and fine: ", true);
    add_rules(document, findings, "Could not check: ", false);
}

/* A finding's measurement and advice, for the details. */
struct finding_row {
    const struct dj_frame_finding_rule *rule;
    const struct dj_finding *finding;
    const struct dj_frame_finding_text *text;
};

static void get_title(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct finding_row *)record)->text->title);
}

static void get_advice(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct finding_row *)record)->text->look_at);
}

static void get_limit(struct dj_cell *cell, const void *record)
{
    int64_t limit_ns = ((const struct finding_row *)record)->finding->limit_ns;
    if (limit_ns > 0) {
        dj_cell_format(cell, "%.4g", dj_units_ms(limit_ns));
    }
}

static void get_span(struct dj_cell *cell, const void *record)
{
    const struct dj_frame_finding_rule *rule = ((const struct finding_row *)record)->rule;
    dj_cell_format(cell, "%s", dj_frame_column_name(rule->start));
    if (rule->end != rule->start) {
        dj_cell_format(cell, " → %s", dj_frame_column_name(rule->end));
    }
}

static const struct dj_table_column finding_columns[] = {
    {"finding", NULL, false, get_title},
    {"limit", "ms", true, get_limit},
    {"measured", NULL, false, get_span},
    {"advice", NULL, false, get_advice},
};

static void add_measurements(struct dj_document *document, const struct dj_view *view)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    size_t found =
        view->findings == NULL ? 0 : dj_frame_findings_sort(view->findings, order);
    dj_document_begin_table(document, finding_columns, COUNT_OF(finding_columns));
    for (size_t i = 0; i < found; i++) {
        dj_document_add_row(document,
                            &(struct finding_row){dj_frame_finding_rule(order[i]),
                                                  &view->findings->of[order[i]],
                                                  dj_frame_finding_get_text(order[i])});
    }
}

struct frame_row {
    const struct dj_view *view;
    const struct dj_view_frame *frame;
};

static const struct dj_view_frame *get_frame(const void *record)
{
    return ((const struct frame_row *)record)->frame;
}

static void get_row(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_frame(record)->row);
}

static void get_at(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, dj_units_ms(get_frame(record)->at_ns) / 1e3, 3);
}

static void get_time(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, dj_units_ms(get_frame(record)->frame_time_ns), 2);
}

static void get_intervals(struct dj_cell *cell, const void *record)
{
    const struct frame_row *row = record;
    dj_cell_set_number(
        cell, (double)row->frame->frame_time_ns / (double)row->view->interval_ns, 1);
}

static void get_longest_stage(struct dj_cell *cell, const void *record)
{
    const struct dj_view_frame *frame = get_frame(record);
    enum dj_stage stage = dj_view_get_longest_stage(&frame->stages);
    if (stage < DJ_STAGE_COUNT) {
        dj_cell_format(cell, "%s %.2f" DJ_NBSP "ms", dj_frame_stage_name(stage),
                       dj_units_ms(frame->stages.ns[stage]));
    }
}

static void get_janky(struct dj_cell *cell, const void *record)
{
    bool janky = get_frame(record)->janky;
    cell->tone = janky ? DJ_TONE_BAD : DJ_TONE_PLAIN;
    dj_cell_format(cell, "%s", janky ? "janky" : "in time");
}

static const struct dj_table_column frame_columns[] = {
    {"row", NULL, true, get_row},
    {"at", "s", true, get_at},
    {"time", "ms", true, get_time},
    {"intervals", NULL, true, get_intervals},
    {"longest stage", NULL, false, get_longest_stage},
    {"", NULL, false, get_janky},
};

static void add_longest(struct dj_document *document, const struct dj_view *view)
{
    size_t longest[DJ_LONGEST_FRAMES];
    size_t count = dj_view_find_longest(view, longest);
    dj_document_begin_table(document, frame_columns, COUNT_OF(frame_columns));
    for (size_t i = 0; i < count; i++) {
        dj_document_add_row(document,
                            &(struct frame_row){view, &view->frames[longest[i]]});
    }
}

static void add_stage_chart(struct dj_document *document, const struct dj_view *view)
{
    dj_view_add_stage_chart(document, view, false);
}

static void add_profile_chart(struct dj_document *document, const struct dj_view *view)
{
    dj_view_add_profile_chart(document, view, false);
}

static void add_longest_frames(struct dj_document *document, const struct dj_view *view)
{
    add_longest(document, view);
    dj_view_add_worst_chart(document, view);
}

/* The details of a view, which follow its main figures. */
static const struct {
    const char *title;
    bool folded;
    bool needs_frames;
    void (*add)(struct dj_document *document, const struct dj_view *view);
} details[] = {
    {"longest frames", false, true, add_longest_frames},
    {"how findings are measured", true, true, add_measurements},
    {"stages of each frame", false, true, add_stage_chart},
    {"simple dump", false, false, add_profile_chart},
};

static void add_hwui_histogram(struct dj_document *document, const struct dj_view *view)
{
    static const char title[] = "hwui's histogram";
    if (document->is_brief) {
        dj_document_omit_details(document, title);
        return;
    }
    dj_document_begin_details(document, title, true);
    dj_view_add_hwui_histogram(document, view, false);
    dj_document_end_details(document);
}

static void add_details(struct dj_document *document, const struct dj_view *view,
                        const struct dj_figures *figures, bool with_counts)
{
    static const char others[] = "other figures and counters";
    if (document->is_brief && figures->count > 0) {
        dj_document_omit_details(document, others);
    } else {
        dj_document_begin_details(document, others, true);
        add_other_figures(document, figures);
        dj_document_end_details(document);
    }
    for (size_t i = 0; i < COUNT_OF(details); i++) {
        /* Without frame figures, the simple dump is the main chart and not a detail. */
        bool has = details[i].needs_frames
                       ? view->frame_count > 0
                       : dj_view_has_profile(view) && figures->count > 0;
        if (has && document->is_brief) {
            dj_document_omit_details(document, details[i].title);
        } else if (has) {
            dj_document_begin_details(document, details[i].title, details[i].folded);
            details[i].add(document, view);
            dj_document_end_details(document);
        }
    }
    if (with_counts && view->frame_count > 0 &&
        dj_view_count_hwui_frames(view) > view->frame_count) {
        add_hwui_histogram(document, view);
    }
}

void dj_view_add_figures(struct dj_document *document, const struct dj_view *view,
                         bool with_counts)
{
    struct dj_figures figures = dj_figures_compute(view);
    if (figures.count == 0) {
        dj_view_add_profile_chart(document, view, false);
    } else {
        struct dj_text words = {0};
        add_main_figures(document, &figures);
        dj_text_add(&words, dj_figures_explain(view));
        dj_document_add_paragraph(document, &words);
    }
    if (view->frame_count > 0) {
        dj_view_add_exact_histogram(document, view, false);
    } else if (with_counts) {
        dj_view_add_hwui_histogram(document, view, false);
    }
    add_stages(document, view);
    add_findings(document, view);
    add_details(document, view, &figures, with_counts);
}

void dj_view_add_picture(struct dj_document *document, const struct dj_view *view)
{
    struct dj_figures figures = dj_figures_compute(view);
    if (figures.count > 0) {
        add_main_figures(document, &figures);
    }
    add_top_findings(document, view);
    dj_view_add_worst_chart(document, view);
    dj_view_add_exact_histogram(document, view, true);
    dj_view_add_hwui_histogram(document, view, true);
    dj_view_add_stage_chart(document, view, true);
    dj_view_add_profile_chart(document, view, true);
}

void dj_view_add_notes(struct dj_document *document, const struct dj_view *view)
{
    struct dj_text note = {0};
    size_t at = 0;
    for (bool any = false; dj_notes_get_next(view, &at, &note); any = true) {
        if (!any) {
            dj_document_add_heading(document, 3, "About this data");
        }
        dj_document_add_note(document, DJ_TONE_PLAIN, &note);
    }
}
