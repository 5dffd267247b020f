/* Stores and runs made for the tests of history. */
#ifndef DEJANK_TESTS_HISTORY_SUPPORT_H
#define DEJANK_TESTS_HISTORY_SUPPORT_H

#include <criterion/criterion.h>

#include "../metrics/made_text.h"
#include "store/browse.h"

/* A folder of this test's own, gone at its end with all that is in it. */
const char *test_folder(void);
/* A path in it, to be freed. */
char *test_path(const char *name);

struct dj_history *open_store(const char *path);

/* Begins a batch with this name and adds runs that are ok, with a text of 60 frames. */
int64_t add_batch(struct dj_history *history, const char *name, int runs);
int64_t add_run(struct dj_history *history, int64_t batch, int64_t number,
                enum dj_run_outcome outcome);

/* A taker of runs: counts them in an int64_t. */
int count_run(void *runs, const struct dj_run_row *run);

#endif
