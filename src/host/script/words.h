/* A command's words, on their way from a script to a device: none holds a zero byte, and
 * all live as long as the list, which Lua frees. */
#ifndef DEJANK_SCRIPT_WORDS_H
#define DEJANK_SCRIPT_WORDS_H

#include <lua.h>

enum { DJ_WORDS_MAX = 1024 };

struct dj_words {
    const char *word[DJ_WORDS_MAX + 1]; /* NULL behind the last */
    int count;
};

/* Pushes an empty list. */
struct dj_words *dj_words_push(lua_State *L);

/* Adds one that outlives the list. Throws where there are too many. */
void dj_words_add(lua_State *L, struct dj_words *words, const char *word);

/* Adds what stands at `at`, a string, number or boolean, as tostring() has it; it stays
 * on the stack. `what` names it where it is something else. */
void dj_words_add_value(lua_State *L, struct dj_words *words, int at, const char *what);

/* Calls for each key and value of the table at `at`, by the keys' order; they stand at −2
 * and −1, and whatever `each` pushes stays. Throws where a key is no string. */
void dj_words_each(lua_State *L, int at, const char *what,
                   void (*each)(lua_State *L, struct dj_words *words),
                   struct dj_words *words);

#endif
