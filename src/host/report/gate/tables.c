/* The tables and the chart of a gate. */
#include <math.h>

#include "memory/memory.h"
#include "report/gate/rows.h"

enum {
    /* If there are more rows, the rows that pass are only in the details. */
    ROWS_MAX = 12,
    FEW_DIGITS_FROM = 1000,
    MEDIUM_DIGITS_FROM = 100
};

static void set_value(struct dj_cell *cell, const struct dj_gate_row *row, double value)
{
    if (row->metric != NULL) {
        double shown = value / row->metric->metric->factor;
        double size = fabs(shown);
        dj_cell_set_number(cell, shown,
                           size >= FEW_DIGITS_FROM      ? 0
                           : size >= MEDIUM_DIGITS_FROM ? 1
                                                        : 2);
    }
}

static void get_place(struct dj_cell *cell, const void *record)
{
    dj_report_write_gate_place(&cell->text, ((const struct dj_gate_row *)record)->cell);
}

static void get_what(struct dj_cell *cell, const void *record)
{
    dj_report_write_gate_row_name(&cell->text, record);
}

static void get_baseline(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    set_value(cell, row, row->metric != NULL ? row->metric->member.effect.a : NAN);
}

static void get_candidate(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    if (row->objective != NULL) {
        dj_gate_objective_format_value(&cell->text, row->objective->objective,
                                       row->objective->result.value);
    } else {
        set_value(cell, row, row->metric != NULL ? row->metric->member.effect.b : NAN);
    }
}

static void get_change(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    if (row->metric != NULL) {
        dj_report_write_gate_change(&cell->text, &row->metric->member.effect);
    }
}

static void get_verdict(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    cell->tone = dj_report_get_gate_row_tone(row);
    dj_report_write_gate_row_state(&cell->text, row);
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    if (row->metric != NULL) {
        dj_cell_format(cell, "%zu vs %zu", row->metric->member.effect.n_a,
                       row->metric->member.effect.n_b);
    } else if (row->objective != NULL) {
        dj_cell_format(cell, "%zu", row->objective->result.runs);
    }
}

static void get_margin(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    if (row->metric != NULL) {
        dj_cell_format(cell, "%g %%", 100 * row->metric->member.effect.margin);
    }
}

static void get_level(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    if (row->metric != NULL && row->metric->member.effect.level > 0) {
        dj_cell_format(cell, "%.4g %%", 100 * row->metric->member.effect.level);
    }
}

static void get_p(struct dj_cell *cell, const void *record)
{
    const struct dj_gate_row *row = record;
    if (row->metric != NULL && !isnan(row->metric->member.adjusted_p)) {
        dj_cell_format(cell, "%.2g", row->metric->member.adjusted_p);
    }
}

static const struct dj_table_column one_cell[] = {
    {"metric", NULL, false, get_what},
    {"baseline", NULL, true, get_baseline},
    {"candidate", NULL, true, get_candidate},
    {"change (interval)", NULL, false, get_change},
    {"verdict", NULL, false, get_verdict},
};

/* The columns for several pairs of flow and device. A line of 80 columns then has no
 * space for the figures of both builds. */
static const struct dj_table_column several_cells[] = {
    {"verdict", NULL, false, get_verdict},
    {"flow", NULL, false, get_place},
    {"metric", NULL, false, get_what},
    {"change (interval)", NULL, false, get_change},
};

static const struct dj_table_column objective_columns[] = {
    {"verdict", NULL, false, get_verdict},
    {"flow", NULL, false, get_place},
    {"value", NULL, true, get_candidate},
    {"objective", NULL, false, get_what},
};

static const struct dj_table_column figure_columns[] = {
    {"flow", NULL, false, get_place},       {"metric", NULL, false, get_what},
    {"baseline", NULL, true, get_baseline}, {"candidate", NULL, true, get_candidate},
    {"verdict", NULL, false, get_verdict},
};

static const struct dj_table_column certainty_columns[] = {
    {"flow", NULL, false, get_place}, {"metric", NULL, false, get_what},
    {"runs", NULL, true, get_runs},   {"margin", NULL, true, get_margin},
    {"level", NULL, true, get_level}, {"adjusted p", NULL, true, get_p},
};

/* Adds the rows of metrics or of objectives. With `only_open`, omits rows that pass. */
static void add_rows(struct dj_document *document, const struct dj_gate_rows *rows,
                     bool objectives, bool only_open)
{
    for (int state = 0; state < DJ_GATE_ROW_STATES; state++) {
        for (size_t i = 0;
             i < rows->count && !(only_open && state >= DJ_GATE_ROW_NOT_DUE); i++) {
            const struct dj_gate_row *row = &rows->row[i];
            bool belongs = objectives ? row->objective != NULL : row->metric != NULL;
            if ((int)row->state == state && belongs) {
                dj_document_add_row(document, row);
            }
        }
    }
}

void dj_report_add_gate_tables(struct dj_document *document, const struct dj_gate *gate,
                               const struct dj_gate_rows *rows)
{
    bool only_open = rows->count > ROWS_MAX;
    bool one = gate->cell_count == 1;
    dj_document_begin_table(document, one ? one_cell : several_cells,
                            one ? COUNT_OF(one_cell) : COUNT_OF(several_cells));
    add_rows(document, rows, false, only_open);
    dj_document_begin_table(document, objective_columns, COUNT_OF(objective_columns));
    add_rows(document, rows, true, only_open);
}

void dj_report_add_gate_figures(struct dj_document *document,
                                const struct dj_gate_rows *rows)
{
    dj_document_begin_table(document, figure_columns, COUNT_OF(figure_columns));
    add_rows(document, rows, false, false);
}

void dj_report_add_gate_certainty(struct dj_document *document,
                                  const struct dj_gate_rows *rows)
{
    dj_document_begin_table(document, certainty_columns, COUNT_OF(certainty_columns));
    add_rows(document, rows, false, false);
}

/* Adds a name to the axis of the chart. If the gate has one pair of flow and device, each
 * metric has its name. Otherwise the first metric of each pair has the name of the pair.
 */
static void add_tick(struct dj_chart *chart, const struct dj_gate_row *row, double x,
                     bool is_first, bool is_only_cell)
{
    struct dj_text name = {0};
    if (is_only_cell) {
        dj_chart_add_tick(chart, x, row->metric->metric->words);
    } else if (is_first) {
        dj_report_write_gate_place(&name, row->cell);
        dj_chart_add_tick(chart, x, dj_xtext(&name));
        dj_text_finish(&name);
    }
}

void dj_report_add_gate_chart(struct dj_document *document, const struct dj_gate *gate,
                              const struct dj_gate_rows *rows)
{
    struct dj_chart *chart = dj_chart_create("Change against the baseline");
    const struct dj_gate_cell *last = NULL;
    double x = 0;
    bool one = gate->cell_count == 1;
    dj_chart_set_x(chart, one ? "metric" : "flow and device", "");
    dj_chart_set_y(chart, "change", "%", true);
    dj_chart_add_series(chart, "change", DJ_MARK_INTERVAL, DJ_ROLE_FIRST);
    dj_chart_add_threshold(chart, false, 0, DJ_ROLE_MUTED, "no change");
    for (size_t i = 0; i < rows->count; i++) {
        const struct dj_gate_row *row = &rows->row[i];
        const struct dj_effect *effect =
            row->metric != NULL ? &row->metric->member.effect : NULL;
        struct dj_text label = {0};
        if (effect == NULL || !isfinite(effect->ratio)) {
            continue;
        }
        dj_text_format(&label, "%s, ", row->metric->metric->words);
        dj_report_write_gate_place(&label, row->cell);
        dj_text_add(&label, ": ");
        dj_report_write_gate_change(&label, effect);
        add_tick(chart, row, x, row->cell != last, one);
        dj_chart_add_interval(chart, x++, 100 * (effect->ratio - 1),
                              100 * (effect->ci.low - 1), 100 * (effect->ci.high - 1),
                              dj_xtext(&label));
        dj_text_finish(&label);
        last = row->cell;
    }
    dj_document_add_chart(document, chart);
}
