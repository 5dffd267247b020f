/* Compares the tournament tree with a search through all sources. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

#include "trace/perfetto/tournament.h"

enum { MOST = 37, STEPS = 20000 };

static struct dj_perfetto_source all[MOST];
static size_t count;

static size_t first_of_all(void)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        first = dj_perfetto_source_is_before(&all[i], &all[first]) ? i : first;
    }
    return first;
}

/* Returns the key without the index of the source. */
static dj_perfetto_key rank_of(dj_perfetto_key key)
{
    return key >> DJ_PF_PLACE_BITS;
}

static bool second_is(dj_perfetto_key until, size_t first)
{
    bool found = count == 1 && until == DJ_PF_NEVER;
    for (size_t i = 0; i < count; i++) {
        if (i != first) {
            dj_perfetto_key rank = rank_of(dj_perfetto_source_get_key(&all[i], 0));
            cr_assert(rank >= rank_of(until));
            found |= rank == rank_of(until);
        }
    }
    return found;
}

/* Returns one of only eight times, so that many sources have equal times. */
static int64_t any_time(int64_t from_ns)
{
    return from_ns + rand() % 8;
}

Test(perfetto_tournament, the_winner_is_the_first_source_after_any_change)
{
    struct dj_perfetto_tournament tournament = {0};
    uint64_t order = 0;
    srand(7);
    cr_assert_null(dj_perfetto_tournament_get_first(&tournament));
    dj_perfetto_tournament_reserve(&tournament, MOST);
    for (int step = 0; step < STEPS; step++) {
        bool grows = step / 500 % 2 == 0;
        if (count == 0 || (count < MOST && rand() % 4 == 0 && grows)) {
            all[count] = (struct dj_perfetto_source){.next_ns = any_time(step / 8),
                                                     .order = order++};
            dj_perfetto_tournament_add(&tournament, &all[count++]);
        }
        size_t first = first_of_all();
        struct dj_perfetto_source *told = dj_perfetto_tournament_get_first(&tournament);
        cr_assert_eq(told->order, all[first].order);
        cr_assert(second_is(dj_perfetto_tournament_get_limit(&tournament, told), first));
        if (rand() % (grows ? 40 : 4) == 0) {
            dj_perfetto_tournament_remove(&tournament, told);
            all[first] = all[--count];
        } else {
            all[first].next_ns = told->next_ns = any_time(told->next_ns);
            dj_perfetto_tournament_update(&tournament, told);
        }
    }
    dj_perfetto_tournament_finish(&tournament);
}

Test(perfetto_tournament, too_many_sources_end_the_program, .signal = SIGABRT)
{
    struct dj_perfetto_tournament tournament = {0};
    dj_perfetto_tournament_reserve(&tournament, ((size_t)1 << DJ_PF_PLACE_BITS) + 1);
}
