/* Sends intents with the command `am`. */
#include <lauxlib.h>
#include <string.h>

#include "script/command_words.h"
#include "script/monkey/device.h"
#include "script/monkey/device_methods.h"
#include "script/state.h"

/* Stack indexes of an intent's parts. */
enum { URI = 1, ACTION, DATA, MIMETYPE, CATEGORIES, EXTRAS, COMPONENT, FLAGS, SELF };

static void add_option(lua_State *L, struct dj_command_words *words, const char *option,
                       int at)
{
    if (!lua_isnil(L, at) && lua_rawlen(L, at) > 0) {
        dj_command_words_add(L, words, option);
        dj_command_words_add(L, words, lua_tostring(L, at));
    }
}

static void add_categories(lua_State *L, struct dj_command_words *words)
{
    lua_Integer count =
        lua_isnil(L, CATEGORIES) ? 0 : (lua_Integer)lua_rawlen(L, CATEGORIES);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, CATEGORIES, i);
        dj_command_words_add(L, words, "-c");
        dj_command_words_add_value(L, words, lua_gettop(L), "a category");
    }
}

static const char *get_extra_option(lua_State *L, int at)
{
    if (lua_isboolean(L, at)) {
        return "--ez";
    }
    if (lua_isinteger(L, at)) {
        lua_Integer value = lua_tointeger(L, at);
        return value >= INT32_MIN && value <= INT32_MAX ? "--ei" : "--el";
    }
    return lua_type(L, at) == LUA_TNUMBER ? "--ef" : "--es";
}

static void add_extra(lua_State *L, struct dj_command_words *words)
{
    int value = lua_gettop(L);
    dj_command_words_add(L, words, get_extra_option(L, value));
    dj_command_words_add_value(L, words, value - 1, "an extra's name");
    dj_command_words_add_value(L, words, value, lua_tostring(L, value - 1));
}

static struct dj_command_words *push_intent(lua_State *L, const char *verb)
{
    struct dj_command_words *words = dj_command_words_push(L);
    dj_command_words_add(L, words, "am");
    dj_command_words_add(L, words, verb);
    add_option(L, words, "-a", ACTION);
    add_option(L, words, "-d", DATA);
    add_option(L, words, "-t", MIMETYPE);
    add_categories(L, words);
    if (!lua_isnil(L, EXTRAS)) {
        dj_command_words_for_each(L, EXTRAS, "extras", add_extra, words);
    }
    add_option(L, words, "-n", COMPONENT);
    if (!lua_isnil(L, FLAGS) && lua_tointeger(L, FLAGS) != 0) {
        dj_command_words_add(L, words, "-f");
        dj_command_words_add_value(L, words, FLAGS, "flags");
    }
    if (!lua_isnil(L, URI) && lua_rawlen(L, URI) > 0) {
        dj_command_words_add(L, words, lua_tostring(L, URI));
    }
    return words;
}

/* Returns the line with am's error, or NULL. am prints errors on stdout or stderr. Before
 * Android 9, the exit code of am is 0 even after an error. */
static const char *find_error(const char *output)
{
    for (const char *line = output; line != NULL;) {
        if (strncmp(line, "Error", 5) == 0 ||
            strncmp(line, "java.lang.SecurityException", 27) == 0) {
            return line;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return NULL;
}

static int send_intent(lua_State *L, const char *what, const char *verb)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, SELF);
    struct dj_command_words *words = push_intent(L, verb);
    int exit_code =
        dj_monkey_device_run(L, self, what, words->word, DJ_MONKEY_COMMAND_TIMEOUT_NS);
    const char *wrong = find_error(lua_tostring(L, -1));
    if (wrong != NULL || exit_code != 0) {
        wrong = wrong != NULL ? wrong : lua_tostring(L, -1);
        return dj_script_fail(L, what, DJ_E_INVALID, "%s: am: %.*s", self->device->name,
                              (int)strcspn(wrong, "\r\n"), wrong);
    }
    return 0;
}

int dj_monkey_device_start_activity(lua_State *L)
{
    return send_intent(L, "startActivity", "start");
}

int dj_monkey_device_broadcast_intent(lua_State *L)
{
    return send_intent(L, "broadcastIntent", "broadcast");
}
