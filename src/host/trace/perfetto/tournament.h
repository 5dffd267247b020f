/*
 * Finds the source with the earliest next event among many sources. It is a tournament
 * tree: each inner node contains the smaller key of its two children. After a source
 * has changed, only the keys on its path to the root are compared. The loop has no
 * unpredictable branches, so it is fast.
 */
#ifndef DEJANK_TRACE_PERFETTO_TOURNAMENT_H
#define DEJANK_TRACE_PERFETTO_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_perfetto_run;
struct dj_perfetto_bundle;

/* A run or a bundle of events. Exactly one of the two pointers is not NULL. */
struct dj_perfetto_source {
    int64_t next_ns; /* Time of the next event, or INT64_MAX if there is none. */
    uint64_t order;  /* Orders sources with equal times. */
    struct dj_perfetto_run *run;
    struct dj_perfetto_bundle *bundle;
};

/* A sort key: the time (not negative), then the order, then the index of the source.
 * The three are combined in one number, so that one comparison is enough. */
typedef unsigned __int128 dj_perfetto_key;

enum { DJ_PF_PLACE_BITS = 24 };

#define DJ_PF_NEVER (~(dj_perfetto_key)0)

/* A zeroed struct is empty. */
struct dj_perfetto_tournament {
    /* keys[1] is the smallest key. keys[leaves + i] is the key of sources[i]. Owned. */
    dj_perfetto_key *keys;
    /* The array is owned. The runs and bundles in it are owned by struct
     * dj_perfetto_order. */
    struct dj_perfetto_source *sources;
    size_t count, leaves, capacity;
};

static inline dj_perfetto_key
dj_perfetto_source_get_key(const struct dj_perfetto_source *source, size_t place)
{
    return (dj_perfetto_key)(uint64_t)source->next_ns << 64 |
           (source->order << DJ_PF_PLACE_BITS | place);
}

/* Returns a key that is larger than the key of any source with a next event at `at_ns`
 * or earlier. */
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

/* Returns the smallest key of all sources other than `first`, which must be the first
 * source. The source stays the first one while its key is smaller than the result. */
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

/* Updates the tree. Call it after next_ns of the source was changed. */
static inline void
dj_perfetto_tournament_update(const struct dj_perfetto_tournament *tournament,
                              const struct dj_perfetto_source *source)
{
    size_t place = (size_t)(source - tournament->sources);
    dj_perfetto_tournament_set_key(tournament, place,
                                   dj_perfetto_source_get_key(source, place));
}

/* Allocates memory for `count` sources. `count` may not exceed 1 << DJ_PF_PLACE_BITS. */
void dj_perfetto_tournament_reserve(struct dj_perfetto_tournament *tournament,
                                    size_t count);
/* Adds a source. Call dj_perfetto_tournament_reserve() before. */
void dj_perfetto_tournament_add(struct dj_perfetto_tournament *tournament,
                                const struct dj_perfetto_source *source);
void dj_perfetto_tournament_remove(struct dj_perfetto_tournament *tournament,
                                   const struct dj_perfetto_source *source);
void dj_perfetto_tournament_finish(struct dj_perfetto_tournament *tournament);

#endif
