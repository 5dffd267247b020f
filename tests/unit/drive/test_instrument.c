#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive/instrument.h"

/* ---- finding the instrumentation ---- */

static const char installed[] =
    "instrumentation:com.example.test/androidx.test.runner.AndroidJUnitRunner "
    "(target=com.example)\r\n"
    "WARNING: linker: something\n"
    "instrumentation:com.two.test/.First (target=com.two)\n"
    "instrumentation:com.two.test/com.two.test.Second (target=com.two)\n"
    "instrumentation:com.self/com.self.Runner (target=com.self)\n"
    "instrumentation:com.other.test/a.Runner (target=com.shared)\n"
    "instrumentation:com.another.test/a.Runner (target=com.shared)\n";

TestSuite(instrument);

static void expect_found(const char *wanted, const char *component, const char *target)
{
    struct dj_instrumentation found;
    struct dj_error err = {0};
    cr_assert_eq(
        dj_instrument_find(installed, sizeof(installed) - 1, wanted, &found, &err), 0,
        "%s: %s", wanted, err.message);
    cr_expect_str_eq(found.component, component);
    cr_expect_str_eq(found.target, target);
}

static void expect_error(const char *list, const char *wanted, int code, const char *part)
{
    struct dj_instrumentation found;
    struct dj_error err = {0};
    cr_expect_eq(dj_instrument_find(list, strlen(list), wanted, &found, &err), code, "%s",
                 wanted);
    cr_expect(strstr(err.message, part) != NULL, "%s", err.message);
}

Test(instrument, the_runner_is_found)
{
    const char *whole = "com.example.test/androidx.test.runner.AndroidJUnitRunner";
    expect_found("com.example.test", whole, "com.example");
    expect_found(whole, whole, "com.example");
    expect_found("com.example", whole, "com.example");
    expect_found("com.self", "com.self/com.self.Runner", "com.self");
    expect_found("com.two.test/.Second", "com.two.test/com.two.test.Second", "com.two");
    expect_found("com.two.test/com.two.test.First", "com.two.test/.First", "com.two");
}

Test(instrument, ambiguous_names_are_refused)
{
    expect_error(installed, "com.two.test", DJ_E_USAGE,
                 "com.two.test is ambiguous; use one of com.two.test/.First, "
                 "com.two.test/com.two.test.Second");
    expect_error(installed, "com.shared", DJ_E_USAGE,
                 "com.other.test/a.Runner, com.another.test/a.Runner");
}

Test(instrument, a_missing_instrumentation_is_an_error_that_lists_the_others)
{
    expect_error(installed, "com.example.tes", DJ_E_NOT_FOUND,
                 "no instrumentation com.example.tes is installed; there are "
                 "com.example.test/androidx");
    expect_error(installed, "com.example.test/x.Y", DJ_E_NOT_FOUND, "there are");
    expect_error(installed, "", DJ_E_NOT_FOUND, "there are");
    expect_error("", "com.example.test", DJ_E_NOT_FOUND, "there are none at all");
    expect_error("instrumentation:a/b\n", "c", DJ_E_NOT_FOUND, "there is a/b");
    expect_error("instrumentation:\ninstrumentation:a\ninstrumentation:a/\n(target=c)\n",
                 "c", DJ_E_NOT_FOUND, "no instrumentation c");
}

Test(instrument, a_long_list_is_truncated)
{
    char list[2000] = "";
    for (int i = 0; i < 20; i++) {
        snprintf(list + strlen(list), sizeof(list) - strlen(list),
                 "instrumentation:p%d/r (target=t)\n", i);
    }
    expect_error(list, "t", DJ_E_USAGE, "p7/r and 12 more");
}

/* ---- the clock ---- */

Test(instrument, stamps_follow_the_drift_between_two_samples)
{
    const struct dj_instrument_clock map = {
        .before = {1000000, 51000000, 2000},
        .after = {2000001000000, 2000051000400, 1000}};
    cr_expect_eq(dj_instrument_clock_to_device(&map, 1000000), 51000000);
    cr_expect_eq(dj_instrument_clock_to_device(&map, 2000001000000), 2000051000400);
    cr_expect_eq(dj_instrument_clock_to_device(&map, 1000001000000), 1000051000200);
    cr_expect_eq(dj_instrument_clock_uncertainty_ns(&map), 4000);
}

Test(instrument, a_single_sample_becomes_less_certain_with_time)
{
    struct dj_instrument_clock map = {.before = {1000000, 51000000, 2000},
                                      .after = {1000001000000, 0, -1}};
    cr_expect_eq(dj_instrument_clock_to_device(&map, 2000000), 52000000);
    cr_expect_eq(dj_instrument_clock_uncertainty_ns(&map), 2 * 2000 + 200 * 1000000);
    map.before.uncertainty_ns = -1;
    cr_expect_eq(dj_instrument_clock_uncertainty_ns(&map), -1);
}

Test(instrument, a_clock_that_jumped_is_as_uncertain_as_the_jump)
{
    const struct dj_instrument_clock map = {.before = {1000000, 51000000, 2000},
                                            .after = {2000000, 952000000, 2000}};
    cr_expect_eq(dj_instrument_clock_uncertainty_ns(&map), 2 * 2000 + 900000000);
}

/* ---- windows ---- */

static char two_hundred[201];

static struct dj_test test_of(const char *method, enum dj_test_outcome outcome,
                              int64_t begin_ns, int64_t end_ns)
{
    return (struct dj_test){.class_name = (char *)"com.example.ListTest",
                            .method = (char *)method,
                            .outcome = outcome,
                            .begin_ns = begin_ns,
                            .end_ns = end_ns};
}

Test(instrument, each_test_that_ran_becomes_a_window)
{
    memset(two_hundred, 'x', 200);
    struct dj_test tests[] = {
        test_of("a", DJ_TEST_PASSED, 10, 20),
        test_of("a", DJ_TEST_FAILED, 30, 40),
        test_of("ignored", DJ_TEST_IGNORED, 41, 42),
        test_of("assumes", DJ_TEST_ASSUMPTION_FAILED, 43, 44),
        test_of("never_begun", DJ_TEST_PASSED, -1, 45),
        test_of("b[\n\033]", DJ_TEST_ERROR, 46, 50),
        test_of(two_hundred, DJ_TEST_PASSED, 51, 52),
        test_of(two_hundred, DJ_TEST_PASSED, 53, 54),
        test_of("hangs", DJ_TEST_NOT_FINISHED, 60, -1),
    };
    const struct dj_test_results results = {
        .tests = tests, .test_count = sizeof(tests) / sizeof(tests[0])};
    struct dj_drive_log log = {0};
    cr_assert(dj_instrument_add_windows(&log, &results, 70));
    cr_assert_eq(log.window_count, 6);
    cr_expect_str_eq(log.windows[0].name, "com.example.ListTest#a");
    cr_expect_eq(log.windows[0].span.start_ns, 10);
    cr_expect_eq(log.windows[0].span.end_ns, 20);
    cr_expect_str_eq(log.windows[1].name, "com.example.ListTest#a (2)");
    cr_expect_str_eq(log.windows[2].name, "com.example.ListTest#b[\\x0a\\x1b]");
    cr_expect_eq(strlen(log.windows[3].name), 159);
    cr_expect_eq(strncmp(log.windows[3].name, "…xxx", 6), 0);
    cr_expect_str_eq(log.windows[4].name + 159 - 8, "xxxx (2)");
    cr_expect_str_eq(log.windows[5].name, "com.example.ListTest#hangs");
    cr_expect_eq(log.windows[5].span.start_ns, 60);
    cr_expect_eq(log.windows[5].span.end_ns, 70);
    dj_drive_log_finish(&log);
}

/* ---- the driver, on this machine, with our own am and pm ---- */

static char folder[] = "/tmp/dejank-instrument-XXXXXX";
static struct dj_device *device;
static struct dj_driver driver;
static struct dj_drive_log log_of_run;
static struct dj_error err;
static int reported;
static uint32_t reported_passed;

static void command(const char *name, const char *script)
{
    char path[200];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "#!/bin/sh\n%s", script);
    fclose(file);
    cr_assert_eq(chmod(path, 0755), 0);
}

static void begin(void)
{
    char path[1000];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    setenv("FOLDER", folder, 1);
    cr_assert_eq(dj_device_open_local(&device, &err), 0, "%s", err.message);
    command("pm", "echo 'instrumentation:com.t/.R (target=com.example)'\n");
}

static void finish(void)
{
    dj_drive_instrument_destroy(&driver);
    dj_drive_log_finish(&log_of_run);
    dj_device_close(device);
    DIR *entries = opendir(folder);
    for (struct dirent *entry = readdir(entries); entry != NULL;
         entry = readdir(entries)) {
        unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    rmdir(folder);
}

TestSuite(instrument_driver, .init = begin, .fini = finish);

static void results_of(void *user, const struct dj_device *of,
                       const struct dj_test_results *results)
{
    cr_expect_eq(user, &reported);
    cr_expect_eq(of, device);
    reported++;
    reported_passed = results->count[DJ_TEST_PASSED];
}

static const char *const arguments[] = {"size", "it's \"big\"; $(rm)", NULL};
static const struct dj_instrument_request request = {.instrumentation = "com.t",
                                                     .test = "com.example.ListTest#a",
                                                     .arguments = arguments,
                                                     .done = results_of,
                                                     .user = &reported};

static int play(const char *am)
{
    command("am", am);
    cr_assert_eq(dj_drive_instrument_create(&request, device, &driver, &err), 0);
    cr_expect(driver.ends_window && driver.starts_app);
    int code = driver.prepare(driver.self, device, &err);
    return code != 0 ? code : driver.drive(driver.self, device, &log_of_run, &err);
}

#define BEGINS(test)                                                                     \
    "printf 'INSTRUMENTATION_STATUS: "                                                   \
    "class=com.example.ListTest\\nINSTRUMENTATION_STATUS: "                              \
    "test=" test "\\nINSTRUMENTATION_STATUS_CODE: 1\\n'\n"
#define ENDS(test, code)                                                                 \
    "printf 'INSTRUMENTATION_STATUS: "                                                   \
    "class=com.example.ListTest\\nINSTRUMENTATION_STATUS: "                              \
    "test=" test "\\nINSTRUMENTATION_STATUS_CODE: " code "\\n'\n"
#define CLOSES "echo INSTRUMENTATION_CODE: -1\n"

Test(instrument_driver, tests_become_windows)
{
    int64_t before_ns = dj_host_now_ns();
    cr_assert_eq(
        play("for word in \"$@\"; do echo \"$word\" >> \"$FOLDER/words\"; done\n" BEGINS(
            "a") "sleep 0.05\n" ENDS("a", "0") BEGINS("b") "sleep 0.05\n" ENDS("b", "0")
                 CLOSES),
        0, "%s", err.message);
    int64_t after_ns = dj_host_now_ns();
    cr_expect_eq(log_of_run.outcome, DJ_RUN_OK, "%s", log_of_run.reason);
    cr_expect_str_eq(log_of_run.reason, "");
    cr_assert_eq(log_of_run.window_count, 2);
    const struct dj_span *a = &log_of_run.windows[0].span;
    const struct dj_span *b = &log_of_run.windows[1].span;
    cr_expect(before_ns <= a->start_ns && a->start_ns < a->end_ns &&
              a->end_ns <= b->start_ns && b->start_ns < b->end_ns &&
              b->end_ns <= after_ns);
    cr_expect_eq(log_of_run.uncertainty_ns, 0, "this machine's clock is its own");
    cr_expect(strstr(dj_text_get(&log_of_run.stream), "test=b\n") != NULL);
    cr_expect_eq(reported, 1);
    cr_expect_eq(reported_passed, 2);
}

/* Returns the arguments that the stand-in for am has written to $FOLDER/words. */
static const char *words_of_am(void)
{
    static char words[1000];
    char path[200];
    snprintf(path, sizeof(path), "%s/words", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    words[fread(words, 1, sizeof(words) - 1, file)] = '\0';
    fclose(file);
    return words;
}

Test(instrument_driver, arguments_reach_am_unchanged)
{
    cr_assert_eq(
        play("for word in \"$@\"; do echo \"[$word]\" >> \"$FOLDER/words\"; done\n"), 0);
    cr_expect_str_eq(words_of_am(),
                     "[instrument]\n[-w]\n[-r]\n[-e]\n[class]\n[com.example."
                     "ListTest#a]\n[-e]\n[size]\n[it's \"big\"; $(rm)]\n[-e]\n"
                     "[delay_msec]\n[1000]\n[com.t/.R]\n");
}

Test(instrument_driver, a_failure_is_named)
{
    cr_assert_eq(play(BEGINS("a") ENDS("a", "-2") CLOSES), 0, "%s", err.message);
    cr_expect_eq(log_of_run.outcome, DJ_RUN_INSTRUMENTATION_FAILED);
    cr_expect_str_eq(log_of_run.reason, "com.example.ListTest#a failed");
}

Test(instrument_driver, a_crash_is_attributed_to_the_app)
{
    cr_assert_eq(play(BEGINS("a") "echo INSTRUMENTATION_RESULT: shortMsg=Process "
                                  "crashed.\necho INSTRUMENTATION_CODE: 0\n"),
                 0, "%s", err.message);
    cr_expect_eq(log_of_run.outcome, DJ_RUN_APP_CRASHED);
    cr_assert_eq(log_of_run.window_count, 1);
    cr_expect_gt(log_of_run.windows[0].span.end_ns, log_of_run.windows[0].span.start_ns);
}

Test(instrument_driver, a_killed_am_leaves_an_unfinished_test)
{
    cr_assert_eq(play(BEGINS("a") "kill -9 $$\n"), 0, "%s", err.message);
    cr_expect_eq(log_of_run.outcome, DJ_RUN_INSTRUMENTATION_FAILED);
    cr_expect(strstr(log_of_run.reason, "ListTest#a began but did not finish") != NULL &&
                  strstr(log_of_run.reason, "(exit code of am: 137)") != NULL,
              "%s", log_of_run.reason);
}

Test(instrument_driver, errors_on_stderr_are_the_reason)
{
    cr_assert_eq(play("echo 'Error: no such \033[2Juser' >&2\nexit 1\n"), 0, "%s",
                 err.message);
    cr_expect_eq(log_of_run.outcome, DJ_RUN_INSTRUMENTATION_FAILED);
    cr_expect_str_eq(log_of_run.reason,
                     "am instrument reported no tests: Error: no such \\x1b[2Juser "
                     "(exit code of am: 1)");
    cr_expect(strstr(dj_text_get(&log_of_run.stream), "Error: no such") != NULL);
    cr_expect_eq(log_of_run.window_count, 0);
}

Test(instrument_driver, unknown_tests_are_an_error)
{
    command("pm", "echo 'instrumentation:com.u/.R (target=com.example)'\n");
    cr_expect_eq(play("exit 0\n"), DJ_E_NOT_FOUND);
    cr_expect(strstr(err.message, "there is com.u/.R") != NULL, "%s", err.message);
}

Test(instrument_driver, a_failure_of_pm_is_an_error)
{
    command("pm", "echo 'cmd: Can'\\''t find service: package'\necho more\nexit 20\n");
    cr_expect_eq(play("exit 0\n"), DJ_E_NO_DATA);
    cr_expect(strstr(err.message, "Can't find service: package") != NULL &&
                  strstr(err.message, "more") == NULL,
              "%s", err.message);
}

Test(instrument_driver, a_device_without_pm_is_unsupported)
{
    char path[200];
    snprintf(path, sizeof(path), "%s/pm", folder);
    unlink(path);
    setenv("PATH", folder, 1);
    cr_expect_eq(play("exit 0\n"), DJ_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "instrumentation tests need Android") != NULL, "%s",
              err.message);
}

static int64_t in_a_while(void *user)
{
    return *(int64_t *)user;
}

Test(instrument_driver, an_interrupt_ends_reading_and_tests)
{
    int64_t latest_ns = dj_host_now_ns() + DJ_SECOND_NS;
    device->interrupt =
        (struct dj_interrupt_request){.latest_ns = in_a_while, .user = &latest_ns};
    cr_expect_eq(
        play(
            "[ $1 = instrument ] || { echo \"$@\" >> \"$FOLDER/words\"; exit; }\n" BEGINS(
                "a") "sleep 100\n"),
        DJ_E_INTERRUPTED);
    cr_expect_eq(log_of_run.window_count, 1, "the windows before the error are kept");
    cr_expect_str_eq(words_of_am(), "force-stop com.example\n");
    dj_drive_log_finish(&log_of_run);
    latest_ns = 1; /* A time in the past. */
    cr_expect_eq(driver.drive(driver.self, device, &log_of_run, &err), DJ_E_INTERRUPTED);
}
