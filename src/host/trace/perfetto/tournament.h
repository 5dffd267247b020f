/*
 * Finds the first of many sources: a tournament tree, in which each node has the earlier
 * one of its two children. A source that changes is compared only with those on its path
 * to the root, without unpredictable branches.
 */
#ifndef DEJANK_TRACE_PERFETTO_TOURNAMENT_H
#define DEJANK_TRACE_PERFETTO_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_perfetto_run;
struct dj_perfetto_bundle;

/* A run or a bundle, which is read event by event. */
struct dj_perfetto_source {
    int64_t next_ns; /* time of its next event; INT64_MAX: none */
    uint64_t order;  /* order of sources with equal stamps */
    struct dj_perfetto_run *run;
    struct dj_perfetto_bundle *bundle;
};

/* Time (not negative), then order, then index of the source, compared as one number. */
typedef unsigned __int128 dj_perfetto_key;

enum { DJ_PF_PLACE_BITS = 24 };

#define DJ_PF_NEVER (~(dj_perfetto_key)0)

/* All zero is empty. */
struct dj_perfetto_tournament {
    /* [1] is the winner's, [leaves + place] those of the sources; owned */
    dj_perfetto_key *keys;
    struct dj_perfetto_source
        *sources; /* by place; owned, with everything they refer to */
    size_t count, leaves, capacity;
};

static inline dj_perfetto_key
dj_perfetto_source_get_key(const struct dj_perfetto_source *source, size_t place)
{
    return (dj_perfetto_key)(uint64_t)source->next_ns << 64 |
           (source->order << DJ_PF_PLACE_BITS | place);
}

/* Returns a key above the keys of all sources with a next event at `at_ns` or earlier.
 * The exception is sources without a next event. */
static inline dj_perfetto_key dj_perfetto_key_after(int64_t at_ns)
{
    return (dj_perfetto_key)((uint64_t)at_ns + (at_ns < INT64_MAX)) << 64;
}

static inline bool dj_perfetto_source_is_before(const struct dj_perfetto_source *a,
                                                const struct dj_perfetto_source *b)
{
    return dj_perfetto_source_get_key(a, 0) < dj_perfetto_source_get_key(b, 0);
}

/* Returns NULL if there is none. Valid until a source is added or removed. */
static inline struct dj_perfetto_source *
dj_perfetto_tournament_get_first(const struct dj_perfetto_tournament *tournament)
{
    enum { PLACE = (1 << DJ_PF_PLACE_BITS) - 1 };
    return tournament->count > 0
               ? &tournament->sources[(size_t)tournament->keys[1] & PLACE]
               : NULL;
}

/* Returns the key of the second source: up to there the first one stays first. */
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

/* Updates the tree after next_ns of the source changed. */
static inline void
dj_perfetto_tournament_update(const struct dj_perfetto_tournament *tournament,
                              const struct dj_perfetto_source *source)
{
    size_t place = (size_t)(source - tournament->sources);
    dj_perfetto_tournament_set_key(tournament, place,
                                   dj_perfetto_source_get_key(source, place));
}

/* Allocates memory for `count` sources. More sources than a place can number do not fit
 * into memory. */
void dj_perfetto_tournament_reserve(struct dj_perfetto_tournament *tournament,
                                    size_t count);
/* Call dj_perfetto_tournament_reserve() first. */
void dj_perfetto_tournament_add(struct dj_perfetto_tournament *tournament,
                                const struct dj_perfetto_source *source);
void dj_perfetto_tournament_remove(struct dj_perfetto_tournament *tournament,
                                   const struct dj_perfetto_source *source);
void dj_perfetto_tournament_finish(struct dj_perfetto_tournament *tournament);

#endif
