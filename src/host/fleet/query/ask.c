#include "fleet/query.h"
#include "memory/memory.h"

/* A week that changed this often is read as a whole. */
enum { CHANGES_MOST = 3 };

static int start_all(struct dj_cluster *cluster, const struct dj_fleet_result *result,
                     bool *asked, struct dj_error *err)
{
    struct dj_text sql = {0};
    int code = 0;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        const struct dj_fleet_shard_state *shard = &result->state.shards[i];
        dj_text_clear(&sql);
        bool is_wanted =
            result->query.only_shard == 0 || result->query.only_shard == i + 1;
        asked[i] = is_wanted && shard->answers &&
                   dj_fleet_append_query(&sql, &result->query, shard);
        if (asked[i]) {
            code = dj_fleet_cluster_start(cluster, i, dj_xtext(&sql), (struct dj_str){0},
                                          err);
        }
    }
    dj_text_finish(&sql);
    return code;
}

/* Adds the answer of a shard. A shard that failed since it was asked for its state is an
 * error, or is missing in the answer. */
static int collect(struct dj_cluster *cluster, size_t index,
                   struct dj_fleet_result *result, struct dj_error *err)
{
    struct dj_shard *shard = &cluster->shards[index];
    dj_fleet_cluster_wait(cluster, index);
    if (shard->error.code == 0) {
        return dj_fleet_add_answer(result, dj_text_str(&shard->answer), err);
    }
    if (!result->query.partial || shard->error.code != DJ_E_GONE) {
        return dj_error_set(err, shard->error.code, "%s", shard->error.message);
    }
    result->state.shards[index].answers = false;
    result->state.answering--;
    return 0;
}

static void finish_group(const struct dj_fleet_result *result,
                         struct dj_fleet_group *group)
{
    for (size_t k = 0; k < result->query.by_count; k++) {
        free(group->key[k]);
    }
}

/* Without keys, the server answers with one group even if it has no session. With keys, a
 * group is empty if later revisions moved all of its sessions to other groups. */
static void remove_empty_groups(struct dj_fleet_result *result)
{
    size_t kept = 0;
    for (size_t i = 0; i < result->count; i++) {
        if (result->groups[i].sessions > 0) {
            result->groups[kept++] = result->groups[i];
        } else {
            finish_group(result, &result->groups[i]);
        }
    }
    result->count = kept;
}

/* A week of a shard that changed while it was queried. */
struct change {
    size_t shard;
    int64_t monday;
};

/* Changes of all rounds. A week is listed once for each round in which it changed. */
struct changes {
    struct change *list;
    size_t count;
};

static size_t count_changes(const struct changes *changes, size_t shard, int64_t monday)
{
    size_t count = 0;
    for (size_t i = 0; i < changes->count; i++) {
        count += changes->list[i].shard == shard && changes->list[i].monday == monday;
    }
    return count;
}

/* To read a week as a whole takes longer, but needs no names of parts. */
static void merge_changing(struct dj_fleet_state *state, const struct changes *changes)
{
    for (size_t i = 0; i < state->count; i++) {
        for (size_t k = 0; k < state->shards[i].week_count; k++) {
            struct dj_fleet_week *week = &state->shards[i].weeks[k];
            if (count_changes(changes, i, week->monday) >= CHANGES_MOST) {
                week->has_base = false;
            }
        }
    }
}

/* Asks the shards once. */
static int ask(struct dj_cluster *cluster, const struct changes *changes,
               struct dj_fleet_result *result, struct dj_error *err)
{
    int code = dj_fleet_read_state(cluster, result->query.partial, &result->state, err);
    code = code == 0 ? dj_fleet_read_weeks(cluster, &result->state, err) : code;
    merge_changing(&result->state, changes);
    bool *asked = dj_xcalloc(cluster->count, sizeof(*asked));
    code = code == 0 ? start_all(cluster, result, asked, err) : code;
    for (size_t i = 0; i < cluster->count; i++) {
        if (asked[i] && code == 0) {
            code = collect(cluster, i, result, err);
        } else if (asked[i]) {
            dj_fleet_cluster_wait(cluster, i);
        }
    }
    free(asked);
    if (code == 0 && result->state.answering == 0) {
        code = dj_fleet_cluster_require_all(cluster, err);
    }
    return code;
}

/* Finds the weeks whose parts or roll-ups were replaced while they were read: rows may be
 * missing then. */
static int find_changing(struct dj_cluster *cluster, const struct dj_fleet_state *state,
                         struct changes *changes, struct dj_error *err)
{
    struct dj_fleet_state after = {.count = state->count};
    after.shards = dj_xcalloc(state->count, sizeof(*after.shards));
    for (size_t i = 0; i < state->count; i++) {
        after.shards[i].answers = state->shards[i].answers;
    }
    int code = dj_fleet_read_weeks(cluster, &after, err);
    for (size_t i = 0; i < state->count && code == 0; i++) {
        for (size_t k = 0; k < state->shards[i].week_count; k++) {
            const struct dj_fleet_week *week = &state->shards[i].weeks[k];
            if (after.shards[i].answers && dj_fleet_week_is_split(week) &&
                !dj_fleet_week_persists(week, &after.shards[i])) {
                struct change change = {i, week->monday};
                DJ_XPUSH(changes->list, changes->count, change);
            }
        }
    }
    dj_fleet_state_finish(&after);
    return code;
}

int dj_fleet_query_shards(struct dj_cluster *cluster, const struct dj_fleet_query *query,
                          struct dj_fleet_result *result, struct dj_error *err)
{
    struct changes changes = {0};
    size_t known, lost = 0;
    int code;
    bool is_incomplete;
    /* Ends, because each week changes a limited number of times before it is read as a
     * whole, and each further round has more changes, or fewer shards. */
    do {
        known = changes.count;
        *result = (struct dj_fleet_result){.query = *query, .newest_day = -1};
        code = ask(cluster, &changes, result, err);
        code = code == 0 ? find_changing(cluster, &result->state, &changes, err) : code;
        bool is_lost = code == DJ_E_GONE && query->partial &&
                       result->state.answering > 0 && lost++ < cluster->count;
        is_incomplete = is_lost || (code == 0 && changes.count > known);
        if (is_incomplete) {
            dj_fleet_result_finish(result);
        }
    } while (is_incomplete);
    free(changes.list);
    remove_empty_groups(result);
    dj_fleet_sort_groups(result);
    result->is_provisional = result->newest_day >= result->state.today;
    return code;
}

void dj_fleet_result_finish(struct dj_fleet_result *result)
{
    for (size_t i = 0; i < result->count; i++) {
        finish_group(result, &result->groups[i]);
    }
    free(result->groups);
    dj_fleet_state_finish(&result->state);
    *result = (struct dj_fleet_result){0};
}
