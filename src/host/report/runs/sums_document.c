/* Builds the document of a `dejank run`: how many runs are usable, a row for each batch,
 * and the causes of failed and disturbed runs. */
#include <inttypes.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "report/run_sums.h"
#include "stats/center.h"

enum { COLUMNS_MOST = 8, CAUSES_SHOWN = 4, REPORTED_TOGETHER = 2 };

struct row {
    const struct dj_run_sums *sums;
    const struct dj_run_sum *sum;
};

static void get_batch(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct row *)record)->sum->batch);
}

static void get_flow(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct row *)record)->sum->flow->name);
}

static void get_device(struct dj_cell *cell, const void *record)
{
    const struct row *row = record;
    dj_cell_format(cell, "%s", row->sums->plan->devices[row->sum->device]);
}

static void get_build(struct dj_cell *cell, const void *record)
{
    const char *label = ((const struct row *)record)->sum->build->label;
    dj_cell_format(cell, "%s", label != NULL ? label : "");
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    const struct dj_run_sum *sum = ((const struct row *)record)->sum;
    if (sum->left_out) {
        cell->tone = DJ_TONE_MUTED;
        dj_cell_format(cell, "excluded");
    } else {
        dj_cell_format(cell, "%zu%s", sum->runs, sum->resumed ? " more" : "");
    }
}

static void set_median(struct dj_cell *cell, const void *record, size_t figure)
{
    const struct dj_run_sum *sum = ((const struct row *)record)->sum;
    struct dj_center center;
    dj_center_compute(sum->figures[figure], sum->runs, &center);
    if (center.count > 0 && !sum->left_out) {
        dj_cell_set_number(cell, center.median, 2);
    }
}

static void get_p50(struct dj_cell *cell, const void *record)
{
    set_median(cell, record, 0);
}

static void get_p95(struct dj_cell *cell, const void *record)
{
    set_median(cell, record, 1);
}

static void get_janky(struct dj_cell *cell, const void *record)
{
    set_median(cell, record, 2);
}

static bool has_label(const struct dj_run_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        if (sums->sums[i].build->label != NULL) {
            return true;
        }
    }
    return false;
}

static void add_batches(struct dj_document *document, const struct dj_run_sums *sums)
{
    const struct {
        bool is_shown;
        struct dj_table_column column;
    } all[COLUMNS_MOST] = {
        {true, {"batch", NULL, false, get_batch}},
        {sums->plan->flow_count > 1, {"flow", NULL, false, get_flow}},
        {sums->plan->device_count > 1, {"device", NULL, false, get_device}},
        {has_label(sums), {"build", NULL, false, get_build}},
        {true, {"runs", NULL, true, get_runs}},
        {true, {"p50", "ms", true, get_p50}},
        {true, {"p95", "ms", true, get_p95}},
        {true, {"janky", "%", true, get_janky}},
    };
    struct dj_table_column columns[COLUMNS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < COLUMNS_MOST; i++) {
        if (all[i].is_shown) {
            columns[count++] = all[i].column;
        }
    }
    dj_document_begin_table(document, columns, count);
    for (size_t i = 0; i < sums->count; i++) {
        dj_document_add_row(document, &(struct row){sums, &sums->sums[i]});
    }
}

/* Returns whether the runs of the cause are in an excluded batch. */
static bool is_excluded(const struct dj_run_sums *sums, const struct dj_run_cause *cause)
{
    return cause->fault != DJ_FAULT_FAILED && sums->sums[cause->sum].left_out;
}

static bool is_same(const struct dj_run_cause *a, const struct dj_run_cause *b)
{
    return a->fault == b->fault && strcmp(a->cause, b->cause) == 0;
}

/* Counts the attempts of all batches with this cause. Returns 0 if an earlier batch has
 * the cause, too, so that each cause is shown once. */
static size_t count_attempts(const struct dj_run_sums *sums, size_t index)
{
    size_t attempts = 0;
    for (size_t i = 0; i < sums->cause_count; i++) {
        const struct dj_run_cause *cause = &sums->causes[i];
        if (is_same(cause, &sums->causes[index]) && !is_excluded(sums, cause)) {
            if (i < index) {
                return 0;
            }
            attempts += cause->attempts;
        }
    }
    return is_excluded(sums, &sums->causes[index]) ? 0 : attempts;
}

static void add_cause(struct dj_document *document, const struct dj_run_sums *sums,
                      const struct dj_run_cause *cause, size_t attempts)
{
    static const struct {
        const char *one, *several;
        enum dj_tone tone;
    } faults[DJ_FAULT_COUNT] = {
        [DJ_FAULT_FAILED] = {"attempt failed", "attempts failed", DJ_TONE_BAD},
        [DJ_FAULT_DISTURBED] = {"usable run was disturbed", "usable runs were disturbed",
                                DJ_TONE_WARNING},
        [DJ_FAULT_REPEATED] = {"run was disturbed and repeated",
                               "runs were disturbed and repeated", DJ_TONE_PLAIN},
    };
    struct dj_text words = {0};
    dj_text_format(&words, "%zu %s: %s", attempts,
                   attempts == 1 ? faults[cause->fault].one
                                 : faults[cause->fault].several,
                   cause->cause);
    if (cause->example[0] != '\0') {
        dj_text_format(&words, " (%s%s)", attempts == 1 ? "" : "last: ", cause->example);
    }
    if (cause->fault == DJ_FAULT_DISTURBED) {
        bool by_load = strcmp(cause->cause, "load") == 0 && sums->plan->source == NULL;
        dj_text_format(&words, ". hint: measure again on an idle device%s",
                       by_load ? ", or accept this load with --max-load 100" : "");
    }
    dj_document_add_note(document, faults[cause->fault].tone, &words);
}

static void add_causes(struct dj_document *document, const struct dj_run_sums *sums)
{
    size_t shown = 0, further = 0, excluded = 0;
    struct dj_text words = {0};
    for (size_t i = 0; i < sums->cause_count; i++) {
        size_t attempts = count_attempts(sums, i);
        if (attempts > 0 && shown < CAUSES_SHOWN) {
            add_cause(document, sums, &sums->causes[i], attempts);
            shown++;
        } else {
            further += attempts;
        }
    }
    if (further > 0) {
        dj_text_format(&words, "%zu more attempts with other causes", further);
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
    for (size_t i = 0; i < sums->count; i++) {
        excluded += sums->sums[i].left_out;
    }
    if (excluded > 0) {
        dj_text_format(&words,
                       "%zu batch%s excluded and repeated: half of the runs were "
                       "anomalous",
                       excluded, excluded == 1 ? " was" : "es were");
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
    }
}

static void add_verdict(struct dj_document *document, const struct dj_play_result *result)
{
    struct dj_text words = {0};
    bool complete = result->clean >= result->planned;
    dj_text_format(&words, "%" PRId64 " of %" PRId64 " runs are usable", result->clean,
                   result->planned);
    if (result->disturbed > 0) {
        dj_text_format(&words, ", %" PRId64 " of them disturbed", result->disturbed);
    }
    if (result->failed > 0) {
        dj_text_format(&words, "; %" PRId64 " attempt%s failed", result->failed,
                       result->failed == 1 ? "" : "s");
    }
    dj_text_add(&words, result->interrupted ? "; interrupted" : "");
    dj_document_add_verdict(document,
                            !complete               ? DJ_TONE_BAD
                            : result->disturbed > 0 ? DJ_TONE_WARNING
                                                    : DJ_TONE_GOOD,
                            &words);
}

static void add_command(struct dj_document *document, const char *verb, const char *store,
                        const char *operands, const char *purpose)
{
    struct dj_text command = {0};
    dj_text_format(&command, "dejank %s", verb);
    if (store != NULL) {
        dj_text_add(&command, " --store ");
        dj_device_quote_word(&command, store);
    }
    dj_text_add(&command, operands);
    dj_document_add_command(document, dj_xtext(&command), purpose);
    dj_text_finish(&command);
}

static void add_commands(struct dj_document *document, const struct dj_run_sums *sums,
                         const struct dj_play_result *result, const char *store)
{
    struct dj_text ids = {0};
    size_t count = 0;
    for (size_t i = 0; i < sums->count; i++) {
        if (!sums->sums[i].left_out) {
            dj_text_format(&ids, " %s", sums->sums[i].batch);
            count++;
        }
    }
    if (count == 2 && sums->plan->build_count == 2 && result->clean > 1) {
        add_command(document, "compare", store, dj_xtext(&ids),
                    "decide whether B is "
                    "slower than A");
    }
    if (count > REPORTED_TOGETHER) {
        add_command(document, "list", store, "", "lists all batches of the store");
    } else if (count > 0 && result->clean > 0) {
        add_command(document, "report", store, dj_xtext(&ids),
                    "frame times and each run");
    } else if (count > 0) {
        add_command(document, "show", store, dj_xtext(&ids), "shows why each run failed");
    }
    if (count > 0 && count <= REPORTED_TOGETHER && result->clean > 0 &&
        sums->plan->trace.what != DJ_TRACE_NONE) {
        add_command(document, "trace triage", store, dj_xtext(&ids),
                    "explain the janky frames");
    }
    dj_text_finish(&ids);
}

void dj_report_build_run_sums(struct dj_document *document,
                              const struct dj_run_sums *sums,
                              const struct dj_play_result *result, const char *store)
{
    struct dj_text words = {0};
    add_verdict(document, result);
    add_batches(document, sums);
    if (result->clean > 0) {
        dj_text_add(
            &words,
            "p50 and p95 of the frame times and janky are medians over usable runs.");
        dj_document_add_paragraph(document, &words);
    }
    add_causes(document, sums);
    add_commands(document, sums, result, store);
}
