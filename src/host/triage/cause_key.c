#include "triage/cause_key.h"

#include <stdio.h>

#include "memory/memory.h"
#include "triage/names.h"

static bool is_same_key(const struct dj_triage_key *a, const struct dj_triage_key *b)
{
    return a->name == b->name && a->thread == b->thread && a->holder == b->holder &&
           a->family == b->family && a->kind == b->kind && a->preempted == b->preempted &&
           a->foreign == b->foreign;
}

static uint64_t compute_hash(const struct dj_triage_key *key)
{
    uint64_t hash = (uintptr_t)key->name * 31 + (uintptr_t)key->thread;
    hash = hash * 31 + (uintptr_t)key->holder;
    return (hash * 31 + key->kind) * 4 + (key->preempted ? 2 : 0) +
           (key->foreign ? 1 : 0);
}

uint32_t dj_triage_key_add(struct dj_triage *triage, const struct dj_triage_key *key)
{
    uint64_t hash = compute_hash(key);
    size_t at, found = dj_map_first(&triage->key_numbers, hash, &at);
    while (found != DJ_MAP_NONE && !is_same_key(&triage->keys[found], key)) {
        found = dj_map_next(&triage->key_numbers, hash, &at);
    }
    if (found != DJ_MAP_NONE) {
        return (uint32_t)found;
    }
    uint32_t number = (uint32_t)triage->key_count;
    DJ_XPUSH(triage->keys, triage->key_count, *key);
    dj_xcheck(dj_map_add(&triage->key_numbers, hash, number));
    return number;
}

static const char *intern_plain_name(struct dj_triage *triage, const char *name)
{
    struct dj_text text = {0};
    dj_triage_append_plain_name(&text, name);
    const char *plain = dj_triage_intern(triage, dj_xtext(&text));
    dj_text_finish(&text);
    return plain;
}

const char *dj_triage_get_thread_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid)
{
    char number[24];
    const char *name = tid == 0 ? "" : dj_trace_get_thread_name(index->trace, tid);
    if (tid != 0 && name[0] == '\0') {
        snprintf(number, sizeof(number), "%u", tid);
        name = number;
    }
    return dj_triage_intern(triage, name);
}

const char *dj_triage_get_family_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid)
{
    const char *name = dj_triage_get_thread_name(triage, index, tid);
    return dj_trace_names_add(&triage->names, dj_triage_get_family(name));
}

/* Returns the name by which the holder of a lock or the peer of a call is grouped. For a
 * thread of a binder pool, this is the name of the pool with its process, because any
 * thread of the pool may serve a call. For any other thread, it is the thread's own name.
 */
static const char *get_peer_family(struct dj_triage *triage,
                                   const struct dj_triage_index *index, uint32_t tid,
                                   const char *holder)
{
    char family[64];
    struct dj_str pool = dj_triage_get_pool(holder);
    const struct dj_triage_thread *thread = dj_triage_find_thread(index, tid);
    if (thread == NULL || pool.length == 0) {
        return holder;
    }
    snprintf(family, sizeof(family), "%.*s of %d", (int)pool.length, pool.at,
             thread->pid);
    return dj_triage_intern(triage, family);
}

struct dj_triage_key dj_triage_key_compute(struct dj_triage *triage,
                                           const struct dj_triage_index *index,
                                           const struct dj_triage_piece *piece)
{
    const struct dj_trace *trace = index->trace;
    bool ready =
        piece->state == DJ_THREAD_RUNNABLE || piece->state == DJ_THREAD_PREEMPTED;
    struct dj_triage_key key = {.kind = piece->kind};
    key.thread = dj_triage_get_thread_name(triage, index, piece->tid);
    bool shown = piece->kind == DJ_CAUSE_DISPLAY || piece->kind == DJ_CAUSE_GPU;
    key.name = piece->slice != DJ_NO_SLICE
                   ? intern_plain_name(triage, trace->slices[piece->slice].name)
               : shown && piece->detail != NULL ? dj_triage_intern(triage, piece->detail)
                                                : key.thread;
    key.holder = dj_triage_get_thread_name(triage, index,
                                           piece->kind == DJ_CAUSE_IO ? 0 : piece->other);
    key.family = ready ? dj_triage_get_family_name(triage, index, piece->other)
                 : piece->kind == DJ_CAUSE_IPC
                     ? get_peer_family(triage, index, piece->other, key.holder)
                     : key.holder;
    key.preempted =
        piece->kind == DJ_CAUSE_RUNNABLE && piece->state == DJ_THREAD_PREEMPTED;
    key.foreign = ready && index->has_others &&
                  !dj_triage_is_same_process(index, piece->other, piece->tid);
    return key;
}
