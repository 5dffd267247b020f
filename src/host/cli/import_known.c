#include "cli/import_known.h"

#include "memory/memory.h"

/* Where the reading is: batches are kept, since rows last for one call only. */
struct walk {
    struct dj_known_files *known;
    struct dj_known_file *batches; /* id, and the key as `run` */
    size_t batch_count;
    struct dj_known_file *runs; /* of one batch: the number, and below its key */
    int64_t *keys;
    size_t run_count;
};

static int take_batch(void *user, const struct dj_batch_row *row)
{
    struct walk *walk = user;
    if (row->kind == NULL || strcmp(row->kind, "import") != 0) {
        return 0;
    }
    DJ_XROOM(walk->batches, walk->batch_count);
    struct dj_known_file *batch = &walk->batches[walk->batch_count++];
    snprintf(batch->batch, sizeof(batch->batch), "%s", row->id);
    batch->run = row->key;
    return 0;
}

static int take_run(void *user, const struct dj_run_row *row)
{
    struct walk *walk = user;
    DJ_XROOM(walk->runs, walk->run_count);
    DJ_XROOM(walk->keys, walk->run_count);
    walk->runs[walk->run_count].run = row->number;
    walk->keys[walk->run_count++] = row->key;
    return 0;
}

/* The newest piece of evidence is named by its batch and run, which the walk stands at.
 */
struct at {
    struct walk *walk;
    const char *batch;
    int64_t run;
};

static int take_evidence(void *user, const struct dj_evidence_row *row)
{
    const struct at *at = user;
    dj_known_files_add(at->walk->known, row->sha256, at->batch, at->run);
    return 0;
}

static int walk_runs(struct walk *walk, struct dj_history *history,
                     const struct dj_known_file *batch, struct dj_error *err)
{
    walk->run_count = 0;
    int result = dj_history_each_run(history, batch->run, take_run, walk, err);
    for (size_t i = 0; i < walk->run_count && result == 0; i++) {
        struct at at = {walk, batch->batch, walk->runs[i].run};
        result =
            dj_history_each_evidence(history, walk->keys[i], take_evidence, &at, err);
    }
    return result;
}

int dj_known_files_read(struct dj_known_files *known, struct dj_history *history,
                        struct dj_error *err)
{
    struct walk walk = {.known = known};
    int result = dj_history_each_batch(history, &(struct dj_batch_filter){0}, take_batch,
                                       &walk, err);
    for (size_t i = 0; i < walk.batch_count && result == 0; i++) {
        result = walk_runs(&walk, history, &walk.batches[i], err);
    }
    free(walk.batches);
    free(walk.runs);
    free(walk.keys);
    return result;
}

void dj_known_files_add(struct dj_known_files *known, const char *sha256,
                        const char *batch, int64_t run)
{
    DJ_XROOM(known->file, known->count);
    struct dj_known_file *file = &known->file[known->count++];
    snprintf(file->sha256, sizeof(file->sha256), "%s", sha256);
    snprintf(file->batch, sizeof(file->batch), "%s", batch);
    file->run = run;
}

const struct dj_known_file *dj_known_files_find(const struct dj_known_files *known,
                                                const char *sha256)
{
    for (size_t i = 0; i < known->count; i++) {
        if (strcmp(known->file[i].sha256, sha256) == 0) {
            return &known->file[i];
        }
    }
    return NULL;
}

void dj_known_files_finish(struct dj_known_files *known)
{
    free(known->file);
    *known = (struct dj_known_files){0};
}
