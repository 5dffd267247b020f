#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "report/batches.h"
#include "report/batches/sections.h"
#include "report/triage.h"

static void write_number(struct dj_text *text, const char *key, double number)
{
    dj_json_add_rounded(text, key, 15, number);
}

static void write_run(struct dj_text *text, const struct dj_run_row *run)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "number", run->number);
    dj_json_add_int(text, "attempt", run->attempt);
    dj_json_add_bool(text, "warmup", run->warmup);
    dj_json_add_bool(text, "counts", dj_store_run_counts(run));
    dj_json_add_string(text, "outcome", dj_facts_outcome_name(run->outcome));
    dj_json_add_string(text, "reason", run->reason);
    dj_json_add_string(text, "excluded", run->excluded);
    dj_json_add_int(text, "started_unix_ms", run->started_unix_ms);
    dj_json_open_object(text, "metrics"); /* Unknown metrics are omitted. */
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        if (!isnan(run->metrics.value[i])) {
            write_number(text, dj_metrics_name((enum dj_metric)i), run->metrics.value[i]);
        }
    }
    dj_json_close(text, "}}");
}

static void write_figures(struct dj_text *text, const struct dj_batches *batches,
                          const struct dj_batch *batch)
{
    const struct dj_batch_figure *figure;
    dj_json_open_array(text, "figures");
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (!dj_batches_have_metric(batches, figure->metric)) {
            continue;
        }
        struct dj_center spread = dj_batches_compute_center(batch, figure->metric);
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "metric", dj_metrics_name(figure->metric));
        dj_json_add_string(text, "name", figure->name);
        dj_json_add_string(text, "unit", figure->unit);
        write_number(text, "factor", figure->factor);
        dj_json_add_int(text, "digits", figure->digits);
        dj_json_add_bool(text, "headline", dj_batches_is_headline(batches, figure));
        dj_json_add_bool(text, "never", dj_batches_is_always_zero(batches, figure));
        dj_json_add_int(text, "runs", (int64_t)spread.count);
        write_number(text, "mean", spread.mean);
        write_number(text, "median", spread.median);
        write_number(text, "q1", spread.q1);
        write_number(text, "q3", spread.q3);
        write_number(text, "least", spread.min);
        write_number(text, "most", spread.max);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

static void write_bins(struct dj_text *text, const struct dj_batch *batch)
{
    struct dj_bins bins = dj_batches_compute_bins(batch);
    dj_json_open_object(text, "histogram");
    dj_json_add_string(text, "of",
                       bins.count == 0           ? NULL
                       : batch->times.count == 0 ? "hwui"
                       : batch->guide_total      ? "guide_total"
                                                 : "frame_time");
    write_number(text, "frames", bins.frames);
    write_number(text, "late", bins.count > 0 ? bins.late : NAN);
    dj_json_open_array(text, "bins_ms");
    for (size_t i = 0; i < bins.count; i++) {
        dj_json_open_array(text, NULL);
        write_number(text, NULL, bins.bin[i].from_ms);
        write_number(text, NULL, bins.bin[i].to_ms > 0 ? bins.bin[i].to_ms : NAN);
        write_number(text, NULL, bins.bin[i].count);
        dj_json_close(text, "]");
    }
    dj_json_close(text, "]}");
}

static void write_stages(struct dj_text *text, const struct dj_batch *batch)
{
    dj_json_open_array(text, "stages");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        double ns = dj_batches_compute_stage_ns(batch, (enum dj_stage)i);
        if (!isnan(ns)) {
            dj_json_open_object(text, NULL);
            dj_json_add_int(text, "id", (int64_t)i);
            dj_json_add_string(text, "name", dj_frame_stage_name((enum dj_stage)i));
            dj_json_add_bool(text, "wait", i == DJ_STAGE_WAIT);
            write_number(text, "ns", ns);
            dj_json_close(text, "}");
        }
    }
    dj_json_close(text, "]");
}

static void write_conditions(struct dj_text *text, const struct dj_batch *batch)
{
    dj_json_open_array(text, "conditions");
    for (size_t i = 0; i < batch->condition_count; i++) {
        const struct dj_batch_condition *condition = &batch->conditions[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", condition->name);
        dj_json_add_string(text, "unit", condition->unit);
        dj_json_add_string(text, "text", condition->text);
        write_number(text, "least", condition->least);
        write_number(text, "most", condition->most);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

static void write_counts(struct dj_text *text, const struct dj_run_counts *counts)
{
    dj_json_open_object(text, "runs_counted");
    dj_json_add_int(text, "clean", counts->clean);
    dj_json_add_int(text, "disturbed", counts->disturbed);
    dj_json_add_int(text, "failed", counts->failed);
    dj_json_add_int(text, "excluded", counts->excluded);
    dj_json_add_known(text, "planned", counts->planned > 0 ? counts->planned : -1);
    dj_json_add_int(text, "warmup", counts->warmups);
    dj_json_close(text, "}");
}

static void write_batch(struct dj_text *text, const struct dj_batches *batches,
                        size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    char name[DJ_BATCH_NAME];
    dj_batches_format_name(batches, index, name);
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "id", batch->row.id);
    dj_json_add_string(text, "shown", name);
    dj_json_add_string(text, "name", batch->row.name);
    dj_json_add_string(text, "kind", batch->row.kind);
    dj_json_add_string(text, "project", batch->row.project);
    dj_json_add_string(text, "version", batch->row.version);
    dj_json_add_string(text, "commit", batch->row.commit);
    dj_json_add_string(text, "label", batch->row.label);
    dj_json_add_string(text, "device", batch->row.serial);
    dj_json_add_string(text, "model", batch->row.model);
    dj_json_add_string(text, "release", batch->row.release);
    dj_json_add_string(text, "excluded", batch->row.excluded);
    dj_json_add_int(text, "began_unix_ms", batch->row.began_unix_ms);
    write_number(text, "interval_ns", batch->interval_ns);
    dj_json_add_bool(text, "interval_assumed", batch->interval_assumed);
    write_counts(text, &batch->row.runs);
    write_figures(text, batches, batch);
    write_bins(text, batch);
    write_stages(text, batch);
    if (batch->triage == NULL) {
        dj_json_add_null(text, "triage");
    } else {
        dj_json_open_object(text, "triage");
        dj_report_write_triage_members(text, batch->triage, batch->tie);
        dj_json_close(text, "}");
    }
    write_conditions(text, batch);
    dj_json_open_array(text, "runs");
    for (size_t i = 0; i < batch->run_count; i++) {
        write_run(text, &batch->runs[i]);
    }
    dj_json_close(text, "]}");
}

void dj_report_write_batches_json(struct dj_text *text, const struct dj_batches *batches)
{
    if (batches->jank_rule != NULL) {
        dj_batches_write_jank_rules_json(text, batches);
        return;
    }
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.report/1");
    dj_json_open_array(text, "batches");
    for (size_t i = 0; i < batches->count; i++) {
        write_batch(text, batches, i);
    }
    dj_json_close(text, "]}\n");
}

/* Returns whether the CSV has a column for the metric. */
static bool has_column(const struct dj_batches *batches, enum dj_metric metric)
{
    bool all = batches->jank_rule == NULL;
    for (int i = 0; i < DJ_JANK_RULES && !all; i++) {
        enum dj_jank_rule_id id = (enum dj_jank_rule_id)i;
        if (dj_metrics_of_jank_rule(id) == metric) {
            return dj_jank_rule_is_named(id, batches->jank_rule);
        }
    }
    return all;
}

static void write_line(struct dj_text *text, const struct dj_batches *batches,
                       const struct dj_batch *batch, const struct dj_run_row *run)
{
    const char *const words[] = {batch->row.id,    batch->row.name,    batch->row.project,
                                 batch->row.label, batch->row.version, batch->row.commit,
                                 batch->row.serial};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        dj_csv_append_cell(text, words[i], DJ_CSV_ONE_LINE);
        dj_text_add(text, ",");
    }
    dj_text_format(text, "%lld,%lld,%d,%d,%s,", (long long)run->number,
                   (long long)run->attempt, run->warmup, dj_store_run_counts(run),
                   dj_facts_outcome_name(run->outcome));
    dj_csv_append_cell(text, run->excluded != NULL ? run->excluded : run->reason,
                       DJ_CSV_ONE_LINE);
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        if (!has_column(batches, (enum dj_metric)i)) {
            continue;
        }
        dj_text_add(text, ",");
        if (!isnan(run->metrics.value[i])) {
            dj_text_format(text, "%.15g", run->metrics.value[i]);
        }
    }
    dj_text_add(text, "\n");
}

void dj_report_write_batches_csv(struct dj_text *text, const struct dj_batches *batches)
{
    dj_text_add(text, "batch,name,project,label,version,commit,device,run,attempt,"
                      "warmup,counts,outcome,reason");
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        if (has_column(batches, (enum dj_metric)i)) {
            dj_text_format(text, ",%s", dj_metrics_name((enum dj_metric)i));
        }
    }
    dj_text_add(text, "\n");
    for (size_t i = 0; i < batches->count; i++) {
        for (size_t k = 0; k < batches->batch[i].run_count; k++) {
            write_line(text, batches, &batches->batch[i], &batches->batch[i].runs[k]);
        }
    }
}
