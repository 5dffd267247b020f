#include "triage/weigh/weigh.h"

#include "memory/memory.h"

/* Returns true if the key belongs to the cause. Waits for a CPU are one cause, even if
 * they occur in several sections. Strings are interned, so their addresses are compared.
 */
static bool matches_cause(const struct dj_triage_key *key,
                          const struct dj_triage_cause *cause)
{
    return key->kind == cause->kind && key->thread == cause->thread &&
           key->family == cause->holder && key->foreign == cause->foreign &&
           (key->kind == DJ_CAUSE_RUNNABLE || key->name == cause->name);
}

static uint64_t compute_hash(const struct dj_triage_key *key)
{
    uint64_t hash = (uintptr_t)key->thread * 31 + (uintptr_t)key->family;
    hash = hash * 31 + (key->kind == DJ_CAUSE_RUNNABLE ? 0 : (uintptr_t)key->name);
    return (hash * 31 + key->kind) * 2 + key->foreign;
}

static size_t find_cause(const struct dj_triage_result *result, const struct dj_map *map,
                         const struct dj_triage_key *key)
{
    size_t at, found = dj_map_first(map, compute_hash(key), &at);
    while (found != DJ_MAP_NONE && !matches_cause(key, &result->causes[found])) {
        found = dj_map_next(map, compute_hash(key), &at);
    }
    return found;
}

void dj_triage_number_causes(struct dj_triage *triage)
{
    struct dj_triage_result *result = &triage->result;
    struct dj_map map = {0};
    result->causes = dj_xcalloc(triage->key_count, sizeof(*result->causes));
    triage->cause_of = dj_xcalloc(triage->key_count, sizeof(*triage->cause_of));
    for (size_t i = 0; i < triage->key_count; i++) {
        const struct dj_triage_key *key = &triage->keys[i];
        size_t cause = find_cause(result, &map, key);
        if (cause == DJ_MAP_NONE) {
            cause = result->cause_count++;
            result->causes[cause] = (struct dj_triage_cause){.kind = key->kind,
                                                             .name = key->name,
                                                             .thread = key->thread,
                                                             .holder = key->family,
                                                             .foreign = key->foreign};
            dj_xcheck(dj_map_add(&map, compute_hash(key), cause));
        }
        triage->cause_of[i] = (uint32_t)cause;
    }
    dj_map_finish(&map);
}
