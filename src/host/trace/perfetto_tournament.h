/*
 * Which of many is the first: a tree in which each knot holds the earlier of the two
 * below it, so that one that changes plays only against those on its way up, without a
 * branch that nobody can foretell. Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_TOURNAMENT_H
#define DEJANK_TRACE_PERFETTO_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dj_pf_run;
struct dj_pf_bundle;

/* What is read event by event: a run or a bundle. */
struct dj_pf_source {
    int64_t next_ns; /* of its next event; INT64_MAX: there is none */
    uint64_t order;  /* of those with one stamp */
    struct dj_pf_run *run;
    struct dj_pf_bundle *bundle;
};

/* A time, which is not below 0, then the order, then the place of the source: compared at
 * once. */
typedef unsigned __int128 dj_pf_key;

enum { DJ_PF_PLACE_BITS = 24 };

#define DJ_PF_NEVER (~(dj_pf_key)0)

/* All zero is none. */
struct dj_pf_tournament {
    dj_pf_key *keys; /* [1] is the first's, [leaves + place] those of sources; owned */
    struct dj_pf_source *sources; /* by place; owned, and what they refer to */
    size_t count, leaves, capacity;
};

static inline dj_pf_key dj_pf_key_of(const struct dj_pf_source *source, size_t place)
{
    return (dj_pf_key)(uint64_t)source->next_ns << 64 |
           (source->order << DJ_PF_PLACE_BITS | place);
}

/* Above the keys of all sources whose next event is not later than that, but of those
 * that have none. */
static inline dj_pf_key dj_pf_key_behind(int64_t at_ns)
{
    return (dj_pf_key)((uint64_t)at_ns + (at_ns < INT64_MAX)) << 64;
}

static inline bool dj_pf_is_before(const struct dj_pf_source *a,
                                   const struct dj_pf_source *b)
{
    return dj_pf_key_of(a, 0) < dj_pf_key_of(b, 0);
}

/* NULL: there is none. Valid until one is put in or taken out. */
static inline struct dj_pf_source *
dj_pf_tournament_first(const struct dj_pf_tournament *tournament)
{
    enum { PLACE = (1 << DJ_PF_PLACE_BITS) - 1 };
    return tournament->count > 0
               ? &tournament->sources[(size_t)tournament->keys[1] & PLACE]
               : NULL;
}

/* Before which time, and which in order, the first may go on without losing: the
 * second's.
 */
static inline dj_pf_key dj_pf_tournament_until(const struct dj_pf_tournament *tournament,
                                               const struct dj_pf_source *first)
{
    const dj_pf_key *keys = tournament->keys;
    dj_pf_key until = DJ_PF_NEVER;
    for (size_t at = tournament->leaves + (size_t)(first - tournament->sources); at > 1;
         at /= 2) {
        until = keys[at ^ 1] < until ? keys[at ^ 1] : until;
    }
    return until;
}

static inline void dj_pf_tournament_play(const struct dj_pf_tournament *tournament,
                                         size_t place, dj_pf_key key)
{
    dj_pf_key *keys = tournament->keys;
    size_t at = tournament->leaves + place;
    keys[at] = key;
    for (; at > 1; at /= 2) {
        dj_pf_key other = keys[at ^ 1];
        key = other < key ? other : key;
        keys[at / 2] = key;
    }
}

/* Its next_ns is another. */
static inline void dj_pf_tournament_changed(const struct dj_pf_tournament *tournament,
                                            const struct dj_pf_source *source)
{
    size_t place = (size_t)(source - tournament->sources);
    dj_pf_tournament_play(tournament, place, dj_pf_key_of(source, place));
}

/* Room for so many. More than a place can tell do not fit into memory. */
void dj_pf_tournament_reserve(struct dj_pf_tournament *tournament, size_t count);
/* There is room. */
void dj_pf_tournament_put(struct dj_pf_tournament *tournament,
                          const struct dj_pf_source *source);
void dj_pf_tournament_take_out(struct dj_pf_tournament *tournament,
                               const struct dj_pf_source *source);
void dj_pf_tournament_finish(struct dj_pf_tournament *tournament);

#endif
