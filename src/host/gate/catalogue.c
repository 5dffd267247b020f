#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/optional_text.h"
#include "gate/baseline.h"
#include "gate/commits.h"
#include "memory/memory.h"
#include "store/loaded_batch.h"

enum { NAMED_MOST = 5, SHORTEST_ID = 4 };

static int add_batch(void *user, const struct dj_batch_row *row)
{
    struct dj_catalogue *catalogue = user;
    if (row->excluded != NULL) {
        catalogue->excluded++;
        return 0;
    }
    /* Does not store the JSON texts, because a store may have many batches. */
    struct dj_batch_row batch = *row;
    batch.options = batch.objectives = batch.order = NULL;
    DJ_XPUSH(catalogue->batch, catalogue->count,
             dj_store_copy_batch_row(&catalogue->texts, &batch));
    return 0;
}

/* Returns DJ_E_USAGE if the batches are of several projects. A gate judges only one. */
static int check_project(const struct dj_catalogue *catalogue, struct dj_error *err)
{
    struct dj_text names = {0};
    size_t count = 0;
    for (size_t i = 0; i < catalogue->count; i++) {
        size_t k = 0;
        while (strcmp(catalogue->batch[k].project, catalogue->batch[i].project) != 0) {
            k++;
        }
        if (k == i && ++count <= NAMED_MOST) {
            dj_text_add(&names, count > 1 ? ", " : "");
            dj_text_append_escaped_name(&names, catalogue->batch[i].project);
        }
    }
    int code =
        count > 1
            ? dj_error_set(
                  err, DJ_E_USAGE,
                  "the store has %zu projects: %s%s. hint: choose one with --project",
                  count, dj_text_get(&names), count > NAMED_MOST ? ", …" : "")
            : 0;
    dj_text_finish(&names);
    return code;
}

int dj_gate_catalogue_load(struct dj_store *store, const char *project,
                           struct dj_catalogue *catalogue, struct dj_error *err)
{
    const struct dj_batch_filter filter = {.project = project};
    *catalogue = (struct dj_catalogue){.count = 0};
    int code = dj_store_read_batches(store, &filter, add_batch, catalogue, err);
    if (code == 0 && catalogue->count == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "%s: no batch%s%.100s%s%s",
                            dj_store_path(store), project != NULL ? " of '" : "",
                            project != NULL ? project : "", project != NULL ? "'" : "",
                            catalogue->excluded > 0 ? " that is not excluded" : "");
    }
    return code == 0 ? check_project(catalogue, err) : code;
}

void dj_gate_catalogue_finish(struct dj_catalogue *catalogue)
{
    dj_memory_strings_finish(&catalogue->texts);
    free(catalogue->batch);
    *catalogue = (struct dj_catalogue){.count = 0};
}

bool dj_gate_catalogue_same_build(const struct dj_batch_row *a,
                                  const struct dj_batch_row *b)
{
    return dj_optional_text_equal(a->version, b->version) &&
           dj_optional_text_equal(a->commit, b->commit) &&
           dj_optional_text_equal(a->label, b->label);
}

bool dj_gate_catalogue_matches(const struct dj_batch_row *batch, const char *word)
{
    size_t length = strlen(word);
    return (length >= SHORTEST_ID && strncmp(batch->id, word, length) == 0) ||
           dj_optional_text_equal(batch->label, word) ||
           dj_optional_text_equal(batch->version, word) ||
           dj_optional_text_equal(batch->commit, word) ||
           (batch->commit != NULL && (dj_gate_commit_matches(word, batch->commit) ||
                                      dj_gate_commit_matches(batch->commit, word)));
}

void dj_gate_format_build(struct dj_text *text, const struct dj_batch_row *batch)
{
    const char *name = batch->label != NULL     ? batch->label
                       : batch->version != NULL ? batch->version
                       : batch->commit != NULL  ? batch->commit
                                                : batch->id;
    dj_text_append_escaped_name(text, name);
    if (name != batch->version) {
        dj_text_append_name(text, " ", batch->version, "");
    }
    if (batch->commit != NULL && name != batch->commit) {
        char commit[13];
        snprintf(commit, sizeof(commit), "%.12s", batch->commit);
        dj_text_append_name(text, " (", commit, ")");
    }
}
