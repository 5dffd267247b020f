/* Stores and runs for the tests of the store. */
#ifndef DEJANK_TESTS_HISTORY_SUPPORT_H
#define DEJANK_TESTS_HISTORY_SUPPORT_H

#include <criterion/criterion.h>

#include "../metrics/made_text.h"
#include "store/browse.h"

/* Returns a folder of this test. The end of the test deletes it with its content. */
const char *test_folder(void);
/* Returns a path in that folder. The caller frees it. */
char *test_path(const char *name);

struct dj_store *open_store(const char *path);

/* Begins a batch with this name and adds successful runs, each with a text of 60
 * frames. */
int64_t add_batch(struct dj_store *store, const char *name, int runs);
int64_t add_run(struct dj_store *store, int64_t batch, int64_t number,
                enum dj_run_outcome outcome);

/* A callback that counts runs in an int64_t. */
int count_run(void *runs, const struct dj_run_row *run);

#endif
