#include "fleet/query.h"
#include "memory/memory.h"

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

/* Mondays of weeks that change while they are queried. */
struct changing {
    int64_t *mondays;
    size_t count;
};

/* Changing weeks are read as a whole, which needs no names of parts. */
static void merge_changing(struct dj_fleet_state *state, const struct changing *changing)
{
    for (size_t i = 0; i < state->count; i++) {
        for (size_t k = 0; k < changing->count; k++) {
            struct dj_fleet_week *week =
                dj_fleet_find_week(&state->shards[i], changing->mondays[k]);
            if (week != NULL) {
                week->has_base = false;
            }
        }
    }
}

/* Asks the shards once. */
static int ask(struct dj_cluster *cluster, const struct changing *changing,
               struct dj_fleet_result *result, struct dj_error *err)
{
    int code = dj_fleet_read_state(cluster, result->query.partial, &result->state, err);
    code = code == 0 ? dj_fleet_read_weeks(cluster, &result->state, err) : code;
    merge_changing(&result->state, changing);
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
                         struct changing *changing, struct dj_error *err)
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
                DJ_XPUSH(changing->mondays, changing->count, week->monday);
            }
        }
    }
    dj_fleet_state_finish(&after);
    return code;
}

int dj_fleet_query_shards(struct dj_cluster *cluster, const struct dj_fleet_query *query,
                          struct dj_fleet_result *result, struct dj_error *err)
{
    struct changing changing = {0};
    size_t known, lost = 0;
    int code;
    bool is_incomplete;
    /* Ends, because each further round has more weeks that change, or fewer shards. */
    do {
        known = changing.count;
        *result = (struct dj_fleet_result){.query = *query, .newest_day = -1};
        code = ask(cluster, &changing, result, err);
        code = code == 0 ? find_changing(cluster, &result->state, &changing, err) : code;
        bool is_lost = code == DJ_E_GONE && query->partial &&
                       result->state.answering > 0 && lost++ < cluster->count;
        is_incomplete = is_lost || (code == 0 && changing.count > known);
        if (is_incomplete) {
            dj_fleet_result_finish(result);
        }
    } while (is_incomplete);
    free(changing.mondays);
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
