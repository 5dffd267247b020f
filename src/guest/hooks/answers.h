/* Hooked functions, other than swaps, that programs find with dlsym: SDL through a
 * foreign function interface, libXrandr and libwayland by SDL. */
#ifndef DEJANK_HOOKS_ANSWERS_H
#define DEJANK_HOOKS_ANSWERS_H

/* Returns the number of the hook with this name, or −1. */
int dj_answers_find(const char *name);

/* Returns the result of a look-up by `caller` that found `symbol`: the hook, if
 * `symbol` is the function that the hook calls; NULL if `symbol` is the hook and no
 * real function exists; else `symbol`, a function of the same name in another library. */
void *dj_answer(int answer, void *symbol, const void *caller);

#endif
