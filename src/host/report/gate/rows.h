/* The rows of the gate's tables: the result for each metric and objective of each flow
 * and device. */
#ifndef DEJANK_REPORT_GATE_ROWS_H
#define DEJANK_REPORT_GATE_ROWS_H

#include "report/gate.h"

/* The result of a gate for a figure, most important first. */
enum dj_gate_row_state {
    DJ_GATE_ROW_FAILED,
    DJ_GATE_ROW_NOT_MEASURED,
    DJ_GATE_ROW_UNDECIDED,
    DJ_GATE_ROW_NOT_DUE,
    DJ_GATE_ROW_PASSED,
    DJ_GATE_ROW_STATES
};

/* A row of a table: a metric, an objective, or a pair of flow and device that was not
 * measured. */
struct dj_gate_row {
    enum dj_gate_row_state state;
    const struct dj_gate_cell *cell;
    /* The metric of the row, or NULL for another kind of row. */
    const struct dj_comparison_metric *metric;
    const struct dj_gate_objective *objective;
};

struct dj_gate_rows {
    struct dj_gate_row *row;
    size_t count;
    size_t states[DJ_GATE_ROW_STATES];
};

/* Appends the rows of all cells. Initialise `rows` with zeros; the caller frees
 * rows->row.
 */
void dj_report_collect_gate_rows(struct dj_gate_rows *rows, const struct dj_gate *gate);

enum dj_tone dj_report_get_gate_row_tone(const struct dj_gate_row *row);

/* Returns the first row of the most important state, or NULL if there is no row. */
const struct dj_gate_row *dj_report_find_gate_reason(const struct dj_gate_rows *rows);

/* The following functions append text, and escape the names in it. */

/* Appends the flow and the device: "scroll on serial-1". */
void dj_report_write_gate_place(struct dj_text *text, const struct dj_gate_cell *cell);
/* Appends the change of a metric: "+14.1 % (+9.6 … +19 %)", or "unknown". */
void dj_report_write_gate_change(struct dj_text *text, const struct dj_effect *effect);
/* Appends the name of the row: a metric with its unit, such as "p95 frame time, ms", an
 * objective, or the name of something that was not measured. */
void dj_report_write_gate_row_name(struct dj_text *text, const struct dj_gate_row *row);
/* Appends the state of the row, such as "likely regression", "missed, not due yet" or
 * "not measured". */
void dj_report_write_gate_row_state(struct dj_text *text, const struct dj_gate_row *row);
/* Replaces the text with the answer of the gate and its reason, in one line of at most 80
 * columns. */
void dj_report_describe_gate(struct dj_text *text, const struct dj_gate *gate,
                             const struct dj_gate_rows *rows);

/* Adds a table of metrics and a table of objectives. If there are many rows, the tables
 * omit the rows that pass. */
void dj_report_add_gate_tables(struct dj_document *document, const struct dj_gate *gate,
                               const struct dj_gate_rows *rows);
/* Adds the chart with the change of each metric. */
void dj_report_add_gate_chart(struct dj_document *document, const struct dj_gate *gate,
                              const struct dj_gate_rows *rows);
/* Add the figures of both builds, and the runs, margins and levels of the tests. */
void dj_report_add_gate_figures(struct dj_document *document,
                                const struct dj_gate_rows *rows);
void dj_report_add_gate_certainty(struct dj_document *document,
                                  const struct dj_gate_rows *rows);

#endif
