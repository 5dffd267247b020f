/* The words of a command that a script runs on a device. No word contains a NUL byte. Lua
 * frees the list of words. The words live as long as the list. */
#ifndef DEJANK_SCRIPT_COMMAND_WORDS_H
#define DEJANK_SCRIPT_COMMAND_WORDS_H

#include <lua.h>

enum { DJ_COMMAND_WORDS_MAX = 1024 };

struct dj_command_words {
    /* The table at index `at` contains the string, so the garbage collector does not free
     * it. */
    const char *word[DJ_COMMAND_WORDS_MAX + 1];
    int count;
};

/* Pushes an empty list of words. */
struct dj_command_words *dj_command_words_push(lua_State *L);

/* Adds a word, which must outlive the list. Throws if there are too many words. */
void dj_command_words_add(lua_State *L, struct dj_command_words *words, const char *word);

/* Adds the string, number or boolean at the index `at`, converted by tostring(), and
 * leaves it on the stack. Throws if the value has another type. `what` describes the
 * value in the error. */
void dj_command_words_add_value(lua_State *L, struct dj_command_words *words, int at,
                                const char *what);

/* Calls `each` for every key and value of the table at the index `at`, sorted by key.
 * `each` finds the key at −2 and the value at −1. Values that `each` pushes stay on the
 * stack. Throws if a key is not a string. */
void dj_command_words_for_each(lua_State *L, int at, const char *what,
                               void (*each)(lua_State *L, struct dj_command_words *words),
                               struct dj_command_words *words);

#endif
