#include "made_batch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static const char *get_or(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

static int64_t store_batch(struct dj_store *store, const struct dj_store_batch *given)
{
    struct dj_store_batch batch = *given;
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    struct dj_error err = {0};
    batch.project = get_or(batch.project, "com.x");
    batch.name = get_or(batch.name, "scroll");
    batch.kind = get_or(batch.kind, "run");
    batch.device.serial = get_or(batch.device.serial, "s1");
    batch.device.kind = get_or(batch.device.kind, "adb");
    cr_assert_eq(dj_store_begin_batch(store, &batch, id, &key, &err), 0, "%s",
                 err.message);
    return key;
}

void make_batch(struct made_batch *made, const struct dj_store_batch *batch,
                const struct dj_store_run *runs, size_t run_count)
{
    struct dj_error err = {0};
    char path[64];
    snprintf(path, sizeof(path), "/tmp/dejank-made-batch-%d", (int)getpid());
    cr_assert_eq(dj_store_open(path, DJ_STORE_UNNAMED, &made->store, &err), 0, "%s",
                 err.message);
    int64_t key = store_batch(made->store, batch);
    for (size_t i = 0; i < run_count; i++) {
        cr_assert_eq(dj_store_commit_run(made->store, key, &runs[i], NULL, &err), 0, "%s",
                     err.message);
    }
    cr_assert_eq(dj_store_load_batch(made->store, key, &made->loaded, &err), 0, "%s",
                 err.message);
    made->loaded.batch.id = "abcd1234abcd1234";
    made->loaded.batch.began_unix_ms = 60000;
    made->loaded.batch.dejank = "9.9";
}

void finish_batch(struct made_batch *made)
{
    dj_store_loaded_batch_finish(&made->loaded);
    dj_store_close(made->store);
    made->store = NULL;
}
