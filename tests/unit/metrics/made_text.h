/* gfxinfo texts made for the tests of metrics and history. */
#ifndef DEJANK_TESTS_METRICS_MADE_TEXT_H
#define DEJANK_TESTS_METRICS_MADE_TEXT_H

#include "gfxinfo/dump.h"

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

#define expect_ok(call, err) cr_assert_eq((call), 0, "%s", (err).message)

#endif
