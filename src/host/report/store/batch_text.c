#include "report/stored_batch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "report/moment.h"
#include "report/terminal/table.h"

/* What people look at first, and how it is written. */
static const struct figure {
    const char *title;
    enum dj_metric metric;
    double unit;
    int decimals;
    const char *substitute; /* title of dj_metrics_substitute() */
} figures[] = {
    {"frames", DJ_METRIC_FRAMES, 1, 0, NULL},
    {"p50 ms", DJ_METRIC_FRAME_TIME_P50, 1e6, 2, "p50 guide_total ms"},
    {"p90 ms", DJ_METRIC_FRAME_TIME_P90, 1e6, 2, "p90 guide_total ms"},
    {"p95 ms", DJ_METRIC_FRAME_TIME_P95, 1e6, 2, "p95 guide_total ms"},
    {"p99 ms", DJ_METRIC_FRAME_TIME_P99, 1e6, 2, "p99 guide_total ms"},
    {"janky %", DJ_METRIC_JANKY_PCT, 1, 2, NULL},
    {"fps", DJ_METRIC_FRAME_RATE, 1, 1, NULL},
};
enum { FIGURES = COUNT_OF(figures) };

/* For runs without rows, the printed percentiles replace those of the rows, in whole ms.
 */
static const struct {
    enum dj_metric exact, printed;
} printed[] = {
    {DJ_METRIC_FRAME_TIME_P50, DJ_METRIC_HWUI_P50},
    {DJ_METRIC_FRAME_TIME_P90, DJ_METRIC_HWUI_P90},
    {DJ_METRIC_FRAME_TIME_P95, DJ_METRIC_HWUI_P95},
    {DJ_METRIC_FRAME_TIME_P99, DJ_METRIC_HWUI_P99},
};

/* ---- the facts ---- */

static void put_name(struct dj_text *text, const char *before, const char *name)
{
    dj_text_append_any_name(text, before, name, "");
}

static void put_facts(const struct dj_loaded_batch *loaded, struct dj_text *text)
{
    for (size_t i = 0; i < loaded->fact_count; i++) {
        put_name(text, i == 0 ? "\n           " : ", ", loaded->facts[i].name);
        put_name(text, " ", loaded->facts[i].value);
        put_name(text, " ", loaded->facts[i].unit);
    }
}

static void put_batch(const struct dj_loaded_batch *loaded, struct dj_text *text)
{
    const struct dj_batch_row *batch = &loaded->batch;
    char began[DJ_MOMENT];
    dj_report_moment(batch->began_unix_ms, began);
    put_name(text, "batch      ", batch->id);
    put_name(text, ", ", batch->name);
    if (batch->group != NULL) {
        put_name(text, ", arm ", batch->arm != NULL ? batch->arm : "");
    }
    put_name(text, "\nproject    ", batch->project);
    put_name(text, ", version ", batch->version);
    put_name(text, ", commit ", batch->commit);
    put_name(text, ", build ", batch->label);
    put_name(text, "\ndevice     ", batch->serial);
    bool same = batch->model != NULL && strcmp(batch->model, batch->serial) == 0;
    put_name(text, ", ", same ? NULL : batch->model);
    put_name(text, ", release ", batch->release);
    put_facts(loaded, text);
    dj_text_format(text, "\nbegan      %s, by dejank ", began);
    put_name(text, "", batch->dejank);
    put_name(text, "\nrepeats    ", batch->repeats);
    put_name(text, "\nexcluded   ", batch->excluded);
    dj_text_format(text, "\nruns       %" PRId64 " %s", batch->runs.clean,
                   batch->runs.disturbed > 0 ? "counted" : "clean");
    if (batch->runs.planned > 0) {
        dj_text_format(text, " of %" PRId64 " planned", batch->runs.planned);
    }
    if (batch->runs.disturbed > 0) {
        dj_text_format(text, ", %" PRId64 " of them disturbed", batch->runs.disturbed);
    }
    dj_text_format(text,
                   ", %" PRId64 " failed, %" PRId64 " excluded, %" PRId64 " warm-up\n",
                   batch->runs.failed, batch->runs.excluded, batch->runs.warmups);
}

/* ---- the runs ---- */

static void add_value(struct dj_text_table *table, const struct figure *figure,
                      double value)
{
    if (isnan(value)) {
        dj_table_add(table, NULL);
    } else {
        dj_table_format(table, "%.*f", figure->decimals, value / figure->unit);
    }
}

static void add_figure(struct dj_text_table *table, const struct figure *figure,
                       enum dj_metric metric, const struct dj_metrics *metrics)
{
    double value = metrics->value[metric];
    for (size_t i = 0; i < COUNT_OF(printed) && isnan(value); i++) {
        double whole_ms = metrics->value[printed[i].printed];
        if (printed[i].exact == figure->metric && !isnan(whole_ms)) {
            dj_table_format(table, "%.0f", whole_ms);
            return;
        }
    }
    add_value(table, figure, value);
}

static int put_condition(void *user, const struct dj_condition_row *row)
{
    struct dj_text *text = user;
    const struct dj_condition *condition = &row->condition;
    if (row->after) {
        return 0;
    }
    dj_text_format(text, "%s%s ", text->length > 0 ? ", " : "", condition->name);
    if (!isnan(condition->value)) {
        dj_text_format(text, "%.15g", condition->value);
    } else {
        dj_text_add(text, condition->text != NULL ? condition->text : "unknown");
    }
    if (condition->unit != NULL) {
        dj_text_format(text, " %s", condition->unit);
    }
    return 0;
}

/* Why it does not count comes first. */
static void add_remark(struct dj_text_table *table, const struct dj_run_row *run,
                       const struct dj_text *conditions)
{
    struct dj_text remark = {0};
    if (run->excluded != NULL) {
        dj_text_format(&remark, "%s; ", run->excluded);
    } else if (run->reason != NULL) {
        dj_text_format(&remark, "%s; ", run->reason);
    }
    dj_text_add(&remark, dj_xtext(conditions));
    dj_table_add(table, dj_xtext(&remark));
    dj_text_finish(&remark);
}

static int add_run(struct dj_store *history, const struct dj_run_row *run,
                   const struct dj_known_metrics *known, struct dj_text_table *table,
                   struct dj_error *err)
{
    struct dj_text conditions = {0};
    char attempt[32] = "";
    if (run->attempt > 1) {
        snprintf(attempt, sizeof(attempt), ".%" PRId64, run->attempt);
    }
    dj_table_format(table, "%s%" PRId64 "%s", run->warmup ? "w" : "", run->number,
                    attempt);
    dj_table_format(table, "%s%s", dj_facts_outcome_name(run->outcome),
                    run->excluded != NULL ? ", excluded" : "");
    for (size_t i = 0; i < FIGURES; i++) {
        add_figure(table, &figures[i], dj_metrics_choose(figures[i].metric, known),
                   &run->metrics);
    }
    int code =
        dj_store_read_conditions(history, run->key, put_condition, &conditions, err);
    add_remark(table, run, &conditions);
    dj_text_finish(&conditions);
    return code;
}

static int put_runs(struct dj_store *history, const struct dj_loaded_batch *loaded,
                    const struct dj_known_metrics *known, struct dj_text *text,
                    struct dj_error *err)
{
    struct dj_text_table_column columns[FIGURES + 3] = {{"run", true},
                                                        {"outcome", false}};
    struct dj_text_table table;
    int code = 0;
    for (size_t i = 0; i < FIGURES; i++) {
        columns[i + 2] = (struct dj_text_table_column){figures[i].title, true};
    }
    columns[FIGURES + 2] =
        (struct dj_text_table_column){"remarks, conditions before", false};
    dj_table_init(&table, columns, FIGURES + 3);
    for (size_t i = 0; i < loaded->run_count && code == 0; i++) {
        code = add_run(history, &loaded->runs[i], known, &table, err);
    }
    dj_text_add(text, "\n");
    if (dj_metrics_choose(DJ_METRIC_FRAME_TIME_P95, known) != DJ_METRIC_FRAME_TIME_P95) {
        dj_text_add(text, "These runs record no frame time. p50 to p99 are "
                          "percentiles of guide_total.\n\n");
    }
    dj_table_append(&table, "", text);
    dj_table_finish(&table);
    return code;
}

/* ---- summary ---- */

static void put_centers(const struct dj_loaded_batch *loaded,
                        const struct dj_known_metrics *known, struct dj_text *text)
{
    static const struct dj_text_table_column columns[] = {{"over the clean runs", false},
                                                          {"mean", true},
                                                          {"median", true},
                                                          {"sd", true},
                                                          {"min", true},
                                                          {"max", true},
                                                          {"runs", true}};
    struct dj_text_table table;
    dj_table_init(&table, columns, COUNT_OF(columns));
    for (size_t i = 0; i < FIGURES; i++) {
        struct dj_center center;
        enum dj_metric metric = dj_metrics_choose(figures[i].metric, known);
        dj_store_compute_center(loaded->runs, loaded->run_count, metric, &center);
        if (center.count == 0) {
            continue;
        }
        dj_table_add(&table, metric == figures[i].metric ? figures[i].title
                                                         : figures[i].substitute);
        add_value(&table, &figures[i], center.mean);
        add_value(&table, &figures[i], center.median);
        add_value(&table, &figures[i], center.sd);
        add_value(&table, &figures[i], center.min);
        add_value(&table, &figures[i], center.max);
        dj_table_format(&table, "%zu", center.count);
    }
    dj_text_add(text, "\n");
    dj_table_append(&table, "", text);
    dj_table_finish(&table);
}

int dj_report_stored_batch_text(struct dj_store *history,
                                const struct dj_loaded_batch *loaded,
                                struct dj_text *text, struct dj_error *err)
{
    put_batch(loaded, text);
    if (loaded->run_count == 0) {
        dj_text_add(text, "\nNo run is finished.\n");
        return 0;
    }
    struct dj_known_metrics known = {0};
    for (size_t i = 0; i < loaded->run_count; i++) {
        dj_metrics_known_add(&known, &loaded->runs[i].metrics);
    }
    int code = put_runs(history, loaded, &known, text, err);
    if (code == 0 && loaded->batch.runs.clean > 0) {
        put_centers(loaded, &known, text);
    } else if (code == 0) {
        dj_text_add(text, "\nNo run counts: there is nothing to say of smoothness.\n");
    }
    return code;
}
