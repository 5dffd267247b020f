/*
 * Finds the source whose next event is the earliest among many sources. It uses a
 * tournament tree, in which each inner node contains the smaller key of its two children.
 * If a source changes, only the keys between this source and the root are compared. This
 * is fast, because the loop has no branches that a CPU cannot predict.
 */
#ifndef DEJANK_TRACE_PERFETTO_TOURNAMENT_H
#define DEJANK_TRACE_PERFETTO_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_perfetto_run;
struct dj_perfetto_bundle;

/* A source of events: a run or a bundle. Exactly one of the two pointers is not NULL. */
struct dj_perfetto_source {
    int64_t next_ns; /* Time of the next event, or INT64_MAX if there is none. */
    uint64_t order;  /* Determines the order of sources with equal times. */
    struct dj_perfetto_run *run;
    struct dj_perfetto_bundle *bundle;
};

/* A sort key. It combines the time of the next event (which is not negative), the order
 * and the index of the source in one number, so that one comparison is sufficient. */
typedef unsigned __int128 dj_perfetto_key;

enum { DJ_PF_PLACE_BITS = 24 };

#define DJ_PF_NEVER (~(dj_perfetto_key)0)

/* A zeroed struct is empty. */
struct dj_perfetto_tournament {
    /* keys[1] is the smallest key. keys[leaves + i] is the key of sources[i]. Owned by
     * this struct. */
    dj_perfetto_key *keys;
    /* Sources. This struct owns the array. struct dj_perfetto_order owns the runs and
     * bundles. */
    struct dj_perfetto_source *sources;
    size_t count, leaves, capacity;
};

static inline dj_perfetto_key
dj_perfetto_source_get_key(const struct dj_perfetto_source *source, size_t place)
{
    return (dj_perfetto_key)(uint64_t)source->next_ns << 64 |
           (source->order << DJ_PF_PLACE_BITS | place);
}

/* Returns a key that is larger than the keys of all sources whose next event is at
 * `at_ns` or earlier. */
static inline dj_perfetto_key dj_perfetto_key_after(int64_t at_ns)
{
    return (dj_perfetto_key)((uint64_t)at_ns + (at_ns < INT64_MAX)) << 64;
}

static inline bool dj_perfetto_source_is_before(const struct dj_perfetto_source *a,
                                                const struct dj_perfetto_source *b)
{
    return dj_perfetto_source_get_key(a, 0) < dj_perfetto_source_get_key(b, 0);
}

/* Returns the source with the smallest key, or NULL if there is none. The pointer is
 * valid until a source is added or removed. */
static inline struct dj_perfetto_source *
dj_perfetto_tournament_get_first(const struct dj_perfetto_tournament *tournament)
{
    enum { PLACE = (1 << DJ_PF_PLACE_BITS) - 1 };
    return tournament->count > 0
               ? &tournament->sources[(size_t)tournament->keys[1] & PLACE]
               : NULL;
}

/* Returns the smallest key of all sources except `first`. `first` must be the source with
 * the smallest key. It keeps this role while its key is smaller than the result. */
static inline dj_perfetto_key
dj_perfetto_tournament_get_limit(const struct dj_perfetto_tournament *tournament,
                                 const struct dj_perfetto_source *first)
{
    const dj_perfetto_key *keys = tournament->keys;
    dj_perfetto_key until = DJ_PF_NEVER;
    for (size_t at = tournament->leaves + (size_t)(first - tournament->sources); at > 1;
         at /= 2) {
        until = keys[at ^ 1] < until ? keys[at ^ 1] : until;
    }
    return until;
}

static inline void
dj_perfetto_tournament_set_key(const struct dj_perfetto_tournament *tournament,
                               size_t place, dj_perfetto_key key)
{
    dj_perfetto_key *keys = tournament->keys;
    size_t at = tournament->leaves + place;
    keys[at] = key;
    for (; at > 1; at /= 2) {
        dj_perfetto_key other = keys[at ^ 1];
        key = other < key ? other : key;
        keys[at / 2] = key;
    }
}

/* Updates the tree after next_ns of the source was changed. */
static inline void
dj_perfetto_tournament_update(const struct dj_perfetto_tournament *tournament,
                              const struct dj_perfetto_source *source)
{
    size_t place = (size_t)(source - tournament->sources);
    dj_perfetto_tournament_set_key(tournament, place,
                                   dj_perfetto_source_get_key(source, place));
}

/* Allocates memory for `count` sources. `count` must not exceed 1 << DJ_PF_PLACE_BITS. */
void dj_perfetto_tournament_reserve(struct dj_perfetto_tournament *tournament,
                                    size_t count);
/* Adds a source. Call dj_perfetto_tournament_reserve() before. */
void dj_perfetto_tournament_add(struct dj_perfetto_tournament *tournament,
                                const struct dj_perfetto_source *source);
void dj_perfetto_tournament_remove(struct dj_perfetto_tournament *tournament,
                                   const struct dj_perfetto_source *source);
void dj_perfetto_tournament_finish(struct dj_perfetto_tournament *tournament);

#endif
