#include "report/stored_batch.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

/* Appends a number with all digits that are stored. */
static void put_number(struct dj_text *text, const char *key, double value)
{
    if (value == floor(value) && fabs(value) < 9e15) {
        dj_json_add_int(text, key, (int64_t)value);
    } else {
        dj_json_add_rounded(text, key, 17, value);
    }
}

static bool is_json(const char *string)
{
    json_t *root = json_loads(string, JSON_DECODE_ANY, NULL);
    json_decref(root);
    return root != NULL;
}

/* Appends a character of valid JSON. Line feeds and tabs are then between values, and all
 * characters that base/json.h escapes are in strings. */
static void put_character(struct dj_text *text, const char *bytes, struct dj_utf8 one)
{
    if (one.code < ' ') {
        dj_text_add(text, " ");
    } else if (one.code == '<' || one.code == '>' || one.code == '&' ||
               dj_utf8_is_control(one.code) || dj_utf8_reorders(one.code)) {
        dj_text_format(text, "\\u%04x", (unsigned)one.code);
    } else {
        dj_text_append(text, bytes, one.bytes);
    }
}

/* Appends a value that is stored as JSON. A store from another program may contain other
 * data, which is appended as a string. */
static void put_stored(struct dj_text *text, const char *key, const char *json)
{
    if (json == NULL || !is_json(json)) {
        dj_json_add_string(text, key, json);
        return;
    }
    size_t length = strlen(json);
    dj_json_append_key(text, key);
    for (size_t i = 0; i < length;) {
        struct dj_utf8 one = dj_utf8_at(json + i, length - i);
        put_character(text, json + i, one);
        i += one.bytes;
    }
}

static void put_span(struct dj_text *text, const struct dj_span *span)
{
    bool known = span->start_ns != 0 || span->end_ns != 0;
    dj_json_add_known(text, "start_dev_ns", known ? span->start_ns : -1);
    dj_json_add_known(text, "end_dev_ns", known ? span->end_ns : -1);
}

static void put_metrics(struct dj_text *text, const struct dj_metrics *metrics)
{
    dj_json_open_object(text, "metrics");
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        put_number(text, dj_metrics_name((enum dj_metric)i), metrics->value[i]);
    }
    dj_json_close(text, "}");
}

static int put_window(void *user, const struct dj_window_row *window)
{
    struct dj_text *text = user;
    if (window->ordinal == 0) { /* The window with the ordinal 0 is the whole run. */
        return 0;
    }
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "name", window->name);
    put_span(text, &window->span);
    put_metrics(text, &window->metrics);
    dj_json_close(text, "}");
    return 0;
}

static int put_condition(void *user, const struct dj_condition_row *row)
{
    struct dj_text *text = user;
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "when", row->after ? "after" : "before");
    dj_json_add_string(text, "name", row->condition.name);
    put_number(text, "value", row->condition.value);
    dj_json_add_string(text, "text", row->condition.text);
    dj_json_add_string(text, "unit", row->condition.unit);
    dj_json_close(text, "}");
    return 0;
}

static int put_evidence(void *user, const struct dj_evidence_row *row)
{
    struct dj_text *text = user;
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "kind", row->kind);
    dj_json_add_string(text, "name", row->name);
    dj_json_add_string(text, "sha256", row->sha256);
    dj_json_add_int(text, "bytes", row->size);
    dj_json_close(text, "}");
    return 0;
}

static int put_run(struct dj_store *history, const struct dj_run_row *run,
                   struct dj_text *text, struct dj_error *err)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "number", run->number);
    dj_json_add_int(text, "attempt", run->attempt);
    dj_json_add_int(text, "order_index", run->order_index);
    dj_json_add_bool(text, "warmup", run->warmup);
    dj_json_add_string(text, "outcome", dj_facts_outcome_name(run->outcome));
    dj_json_add_string(text, "reason", run->reason);
    dj_json_add_string(text, "excluded", run->excluded);
    dj_json_add_bool(text, "counts", dj_store_run_counts(run));
    dj_json_add_known(text, "started_unix_ms",
                      run->started_unix_ms != 0 ? run->started_unix_ms : -1);
    dj_json_add_known(text, "duration_ns", run->duration_ns != 0 ? run->duration_ns : -1);
    put_span(text, &run->span);
    dj_json_add_string(text, "release", run->release);
    put_metrics(text, &run->metrics);
    dj_json_open_array(text, "windows");
    int code = dj_store_read_windows(history, run->key, put_window, text, err);
    dj_json_close(text, "]");
    dj_json_open_array(text, "conditions");
    code = code == 0
               ? dj_store_read_conditions(history, run->key, put_condition, text, err)
               : code;
    dj_json_close(text, "]");
    dj_json_open_array(text, "evidence");
    code = code == 0
               ? dj_store_read_evidence_rows(history, run->key, put_evidence, text, err)
               : code;
    dj_json_close(text, "]}");
    return code;
}

static void put_device(struct dj_text *text, const struct dj_loaded_batch *loaded)
{
    dj_json_open_object(text, "device");
    dj_json_add_string(text, "serial", loaded->batch.serial);
    dj_json_add_string(text, "kind", loaded->batch.device_kind);
    dj_json_add_string(text, "model", loaded->batch.model);
    dj_json_add_string(text, "release", loaded->batch.release);
    dj_json_open_array(text, "facts");
    for (size_t i = 0; i < loaded->fact_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", loaded->facts[i].name);
        dj_json_add_string(text, "value", loaded->facts[i].value);
        dj_json_add_string(text, "unit", loaded->facts[i].unit);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

static void put_batch(struct dj_text *text, const struct dj_loaded_batch *loaded)
{
    const struct dj_batch_row *batch = &loaded->batch;
    dj_json_add_string(text, "id", batch->id);
    dj_json_add_string(text, "name", batch->name);
    dj_json_add_string(text, "kind", batch->kind);
    dj_json_add_string(text, "project", batch->project);
    dj_json_open_object(text, "build");
    dj_json_add_string(text, "version", batch->version);
    dj_json_add_string(text, "commit", batch->commit);
    dj_json_add_string(text, "label", batch->label);
    dj_json_close(text, "}");
    put_device(text, loaded);
    dj_json_add_string(text, "fingerprint", batch->fingerprint);
    dj_json_add_string(text, "group", batch->group);
    dj_json_add_string(text, "arm", batch->arm);
    dj_json_add_string(text, "repeats", batch->repeats);
    dj_json_add_string(text, "excluded_reason", batch->excluded);
    dj_json_add_string(text, "dejank", batch->dejank);
    dj_json_add_int(text, "began_unix_ms", batch->began_unix_ms);
    dj_json_add_int(text, "runs", batch->runs.clean);
    dj_json_add_int(text, "disturbed", batch->runs.disturbed);
    dj_json_add_int(text, "failed", batch->runs.failed);
    dj_json_add_int(text, "excluded", batch->runs.excluded);
    dj_json_add_known(text, "planned",
                      batch->runs.planned > 0 ? batch->runs.planned : -1);
    dj_json_add_int(text, "warmups", batch->runs.warmups);
    put_stored(text, "options", batch->options);
    put_stored(text, "objectives", batch->objectives);
    put_stored(text, "order", batch->order);
}

/* Appends the summary of a metric over the runs that count. */
static void put_center(struct dj_text *text, const struct dj_loaded_batch *loaded,
                       enum dj_metric metric)
{
    struct dj_center center;
    dj_store_compute_center(loaded->runs, loaded->run_count, metric, &center);
    if (center.count == 0) {
        return;
    }
    dj_json_open_object(text, dj_metrics_name(metric));
    dj_json_add_int(text, "runs", (int64_t)center.count);
    put_number(text, "mean", center.mean);
    put_number(text, "median", center.median);
    put_number(text, "sd", center.sd);
    put_number(text, "min", center.min);
    put_number(text, "max", center.max);
    dj_json_close(text, "}");
}

/* Appends which metrics p50 … p99 mean for this batch. */
static void put_percentiles(struct dj_text *text, const struct dj_loaded_batch *loaded)
{
    static const struct {
        const char *name;
        enum dj_metric metric;
    } percentiles[] = {{"p50", DJ_METRIC_FRAME_TIME_P50},
                       {"p90", DJ_METRIC_FRAME_TIME_P90},
                       {"p95", DJ_METRIC_FRAME_TIME_P95},
                       {"p99", DJ_METRIC_FRAME_TIME_P99}};
    struct dj_known_metrics known = {0};
    for (size_t i = 0; i < loaded->run_count; i++) {
        dj_metrics_known_add(&known, &loaded->runs[i].metrics);
    }
    dj_json_open_object(text, "percentiles");
    for (size_t i = 0; i < COUNT_OF(percentiles); i++) {
        dj_json_add_string(
            text, percentiles[i].name,
            dj_metrics_name(dj_metrics_choose(percentiles[i].metric, &known)));
    }
    dj_json_close(text, "}");
}

int dj_report_stored_batch_json(struct dj_store *history,
                                const struct dj_loaded_batch *loaded,
                                struct dj_text *text, struct dj_error *err)
{
    int code = 0;
    dj_json_open_document(text, "dejank.show/1");
    put_batch(text, loaded);
    dj_json_open_object(text, "over_runs");
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        put_center(text, loaded, (enum dj_metric)i);
    }
    dj_json_close(text, "}");
    put_percentiles(text, loaded);
    dj_json_open_array(text, "each_run");
    for (size_t i = 0; i < loaded->run_count && code == 0; i++) {
        code = put_run(history, &loaded->runs[i], text, err);
    }
    dj_json_close(text, "]}\n");
    return code;
}
