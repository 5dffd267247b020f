#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/batches.h"

static struct dj_batches batches;
static struct dj_triage_sum sums[DJ_BATCHES_MAX];
static struct dj_error failure;

static char folder[] = "/tmp/dejank-test-XXXXXX", path[64];

static void start(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/store.db", folder);
}

static void finish(void)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    char file[80];
    dj_report_finish_batches(&batches);
    for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
        snprintf(file, sizeof(file), "%s%s", path, suffixes[i]);
        unlink(file);
    }
    rmdir(folder);
    for (size_t i = 0; i < DJ_BATCHES_MAX; i++) {
        dj_triage_sum_finish(&sums[i]);
    }
}

/* Adds a batch of the build "A" to the store, with runs that have no evidence. */
static void add_batch(const char *name, int64_t runs)
{
    const struct dj_store_batch batch = {.project = "com.x",
                                         .build = {.label = "A"},
                                         .device = {.serial = "s1", .kind = "adb"},
                                         .name = name,
                                         .kind = "run"};
    struct dj_store *store;
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    int code = dj_store_open(path, DJ_STORE_CREATE, &store, &failure);
    cr_assert_eq(code, 0, "%s", failure.message);
    code = dj_store_begin_batch(store, &batch, id, &key, &failure);
    cr_assert_eq(code, 0, "%s", failure.message);
    for (int64_t i = 1; i <= runs; i++) {
        const struct dj_store_run run = {.number = i};
        code = dj_store_commit_run(store, key, &run, NULL, &failure);
        cr_assert_eq(code, 0, "%s", failure.message);
    }
    dj_store_close(store);
}

static int read_word(const char *store, char *word)
{
    static const struct dj_side_filter any;
    batches.store = store;
    return dj_report_read_batches(1, &word, &any, &batches, sums, NULL, &failure);
}

TestSuite(batches_read, .init = start, .fini = finish);

Test(batches_read, batches_of_a_build_are_read_oldest_first)
{
    add_batch("scroll", 2);
    add_batch("scroll", 3);
    cr_assert_eq(read_word(path, "A"), 0, "%s", failure.message);
    cr_assert_eq(batches.count, 2, "%zu", batches.count);
    cr_expect_eq(batches.batch[0].run_count, 2);
    cr_expect_eq(batches.batch[1].run_count, 3);
}

Test(batches_read, a_batch_without_traces_has_no_triage_and_no_note)
{
    add_batch("scroll", 1);
    cr_assert_eq(read_word(path, "scroll"), 0, "%s", failure.message);
    cr_expect_null(batches.batch[0].triage);
    cr_expect_eq(sums[0].notes.length, 0, "%s", dj_text_get(&sums[0].notes));
}

Test(batches_read, an_unknown_word_is_named)
{
    add_batch("scroll", 1);
    cr_expect_eq(read_word(path, "fling"), DJ_E_NO_DATA);
    cr_expect_not_null(strstr(failure.message, "fling"), "%s", failure.message);
}

Test(batches_read, without_a_store_there_are_no_batches)
{
    cr_expect_neq(read_word(path, "scroll"), 0);
    cr_expect_not_null(strstr(failure.message, "no such store"), "%s", failure.message);
    setenv("XDG_DATA_HOME", folder, 1);
    cr_expect_eq(read_word(NULL, "scroll"), DJ_E_NO_DATA);
    cr_expect_not_null(strstr(failure.message, "does not exist"), "%s", failure.message);
}
