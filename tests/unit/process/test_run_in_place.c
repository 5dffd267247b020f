#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/process.h"

static struct dj_error err;

static int run_shell(const char *script, void (*prepare)(void *user), void *user)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct dj_process_options options = {
        .path = "/bin/sh", .argv = argv, .prepare = prepare, .user = user};
    int status = -1;
    cr_assert_eq(dj_process_run_in_place(&options, &status, &err), 0, "%s", err.message);
    return status;
}

static void set_variable(void *user)
{
    setenv("DEJANK_TEST_VARIABLE", user, 1);
}

Test(in_place, exit_code_and_prepare)
{
    char value[] = "7";
    cr_assert_eq(dj_process_exit_code(
                     run_shell("exit $DEJANK_TEST_VARIABLE", set_variable, value)),
                 7);
    cr_assert_null(getenv("DEJANK_TEST_VARIABLE"));
}

Test(in_place, the_program_is_in_our_process_group)
{
    char script[64];
    snprintf(script, sizeof(script), "exec kill -USR1 -- -%d", getpid());
    setpgid(0, 0);
    int status = run_shell(script, NULL, NULL);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
}

static void ignore_signal(int number)
{
    (void)number;
}

Test(in_place, a_signal_sent_to_us_reaches_the_program)
{
    /* The signal also arrives before the program starts and after it ends. */
    signal(SIGUSR2, ignore_signal);
    pid_t us = getpid(), sender = fork();
    if (sender == 0) {
        /* Sends the signal repeatedly, because the shell needs time to set its trap. */
        while (access("/proc/self", F_OK) == 0 && kill(us, 0) == 0) {
            kill(us, SIGUSR2);
            usleep(10000);
        }
        _exit(0);
    }
    int status =
        run_shell("trap 'exit 9' USR2; while :; do sleep 0.01; done", NULL, NULL);
    kill(sender, SIGKILL);
    cr_assert(dj_process_exit_code(status) == 9 ||
              dj_process_exit_code(status) == 128 + SIGUSR2);
}

/* As with nohup. In the mask, bit 0 is SIGHUP and bit 16 is SIGCHLD. Other signals may
 * also be ignored. */
Test(in_place, the_program_ignores_signals_that_we_ignore)
{
    const char *const argv[] = {"grep", "-q", "^SigIgn:.*[13579bdf]...[13579bdf]$",
                                "/proc/self/status", NULL};
    const struct dj_process_options options = {.argv = argv};
    int status = -1;
    signal(SIGHUP, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    cr_assert_eq(dj_process_run_in_place(&options, &status, &err), 0, "%s", err.message);
    cr_assert_eq(status, 0);
}

Test(in_place, text_without_an_interpreter_is_run_by_the_shell)
{
    char path[] = "/tmp/dejank-in-place-XXXXXX";
    int fd = mkstemp(path), status = -1;
    cr_assert_eq(write(fd, "exit 6\n", 7), 7);
    cr_assert_eq(fchmod(fd, 0700), 0);
    close(fd);
    const char *const argv[] = {path, NULL};
    const struct dj_process_options options = {.path = path, .argv = argv};
    cr_assert_eq(dj_process_run_in_place(&options, &status, &err), 0, "%s", err.message);
    cr_assert_eq(dj_process_exit_code(status), 6);
    cr_assert_eq(chmod(path, 0600), 0);
    cr_assert_eq(dj_process_run_in_place(&options, &status, &err), DJ_E_IO);
    cr_assert(strstr(err.message, path) != NULL &&
              strstr(err.message, "Permission denied") != NULL);
    unlink(path);
}

Test(in_place, a_program_for_another_architecture_is_not_run)
{
    char path[] = "/tmp/dejank-in-place-XXXXXX";
    int fd = mkstemp(path), status = -1;
    cr_assert_eq(write(fd, "\177ELF\nexit 6\n", 12), 12);
    cr_assert_eq(fchmod(fd, 0700), 0);
    close(fd);
    const char *const argv[] = {path, NULL};
    const struct dj_process_options options = {.path = path, .argv = argv};
    cr_assert_eq(dj_process_run_in_place(&options, &status, &err), DJ_E_IO);
    unlink(path);
}

static int end_of_one_that_ends_like(int status)
{
    pid_t pid = fork();
    if (pid == 0) {
        dj_process_end_like(status);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return status;
}

Test(in_place, this_process_ends_like_the_program)
{
    int by_signal = end_of_one_that_ends_like(run_shell("kill -SEGV $$", NULL, NULL));
    cr_assert(WIFSIGNALED(by_signal) && WTERMSIG(by_signal) == SIGSEGV);
    int by_code = end_of_one_that_ends_like(run_shell("exit 42", NULL, NULL));
    cr_assert(WIFEXITED(by_code) && WEXITSTATUS(by_code) == 42);
}
