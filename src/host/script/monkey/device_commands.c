/* The methods of MonkeyDevice that run a command on the device. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "script/command_words.h"
#include "script/monkey/device.h"
#include "script/monkey/device_methods.h"
#include "script/monkey/image.h"
#include "script/state.h"

/* Passes the whole text to the device's shell unchanged. Returns stdout and stderr in the
 * order in which they were written, as MonkeyRunner does. */
int dj_monkey_device_run_shell(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 3);
    lua_Number timeout_ms = luaL_optnumber(L, 2, 0);
    const char *command = lua_pushfstring(L, "exec 2>&1\n%s", lua_tostring(L, 1));
    const char *argv[] = {"sh", "-c", command, NULL};
    struct dj_device_result result = {0};
    struct dj_error err = {0};
    int64_t timeout_ns = timeout_ms > 0 && timeout_ms < 8e7
                             ? (int64_t)llround(timeout_ms * 1e6)
                             : DJ_MONKEY_COMMAND_TIMEOUT_NS;
    int code = dj_monkey_device_shell(L, self, argv, timeout_ns, &result, &err);
    lua_pushlstring(L, dj_text_get(&result.out), result.out.length);
    lua_pushinteger(L, result.exit_code);
    dj_device_result_finish(&result);
    return code == 0 ? 2 : dj_script_throw(L, "shell", &err);
}

/* Pushes a new path in Android's folder for temporary files, or in the device's own one
 * on other systems. Returns the path's stack index. */
static int push_remote_path(lua_State *L, struct dj_monkey_device *self)
{
    /* Number of the last path. Atomic, because several devices run at the same time. */
    static _Atomic unsigned serial;
    const char *argv[] = {
        "sh", "-c",
        "[ -d /data/local/tmp ] && echo /data/local/tmp || echo ${TMPDIR:-/tmp}", NULL};
    dj_monkey_device_run(L, self, "installPackage", argv, DJ_MONKEY_ANSWER_TIMEOUT_NS);
    lua_pushfstring(L, "%s/dejank-%d-%d.apk", lua_tostring(L, -1), (int)getpid(),
                    (int)++serial);
    lua_remove(L, -2);
    return lua_gettop(L);
}

/* Returns whether the output of pm has a line "Success". */
static bool has_success(const char *output)
{
    for (const char *line = output; line != NULL;) {
        size_t length = strcspn(line, "\r\n");
        if (length == 7 && strncmp(line, "Success", 7) == 0) {
            return true;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return false;
}

/* Expects the output of pm on top of the stack. Returns true, or false and the output. */
static int return_success(lua_State *L)
{
    bool fine = has_success(lua_tostring(L, -1));
    lua_pushboolean(L, fine);
    lua_insert(L, -2);
    return fine ? (lua_pop(L, 1), 1) : 2;
}

int dj_monkey_device_install_package(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 2);
    struct dj_device_result result = {0};
    struct dj_error err = {0};
    const char *remote = lua_tostring(L, push_remote_path(L, self));
    const char *install[] = {"pm", "install", "-r", remote, NULL};
    const char *clean[] = {"rm", "-f", remote, NULL};
    dj_monkey_device_acquire(L, self);
    int code = dj_device_push(self->device, lua_tostring(L, 1), remote, 0644, &err);
    if (code == 0) {
        struct dj_device_result cleaned = {0};
        code = dj_device_run(self->device, install, DJ_MONKEY_COMMAND_TIMEOUT_NS, &result,
                             &err);
        dj_device_run(self->device, clean, DJ_MONKEY_ANSWER_TIMEOUT_NS, &cleaned, NULL);
        dj_device_result_finish(&cleaned);
    }
    dj_monkey_device_release(L, self);
    dj_monkey_device_push_output(L, &result);
    dj_device_result_finish(&result);
    return code == 0 ? return_success(L) : dj_script_throw(L, "installPackage", &err);
}

int dj_monkey_device_remove_package(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 2);
    const char *argv[] = {"pm", "uninstall", lua_tostring(L, 1), NULL};
    dj_monkey_device_run(L, self, "removePackage", argv, DJ_MONKEY_COMMAND_TIMEOUT_NS);
    return return_success(L);
}

static void add_argument(lua_State *L, struct dj_command_words *words)
{
    int value = lua_gettop(L);
    dj_command_words_add(L, words, "-e");
    dj_command_words_add_value(L, words, value - 1, "an argument's name");
    dj_command_words_add_value(L, words, value, lua_tostring(L, value - 1));
}

/* Pushes a table with the keys and values of all lines "INSTRUMENTATION_RESULT:
 * key=value". A value may have several lines. */
static void push_results(lua_State *L, const char *output)
{
    static const char result[] = "INSTRUMENTATION_RESULT: ";
    lua_newtable(L);
    for (const char *at = output; at != NULL;) {
        const char *next = strstr(at, "\nINSTRUMENTATION_");
        const char *end = next != NULL ? next : at + strlen(at);
        const char *equals = strncmp(at, result, sizeof(result) - 1) == 0
                                 ? memchr(at, '=', (size_t)(end - at))
                                 : NULL;
        if (equals != NULL) {
            const char *key = at + sizeof(result) - 1;
            while (end > equals + 1 && (end[-1] == '\r' || end[-1] == '\n')) {
                end--;
            }
            lua_pushlstring(L, key, (size_t)(equals - key));
            lua_pushlstring(L, equals + 1, (size_t)(end - equals - 1));
            lua_rawset(L, -3);
        }
        at = next != NULL ? next + 1 : NULL;
    }
}

int dj_monkey_device_instrument(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 3);
    struct dj_command_words *words = dj_command_words_push(L);
    static const char *const command[] = {"am", "instrument", "-w", "-r"};
    for (size_t i = 0; i < COUNT_OF(command); i++) {
        dj_command_words_add(L, words, command[i]);
    }
    if (!lua_isnil(L, 2)) {
        dj_command_words_for_each(L, 2, "args", add_argument, words);
    }
    dj_command_words_add(L, words, lua_tostring(L, 1));
    dj_monkey_device_run(L, self, "instrument", words->word,
                         DJ_MONKEY_COMMAND_TIMEOUT_NS);
    push_results(L, lua_tostring(L, -1));
    lua_insert(L, -2);
    return 2;
}

int dj_monkey_device_reboot(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 2);
    const char *argv[] = {"reboot", lua_tostring(L, 1), NULL};
    struct dj_device_result result = {0};
    struct dj_error err = {0};
    if (strcmp(self->device->name, "local:") == 0) {
        return dj_script_fail(L, "reboot", DJ_E_UNSUPPORTED,
                              "a script cannot reboot this machine");
    }
    int code =
        dj_monkey_device_shell(L, self, argv, DJ_MONKEY_ANSWER_TIMEOUT_NS, &result, &err);
    dj_monkey_device_push_output(L, &result);
    int exit_code = code == 0 ? result.exit_code : 0;
    dj_device_result_finish(&result);
    if (exit_code != 0) {
        return dj_script_fail(L, "reboot", DJ_E_IO, "%s: reboot: %s", self->device->name,
                              lua_tostring(L, -1));
    }
    /* No answer is no error, because the device may disconnect before it answers. */
    return code == 0 || code == DJ_E_GONE || code == DJ_E_TIMEOUT
               ? 0
               : dj_script_throw(L, "reboot", &err);
}

int dj_monkey_device_take_snapshot(lua_State *L)
{
    struct dj_monkey_device *self = dj_monkey_device_check(L, 1);
    static const char *const argv[] = {"screencap", "-p", NULL};
    struct dj_image *image = dj_monkey_image_push(L);
    struct dj_device_result result = {0};
    struct dj_error err = {0};
    dj_monkey_device_acquire(L, self);
    int code =
        dj_device_run(self->device, argv, DJ_MONKEY_ANSWER_TIMEOUT_NS, &result, &err);
    if (code == 0 && (result.exit_code != 0 || result.out.length == 0)) {
        const char *output = dj_text_get(&result.err);
        code = dj_error_set(
            &err, DJ_E_NO_DATA, "%s: screencap ended with exit code %d%s%.*s",
            self->device->name, result.exit_code, output[0] != '\0' ? ": " : "",
            (int)strcspn(output, "\r\n"), output);
    } else if (code == 0) {
        dj_image_repair_line_ends(&result.out);
        code = dj_image_decode(dj_text_get(&result.out), result.out.length, image, &err);
        if (code != 0) {
            dj_error_prepend(&err, "%s: screencap", self->device->name);
        }
    }
    dj_monkey_device_release(L, self);
    dj_device_result_finish(&result);
    return code == 0 ? 1 : dj_script_throw(L, "takeSnapshot", &err);
}
