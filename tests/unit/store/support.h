/* Stores and runs for the tests of the store. */
#ifndef DEJANK_TESTS_HISTORY_SUPPORT_H
#define DEJANK_TESTS_HISTORY_SUPPORT_H

#include <criterion/criterion.h>

#include "../metrics/made_text.h"
#include "store/browse.h"

/* Returns the temporary folder of the running test. It is deleted with its content when
 * the test ends. */
const char *test_folder(void);
/* Returns a path in the temporary folder. The caller frees it. */
char *test_path(const char *name);

struct dj_store *open_store(const char *path);

/* Begins a batch with this name and adds successful runs. Each run has a text with 60
 * frames. */
int64_t add_batch(struct dj_store *store, const char *name, int runs);
int64_t add_run(struct dj_store *store, int64_t batch, int64_t number,
                enum dj_run_outcome outcome);

/* A callback for runs. `user` is an int64_t that counts them. */
int count_run(void *runs, const struct dj_run_row *run);

#endif
