#include "import/known_files.h"

#include "memory/memory.h"

/* Rows last for one call only: keys of batches are kept. */
struct batches {
    int64_t *keys;
    size_t count;
};

static int take_batch(void *user, const struct dj_batch_row *row)
{
    struct batches *batches = user;
    if (row->kind != NULL && strcmp(row->kind, "import") == 0) {
        DJ_XPUSH(batches->keys, batches->count, row->key);
    }
    return 0;
}

/* Where a piece of evidence is. */
struct place {
    struct dj_known_files *known;
    const char *batch;
    int64_t run;
};

static int take_evidence(void *user, const struct dj_evidence_row *row)
{
    const struct place *place = user;
    dj_import_known_files_add(place->known, row->sha256, place->batch, place->run);
    return 0;
}

static int read_batch(struct dj_known_files *known, struct dj_store *history, int64_t key,
                      struct dj_error *err)
{
    struct dj_loaded_batch batch = {0};
    int result = dj_store_load_batch(history, key, &batch, err);
    for (size_t i = 0; i < batch.run_count && result == 0; i++) {
        struct place place = {known, batch.batch.id, batch.runs[i].number};
        result = dj_store_read_evidence_rows(history, batch.runs[i].key, take_evidence,
                                             &place, err);
    }
    dj_store_loaded_batch_finish(&batch);
    return result;
}

int dj_import_known_files_read(struct dj_known_files *known, struct dj_store *history,
                               struct dj_error *err)
{
    struct batches batches = {0};
    int result = dj_store_read_batches(history, &(struct dj_batch_filter){0}, take_batch,
                                       &batches, err);
    for (size_t i = 0; i < batches.count && result == 0; i++) {
        result = read_batch(known, history, batches.keys[i], err);
    }
    free(batches.keys);
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
