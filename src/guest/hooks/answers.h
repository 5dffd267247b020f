/* Hooked functions, other than swaps, that programs reach by dlsym: SDL through a foreign
 * function interface, libXrandr and libwayland by SDL. */
#ifndef DEJANK_HOOKS_ANSWERS_H
#define DEJANK_HOOKS_ANSWERS_H

/* The number of the hook with this name, −1 where there is none. */
int dj_answer_find(const char *name);

/* What to hand out for `symbol`, which a look-up by `caller` found: our hook where that
 * is the function the hook goes on to; NULL where it is our hook and nothing stands
 * behind it; else `symbol` itself, another library's function of the same name. */
void *dj_answer(int answer, void *symbol, const void *caller);

#endif
