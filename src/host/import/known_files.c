#include "import/known_files.h"

#include "memory/memory.h"

struct batch {
    int64_t key;
    char id[DJ_STORE_ID_BYTES];
};

struct run {
    int64_t key, number;
};

/* The keys of all imported batches, and of the runs of one batch. */
struct keys {
    struct batch *batches;
    size_t batch_count;
    struct run *runs;
    size_t run_count;
};

static int add_batch(void *user, const struct dj_batch_row *row)
{
    struct keys *keys = user;
    if (row->kind != NULL && strcmp(row->kind, "import") == 0) {
        DJ_XROOM(keys->batches, keys->batch_count);
        struct batch *batch = &keys->batches[keys->batch_count++];
        batch->key = row->key;
        snprintf(batch->id, sizeof(batch->id), "%s", row->id);
    }
    return 0;
}

static int add_run(void *user, const struct dj_run_row *row)
{
    struct keys *keys = user;
    DJ_XROOM(keys->runs, keys->run_count);
    keys->runs[keys->run_count++] = (struct run){row->key, row->number};
    return 0;
}

/* The run that has the evidence being read. */
struct place {
    struct dj_known_files *known;
    const char *batch;
    int64_t run;
};

static int add_evidence(void *user, const struct dj_evidence_row *row)
{
    const struct place *place = user;
    dj_import_known_files_add(place->known, row->sha256, place->batch, place->run);
    return 0;
}

static int read_batch(struct dj_known_files *known, struct dj_store *store,
                      const struct batch *batch, struct keys *keys, struct dj_error *err)
{
    keys->run_count = 0;
    int result = dj_store_read_runs(store, batch->key, add_run, keys, err);
    for (size_t i = 0; i < keys->run_count && result == 0; i++) {
        struct place place = {known, batch->id, keys->runs[i].number};
        result = dj_store_read_evidence_rows(store, keys->runs[i].key, add_evidence,
                                             &place, err);
    }
    return result;
}

int dj_import_known_files_read(struct dj_known_files *known, struct dj_store *store,
                               struct dj_error *err)
{
    struct keys keys = {0};
    int result =
        dj_store_read_batches(store, &(struct dj_batch_filter){0}, add_batch, &keys, err);
    for (size_t i = 0; i < keys.batch_count && result == 0; i++) {
        result = read_batch(known, store, &keys.batches[i], &keys, err);
    }
    free(keys.batches);
    free(keys.runs);
    return result;
}

void dj_import_known_files_add(struct dj_known_files *known, const char *sha256,
                               const char *batch, int64_t run)
{
    DJ_XROOM(known->file, known->count);
    struct dj_known_file *file = &known->file[known->count++];
    snprintf(file->sha256, sizeof(file->sha256), "%s", sha256);
    snprintf(file->batch, sizeof(file->batch), "%s", batch);
    file->run = run;
}

const struct dj_known_file *dj_import_known_files_find(const struct dj_known_files *known,
                                                       const char *sha256)
{
    for (size_t i = 0; i < known->count; i++) {
        if (strcmp(known->file[i].sha256, sha256) == 0) {
            return &known->file[i];
        }
    }
    return NULL;
}

void dj_import_known_files_finish(struct dj_known_files *known)
{
    free(known->file);
    *known = (struct dj_known_files){0};
}
