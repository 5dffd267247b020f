#include "store/run_evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static void expect_name(int64_t number, int64_t attempt, bool warmup, const char *name)
{
    const struct dj_run_row run = {
        .number = number, .attempt = attempt, .warmup = warmup};
    char found[DJ_TRACE_FILE_NAME];
    dj_store_trace_file_name(&run, found);
    cr_expect_str_eq(found, name);
}

Test(run_evidence, a_trace_is_named_after_its_run)
{
    expect_name(3, 1, false, "run-3.pftrace");
    expect_name(3, 2, false, "run-3.2.pftrace");
    expect_name(1, 1, true, "warmup-1.pftrace");
    expect_name(1, 3, true, "warmup-1.3.pftrace");
    expect_name(INT64_MAX, INT64_MAX, true,
                "warmup-9223372036854775807.9223372036854775807.pftrace");
}

/* ---- evidence in a store ---- */

static struct dj_store *store;

static void open_new_store(void)
{
    char *path = test_path("evidence.db");
    store = open_store(path);
    free(path);
}

static void close_store(void)
{
    dj_store_close(store);
}

TestSuite(run_evidence_store, .init = open_new_store, .fini = close_store);

/* Adds a run with two pieces of evidence of the kind "trace". Returns the run's key. */
static int64_t add_traced_run(int64_t batch, int64_t number, const char *trace)
{
    const struct dj_store_evidence evidence[] = {
        {"logcat", NULL, "log", 3},
        {DJ_EVIDENCE_TRACE, "run.pftrace", trace, strlen(trace)},
        {DJ_EVIDENCE_TRACE, "second.pftrace", "second", 6},
    };
    const struct dj_store_run run = {.number = number,
                                     .order_index = number - 1,
                                     .outcome = DJ_RUN_OK,
                                     .evidence = evidence,
                                     .evidence_count = 3};
    struct dj_store_commit_result committed;
    struct dj_error err = {0};
    expect_ok(dj_store_commit_run(store, batch, &run, &committed, &err), err);
    return committed.key;
}

Test(run_evidence_store, the_first_evidence_of_a_kind_is_read)
{
    struct dj_error err = {0};
    struct dj_text bytes = {0};
    int64_t run = add_traced_run(add_batch(store, "scroll", 0), 1, "first");
    expect_ok(dj_store_read_run_evidence(store, run, DJ_EVIDENCE_TRACE, &bytes, &err),
              err);
    cr_expect_str_eq(dj_text_get(&bytes), "first");
    expect_ok(dj_store_read_run_evidence(store, run, "logcat", &bytes, &err), err);
    cr_expect_str_eq(dj_text_get(&bytes), "firstlog", "the bytes are appended");
    cr_expect_eq(dj_store_read_run_evidence(store, run, "video", &bytes, &err),
                 DJ_E_NOT_FOUND);
    cr_expect_not_null(strstr(err.message, "video"), "%s", err.message);
    dj_text_finish(&bytes);
}

/* Returns the content of a file in a folder, and removes the file. */
static char *read_file(const char *folder, const char *name)
{
    static char bytes[64];
    char path[200];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    bytes[fread(bytes, 1, sizeof(bytes) - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    return bytes;
}

Test(run_evidence_store, traces_of_a_batch_become_files)
{
    struct dj_error err = {0};
    struct dj_text paths = {0};
    struct dj_loaded_batch loaded = {0};
    char *folder = test_path("traces"), expected[300];
    int64_t batch = add_batch(store, "scroll", 1);
    add_traced_run(batch, 2, "two");
    add_traced_run(batch, 3, "three");
    expect_ok(dj_store_load_batch(store, batch, &loaded, &err), err);
    expect_ok(dj_store_save_traces(store, &loaded, folder, &paths, &err), err);
    snprintf(expected, sizeof(expected), "%s/run-2.pftrace\n%s/run-3.pftrace\n", folder,
             folder);
    cr_expect_str_eq(dj_text_get(&paths), expected);
    cr_expect_str_eq(read_file(folder, "run-2.pftrace"), "two");
    cr_expect_str_eq(read_file(folder, "run-3.pftrace"), "three");
    rmdir(folder);
    free(folder);
    dj_text_finish(&paths);
    dj_store_loaded_batch_finish(&loaded);
}

Test(run_evidence_store, a_batch_without_traces_is_no_data)
{
    struct dj_error err = {0};
    struct dj_text paths = {0};
    struct dj_loaded_batch loaded = {0};
    char *folder = test_path("none");
    expect_ok(dj_store_load_batch(store, add_batch(store, "scroll", 2), &loaded, &err),
              err);
    cr_expect_eq(dj_store_save_traces(store, &loaded, folder, &paths, &err),
                 DJ_E_NO_DATA);
    cr_expect_eq(dj_store_save_traces(store, &loaded, "/dev/null/x", &paths, &err),
                 DJ_E_OUTPUT);
    rmdir(folder);
    free(folder);
    dj_text_finish(&paths);
    dj_store_loaded_batch_finish(&loaded);
}
