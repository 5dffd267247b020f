#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

struct seen {
    size_t batches, runs, windows, conditions, evidence, facts;
    struct dj_run_counts counts;
    char names[16][32];
    struct dj_metrics metrics;
    int64_t windows_of[8];
};

static int see_batch(void *user, const struct dj_batch_row *batch)
{
    struct seen *seen = user;
    snprintf(seen->names[seen->batches++ % 16], 32, "%s", batch->name);
    seen->counts = batch->runs;
    cr_assert_str_eq(batch->project, "com.example");
    cr_assert_str_eq(batch->serial, "serial-1");
    cr_assert_eq(strlen(batch->id), DJ_STORE_ID_BYTES - 1);
    return 0;
}

static int see_run(void *user, const struct dj_run_row *run)
{
    struct seen *seen = user;
    seen->runs++;
    seen->metrics = run->metrics;
    cr_assert_eq(run->order_index, run->number - 1);
    return 0;
}

static int see_window(void *user, const struct dj_window_row *window)
{
    struct seen *seen = user;
    cr_assert_eq(window->ordinal, (int64_t)seen->windows);
    seen->windows_of[seen->windows++] = window->key;
    return 0;
}

static int see_condition(void *user, const struct dj_condition_row *row)
{
    struct seen *seen = user;
    cr_assert_not(row->after);
    cr_assert_str_eq(row->condition.name, seen->conditions == 0 ? "battery" : "governor");
    if (seen->conditions++ == 0) {
        cr_assert_eq(row->condition.value, 83);
        cr_assert_null(row->condition.text);
    } else {
        cr_assert(isnan(row->condition.value));
        cr_assert_str_eq(row->condition.text, "schedutil");
        cr_assert_null(row->condition.unit);
    }
    return 0;
}

static int see_fact(void *user, const struct dj_fact *fact)
{
    struct seen *seen = user;
    cr_assert_str_eq(fact->name, seen->facts++ == 0 ? "gpu" : "ram");
    return 0;
}

Test(store, committed_run_is_read_back)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct seen seen = {0};
    int64_t batch = add_batch(store, "scroll", 3);
    int64_t run = add_run(store, batch, 4, DJ_RUN_APP_CRASHED);
    dj_store_close(store);

    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
    const struct dj_batch_filter any = {0};
    expect_ok(dj_store_read_batches(store, &any, see_batch, &seen, &err), err);
    cr_assert_eq(seen.batches, 1);
    cr_assert_eq(seen.counts.clean, 3);
    cr_assert_eq(seen.counts.failed, 1);
    cr_assert_eq(seen.counts.excluded, 0);
    cr_assert_eq(seen.counts.planned, 10);
    expect_ok(dj_store_read_runs(store, batch, see_run, &seen, &err), err);
    cr_assert_eq(seen.runs, 4);
    cr_assert_eq(seen.metrics.value[DJ_METRIC_FRAMES], 54);
    expect_ok(dj_store_read_windows(store, run, see_window, &seen, &err), err);
    cr_assert_eq(seen.windows, 1);
    expect_ok(dj_store_read_conditions(store, run, see_condition, &seen, &err), err);
    cr_assert_eq(seen.conditions, 2);
    expect_ok(dj_store_read_facts(store, 1, see_fact, &seen, &err), err);
    cr_assert_eq(seen.facts, 2);
    struct dj_histogram histogram;
    expect_ok(dj_store_read_histogram(store, seen.windows_of[0], DJ_HISTOGRAM_FRAME_TIME,
                                      &histogram, &err),
              err);
    uint64_t frames = 0;
    for (size_t i = 0; i < histogram.count; i++) {
        frames += histogram.buckets[i].count;
        cr_assert(i == 0 || histogram.buckets[i - 1].key < histogram.buckets[i].key);
    }
    cr_assert_eq(frames, 54);
    dj_exponential_finish(&histogram);
    dj_store_close(store);
    free(path);
}

static int see_evidence(void *user, const struct dj_evidence_row *row)
{
    struct seen *seen = user;
    seen->evidence++;
    cr_assert_str_eq(row->kind, DJ_EVIDENCE_GFXINFO);
    cr_assert_lt(row->stored, row->size);
    return 0;
}

Test(store, equal_evidence_is_stored_once)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct seen seen = {0};
    const struct made_text spec = {.frames = 53, .slow_every = 10, .rows = true};
    struct dj_text expected = make_text(&spec);
    struct dj_text bytes = {0};
    int64_t one = add_batch(store, "one", 0);
    int64_t two = add_batch(store, "two", 0);
    int64_t first = add_run(store, one, 3, DJ_RUN_OK);
    int64_t second = add_run(store, two, 3, DJ_RUN_OK);
    expect_ok(dj_store_read_evidence_rows(store, first, see_evidence, &seen, &err), err);
    cr_assert_eq(seen.evidence, 1);
    expect_ok(dj_store_read_evidence(store, second, 0, &bytes, &err), err);
    cr_assert_eq(bytes.length, expected.length);
    cr_assert_eq(memcmp(bytes.data, expected.data, bytes.length), 0);
    cr_assert_eq(dj_store_read_evidence(store, second, 1, &bytes, &err), DJ_E_NO_DATA);
    dj_text_finish(&bytes);
    dj_text_finish(&expected);
    dj_store_close(store);
    free(path);
}

/* Evidence that is empty, that cannot be compressed, and that contains NULs. */
Test(store, evidence_may_have_any_bytes)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    unsigned char noise[1000];
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof(noise); i++) {
        state = state * 1103515245 + 12345;
        noise[i] = (unsigned char)(state >> 16);
    }
    const struct dj_store_evidence evidence[] = {{"empty", NULL, NULL, 0},
                                                 {"noise", "n", noise, sizeof(noise)},
                                                 {"nul", NULL, "a\0b", 3}};
    const struct dj_store_run run = {
        .number = 1, .outcome = DJ_RUN_OK, .evidence = evidence, .evidence_count = 3};
    struct dj_store_commit_result done;
    int64_t batch = add_batch(store, "any", 0);
    expect_ok(dj_store_commit_run(store, batch, &run, &done, &err), err);
    for (size_t i = 0; i < 3; i++) {
        struct dj_text bytes = {0};
        expect_ok(dj_store_read_evidence(store, done.key, (int64_t)i, &bytes, &err), err);
        cr_assert_eq(bytes.length, evidence[i].size);
        cr_assert(bytes.length == 0 ||
                  memcmp(bytes.data, evidence[i].bytes, bytes.length) == 0);
        dj_text_finish(&bytes);
    }
    cr_assert(isnan(done.metrics.value[DJ_METRIC_FRAMES]));
    dj_store_close(store);
    free(path);
}

Test(store, batch_is_found_by_fingerprint)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    expect_ok(dj_store_find_resumable(store, "scroll", NULL, id, &key, &err), err);
    cr_assert_eq(key, 0);
    add_batch(store, "scroll", 2);
    int64_t newest = add_batch(store, "scroll", 1);
    expect_ok(dj_store_find_resumable(store, "scroll", NULL, id, &key, &err), err);
    cr_assert_eq(key, newest);
    expect_ok(dj_store_find_resumable(store, "scroll", "B", id, &key, &err), err);
    cr_assert_eq(key, 0);
    dj_store_close(store);
    free(path);
}

Test(store, attempts_get_numbers)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    int64_t batch = add_batch(store, "again", 0);
    struct dj_store_run run = {.number = 1, .outcome = DJ_RUN_SCREEN_OFF};
    struct dj_store_commit_result done;
    for (int64_t i = 1; i <= 3; i++) {
        expect_ok(dj_store_commit_run(store, batch, &run, &done, &err), err);
        cr_assert_eq(done.attempt, i);
    }
    run.attempt = 2;
    cr_assert_eq(dj_store_commit_run(store, batch, &run, &done, &err), DJ_E_USAGE);
    cr_assert_not_null(strstr(err.message, "attempt 2 of run 1"));
    run.warmup = true;
    run.attempt = 0;
    expect_ok(dj_store_commit_run(store, batch, &run, &done, &err), err);
    cr_assert_eq(done.attempt, 1, "warm-up runs have their own count");
    cr_assert_eq(dj_store_commit_run(store, 99, &run, &done, &err), DJ_E_USAGE);
    dj_store_close(store);
    free(path);
}

Test(store, batch_and_first_run_are_one_transaction)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    const struct dj_store_batch batch = {
        .project = "com.example",
        .device = {.serial = "serial-1", .kind = "import"},
        .name = "n",
        .kind = "import"};
    const struct dj_store_window nameless = {.span = {1, 2}};
    struct dj_store_run run = {.number = 1, .windows = &nameless, .window_count = 1};
    const struct dj_batch_filter any = {0};
    struct seen seen = {0};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    cr_assert_neq(dj_store_begin_batch_with_run(store, &batch, &run, id, &key, &err), 0,
                  "a window must have a name");
    cr_assert_eq(key, 0);
    expect_ok(dj_store_read_batches(store, &any, see_batch, &seen, &err), err);
    cr_assert_eq(seen.batches, 0);
    run.window_count = 0;
    expect_ok(dj_store_begin_batch_with_run(store, &batch, &run, id, &key, &err), err);
    run.number = 2;
    run.order_index = 1;
    expect_ok(dj_store_commit_run(store, key, &run, NULL, &err), err);
    expect_ok(dj_store_read_batches(store, &any, see_batch, &seen, &err), err);
    expect_ok(dj_store_read_runs(store, key, see_run, &seen, &err), err);
    cr_assert_eq(seen.batches, 1);
    cr_assert_eq(seen.runs, 2);
    dj_store_close(store);
    free(path);
}

Test(store, batches_are_listed_newest_first_and_by_filter)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct seen seen = {0};
    static const char *const names[] = {"first", "second", "third"};
    for (size_t i = 0; i < 3; i++) {
        add_batch(store, names[i], 0);
    }
    struct dj_batch_filter filter = {0};
    expect_ok(dj_store_read_batches(store, &filter, see_batch, &seen, &err), err);
    cr_assert_eq(seen.batches, 3);
    cr_assert_str_eq(seen.names[0], "third");
    cr_assert_str_eq(seen.names[2], "first");
    seen = (struct seen){0};
    filter.most = 2;
    expect_ok(dj_store_read_batches(store, &filter, see_batch, &seen, &err), err);
    cr_assert_eq(seen.batches, 2);
    seen = (struct seen){0};
    filter = (struct dj_batch_filter){.name = "second"};
    expect_ok(dj_store_read_batches(store, &filter, see_batch, &seen, &err), err);
    cr_assert_eq(seen.batches, 1);
    filter = (struct dj_batch_filter){.project = "com.other"};
    expect_ok(dj_store_read_batches(store, &filter, see_batch, &seen, &err), err);
    cr_assert_eq(seen.batches, 1);
    dj_store_close(store);
    free(path);
}

static int see_device(void *user, const struct dj_batch_row *batch)
{
    struct seen *seen = user;
    seen->windows_of[seen->batches++] = batch->device_key;
    return 0;
}

/* A device with other facts is stored as another device. The order of the facts does not
 * matter. */
Test(store, devices_differ_by_their_facts)
{
    static const struct dj_fact facts[][2] = {
        {{"patch", "2024-01", NULL}, {"ram", "2048", "MB"}},
        {{"ram", "2048", "MB"}, {"patch", "2024-01", NULL}},
        {{"patch", "2024-02", NULL}, {"ram", "2048", "MB"}},
    };
    static const struct dj_fact twice[] = {{"ram", "1", NULL}, {"ram", "1", NULL}};
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct dj_store_batch batch = {
        .project = "com.example",
        .device = {.serial = "serial-1", .kind = "adb", .fact_count = 2},
        .name = "facts",
        .kind = "run"};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    for (size_t i = 0; i < 3; i++) {
        batch.device.facts = facts[i];
        expect_ok(dj_store_begin_batch(store, &batch, id, &key, &err), err);
    }
    struct seen seen = {0};
    const struct dj_batch_filter any = {0};
    expect_ok(dj_store_read_batches(store, &any, see_device, &seen, &err), err);
    cr_assert_eq(seen.batches, 3);
    cr_assert_neq(seen.windows_of[0], seen.windows_of[1]);
    cr_assert_eq(seen.windows_of[1], seen.windows_of[2]);
    batch.device.facts = twice;
    cr_assert_eq(dj_store_begin_batch(store, &batch, id, &key, &err), DJ_E_USAGE);
    cr_assert_not_null(strstr(err.message, "'ram' twice"));
    dj_store_close(store);
    free(path);
}

Test(store, invalid_json_is_refused)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    const struct dj_store_batch batch = {.project = "com.example",
                                         .device = {.serial = "s", .kind = "adb"},
                                         .name = "json",
                                         .kind = "run",
                                         .options = "{no json"};
    cr_assert_eq(dj_store_begin_batch(store, &batch, id, &key, &err), DJ_E_USAGE);
    cr_assert_not_null(strstr(err.message, "options"));
    dj_store_close(store);
    free(path);
}

Test(store, hostile_texts_are_stored_as_texts)
{
    static const char evil[] = "'; DROP TABLE runs; --\"$(x)\n\xE2\x80\xAE%s";
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    struct dj_fact fact = {evil, evil, evil};
    const struct dj_store_batch batch = {
        .project = evil,
        .build = {evil, evil, evil},
        .device = {evil, evil, evil, evil, &fact, 1},
        .name = evil,
        .kind = evil,
        .fingerprint = evil,
        .group = evil,
        .arm = evil,
        .repeats = evil,
    };
    const struct dj_store_window window = {evil, {1, 2}};
    const struct dj_condition condition = {evil, (double)NAN, evil, evil};
    const struct dj_store_evidence evidence = {evil, evil, evil, sizeof(evil)};
    const struct dj_store_run run = {.number = 1,
                                     .outcome = DJ_RUN_DRIVE_FAILED,
                                     .reason = evil,
                                     .windows = &window,
                                     .window_count = 1,
                                     .after = &condition,
                                     .after_count = 1,
                                     .evidence = &evidence,
                                     .evidence_count = 1};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    int64_t found;
    int64_t runs = 0;
    expect_ok(dj_store_begin_batch(store, &batch, id, &key, &err), err);
    expect_ok(dj_store_commit_run(store, key, &run, NULL, &err), err);
    expect_ok(dj_store_find_batch(store, evil, &found, &err), err);
    cr_assert_eq(found, key);
    expect_ok(dj_store_find_resumable(store, evil, evil, id, &found, &err), err);
    cr_assert_eq(found, key);
    expect_ok(dj_store_read_runs(store, key, count_run, &runs, &err), err);
    cr_assert_eq(runs, 1);
    dj_store_close(store);
    free(path);
}

Test(store, batches_are_found_by_id_prefix_and_name)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    struct dj_error err = {0};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    int64_t found;
    add_batch(store, "named", 0);
    int64_t newest = add_batch(store, "named", 0);
    expect_ok(dj_store_find_resumable(store, "named", NULL, id, &key, &err), err);
    expect_ok(dj_store_find_batch(store, "named", &found, &err), err);
    cr_assert_eq(found, newest);
    expect_ok(dj_store_find_batch(store, id, &found, &err), err);
    cr_assert_eq(found, newest);
    id[8] = '\0';
    expect_ok(dj_store_find_batch(store, id, &found, &err), err);
    cr_assert_eq(found, newest);
    id[3] = '\0';
    cr_assert_eq(dj_store_find_batch(store, id, &found, &err), DJ_E_NO_DATA,
                 "three characters are too few");
    cr_assert_eq(dj_store_find_batch(store, "%%%%", &found, &err), DJ_E_NO_DATA);
    cr_assert_eq(dj_store_find_batch(store, "", &found, &err), DJ_E_NO_DATA);
    dj_store_close(store);
    free(path);
}
