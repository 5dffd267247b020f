/* Measures two commands for `dejank compare --run`. */
#ifndef DEJANK_CLI_RUN_COMPARE_COMMANDS_H
#define DEJANK_CLI_RUN_COMPARE_COMMANDS_H

#include "plan/quick_plan.h"
#include "store/store.h"

/*
 * Runs the commands A and B under the recorder, in the order ABBA or BAAB. Each command
 * is quoted as for a shell. Stores the runs as `dejank run` does: one batch for each
 * command in `store`, or in the default store if `store` is NULL. Shows the progress on
 * stderr and prints nothing on stdout. Sets the ids of both batches.
 *
 * `options` sets the number of runs, the device and so on. Returns an exit code:
 * DJ_EXIT_OK if both batches have a usable run, also if others failed.
 */
int dj_cli_measure_commands(struct dj_quick_options *options, char *const commands[2],
                            const char *store, char ids[2][DJ_STORE_ID_BYTES]);

#endif
