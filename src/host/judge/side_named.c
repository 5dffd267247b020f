#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "judge/side.h"

/* Characters of a commit; batches that a message names. */
enum { COMMIT_LEAST = 7, NAMED_MOST = 4 };

/* ---- what a build's batches are of ---- */

/* What a word may be of a build, in the order in which it is looked for. */
enum rank { LABEL, VERSION, COMMIT, NOTHING };

struct found {
    struct dj_history *history;
    const char *word;
    bool even_empty; /* batches without a run that counts, too */
    enum rank rank;  /* of those below */
    int64_t *keys;   /* of those that pass the filter */
    size_t count;
    char *project, *flow; /* of the first */
    char *group;          /* of the newest pair whose arm the word names */
    int64_t device_key;
    struct dj_text others; /* what else there is */
    size_t other_count;
    bool by_device_alone; /* all others are of the same project and flow */
};

static void describe(struct dj_text *text, const struct dj_batch_row *batch)
{
    dj_text_escaped_name(text, batch->name);
    dj_text_string(text, " of ");
    dj_text_escaped_name(text, batch->project);
    dj_text_string(text, " on ");
    dj_text_escaped_name(text, batch->serial);
    dj_text_format(text, " (%s)", batch->id);
}

static int remember(struct found *found, const struct dj_batch_row *batch)
{
    void *larger = reallocarray(found->keys, found->count + 1, sizeof(*found->keys));
    found->keys = larger != NULL ? larger : found->keys;
    if (larger == NULL) {
        return DJ_E_NO_MEMORY;
    }
    if (found->count == 0) {
        found->project = strdup(batch->project);
        found->flow = strdup(batch->name);
        found->device_key = batch->device_key;
        describe(&found->others, batch);
    }
    found->keys[found->count++] = batch->key;
    return found->project != NULL && found->flow != NULL ? 0 : DJ_E_NO_MEMORY;
}

static enum rank rank_of(const char *word, const struct dj_batch_row *batch)
{
    size_t length = strlen(word);
    bool commit = batch->commit != NULL && length >= COMMIT_LEAST &&
                  strncmp(word, batch->commit, length) == 0;
    return batch->label != NULL && strcmp(word, batch->label) == 0       ? LABEL
           : batch->version != NULL && strcmp(word, batch->version) == 0 ? VERSION
           : commit                                                      ? COMMIT
                                                                         : NOTHING;
}

static void forget(struct found *found)
{
    free(found->keys);
    free(found->project);
    free(found->flow);
    free(found->group);
    dj_text_finish(&found->others);
    found->keys = NULL;
    found->project = found->flow = found->group = NULL;
    found->count = found->other_count = 0;
}

/* "A" and "B" are what a pair of builds is called that nobody named: those of another
 * pair are other builds. The newest comes first. */
static bool of_this_pair(struct found *found, const struct dj_batch_row *batch)
{
    if (batch->arm == NULL || batch->group == NULL ||
        strcmp(batch->arm, batch->label) != 0) {
        return true;
    }
    if (found->group == NULL) {
        found->group = strdup(batch->group);
    }
    return found->group != NULL && strcmp(found->group, batch->group) == 0;
}

static int take(void *user, const struct dj_batch_row *batch)
{
    struct found *found = user;
    enum rank rank = rank_of(found->word, batch);
    if (rank == NOTHING || rank > found->rank ||
        (batch->runs.clean == 0 && !found->even_empty)) {
        return 0;
    }
    if (rank < found->rank) {
        forget(found);
        found->rank = rank;
    }
    if (rank == LABEL && !of_this_pair(found, batch)) {
        return 0;
    }
    bool same = found->count == 0 || (strcmp(found->project, batch->project) == 0 &&
                                      strcmp(found->flow, batch->name) == 0);
    if (found->count == 0 || (same && found->device_key == batch->device_key)) {
        return remember(found, batch);
    }
    found->by_device_alone = same && (found->other_count == 0 || found->by_device_alone);
    if (++found->other_count <= NAMED_MOST) {
        dj_text_string(&found->others, ", ");
        describe(&found->others, batch);
    }
    return 0;
}

static int ambiguous(struct found *found, const char *word, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_USAGE,
                        "'%.60s' is a build with batches of several projects, flows or "
                        "devices: %.200s%s; name a batch, or narrow it with --project, "
                        "--flow or --device",
                        word, dj_text_get(&found->others),
                        found->other_count > NAMED_MOST ? ", …" : "");
}

/* ---- the word ---- */

static int add_all(struct dj_side *side, struct found *found, struct dj_error *err)
{
    int code = 0;
    /* Found newest first; runs stand in the order they were made. */
    for (size_t i = found->count; i > 0 && code == 0; i--) {
        code = dj_side_add_batch(side, found->history, found->keys[i - 1], err);
    }
    return code;
}

static int add_build(struct dj_side *side, struct dj_history *history, const char *word,
                     const struct dj_side_filter *filter, bool *found_any,
                     bool *several_devices, struct dj_error *err)
{
    struct found found = {.history = history, .word = word, .rank = NOTHING};
    const struct dj_batch_filter wanted = {
        .project = filter->project, .serial = filter->serial, .name = filter->flow};
    int code = dj_history_each_batch(history, &wanted, take, &found, err);
    if (code == 0 && found.count == 0) {
        found.even_empty = true;
        code = dj_history_each_batch(history, &wanted, take, &found, err);
    }
    if (code == DJ_E_NO_MEMORY) {
        dj_error_set(err, code, "out of memory");
    }
    if (code == 0 && found.other_count > 0) {
        code = ambiguous(&found, word, err);
        *several_devices = found.by_device_alone;
    }
    *found_any = found.count > 0;
    code = code == 0 ? add_all(side, &found, err) : code;
    forget(&found);
    return code;
}

/* Whether the word is a batch's whole id. */
static int take_id(void *user, const struct dj_batch_row *batch)
{
    struct found *found = user;
    found->count = 1;
    found->other_count = strcmp(batch->id, found->word) == 0;
    return 0;
}

static bool is_id(struct dj_history *history, const char *word, int64_t key)
{
    struct found found = {.word = word};
    const struct dj_batch_filter filter = {.key = key};
    return key != 0 &&
           dj_history_each_batch(history, &filter, take_id, &found, NULL) == 0 &&
           found.other_count > 0;
}

int dj_side_add_named(struct dj_side *side, struct dj_history *history, const char *word,
                      const struct dj_side_filter *filter, bool *several_devices,
                      struct dj_error *err)
{
    static const struct dj_side_filter any = {0};
    bool several = false;
    int64_t key = 0;
    bool found = false;
    int resolved = dj_history_resolve(history, word, &key, NULL);
    if (resolved == 0 && is_id(history, word, key)) {
        return dj_side_add_batch(side, history, key, err);
    }
    int code = add_build(side, history, word, filter != NULL ? filter : &any, &found,
                         &several, err);
    if (several_devices != NULL) {
        *several_devices = several;
    }
    if (code != 0 || found) {
        return code;
    }
    code = dj_history_resolve(history, word, &key, err);
    return code == 0 ? dj_side_add_batch(side, history, key, err) : code;
}
