/* Builds the document of `dejank show`: the figures of a batch, and each of its runs. */
#include <inttypes.h>
#include <math.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "report/batches/sections.h"
#include "report/escape/name.h"
#include "report/moment.h"
#include "report/stored_batch.h"

/* The figures in the table of runs, with short names. The table of figures has the long
 * names. */
static const struct {
    const char *label;
    enum dj_metric metric;
    /* Metric of hwui's printed figures. It replaces `metric` in runs without rows. */
    enum dj_metric printed;
} figures[] = {
    {"frames", DJ_METRIC_FRAMES, DJ_METRIC_FRAMES},
    {"p50", DJ_METRIC_FRAME_TIME_P50, DJ_METRIC_HWUI_P50},
    {"p90", DJ_METRIC_FRAME_TIME_P90, DJ_METRIC_HWUI_P90},
    {"p95", DJ_METRIC_FRAME_TIME_P95, DJ_METRIC_HWUI_P95},
    {"p99", DJ_METRIC_FRAME_TIME_P99, DJ_METRIC_HWUI_P99},
    {"janky", DJ_METRIC_JANKY_PCT, DJ_METRIC_JANKY_PCT},
};
enum { FIGURES = COUNT_OF(figures), COLUMNS = FIGURES + 2 };

static const struct dj_batch_figure *find_figure(enum dj_metric metric)
{
    const struct dj_batch_figure *figure = NULL;
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (figure->metric == metric) {
            break;
        }
    }
    return figure;
}

/* Writes the number of a run, and its attempt unless it is the first: "2.3". */
static void write_run_number(struct dj_text *text, const struct dj_run_row *run)
{
    dj_text_format(text, "%" PRId64, run->number);
    if (run->attempt > 1) {
        dj_text_format(text, ".%" PRId64, run->attempt);
    }
}

static void add_run_name(struct dj_document *document, const struct dj_run_row *run)
{
    struct dj_cell *cell = dj_document_add_cell(document);
    dj_text_add(&cell->text, run->warmup ? "warm-up " : "");
    write_run_number(&cell->text, run);
}

static void add_outcome(struct dj_document *document, const struct dj_run_row *run)
{
    struct dj_cell *cell = dj_document_add_cell(document);
    dj_name_write_slug(&cell->text, dj_facts_outcome_name(run->outcome));
    cell->tone = run->outcome == DJ_RUN_OK ? DJ_TONE_PLAIN : DJ_TONE_WARNING;
    if (run->excluded != NULL) {
        dj_cell_format(cell, ", excluded");
        cell->tone = DJ_TONE_MUTED;
    }
}

static void add_run(struct dj_document *document, const struct dj_run_row *run,
                    const struct dj_known_metrics *known)
{
    add_run_name(document, run);
    add_outcome(document, run);
    for (size_t i = 0; i < FIGURES; i++) {
        struct dj_cell *cell = dj_document_add_cell(document);
        enum dj_metric metric = dj_metrics_choose(figures[i].metric, known);
        const struct dj_batch_figure *figure = find_figure(figures[i].metric);
        double value = run->metrics.value[metric] / figure->factor;
        double whole_ms = run->metrics.value[figures[i].printed];
        if (isnan(value) && figures[i].printed != figures[i].metric) {
            dj_cell_set_number(cell, whole_ms, 0);
        } else {
            dj_cell_set_number(cell, value, figure->digits);
        }
    }
}

static void add_runs(struct dj_document *document, const struct dj_loaded_batch *loaded)
{
    struct dj_table_column columns[COLUMNS] = {{"run", NULL, true, NULL},
                                               {"outcome", NULL, false, NULL}};
    struct dj_known_metrics known = {0};
    for (size_t i = 0; i < FIGURES; i++) {
        const char *unit = find_figure(figures[i].metric)->unit;
        columns[i + 2] = (struct dj_table_column){
            figures[i].label, unit[0] != '\0' ? unit : NULL, true, NULL};
    }
    for (size_t i = 0; i < loaded->run_count; i++) {
        dj_metrics_known_add(&known, &loaded->runs[i].metrics);
    }
    dj_document_begin_table(document, columns, COLUMNS);
    for (size_t i = 0; i < loaded->run_count; i++) {
        add_run(document, &loaded->runs[i], &known);
    }
    if (loaded->run_count > 0 &&
        dj_metrics_choose(DJ_METRIC_FRAME_TIME_P95, &known) != DJ_METRIC_FRAME_TIME_P95) {
        struct dj_text words = {0};
        dj_text_add(&words,
                    "No run recorded frame times. p50 to p99 are percentiles of "
                    "guide_total, the time from the intended vsync to the completion.");
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
}

static void add_disturbed(struct dj_document *document,
                          const struct dj_loaded_batch *loaded)
{
    for (size_t i = 0; i < loaded->run_count; i++) {
        const struct dj_run_row *run = &loaded->runs[i];
        struct dj_text words = {0};
        if (dj_store_run_counts(run) && run->reason != NULL) {
            dj_text_add(&words, "run ");
            write_run_number(&words, run);
            dj_text_format(&words, " counts, but was disturbed: %s", run->reason);
            dj_document_add_note(document, DJ_TONE_WARNING, &words);
        }
    }
}

static int write_condition(void *user, const struct dj_condition_row *row)
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

/* Adds the conditions of the runs and their frame rates, for which the table of runs has
 * no space. */
static int add_conditions(struct dj_document *document, struct dj_store *history,
                          const struct dj_loaded_batch *loaded, struct dj_error *err)
{
    static const struct dj_table_column columns[] = {
        {"run", NULL, true, NULL},
        {"frame rate", "Hz", true, NULL},
        {"conditions before the run", NULL, false, NULL}};
    struct dj_text words = {0};
    int code = 0;
    dj_document_begin_details(document, "conditions of each run", true);
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (size_t i = 0; i < loaded->run_count && code == 0; i++) {
        const struct dj_run_row *run = &loaded->runs[i];
        dj_text_clear(&words);
        code = dj_store_read_conditions(history, run->key, write_condition, &words, err);
        add_run_name(document, run);
        dj_cell_set_number(dj_document_add_cell(document),
                           run->metrics.value[DJ_METRIC_FRAME_RATE], 1);
        dj_cell_format(dj_document_add_cell(document), "%s", dj_xtext(&words));
    }
    dj_text_finish(&words);
    dj_document_end_details(document);
    return code;
}

static void add_field(struct dj_document *document, const char *label, const char *value)
{
    struct dj_text words = {0};
    dj_text_add(&words, value != NULL ? value : "");
    dj_document_add_field(document, label, &words);
}

static void add_origin(struct dj_document *document, const struct dj_loaded_batch *loaded)
{
    const struct dj_batch_row *batch = &loaded->batch;
    struct dj_text words = {0};
    char began[DJ_MOMENT];
    dj_report_moment(batch->began_unix_ms, began);
    dj_document_begin_details(document, "origin", true);
    dj_text_add(&words, began);
    if (batch->dejank != NULL) {
        dj_text_format(&words, ", by dejank %s", batch->dejank);
    }
    dj_document_add_field(document, "began", &words);
    add_field(document, "arm", batch->arm);
    add_field(document, "repeats", batch->repeats);
    for (size_t i = 0; i < loaded->fact_count; i++) {
        const struct dj_fact *fact = &loaded->facts[i];
        dj_text_format(&words, "%s%s %s%s%s", i > 0 ? ", " : "", fact->name,
                       fact->value != NULL ? fact->value : "unknown",
                       fact->unit != NULL ? " " : "",
                       fact->unit != NULL ? fact->unit : "");
    }
    dj_document_add_field(document, "device facts", &words);
    dj_document_end_details(document);
}

static void add_command(struct dj_document *document,
                        const struct dj_loaded_batch *loaded, const char *store)
{
    struct dj_text command = {0};
    dj_text_format(&command, "dejank report %s -o report.html", loaded->batch.id);
    if (store != NULL) {
        dj_text_add(&command, " --store ");
        dj_device_quote_word(&command, store);
    }
    dj_document_add_command(document, dj_xtext(&command), "all figures as a page");
    dj_text_finish(&command);
}

int dj_report_build_stored_batch(struct dj_document *document, struct dj_store *history,
                                 const struct dj_loaded_batch *loaded, const char *store,
                                 struct dj_error *err)
{
    struct dj_batch batch = {
        .row = loaded->batch, .runs = loaded->runs, .run_count = loaded->run_count};
    struct dj_batches batches = {.batch = &batch, .count = 1};
    dj_document_set_title(document, "Batch — dejank show");
    dj_batches_add_head(document, &batches, 0);
    add_disturbed(document, loaded);
    dj_batches_add_main_figures(document, &batches);
    add_runs(document, loaded);
    dj_document_begin_details(document, "other figures", false);
    dj_batches_add_other_figures(document, &batches);
    dj_document_end_details(document);
    add_origin(document, loaded);
    int code = add_conditions(document, history, loaded, err);
    add_command(document, loaded, store);
    return code;
}
