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
        asked[i] = shard->answers && dj_fleet_append_query(&sql, &result->query, shard);
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

/* Without keys, the server answers with one group even if it has no session. */
static void remove_empty_groups(struct dj_fleet_result *result)
{
    size_t kept = 0;
    for (size_t i = 0; i < result->count; i++) {
        if (result->groups[i].sessions > 0) {
            result->groups[kept++] = result->groups[i];
        }
    }
    result->count = kept;
}

int dj_fleet_query_shards(struct dj_cluster *cluster, const struct dj_fleet_query *query,
                          struct dj_fleet_result *result, struct dj_error *err)
{
    *result = (struct dj_fleet_result){.query = *query, .newest_day = -1};
    int code = dj_fleet_read_state(cluster, query->partial, &result->state, err);
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
    remove_empty_groups(result);
    dj_fleet_sort_groups(result);
    result->is_provisional = result->newest_day >= result->state.today;
    return code;
}

void dj_fleet_result_finish(struct dj_fleet_result *result)
{
    for (size_t i = 0; i < result->count; i++) {
        for (size_t k = 0; k < result->query.by_count; k++) {
            free(result->groups[i].key[k]);
        }
    }
    free(result->groups);
    dj_fleet_state_finish(&result->state);
    *result = (struct dj_fleet_result){0};
}
