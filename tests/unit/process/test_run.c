#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/process.h"

static struct dj_text out, errors;
static struct dj_error err;
static int exit_code;

static int run_until(const struct dj_deadline *deadline, const char *const *argv)
{
    const struct dj_process_run run = {argv, deadline, &out, &errors};
    return dj_process_run(&run, &exit_code, &err);
}

static int run_for(int64_t timeout_ns, const char *const *argv)
{
    const struct dj_deadline deadline = dj_deadline_in(timeout_ns, NULL);
    return run_until(&deadline, argv);
}

#define RUN_FOR(timeout_ns, ...)                                                         \
    run_for(timeout_ns, (const char *const[]){__VA_ARGS__, NULL})
#define RUN(...) RUN_FOR(60 * DJ_SECOND_NS, __VA_ARGS__)

static void free_output(void)
{
    dj_text_finish(&out);
    dj_text_finish(&errors);
}

TestSuite(run, .fini = free_output);

Test(run, streams_and_exit_code)
{
    int code = RUN("sh", "-c", "echo out; echo err >&2; exit 9");
    cr_assert_eq(code, 0);
    cr_assert_str_eq(dj_text_get(&out), "out\n");
    cr_assert_str_eq(dj_text_get(&errors), "err\n");
    cr_assert_eq(exit_code, 9);
}

Test(run, arguments_are_not_interpreted_by_a_shell)
{
    cr_assert_eq(RUN("printf", "%s|", "a b;$(id)", "it's"), 0);
    cr_assert_str_eq(dj_text_get(&out), "a b;$(id)|it's|");
}

Test(run, input_is_empty)
{
    cr_assert_eq(RUN("cat"), 0);
    cr_assert_eq(out.length, 0);
}

Test(run, a_signal_gives_exit_code_128_plus_its_number)
{
    cr_assert_eq(RUN("sh", "-c", "kill -TERM $$"), 0);
    cr_assert_eq(exit_code, 128 + 15);
}

Test(run, no_such_program)
{
    cr_assert_eq(RUN_FOR(DJ_SECOND_NS, "dejank-no-such-program"), DJ_E_NOT_FOUND);
    cr_assert(strstr(err.message, "dejank-no-such-program") != NULL);
}

/* The program is in a folder of PATH, but is not executable. */
Test(run, a_program_that_may_not_be_executed)
{
    char folder[] = "/tmp/dejank-spawn-XXXXXX", path[64];
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof(path), "%s/dejank-no-program", folder);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL && fchmod(fileno(file), 0600) == 0 && fclose(file) == 0);
    setenv("PATH", folder, 1);
    cr_expect_eq(RUN_FOR(DJ_SECOND_NS, "dejank-no-program"), DJ_E_NOT_FOUND, "%s",
                 err.message);
    cr_expect_eq(RUN_FOR(DJ_SECOND_NS, path), DJ_E_IO, "%s", err.message);
    unlink(path);
    rmdir(folder);
}

Test(run, the_deadline_kills_the_group)
{
    int64_t start_ns = dj_host_now_ns();
    /* The descendant also has the pipe open. */
    int code = RUN_FOR(DJ_SECOND_NS / 5, "sh", "-c", "echo first; sleep 60 & sleep 60");
    cr_assert_eq(code, DJ_E_TIMEOUT);
    cr_assert_lt(dj_host_now_ns() - start_ns, 10 * DJ_SECOND_NS);
    cr_assert_str_eq(dj_text_get(&out), "first\n",
                     "the output before the timeout is returned");
}

static int64_t latest_ns(void *user)
{
    return *(const int64_t *)user;
}

Test(run, an_interrupt_kills_the_group)
{
    int64_t start_ns = dj_host_now_ns();
    int64_t stop_by_ns = start_ns + DJ_SECOND_NS / 5;
    const struct dj_interrupt_request interrupt = {latest_ns, &stop_by_ns};
    const struct dj_deadline deadline = dj_deadline_in(60 * DJ_SECOND_NS, &interrupt);
    const char *const argv[] = {"sh", "-c", "sleep 60 & sleep 60", NULL};
    cr_assert_eq(run_until(&deadline, argv), DJ_E_INTERRUPTED);
    cr_assert_lt(dj_host_now_ns() - start_ns, 10 * DJ_SECOND_NS);
}

Test(run, a_megabyte_of_output_is_read)
{
    cr_assert_eq(RUN("head", "-c", "1048576", "/dev/zero"), 0);
    cr_assert_eq(out.length, 1048576);
}

Test(run, endless_output_is_limited)
{
    cr_assert_eq(RUN("cat", "/dev/zero"), DJ_E_LIMIT);
    cr_assert_leq(out.length, DJ_PROCESS_OUTPUT_MAX);
}

Test(run, a_daemon_does_not_block_the_call)
{
    int64_t start_ns = dj_host_now_ns();
    const struct dj_deadline deadline = dj_deadline_in(20 * DJ_SECOND_NS, NULL);
    const char *const argv[] = {"sh", "-c", "sleep 3 & exit 4", NULL};
    const struct dj_process_run run = {.argv = argv, .deadline = &deadline};
    cr_assert_eq(dj_process_run(&run, &exit_code, NULL), 0);
    cr_assert_eq(exit_code, 4);
    cr_assert_lt(dj_host_now_ns() - start_ns, 2 * DJ_SECOND_NS);
}
