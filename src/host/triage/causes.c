#include "triage/causes.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"

/* What makes keys one cause; names are kept ones, and so are their places. */
struct sort_of {
    uintptr_t parts[5];
    size_t key;
};

static struct sort_of sort_of(const struct dj_triage *triage, size_t number)
{
    const struct dj_triage_key *key = &triage->keys[number];
    return (struct sort_of){
        .parts = {key->kind, (uintptr_t)key->thread, (uintptr_t)key->family, key->foreign,
                  key->kind == DJ_CAUSE_RUNNABLE ? 0 : (uintptr_t)key->name},
        .key = number};
}

static int by_parts(const struct sort_of *left, const struct sort_of *right)
{
    int order = 0;
    for (size_t i = 0; i < COUNT_OF(left->parts) && order == 0; i++) {
        order = DJ_COMPARE(left->parts[i], right->parts[i]);
    }
    return order;
}

static int by_sort(const void *a, const void *b)
{
    const struct sort_of *left = a;
    const struct sort_of *right = b;
    int order = by_parts(left, right);
    return order != 0 ? order : DJ_COMPARE(left->key, right->key);
}

/* Of each key the first one of its cause. */
static void find_firsts(struct dj_triage *triage)
{
    size_t count = triage->key_count;
    struct sort_of *sorts = dj_xresize(NULL, count, sizeof(*sorts));
    for (size_t i = 0; i < count; i++) {
        sorts[i] = sort_of(triage, i);
    }
    qsort(sorts, count, sizeof(*sorts), by_sort);
    for (size_t i = 0; i < count; i++) {
        bool more = i > 0 && by_parts(&sorts[i - 1], &sorts[i]) == 0;
        triage->cause_of[sorts[i].key] =
            more ? triage->cause_of[sorts[i - 1].key] : (uint32_t)sorts[i].key;
    }
    free(sorts);
}

void dj_triage_causes_number(struct dj_triage *triage)
{
    struct dj_triage_result *result = &triage->result;
    result->causes = dj_xcalloc(triage->key_count, sizeof(*result->causes));
    triage->cause_of = dj_xcalloc(triage->key_count, sizeof(*triage->cause_of));
    find_firsts(triage);
    for (size_t i = 0; i < triage->key_count; i++) {
        const struct dj_triage_key *key = &triage->keys[i];
        size_t first = triage->cause_of[i];
        if (first < i) {
            triage->cause_of[i] = triage->cause_of[first];
            continue;
        }
        triage->cause_of[i] = (uint32_t)result->cause_count;
        result->causes[result->cause_count++] =
            (struct dj_triage_cause){.kind = key->kind,
                                     .name = key->name,
                                     .thread = key->thread,
                                     .holder = key->family,
                                     .foreign = key->foreign};
    }
}
