/* Stores and runs made for the tests of history. */
#ifndef DEJANK_TESTS_HISTORY_SUPPORT_H
#define DEJANK_TESTS_HISTORY_SUPPORT_H

#include <criterion/criterion.h>

#include "history/browse.h"

enum { INTERVAL_NS = 16666667, FIRST_NS = 1000000000 };

/* gfxinfo text of `frames` frames, one each INTERVAL_NS from FIRST_NS on; each lasts
 * 8 ms and (i % 10) × 0.1 ms, every `slow_every`-th 30 ms (0: none). `rows`: with
 * framestats. The caller finishes it. */
struct made_text {
    size_t frames, slow_every;
    bool rows;
    size_t windows;   /* view windows, all alike; 0: one */
    size_t processes; /* all alike; 0: one */
};
struct dj_text make_text(const struct made_text *spec);

/* The same as a dump. */
struct dj_dump make_dump(const struct made_text *spec);

/* A folder of this test's own, gone at its end with all that is in it. */
const char *test_folder(void);
/* A path in it, to be freed. */
char *test_path(const char *name);

struct dj_history *open_store(const char *path);

/* Begins a batch with this name and adds runs that are ok, with a text of 60 frames. */
int64_t add_batch(struct dj_history *history, const char *name, int runs);
int64_t add_run(struct dj_history *history, int64_t batch, int64_t number,
                enum dj_run_outcome outcome);

#define expect_ok(call, err) cr_assert_eq((call), 0, "%s", (err).message)

#endif
