#include <stdlib.h>
#include <string.h>

#include "../store/support.h"
#include "compare/side.h"

static struct dj_store *store;
static struct dj_named_batches named;
static bool several_devices;
static struct dj_error failure;

/* ---- batches ---- */

/* What distinguishes a batch from the others of a test. */
struct made_batch {
    const char *label, *version, *commit;
    const char *project, *flow, *serial, *group;
};

/* Adds a batch with one run. */
static int64_t add_made(const struct made_batch *made)
{
    const struct dj_store_batch batch = {
        .project = made->project != NULL ? made->project : "com.example",
        .build = {.version = made->version, .commit = made->commit, .label = made->label},
        .device = {.serial = made->serial != NULL ? made->serial : "serial-1",
                   .kind = "adb"},
        .name = made->flow != NULL ? made->flow : "scroll",
        .kind = "run",
        .group = made->group,
        .arm = made->group != NULL ? made->label : NULL,
    };
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    struct dj_error err = {0};
    expect_ok(dj_store_begin_batch(store, &batch, id, &key, &err), err);
    add_run(store, key, 1, DJ_RUN_OK);
    return key;
}

/* Looks up a word and returns the error code. */
static int find_batches(const char *word, const struct dj_side_filter *filter)
{
    free(named.keys);
    failure = (struct dj_error){0};
    return dj_compare_named_batches_find(store, word, filter, &several_devices, &named,
                                         &failure);
}

/* Expects that the word names these batches, newest first. */
static void expect_batches(const char *word, const struct dj_side_filter *filter,
                           const int64_t *keys, size_t count)
{
    cr_assert_eq(find_batches(word, filter), 0, "%s: %s", word, failure.message);
    cr_assert_eq(named.count, count, "%s: %zu batches", word, named.count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(named.keys[i], keys[i], "%s, batch %zu", word, i);
    }
}

static void expect_batch(const char *word, int64_t key)
{
    expect_batches(word, NULL, &key, 1);
}

static void open(void)
{
    char *path = test_path("named.db");
    store = open_store(path);
    free(path);
}

static void close_all(void)
{
    free(named.keys);
    dj_store_close(store);
}

TestSuite(named_batches, .init = open, .fini = close_all);

/* ---- names ---- */

Test(named_batches, an_id_names_one_batch)
{
    int64_t first = add_batch(store, "scroll", 1);
    char id[DJ_STORE_ID_BYTES] = "";
    struct dj_error err = {0};
    int64_t key;
    expect_ok(dj_store_find_resumable(store, "scroll", NULL, id, &key, &err), err);
    cr_assert_eq(key, first);
    expect_batch(id, first);
    id[4] = '\0';
    expect_batch(id, first);
}

Test(named_batches, a_build_is_named_by_label_version_or_commit)
{
    int64_t key = add_made(&(struct made_batch){
        .label = "nightly", .version = "2.1", .commit = "0123456789abcdef"});
    add_made(&(struct made_batch){.label = "other", .version = "2.0"});
    expect_batch("nightly", key);
    expect_batch("2.1", key);
    expect_batch("0123456789abcdef", key);
    expect_batch("0123456", key);
    cr_expect_eq(find_batches("012345", NULL), DJ_E_NO_DATA, "six characters");
    cr_expect_eq(find_batches("NIGHTLY", NULL), DJ_E_NO_DATA);
}

Test(named_batches, all_batches_of_a_build_are_found_newest_first)
{
    int64_t keys[2];
    keys[1] = add_made(&(struct made_batch){.label = "nightly"});
    keys[0] = add_made(&(struct made_batch){.label = "nightly"});
    expect_batches("nightly", NULL, keys, 2);
}

Test(named_batches, a_label_has_precedence_over_a_version)
{
    add_made(&(struct made_batch){.version = "main"});
    int64_t key = add_made(&(struct made_batch){.label = "main"});
    add_made(&(struct made_batch){.version = "main"});
    expect_batch("main", key);
}

Test(named_batches, a_build_has_precedence_over_the_name_of_a_batch)
{
    int64_t key = add_made(&(struct made_batch){.label = "scroll", .flow = "fling"});
    int64_t newer = add_made(&(struct made_batch){.flow = "scroll"});
    expect_batch("scroll", key);
    expect_batch("com.example", newer);
}

Test(named_batches, default_labels_name_the_newest_pair)
{
    add_made(&(struct made_batch){.label = "A", .group = "pair-1"});
    add_made(&(struct made_batch){.label = "B", .group = "pair-1"});
    int64_t key = add_made(&(struct made_batch){.label = "A", .group = "pair-2"});
    add_made(&(struct made_batch){.label = "B", .group = "pair-2"});
    expect_batch("A", key);
}

/* ---- several projects, flows and devices ---- */

Test(named_batches, a_build_with_several_flows_is_ambiguous)
{
    int64_t scroll = add_made(&(struct made_batch){.label = "nightly"});
    add_made(&(struct made_batch){.label = "nightly", .flow = "fling"});
    cr_expect_eq(find_batches("nightly", NULL), DJ_E_USAGE);
    cr_expect_not(several_devices);
    cr_expect_not_null(strstr(failure.message, "fling"), "%s", failure.message);
    cr_expect_not_null(strstr(failure.message, "--flow"), "%s", failure.message);
    const struct dj_side_filter filter = {.flow = "scroll"};
    expect_batches("nightly", &filter, &scroll, 1);
}

Test(named_batches, a_build_with_several_devices_is_reported_as_such)
{
    add_made(&(struct made_batch){.label = "nightly"});
    int64_t other = add_made(&(struct made_batch){.label = "nightly", .serial = "x"});
    cr_expect_eq(find_batches("nightly", NULL), DJ_E_USAGE);
    cr_expect(several_devices);
    const struct dj_side_filter filter = {.serial = "x"};
    expect_batches("nightly", &filter, &other, 1);
    cr_expect_not(several_devices);
}

Test(named_batches, several_devices_and_projects_are_not_only_devices)
{
    add_made(&(struct made_batch){.label = "nightly"});
    add_made(&(struct made_batch){.label = "nightly", .serial = "x"});
    add_made(&(struct made_batch){.label = "nightly", .project = "org.other"});
    cr_expect_eq(find_batches("nightly", NULL), DJ_E_USAGE);
    cr_expect_not(several_devices);
}

Test(named_batches, a_message_lists_at_most_five_batches)
{
    static const char *const flows[] = {"f1", "f2", "f3", "f4", "f5", "f6", "f7"};
    for (size_t i = 0; i < sizeof(flows) / sizeof(flows[0]); i++) {
        add_made(&(struct made_batch){.label = "nightly", .flow = flows[i]});
    }
    cr_expect_eq(find_batches("nightly", NULL), DJ_E_USAGE);
    cr_expect_not_null(strstr(failure.message, "f7 of"), "%s", failure.message);
    cr_expect_null(strstr(failure.message, "f1 of"), "%s", failure.message);
}

/* ---- batches without runs, and sides ---- */

Test(named_batches, a_batch_without_valid_runs_is_found_only_alone)
{
    int64_t empty = add_batch(store, "empty", 0);
    expect_batch("A", empty);
    int64_t full = add_batch(store, "empty", 2);
    expect_batch("A", full);
}

Test(named_batches, a_side_has_the_runs_in_the_order_of_measurement)
{
    struct dj_side side = {0};
    int64_t first = add_made(&(struct made_batch){.label = "nightly"});
    add_made(&(struct made_batch){.label = "nightly"});
    struct dj_error err = {0};
    expect_ok(dj_compare_side_add_named(&side, store, "nightly", NULL, NULL, &err), err);
    cr_expect_eq(side.run_count, 2);
    cr_expect_eq(side.batch_count, 2);
    cr_expect_eq(side.batches[0].key, first);
    cr_expect_eq(side.runs[0].batch, 0);
    cr_expect_eq(side.runs[1].batch, 1);
    dj_compare_side_finish(&side);
}

Test(named_batches, invalid_runs_of_a_side_are_listed)
{
    struct dj_side side = {0};
    struct dj_error err = {0};
    int64_t batch = add_batch(store, "scroll", 2);
    add_run(store, batch, 3, DJ_RUN_NO_FRAMES);
    expect_ok(dj_compare_side_add_batch(&side, store, batch, &err), err);
    cr_expect_eq(side.run_count, 2);
    cr_assert_eq(side.left_out_count, 1);
    cr_expect_not_null(strstr(side.left_out[0].what, "run 3"), "%s",
                       side.left_out[0].what);
    dj_compare_side_finish(&side);
    cr_expect_eq(dj_compare_side_add_batch(&side, store, batch + 1, &err), DJ_E_NO_DATA);
    dj_compare_side_finish(&side);
}
