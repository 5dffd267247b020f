#include <math.h>

#include "base/json.h"
#include "report/batches/sections.h"

static void write_rule(struct dj_text *text, enum dj_jank_rule_id id)
{
    const struct dj_jank_rule *rule = dj_jank_rule_get(id);
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "rule", rule->slug);
    dj_json_add_string(text, "name", rule->name);
    dj_json_add_string(text, "unit", rule->unit);
    dj_json_add_string(text, "metric", dj_metrics_name(dj_metrics_of_jank_rule(id)));
    dj_json_add_string(text, "better", rule->less_is_better ? "less" : "more");
    dj_json_add_string(text, "formula", rule->formula);
    dj_json_add_string(text, "source", rule->source);
    dj_json_close(text, "}");
}

static void write_run(struct dj_text *text, const struct dj_run_row *run,
                      enum dj_jank_rule_id id)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "number", run->number);
    dj_json_add_int(text, "attempt", run->attempt);
    dj_json_add_rounded(text, "value", 15,
                        run->metrics.value[dj_metrics_of_jank_rule(id)]);
    dj_json_close(text, "}");
}

static void write_figure(struct dj_text *text, const struct dj_batch *batch,
                         enum dj_jank_rule_id id)
{
    struct dj_center center =
        dj_batches_compute_center(batch, dj_metrics_of_jank_rule(id));
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"median", center.median}, {"mean", center.mean}, {"q1", center.q1},
        {"q3", center.q3},         {"least", center.min}, {"most", center.max},
    };
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "rule", dj_jank_rule_get(id)->slug);
    dj_json_add_int(text, "runs_known", (int64_t)center.count);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        dj_json_add_rounded(text, numbers[i].key, 15, numbers[i].value);
    }
    dj_json_add_string(text, "reason", dj_batches_find_missing_rule(batch, id));
    dj_json_open_array(text, "runs");
    for (size_t i = 0; i < batch->run_count; i++) {
        if (dj_store_run_counts(&batch->runs[i])) {
            write_run(text, &batch->runs[i], id);
        }
    }
    dj_json_close(text, "]}");
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
    dj_json_open_array(text, "figures");
    for (int i = 0; i < DJ_JANK_RULES; i++) {
        if (dj_jank_rule_is_named((enum dj_jank_rule_id)i, batches->jank_rule)) {
            write_figure(text, batch, (enum dj_jank_rule_id)i);
        }
    }
    dj_json_close(text, "]}");
}

void dj_batches_write_jank_rules_json(struct dj_text *text,
                                      const struct dj_batches *batches)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.jank-rules/1");
    dj_json_open_array(text, "rules");
    for (int i = 0; i < DJ_JANK_RULES; i++) {
        if (dj_jank_rule_is_named((enum dj_jank_rule_id)i, batches->jank_rule)) {
            write_rule(text, (enum dj_jank_rule_id)i);
        }
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "batches");
    for (size_t i = 0; i < batches->count; i++) {
        write_batch(text, batches, i);
    }
    dj_json_close(text, "]}\n");
}
