#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process/deadline.h"
#include "script/script.h"

static char path[] = "/tmp/dejank-script-XXXXXX";

static void remove_script(void)
{
    unlink(path);
    memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
}

static void write_script(const char *text, size_t length)
{
    remove_script();
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, length), (ssize_t)length);
    close(file);
}

static int64_t stop_by_ns = INT64_MAX;

static int64_t latest_ns(void *user)
{
    (void)user;
    return stop_by_ns;
}

static int run_bytes(const char *text, size_t length, struct dj_script_outcome *outcome,
                     struct dj_error *err)
{
    static const char *const args[] = {"one", "two words"};
    write_script(text, length);
    struct dj_script_options options = {
        .file = path, .args = args, .arg_count = 2, .interrupt = {latest_ns, NULL}};
    return dj_script_run(&options, outcome, err);
}

static int run(const char *text, struct dj_script_outcome *outcome, struct dj_error *err)
{
    return run_bytes(text, strlen(text), outcome, err);
}

TestSuite(state, .fini = remove_script, .timeout = 30);

#define RUNS(text)                                                                       \
    do {                                                                                 \
        struct dj_script_outcome outcome = {0};                                          \
        struct dj_error err = {0};                                                       \
        cr_assert_eq(run(text, &outcome, &err), 0, "%s", err.message);                   \
        dj_script_outcome_finish(&outcome);                                              \
    } while (0)

#define FAILS(text, code, part)                                                          \
    do {                                                                                 \
        struct dj_script_outcome outcome = {0};                                          \
        struct dj_error err = {0};                                                       \
        cr_assert_eq(run(text, &outcome, &err), code, "%s", err.message);                \
        cr_assert(strstr(err.message, part) != NULL, "%s", err.message);                 \
        dj_script_outcome_finish(&outcome);                                              \
    } while (0)

Test(state, arguments_come_as_arg_and_as_values)
{
    RUNS("local a, b = ... assert(a == 'one' and b == 'two words' and select('#', ...) "
         "== 2)\n"
         "assert(arg[1] == a and arg[2] == b and #arg == 2 and "
         "arg[0]:match('dejank%-script'))");
}

Test(state, the_whole_lua_library_is_present)
{
    RUNS("assert(io.open and os.getenv and string.format and table.concat and utf8.char "
         "and "
         "coroutine.wrap and debug.traceback and require and math.floor)");
}

Test(state, a_shebang_line_is_skipped)
{
    FAILS("#!/usr/bin/env dejank\n\nerror('here')", DJ_E_INVALID, ":3: here");
}

Test(state, a_byte_order_mark_is_skipped)
{
    FAILS("\xef\xbb\xbf"
          "error('here')",
          DJ_E_INVALID, ":1: here");
}

Test(state, an_empty_file_is_a_script)
{
    RUNS("");
}

Test(state, a_syntax_error_has_a_position)
{
    FAILS("local x = 1\nlocal y = = 2\n", DJ_E_INVALID, ":2: unexpected symbol near '='");
}

Test(state, bytecode_is_refused)
{
    FAILS("\x1bLua", DJ_E_INVALID, "binary");
}

Test(state, an_error_has_a_traceback)
{
    struct dj_script_outcome outcome = {0};
    struct dj_error err = {0};
    cr_assert_eq(run("local function inner() error('deep') end\n"
                     "local function outer()\n  inner()\n  return 1\nend\nouter()\n",
                     &outcome, &err),
                 DJ_E_INVALID);
    cr_assert(strstr(err.message, ":1: deep") != NULL, "%s", err.message);
    cr_assert(strstr(dj_text_get(&outcome.traceback), ":3: in upvalue 'outer'") != NULL ||
                  strstr(dj_text_get(&outcome.traceback), ":3: in local 'outer'") !=
                      NULL ||
                  strstr(dj_text_get(&outcome.traceback), ":3: in function") != NULL,
              "%s", dj_text_get(&outcome.traceback));
    dj_script_outcome_finish(&outcome);
}

Test(state, any_thrown_value_is_reported)
{
    FAILS("error({})", DJ_E_INVALID, "table: ");
    FAILS("error()", DJ_E_INVALID, "nil");
}

Test(state, errors_in_tostring_are_reported)
{
    FAILS("error(setmetatable({}, {__tostring = function() error('again') end}))",
          DJ_E_INVALID, ":1: again");
    FAILS("error(setmetatable({}, {__tostring = function(e) error(e) end}))",
          DJ_E_INVALID, "C stack overflow");
}

Test(state, own_errors_have_a_code)
{
    RUNS("local ok, e = pcall(MonkeyRunner.loadImageFromFile, '/nowhere/x.png')\n"
         "assert(not ok and e.code == 'no-data', e.code)\n"
         "assert(tostring(e):match('cannot open /nowhere/x.png'))\n"
         "assert(('<' .. e .. '>'):match('^<.*>$'))");
    FAILS("\n\nMonkeyRunner.loadImageFromFile('/nowhere/x.png')", DJ_E_NO_DATA,
          ":3: loadImageFromFile: cannot open /nowhere/x.png: No such file");
}

Test(state, exit_ends_the_script_from_anywhere)
{
    struct dj_script_outcome outcome = {0};
    struct dj_error err = {0};
    cr_assert_eq(
        run("while true do pcall(function() os.exit(7) end) end", &outcome, &err), 0);
    cr_assert(outcome.exited);
    cr_assert_eq(outcome.exit_code, 7);
    dj_script_outcome_finish(&outcome);
}

Test(state, exit_accepts_the_arguments_of_lua)
{
    static const struct {
        const char *text;
        int code;
    } rows[] = {{"os.exit()", 0},
                {"os.exit(true)", 0},
                {"os.exit(false)", 1},
                {"os.exit(3, true)", 3}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_script_outcome outcome = {0};
        cr_assert_eq(run(rows[i].text, &outcome, NULL), 0);
        cr_assert(outcome.exited);
        cr_assert_eq(outcome.exit_code, rows[i].code);
        dj_script_outcome_finish(&outcome);
    }
}

Test(state, an_interrupt_ends_a_loop_that_catches_everything)
{
    stop_by_ns = 0;
    FAILS("while true do pcall(function() while true do end end) end", DJ_E_INTERRUPTED,
          "interrupted");
}

Test(state, an_interrupt_ends_sleep_and_leaves_time_for_cleanup)
{
    struct dj_script_outcome outcome = {0};
    struct dj_error err = {0};
    int64_t start_ns = dj_host_now_ns();
    /* As if an interrupt had just been requested. */
    stop_by_ns = start_ns + 20 * DJ_SECOND_NS;
    cr_assert_eq(run("local ok, e = pcall(MonkeyRunner.sleep, 100)\n"
                     "assert(not ok and e.code == 'interrupted')\n"
                     "MonkeyRunner.sleep(0.01)\n"
                     "for i = 1, 100000 do local x = i end\n"
                     "os.exit(42)",
                     &outcome, &err),
                 0, "%s", err.message);
    cr_assert_eq(outcome.exit_code, 42);
    cr_assert_lt(dj_host_now_ns() - start_ns, 10 * DJ_SECOND_NS);
    dj_script_outcome_finish(&outcome);
}

Test(state, questions_are_cancelled_without_a_user)
{
    RUNS("MonkeyRunner.alert('hello')\n"
         "assert(MonkeyRunner.input('name?') == nil)\n"
         "assert(MonkeyRunner.choice('which?', {'a', 'b'}) == -1)");
}

Test(state, help_has_every_class)
{
    RUNS("local text = MonkeyRunner.help()\n"
         "assert(text:find('MonkeyRunner.waitForConnection([timeout], [deviceId])', 1, "
         "true))\n"
         "assert(text:find('MonkeyDevice.drag(start, end, [duration], [steps])', 1, "
         "true))\n"
         "assert(text:find('MonkeyImage.sameAs(other, [percent])', 1, true))\n"
         "assert(MonkeyRunner.help('html'):find('<code>MonkeyDevice.wake()</code>', 1, "
         "true))\n"
         "assert(not pcall(MonkeyRunner.help, 'pdf'))");
}

Test(state, constants_are_set)
{
    RUNS("assert(MonkeyDevice.DOWN == 'down' and MonkeyDevice.UP == 'up')\n"
         "assert(MonkeyDevice.DOWN_AND_UP == 'downAndUp' and MonkeyDevice.MOVE == "
         "'move')");
}

Test(state, each_needs_devices)
{
    RUNS("local r = dejank.each({}, function() error('never') end) assert(#r == 0)\n"
         "local ok, e = pcall(dejank.each, {5}, print)\n"
         "assert(tostring(e):find('devices[1] must be a MonkeyDevice', 1, true), e)");
}

static void no_script(struct dj_script_options *options)
{
    *options = (struct dj_script_options){.file = "/nowhere/x.lua"};
}

Test(state, a_missing_file_is_an_error)
{
    struct dj_script_options options;
    struct dj_script_outcome outcome = {0};
    struct dj_driver driver;
    struct dj_error err = {0};
    no_script(&options);
    cr_assert_eq(dj_script_run(&options, &outcome, &err), DJ_E_NO_DATA);
    cr_assert_not_null(strstr(err.message, "cannot open /nowhere/x.lua"));
    cr_assert_eq(dj_script_init_driver(&options, &driver, &err), DJ_E_NO_DATA);
    cr_assert_null(driver.self);
    dj_script_driver_finish(&driver);
}

Test(state, a_driver_with_a_syntax_error_is_refused)
{
    struct dj_driver driver;
    struct dj_error err = {0};
    write_script("local = 1", 9);
    struct dj_script_options options = {.file = path};
    cr_assert_eq(dj_script_init_driver(&options, &driver, &err), DJ_E_INVALID);
    cr_assert_not_null(strstr(err.message, ":1:"));
    dj_script_driver_finish(&driver);
}
