/* Makes gfxinfo texts for tests. */
#ifndef DEJANK_TESTS_METRICS_MADE_TEXT_H
#define DEJANK_TESTS_METRICS_MADE_TEXT_H

#include "gfxinfo/dump.h"

enum { INTERVAL_NS = 16666667, FIRST_NS = 1000000000 };

/* A gfxinfo text to make. It has `frames` frames, which begin at FIRST_NS and then every
 * INTERVAL_NS. Frame i lasts 8 ms + (i % 10) × 0.1 ms. If slow_every is not 0, every
 * slow_every-th frame lasts 30 ms. If `rows` is set, the text has a row per frame
 * (framestats). */
struct made_text {
    size_t frames, slow_every;
    bool rows;
    size_t windows;   /* Number of equal app windows. 0 means 1. */
    size_t processes; /* Number of equal processes. 0 means 1. */
};
struct dj_text make_text(const struct made_text *spec);

/* Returns the same text, parsed. */
struct dj_dump make_dump(const struct made_text *spec);

#define expect_ok(call, err) cr_assert_eq((call), 0, "%s", (err).message)

#endif
