#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- folders ---- */

static char folder[64];

static void remove_folder(void)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    rmdir(folder);
}

const char *test_folder(void)
{
    if (folder[0] == '\0') {
        snprintf(folder, sizeof(folder), "/tmp/dejank-history-XXXXXX");
        cr_assert_not_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    return folder;
}

char *test_path(const char *name)
{
    char *path;
    cr_assert_geq(asprintf(&path, "%s/%s", test_folder(), name), 0);
    return path;
}

/* ---- stores ---- */

struct dj_store *open_store(const char *path)
{
    struct dj_store *store;
    struct dj_error err = {0};
    expect_ok(dj_store_open(path, DJ_STORE_CREATE, &store, &err), err);
    return store;
}

int64_t add_run(struct dj_store *store, int64_t batch, int64_t number,
                enum dj_run_outcome outcome)
{
    const struct made_text spec = {
        .frames = 50 + (size_t)number, .slow_every = 10, .rows = true};
    struct dj_text text = make_text(&spec);
    const struct dj_store_evidence evidence = {DJ_EVIDENCE_GFXINFO, "gfxinfo.txt",
                                               text.data, text.length};
    const struct dj_condition before[] = {{"battery", 83, NULL, "%"},
                                          {"governor", (double)NAN, "schedutil", NULL}};
    const struct dj_store_run run = {
        .number = number,
        .order_index = number - 1,
        .outcome = outcome,
        .reason = outcome == DJ_RUN_OK ? NULL : "as the test says",
        .started_unix_ms = INT64_C(1700000000000) + number,
        .duration_ns = 2000000000,
        .span = {FIRST_NS, FIRST_NS + 100 * (int64_t)INTERVAL_NS},
        .before = before,
        .before_count = 2,
        .evidence = &evidence,
        .evidence_count = 1,
    };
    struct dj_store_commit_result committed;
    struct dj_error err = {0};
    expect_ok(dj_store_commit_run(store, batch, &run, &committed, &err), err);
    dj_text_finish(&text);
    return committed.key;
}

int64_t add_batch(struct dj_store *store, const char *name, int runs)
{
    static const struct dj_fact facts[] = {{"ram", "2048", "MB"}, {"gpu", "Mali", NULL}};
    const struct dj_store_batch batch = {
        .project = "com.example",
        .build = {.version = "1.0", .commit = "abc", .label = "A"},
        .device = {.serial = "serial-1",
                   .kind = "adb",
                   .model = "Pixel",
                   .release = "14",
                   .facts = facts,
                   .fact_count = 2},
        .name = name,
        .kind = "run",
        .fingerprint = name,
        .planned = 10,
        .options = "{\"for\":10}",
    };
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    struct dj_error err = {0};
    expect_ok(dj_store_begin_batch(store, &batch, id, &key, &err), err);
    for (int i = 1; i <= runs; i++) {
        add_run(store, key, i, DJ_RUN_OK);
    }
    return key;
}

int count_run(void *runs, const struct dj_run_row *run)
{
    (void)run;
    ++*(int64_t *)runs;
    return 0;
}
