/* Reads a trend from a store, as a whole or in parts. */
#include <stdio.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "trend/changes.h"
#include "trend/reading.h"
#include "trend/segment.h"

/* Moves all texts of `from` to `texts`. */
static void move_texts(struct dj_strings *texts, struct dj_strings *from)
{
    while (from->count > 0) {
        DJ_XPUSH(texts->all, texts->count, DJ_ARRAY_POP(from->all, from->count));
    }
}

static int find_all_changes(struct dj_trend *trend, const struct dj_trend_query *query,
                            struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < trend->segment_count && code == 0; i++) {
        code = dj_trend_find_changes(&trend->segments[i], query->rules, err);
    }
    return code;
}

static int read_part(struct dj_trend_outline *outline, size_t from, size_t to,
                     struct dj_trend *trend, struct dj_error *err)
{
    int code = dj_trend_read_batches(outline, from, to, trend, err);
    if (code != 0 || (code = dj_trend_read_series(outline, from, to, trend, err)) != 0) {
        return code;
    }
    if (trend->segment_count > 0) {
        qsort(trend->segments, trend->segment_count, sizeof(*trend->segments),
              dj_trend_compare_segments);
    }
    if ((code = find_all_changes(trend, outline->query, err)) != 0 ||
        (code = dj_trend_find_blessings(trend, outline->store, err)) != 0) {
        return code;
    }
    code = dj_trend_find_commits(trend, outline, err);
    trend->git_note = dj_trend_git_note(outline->git);
    return code;
}

int dj_trend_read(struct dj_store *store, const struct dj_trend_query *query,
                  struct dj_trend *trend, struct dj_error *err)
{
    struct dj_trend_outline outline = {.store = store, .query = query};
    int code = dj_trend_outline_read(&outline, err);
    if (code == 0) {
        code = read_part(&outline, 0, outline.group_count, trend, err);
    }
    /* The segments of the trend refer to the texts of the outline. */
    move_texts(&trend->texts, &outline.names);
    trend->git_note = dj_memory_strings_add(&trend->texts, trend->git_note);
    dj_trend_outline_finish(&outline);
    return code;
}

/* Returns the end of the part that begins with the group `from`, which is the index after
 * its last group. */
static size_t find_part_end(const struct dj_trend_outline *outline, size_t from)
{
    size_t most = dj_store_batches_per_query(outline->store);
    size_t weight = outline->groups[from].weight;
    size_t to = from + 1;
    for (; to < outline->group_count && weight + outline->groups[to].weight <= most;
         to++) {
        weight += outline->groups[to].weight;
    }
    return to;
}

int dj_trend_read_parts(struct dj_store *store, const struct dj_trend_query *query,
                        int (*callback)(void *user, const struct dj_trend *part),
                        void *user, struct dj_trend_totals *totals, struct dj_error *err)
{
    struct dj_trend_outline outline = {.store = store, .query = query};
    *totals = (struct dj_trend_totals){0};
    int code = dj_trend_outline_read(&outline, err);
    if (code == 0 && outline.batch_ref_count == 0) {
        /* Even an empty store is queried, so that dj_store_explain() reports the query
         * plans. */
        struct dj_trend none = {0};
        code = dj_trend_read_batches(&outline, 0, 0, &none, err);
        dj_trend_finish(&none);
    }
    for (size_t from = 0, to; from < outline.group_count && code == 0; from = to) {
        struct dj_trend part = {0};
        to = find_part_end(&outline, from);
        code = read_part(&outline, from, to, &part, err);
        if (code == 0 && part.segment_count > 0) {
            code = callback(user, &part);
        }
        totals->segments += part.segment_count;
        dj_trend_finish(&part);
    }
    const char *note = dj_trend_git_note(outline.git);
    totals->unclassed = outline.unclassed;
    snprintf(totals->git_note, sizeof(totals->git_note), "%s", note != NULL ? note : "");
    dj_trend_outline_finish(&outline);
    return code;
}
