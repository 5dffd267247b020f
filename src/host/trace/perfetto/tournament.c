#include "trace/perfetto/tournament.h"

#include <stdlib.h>

#include "memory/memory.h"

void dj_perfetto_tournament_reserve(struct dj_perfetto_tournament *tournament,
                                    size_t count)
{
    size_t capacity = tournament->capacity > 0 ? tournament->capacity : 1;
    while (capacity < count) {
        capacity *= 2;
    }
    if (capacity > tournament->capacity) {
        dj_xcheck(capacity <= (size_t)1 << DJ_PF_PLACE_BITS);
        tournament->sources =
            dj_xresize(tournament->sources, capacity, sizeof(*tournament->sources));
        tournament->keys =
            dj_xresize(tournament->keys, 2 * capacity, sizeof(*tournament->keys));
        tournament->capacity = capacity;
    }
}

/* Rebuilds the tree with `leaves` leaves. If there are few sources, the tree is small,
 * even if memory for a larger tree is allocated. */
static void rebuild(struct dj_perfetto_tournament *tournament, size_t leaves)
{
    tournament->leaves = leaves;
    for (size_t i = 0; i < 2 * leaves; i++) {
        tournament->keys[i] = DJ_PF_NEVER;
    }
    for (size_t i = 0; i < tournament->count; i++) {
        dj_perfetto_tournament_update(tournament, &tournament->sources[i]);
    }
}

void dj_perfetto_tournament_add(struct dj_perfetto_tournament *tournament,
                                const struct dj_perfetto_source *source)
{
    size_t place = tournament->count++;
    tournament->sources[place] = *source;
    if (place < tournament->leaves) {
        dj_perfetto_tournament_set_key(tournament, place,
                                       dj_perfetto_source_get_key(source, place));
    } else {
        rebuild(tournament, place == 0 ? 1 : 2 * tournament->leaves);
    }
}

/* Removes a source. Moves the last source of the array to its index. */
void dj_perfetto_tournament_remove(struct dj_perfetto_tournament *tournament,
                                   const struct dj_perfetto_source *source)
{
    size_t place = (size_t)(source - tournament->sources);
    size_t last = --tournament->count;
    dj_perfetto_tournament_set_key(tournament, last, DJ_PF_NEVER);
    if (place != last) {
        tournament->sources[place] = tournament->sources[last];
        dj_perfetto_tournament_update(tournament, &tournament->sources[place]);
    }
    if (tournament->leaves > 4 * tournament->count + 2) {
        rebuild(tournament, tournament->leaves / 2);
    }
}

void dj_perfetto_tournament_finish(struct dj_perfetto_tournament *tournament)
{
    free(tournament->keys);
    free(tournament->sources);
    *tournament = (struct dj_perfetto_tournament){0};
}
