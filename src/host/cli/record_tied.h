/* `dejank record --tied`: CMD lives no longer than who asked for it. */
#ifndef DEJANK_CLI_RECORD_TIED_H
#define DEJANK_CLI_RECORD_TIED_H

/*
 * Runs this program again with `argv` (NULL-ended, argv[0] first) under a guardian, and
 * ends all of it when the standard input ends, or this process. What it said is written
 * to stdout at its end. Ends this process as that program ended, or returns an exit code.
 */
int dj_record_tied(char **argv);

#endif
