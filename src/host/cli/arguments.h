/* What stands on the command line stands in the list of processes, too. */
#ifndef DEJANK_CLI_ARGUMENTS_H
#define DEJANK_CLI_ARGUMENTS_H

/* Takes the passwords of URLs out of what others see of the arguments; argv keeps them.
 * Until then, a moment, anyone may have seen them: docs/format/store.md has better
 * places.
 */
void dj_arguments_hide(int argc, char **argv);

#endif
