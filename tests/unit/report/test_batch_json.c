#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "made_batch.h"

static struct made_batch made;
static struct dj_text text;
static json_t *root;

static const struct dj_store_batch plain = {.device = {.serial = "s1", .kind = "adb"}};

/* ---- JSON, as another library reads it ---- */

static void write_json(void)
{
    struct dj_error err = {0};
    json_error_t bad;
    json_decref(root);
    dj_text_clear(&text);
    cr_assert_eq(dj_report_stored_batch_json(made.store, &made.loaded, &text, &err), 0,
                 "%s", err.message);
    root = json_loads(dj_text_get(&text), JSON_REJECT_DUPLICATES, &bad);
    cr_assert_not_null(root, "%s: %s", bad.text, dj_text_get(&text));
    cr_assert_eq(text.data[text.length - 1], '\n');
}

/* Expects a member of an object, as JSON with sorted keys. */
static void expect_member(const json_t *object, const char *key, const char *expected)
{
    char *found = json_dumps(json_object_get(object, key),
                             JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    cr_assert_not_null(found, "%s is missing", key);
    cr_expect_str_eq(found, expected, "%s: %s", key, found);
    free(found);
}

static json_t *get_run(size_t index)
{
    return json_array_get(json_object_get(root, "each_run"), index);
}

static void finish(void)
{
    json_decref(root);
    dj_text_finish(&text);
    finish_batch(&made);
}

TestSuite(batch_json, .fini = finish);

/* ---- the batch ---- */

Test(batch_json, a_batch_without_runs_has_empty_lists_and_unknown_values)
{
    static const char *const unknown[] = {"fingerprint", "group",   "arm",
                                          "repeats",     "planned", "excluded_reason",
                                          "options",     "order",   "objectives"};
    make_batch(&made, &plain, NULL, 0);
    write_json();
    expect_member(root, "schema", "\"dejank.show/1\"");
    expect_member(root, "id", "\"abcd1234abcd1234\"");
    expect_member(root, "dejank", "\"9.9\"");
    expect_member(root, "began_unix_ms", "60000");
    expect_member(root, "runs", "0");
    expect_member(root, "over_runs", "{}");
    expect_member(root, "each_run", "[]");
    expect_member(root, "build", "{\"commit\":null,\"label\":null,\"version\":null}");
    expect_member(root, "device",
                  "{\"facts\":[],\"kind\":\"adb\",\"model\":null,\"release\":null,"
                  "\"serial\":\"s1\"}");
    for (size_t i = 0; i < COUNT_OF(unknown); i++) {
        expect_member(root, unknown[i], "null");
    }
}

Test(batch_json, known_properties_of_a_batch_are_members)
{
    static const struct dj_fact facts[] = {{"ram", "2048", "MB"}, {"gpu", NULL, NULL}};
    static const struct dj_store_batch batch = {
        .build = {"1.0", "abc", "A"},
        .device = {"s1", "adb", "Pixel", "14", facts, 2},
        .fingerprint = "f",
        .planned = 10,
        .group = "g",
        .arm = "B",
        .repeats = "ffff1111ffff1111"};
    make_batch(&made, &batch, NULL, 0);
    made.loaded.batch.runs = (struct dj_run_counts){1, 2, 3, 4, 10, 5};
    made.loaded.batch.excluded = "hot";
    write_json();
    expect_member(root, "build",
                  "{\"commit\":\"abc\",\"label\":\"A\",\"version\":\"1.0\"}");
    expect_member(root, "device",
                  "{\"facts\":[{\"name\":\"gpu\",\"unit\":null,\"value\":null},"
                  "{\"name\":\"ram\",\"unit\":\"MB\",\"value\":\"2048\"}],"
                  "\"kind\":\"adb\",\"model\":\"Pixel\",\"release\":\"14\","
                  "\"serial\":\"s1\"}");
    expect_member(root, "fingerprint", "\"f\"");
    expect_member(root, "group", "\"g\"");
    expect_member(root, "arm", "\"B\"");
    expect_member(root, "repeats", "\"ffff1111ffff1111\"");
    expect_member(root, "excluded_reason", "\"hot\"");
    expect_member(root, "runs", "1");
    expect_member(root, "disturbed", "2");
    expect_member(root, "failed", "3");
    expect_member(root, "excluded", "4");
    expect_member(root, "planned", "10");
    expect_member(root, "warmups", "5");
}

Test(batch_json, stored_json_keeps_its_type_and_its_numbers)
{
    static const struct dj_store_batch batch = {
        .options = "{\n\t\"command\": [\"./Übersicht\", \"<&>\xe2\x80\xae\"]}",
        .objectives = "[59.94, 1e300]",
        .order = "7"};
    make_batch(&made, &batch, NULL, 0);
    write_json();
    cr_expect_not_null(strstr(dj_text_get(&text),
                              "\"options\":{  \"command\": [\"./Übersicht\", "
                              "\"\\u003c\\u0026\\u003e\\u202e\"]},"
                              "\"objectives\":[59.94, 1e300],\"order\":7,"),
                       "%s", dj_text_get(&text));
}

Test(batch_json, stored_data_that_is_not_json_is_a_string)
{
    make_batch(&made, &plain, NULL, 0);
    made.loaded.batch.options = "1,\"runs\":99";
    made.loaded.batch.objectives = "";
    made.loaded.batch.order = "{\"seed\":\"\033\"}";
    write_json();
    expect_member(root, "options", "\"1,\\\"runs\\\":99\"");
    expect_member(root, "objectives", "\"\"");
    expect_member(root, "order", "\"{\\\"seed\\\":\\\"\\u001B\\\"}\"");
    expect_member(root, "runs", "0");
}

Test(batch_json, hostile_texts_are_escaped)
{
    static const struct dj_store_batch batch = {
        .project = "\"},\n", .build = {.label = "\033</script>"}, .arm = "\xff"};
    make_batch(&made, &batch, NULL, 0);
    write_json();
    expect_member(root, "project", "\"\\\"},\\n\"");
    expect_member(root, "arm", "\"\\\\xFF\"");
    cr_expect_null(strchr(dj_text_get(&text), '\033'));
    cr_expect_null(strstr(dj_text_get(&text), "</"));
}

/* ---- figures over the runs ---- */

Test(batch_json, over_runs_has_the_figures_of_runs_that_count)
{
    static const struct dj_store_run runs[] = {
        {.number = 1},
        {.number = 2, .order_index = 1},
        {.number = 3, .order_index = 2},
        {.number = 4, .order_index = 3, .outcome = DJ_RUN_APP_CRASHED}};
    make_batch(&made, &plain, runs, 4);
    for (size_t i = 0; i < 4; i++) {
        made.loaded.runs[i].metrics.value[DJ_METRIC_FRAME_TIME_P95] =
            1e7 + 2e6 * (double)i;
    }
    made.loaded.runs[0].metrics.value[DJ_METRIC_JANKY_PCT] = 2.5;
    write_json();
    expect_member(root, "over_runs",
                  "{\"frame_time_p95_ns\":{\"max\":14000000,\"mean\":12000000,"
                  "\"median\":12000000,\"min\":10000000,\"runs\":3,\"sd\":2000000},"
                  "\"janky_pct\":{\"max\":2.5,\"mean\":2.5,\"median\":2.5,\"min\":2.5,"
                  "\"runs\":1,\"sd\":null}}");
}

Test(batch_json, percentiles_name_the_metrics_that_the_runs_have)
{
    static const struct dj_store_run run = {.number = 1};
    make_batch(&made, &plain, &run, 1);
    double *value = made.loaded.runs[0].metrics.value;
    value[DJ_METRIC_FRAME_TIME_P50] = 8e6;
    value[DJ_METRIC_GUIDE_TOTAL_P50] = 9e6;
    value[DJ_METRIC_GUIDE_TOTAL_P95] = 2e7;
    write_json();
    expect_member(root, "percentiles",
                  "{\"p50\":\"frame_time_p50_ns\",\"p90\":\"frame_time_p90_ns\","
                  "\"p95\":\"guide_total_p95_ns\",\"p99\":\"frame_time_p99_ns\"}");
}

/* ---- each run ---- */

Test(batch_json, a_run_without_data_has_unknown_times_and_metrics)
{
    static const struct dj_store_run run = {.number = 1};
    make_batch(&made, &plain, &run, 1);
    write_json();
    expect_member(get_run(0), "number", "1");
    expect_member(get_run(0), "attempt", "1");
    expect_member(get_run(0), "counts", "true");
    expect_member(get_run(0), "started_unix_ms", "null");
    expect_member(get_run(0), "duration_ns", "null");
    expect_member(get_run(0), "start_dev_ns", "null");
    expect_member(get_run(0), "windows", "[]");
    expect_member(get_run(0), "conditions", "[]");
    expect_member(get_run(0), "evidence", "[]");
    const json_t *metrics = json_object_get(get_run(0), "metrics");
    cr_expect_eq(json_object_size(metrics), DJ_METRIC_COUNT);
    expect_member(metrics, "frame_time_p95_ns", "null");
}

Test(batch_json, a_run_has_its_windows_conditions_and_evidence)
{
    static const struct dj_condition before[] = {{"battery", 83.5, NULL, "%"}};
    static const struct dj_condition after[] = {{"governor", NAN, "a\nb", NULL}};
    static const struct dj_store_window window = {"fling\"", {150, 180}};
    static const struct dj_store_evidence evidence = {"log", "a.txt", "abc", 3};
    static const struct dj_store_run run = {.number = 4,
                                            .order_index = 3,
                                            .outcome = DJ_RUN_APP_CRASHED,
                                            .reason = "SIGSEGV",
                                            .started_unix_ms = 7,
                                            .duration_ns = 8,
                                            .span = {100, 200},
                                            .release = "14",
                                            .windows = &window,
                                            .window_count = 1,
                                            .before = before,
                                            .before_count = 1,
                                            .after = after,
                                            .after_count = 1,
                                            .evidence = &evidence,
                                            .evidence_count = 1};
    make_batch(&made, &plain, &run, 1);
    write_json();
    json_t *found = get_run(0);
    expect_member(found, "number", "4");
    expect_member(found, "order_index", "3");
    expect_member(found, "outcome", "\"app-crashed\"");
    expect_member(found, "reason", "\"SIGSEGV\"");
    expect_member(found, "counts", "false");
    expect_member(found, "started_unix_ms", "7");
    expect_member(found, "duration_ns", "8");
    expect_member(found, "start_dev_ns", "100");
    expect_member(found, "end_dev_ns", "200");
    expect_member(found, "release", "\"14\"");
    expect_member(found, "conditions",
                  "[{\"name\":\"battery\",\"text\":null,\"unit\":\"%\",\"value\":83.5,"
                  "\"when\":\"before\"},{\"name\":\"governor\",\"text\":\"a\\nb\","
                  "\"unit\":null,\"value\":null,\"when\":\"after\"}]");
    expect_member(
        found, "evidence",
        "[{\"bytes\":3,\"kind\":\"log\",\"name\":\"a.txt\",\"sha256\":"
        "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}]");
    found = json_object_get(found, "windows");
    cr_assert_eq(json_array_size(found), 1, "the run itself is not a window");
    expect_member(json_array_get(found, 0), "name", "\"fling\\\"\"");
    expect_member(json_array_get(found, 0), "start_dev_ns", "150");
    expect_member(json_array_get(found, 0), "end_dev_ns", "180");
}

Test(batch_json, runs_are_in_the_order_of_measurement)
{
    static const struct dj_store_run runs[] = {
        {.number = 2, .order_index = 2},
        {.number = 1, .order_index = 0, .warmup = true},
        {.number = 1, .order_index = 1}};
    make_batch(&made, &plain, runs, 3);
    made.loaded.runs[2].excluded = "hot";
    write_json();
    expect_member(get_run(0), "warmup", "true");
    expect_member(get_run(0), "counts", "false");
    expect_member(get_run(1), "counts", "true");
    expect_member(get_run(1), "excluded", "null");
    expect_member(get_run(2), "number", "2");
    expect_member(get_run(2), "excluded", "\"hot\"");
    expect_member(get_run(2), "counts", "false");
}
