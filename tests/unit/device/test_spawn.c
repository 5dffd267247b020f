#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/deadline.h"
#include "device/spawn.h"

#define SPAWN(result, timeout_ns, err, ...)                                              \
    dj_spawn((const char *const[]){__VA_ARGS__, NULL},                                   \
             &(struct dj_deadline){dj_host_now_ns() + (timeout_ns), NULL}, result, err)

Test(spawn, streams_and_exit_code)
{
    struct dj_shell_result result = {0};
    int code = SPAWN(&result, 10 * DJ_SECOND_NS, NULL, "sh", "-c",
                     "echo out; echo err >&2; exit 9");
    cr_assert_eq(code, 0);
    cr_assert_str_eq(dj_text_get(&result.out), "out\n");
    cr_assert_str_eq(dj_text_get(&result.err), "err\n");
    cr_assert_eq(result.exit_code, 9);
    dj_shell_result_finish(&result);
}

Test(spawn, arguments_meet_no_shell)
{
    struct dj_shell_result result = {0};
    cr_assert_eq(
        SPAWN(&result, 10 * DJ_SECOND_NS, NULL, "printf", "%s|", "a b;$(id)", "it's"), 0);
    cr_assert_str_eq(dj_text_get(&result.out), "a b;$(id)|it's|");
    dj_shell_result_finish(&result);
}

Test(spawn, input_is_empty)
{
    struct dj_shell_result result = {0};
    cr_assert_eq(SPAWN(&result, 10 * DJ_SECOND_NS, NULL, "cat"), 0);
    cr_assert_eq(result.out.length, 0);
    dj_shell_result_finish(&result);
}

Test(spawn, a_signal_is_128_and_its_number)
{
    struct dj_shell_result result = {0};
    cr_assert_eq(SPAWN(&result, 10 * DJ_SECOND_NS, NULL, "sh", "-c", "kill -TERM $$"), 0);
    cr_assert_eq(result.exit_code, 128 + 15);
    dj_shell_result_finish(&result);
}

Test(spawn, no_such_program)
{
    struct dj_shell_result result = {0};
    struct dj_error err = {0};
    cr_assert_eq(SPAWN(&result, DJ_SECOND_NS, &err, "dejank-no-such-program"),
                 DJ_E_NOT_FOUND);
    cr_assert(strstr(err.message, "dejank-no-such-program") != NULL);
    dj_shell_result_finish(&result);
}

/* Nor one in a folder of PATH where it may not be run. */
Test(spawn, no_program_that_may_be_run)
{
    struct dj_shell_result result = {0};
    struct dj_error err = {0};
    char folder[] = "/tmp/dejank-spawn-XXXXXX", path[64];
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof(path), "%s/dejank-no-program", folder);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL && fchmod(fileno(file), 0600) == 0 && fclose(file) == 0);
    setenv("PATH", folder, 1);
    cr_expect_eq(SPAWN(&result, DJ_SECOND_NS, &err, "dejank-no-program"), DJ_E_NOT_FOUND,
                 "%s", err.message);
    cr_expect_eq(SPAWN(&result, DJ_SECOND_NS, &err, path), DJ_E_IO, "%s", err.message);
    unlink(path);
    rmdir(folder);
    dj_shell_result_finish(&result);
}

Test(spawn, past_the_deadline_all_of_it_is_killed)
{
    struct dj_shell_result result = {0};
    struct dj_error err = {0};
    int64_t start_ns = dj_host_now_ns();
    /* The grandchild holds the pipe open too. */
    int code = SPAWN(&result, DJ_SECOND_NS / 5, &err, "sh", "-c",
                     "echo first; sleep 60 & sleep 60");
    cr_assert_eq(code, DJ_E_TIMEOUT);
    cr_assert_lt(dj_host_now_ns() - start_ns, 10 * DJ_SECOND_NS);
    cr_assert_str_eq(dj_text_get(&result.out), "first\n", "what came until then is kept");
    dj_shell_result_finish(&result);
}

static int64_t latest_ns(void *user)
{
    return *(const int64_t *)user;
}

Test(spawn, an_interrupt_kills_all_of_it)
{
    struct dj_shell_result result = {0};
    struct dj_error err = {0};
    int64_t start_ns = dj_host_now_ns();
    int64_t stop_by_ns = start_ns + DJ_SECOND_NS / 5;
    const struct dj_interrupt interrupt = {latest_ns, &stop_by_ns};
    const struct dj_deadline deadline = dj_deadline_in(60 * DJ_SECOND_NS, &interrupt);
    const char *const argv[] = {"sh", "-c", "sleep 60 & sleep 60", NULL};
    cr_assert_eq(dj_spawn(argv, &deadline, &result, &err), DJ_E_INTERRUPTED);
    cr_assert_lt(dj_host_now_ns() - start_ns, 10 * DJ_SECOND_NS);
    dj_shell_result_finish(&result);
}

Test(spawn, a_megabyte_passes)
{
    struct dj_shell_result result = {0};
    cr_assert_eq(
        SPAWN(&result, 20 * DJ_SECOND_NS, NULL, "head", "-c", "1048576", "/dev/zero"), 0);
    cr_assert_eq(result.out.length, 1048576);
    dj_shell_result_finish(&result);
}

Test(spawn, endless_output_is_cut_off)
{
    struct dj_shell_result result = {0};
    struct dj_error err = {0};
    cr_assert_eq(SPAWN(&result, 60 * DJ_SECOND_NS, &err, "cat", "/dev/zero"), DJ_E_LIMIT);
    cr_assert_leq(result.out.length, DJ_DEVICE_OUTPUT_MAX);
    dj_shell_result_finish(&result);
}

Test(spawn, a_daemon_left_behind_does_not_hold_us)
{
    int exit_code = -1;
    int64_t start_ns = dj_host_now_ns();
    const struct dj_deadline deadline = dj_deadline_in(20 * DJ_SECOND_NS, NULL);
    const char *const argv[] = {"sh", "-c", "sleep 3 & exit 4", NULL};
    cr_assert_eq(dj_spawn_silent(argv, &deadline, &exit_code, NULL), 0);
    cr_assert_eq(exit_code, 4);
    cr_assert_lt(dj_host_now_ns() - start_ns, 2 * DJ_SECOND_NS);
}
