#include <stdlib.h>
#include <string.h>

#include "base/optional_text.h"
#include "base/text.h"
#include "compare/side.h"
#include "memory/memory.h"

/* Minimum number of characters of an abbreviated commit, and maximum number of batches
 * that a message lists. */
enum { COMMIT_LEAST = 7, NAMED_MOST = 4 };

/* The field of a build that the word matches, best match first. */
enum rank { LABEL, VERSION, COMMIT, NOTHING };

struct found {
    const char *word;
    bool even_empty; /* True if batches without valid runs match too. */
    /* The field of the build that `word` matches for the batches in `keys`. */
    enum rank rank;
    int64_t *keys; /* Keys of the matching batches that also pass the filter. */
    size_t count;
    const char *project, *flow; /* Project and flow of the first matching batch. */
    /* Group of the newest pair of builds that were measured together. One of the two
     * builds has the name `word`. */
    const char *group;
    struct dj_strings texts; /* Owns the texts `project`, `flow` and `group`. */
    int64_t device_key;
    /* Description of the other matching batches, for a message. */
    struct dj_text others;
    size_t other_count;
    /* True if the other matching batches differ from the first only in the device. */
    bool by_device_alone;
};

static void append_description(struct dj_text *text, const struct dj_batch_row *batch)
{
    dj_text_append_escaped_name(text, batch->name);
    dj_text_add(text, " of ");
    dj_text_append_escaped_name(text, batch->project);
    dj_text_add(text, " on ");
    dj_text_append_escaped_name(text, batch->serial);
    dj_text_format(text, " (%s)", batch->id);
}

static void add_match(struct found *found, const struct dj_batch_row *batch)
{
    if (found->count == 0) {
        found->project = dj_memory_strings_add(&found->texts, batch->project);
        found->flow = dj_memory_strings_add(&found->texts, batch->name);
        found->device_key = batch->device_key;
        append_description(&found->others, batch);
    }
    DJ_XPUSH(found->keys, found->count, batch->key);
}

static enum rank get_rank(const char *word, const struct dj_batch_row *batch)
{
    size_t length = strlen(word);
    bool commit = batch->commit != NULL && length >= COMMIT_LEAST &&
                  strncmp(word, batch->commit, length) == 0;
    return dj_optional_text_equal(word, batch->label)     ? LABEL
           : dj_optional_text_equal(word, batch->version) ? VERSION
           : commit                                       ? COMMIT
                                                          : NOTHING;
}

static void reset_matches(struct found *found)
{
    free(found->keys);
    dj_memory_strings_finish(&found->texts);
    dj_text_finish(&found->others);
    *found = (struct found){.word = found->word, .even_empty = found->even_empty};
}

/* Returns whether the batch belongs to the newest matching pair of builds. "A" and "B"
 * are the default names of two builds that were measured together. So the build "A" of
 * one pair is not the build "A" of another pair. */
static bool is_of_this_pair(struct found *found, const struct dj_batch_row *batch)
{
    if (batch->group == NULL || !dj_optional_text_equal(batch->arm, batch->label)) {
        return true;
    }
    if (found->group == NULL) {
        found->group = dj_memory_strings_add(&found->texts, batch->group);
    }
    return strcmp(found->group, batch->group) == 0;
}

static int check_batch(void *user, const struct dj_batch_row *batch)
{
    struct found *found = user;
    enum rank rank = get_rank(found->word, batch);
    if (rank == NOTHING || rank > found->rank ||
        (batch->runs.clean == 0 && !found->even_empty)) {
        return 0;
    }
    if (rank < found->rank) {
        reset_matches(found);
        found->rank = rank;
    }
    if (rank == LABEL && !is_of_this_pair(found, batch)) {
        return 0;
    }
    bool same = found->count == 0 || (strcmp(found->project, batch->project) == 0 &&
                                      strcmp(found->flow, batch->name) == 0);
    if (found->count == 0 || (same && found->device_key == batch->device_key)) {
        add_match(found, batch);
        return 0;
    }
    found->by_device_alone = same && (found->other_count == 0 || found->by_device_alone);
    if (++found->other_count <= NAMED_MOST) {
        dj_text_add(&found->others, ", ");
        append_description(&found->others, batch);
    }
    return 0;
}

static int report_ambiguous(struct found *found, const char *word, struct dj_error *err)
{
    return dj_error_set(
        err, DJ_E_USAGE,
        "build '%.60s' has batches of several projects, flows or devices: %.200s%s. "
        "hint: name a batch, or use --project, --flow or --device",
        word, dj_text_get(&found->others), found->other_count > NAMED_MOST ? ", …" : "");
}

/* Finds a build. Returns DJ_E_NO_DATA without a message if there is no build of that
 * name. */
static int find_build(struct dj_store *store, const char *word,
                      const struct dj_side_filter *filter, bool *several_devices,
                      struct dj_named_batches *named, struct dj_error *err)
{
    struct found found = {.word = word, .rank = NOTHING};
    const struct dj_batch_filter wanted = {
        .project = filter->project, .serial = filter->serial, .name = filter->flow};
    int code = dj_store_read_batches(store, &wanted, check_batch, &found, err);
    if (code == 0 && found.count == 0) {
        found.even_empty = true;
        code = dj_store_read_batches(store, &wanted, check_batch, &found, err);
    }
    if (code == 0 && found.other_count > 0) {
        code = report_ambiguous(&found, word, err);
        *several_devices = found.by_device_alone;
    } else if (code == 0 && found.count == 0) {
        code = DJ_E_NO_DATA;
    } else if (code == 0) {
        *named = (struct dj_named_batches){found.keys, found.count};
        found.keys = NULL;
    }
    reset_matches(&found);
    return code;
}

int dj_compare_named_batches_find(struct dj_store *store, const char *word,
                                  const struct dj_side_filter *filter,
                                  bool *several_devices, struct dj_named_batches *named,
                                  struct dj_error *err)
{
    static const struct dj_side_filter any = {0};
    bool several = false;
    int64_t key = 0;
    *named = (struct dj_named_batches){NULL, 0};
    if (dj_store_find_batch_id(store, word, &key, NULL) == 0 && key != 0) {
        DJ_XPUSH(named->keys, named->count, key);
        return 0;
    }
    int code =
        find_build(store, word, filter != NULL ? filter : &any, &several, named, err);
    if (several_devices != NULL) {
        *several_devices = several;
    }
    if (code != DJ_E_NO_DATA) {
        return code;
    }
    code = dj_store_find_batch(store, word, &key, err);
    if (code == 0) {
        DJ_XPUSH(named->keys, named->count, key);
    }
    return code;
}

int dj_compare_side_add_named(struct dj_side *side, struct dj_store *store,
                              const char *word, const struct dj_side_filter *filter,
                              bool *several_devices, struct dj_error *err)
{
    struct dj_named_batches named;
    int code =
        dj_compare_named_batches_find(store, word, filter, several_devices, &named, err);
    /* named.keys has the newest batch first. The loop goes backwards, so that runs are
     * added in the order of measurement. */
    for (size_t i = named.count; i > 0 && code == 0; i--) {
        code = dj_compare_side_add_batch(side, store, named.keys[i - 1], err);
    }
    free(named.keys);
    return code;
}
