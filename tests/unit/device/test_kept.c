#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/deadline.h"
#include "device/kept.h"

#define PATIENCE_NS (10 * DJ_SECOND_NS)

static struct dj_kept *start(const char *script)
{
    struct dj_kept *kept;
    struct dj_error err = {0};
    char shell[] = "sh", flag[] = "-c";
    char *argv[] = {shell, flag, strdup(script), NULL};
    cr_assert_eq(dj_kept_start("/bin/sh", argv, &kept, &err), 0, "%s", err.message);
    free(argv[2]);
    return kept;
}

static void wait_until_alone(struct dj_kept *kept)
{
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    while (dj_kept_running(kept) && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
    cr_assert(!dj_kept_running(kept));
}

/* The number a script has said first. */
static pid_t wait_for_pid(struct dj_kept *kept)
{
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    pid_t pid = 0;
    while (pid == 0 && dj_host_now_ns() < until_ns) {
        struct dj_text said = {0};
        dj_kept_output(kept, &said);
        pid = strchr(dj_text_get(&said), '\n') != NULL ? atoi(dj_text_get(&said)) : 0;
        dj_text_finish(&said);
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
    cr_assert_gt(pid, 0);
    return pid;
}

/* A zombie that nobody reaped yet does not run. */
static bool runs(pid_t pid)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) {
            state = 'Z';
        }
        fclose(file);
    }
    return state != 'Z';
}

static void assert_ends(pid_t pid)
{
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    while (runs(pid) && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
    cr_assert(!runs(pid), "process %d lives on", pid);
}

Test(kept, its_words_and_its_end)
{
    int status = -1;
    struct dj_text said = {0};
    struct dj_kept *kept = start("echo out; echo err >&2; exit 9");
    wait_until_alone(kept);
    cr_assert(dj_kept_status(kept, &status));
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 9);
    dj_kept_output(kept, &said);
    cr_assert_str_eq(dj_text_get(&said), "out\nerr\n");
    dj_text_finish(&said);
    dj_kept_close(kept);
}

Test(kept, a_signal_is_told)
{
    int status = -1;
    struct dj_kept *kept = start("kill -SEGV $$");
    wait_until_alone(kept);
    cr_assert(dj_kept_status(kept, &status));
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    dj_kept_close(kept);
}

Test(kept, no_such_program_is_an_error)
{
    struct dj_kept *kept;
    struct dj_error err = {0};
    char *argv[] = {NULL};
    cr_assert_eq(dj_kept_start("/no/such/program", argv, &kept, &err), DJ_E_IO);
    cr_assert(strstr(err.message, "No such file") != NULL, "%s", err.message);
    cr_assert_null(kept);
}

Test(kept, ends_when_asked)
{
    int status;
    struct dj_kept *kept =
        start("trap 'exit 7' TERM; echo $$; while :; do sleep 0.05; done");
    wait_for_pid(kept);
    dj_kept_end(kept, PATIENCE_NS);
    cr_assert(dj_kept_status(kept, &status));
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    dj_kept_close(kept);
}

/* One that does not listen, and one that went out of its session. */
Test(kept, all_that_it_started_ends)
{
    struct dj_kept *kept =
        start("trap '' TERM; setsid sh -c 'echo $$; exec sleep 1000' & "
              "while :; do sleep 1; done");
    pid_t child = wait_for_pid(kept);
    dj_kept_end(kept, 50 * DJ_MILLISECOND_NS);
    cr_assert(!dj_kept_running(kept));
    assert_ends(child);
    dj_kept_close(kept);
}

Test(kept, what_it_left_behind_still_runs)
{
    int status;
    struct dj_kept *kept = start("setsid sleep 1000 & echo $!");
    pid_t child = wait_for_pid(kept);
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    while (!dj_kept_status(kept, &status) && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
    cr_assert(dj_kept_status(kept, &status));
    cr_assert(dj_kept_running(kept));
    dj_kept_close(kept);
    assert_ends(child);
}

Test(kept, much_talk_never_blocks_it)
{
    struct dj_text said = {0};
    struct dj_kept *kept = start("head -c 3000000 /dev/zero | tr '\\0' x");
    wait_until_alone(kept);
    dj_kept_output(kept, &said);
    cr_assert_eq(said.length, DJ_KEPT_OUTPUT_MAX);
    dj_text_finish(&said);
    dj_kept_close(kept);
}

/* Our own SIGKILL, in a process between. */
Test(kept, dies_with_us)
{
    int told[2];
    pid_t pid = 0;
    cr_assert_eq(pipe(told), 0);
    pid_t us = fork();
    if (us == 0) {
        pid_t child = wait_for_pid(start("setsid sleep 1000 & echo $!; sleep 1000"));
        ssize_t written = write(told[1], &child, sizeof(child));
        _exit(written == sizeof(child) && pause() == 0);
    }
    cr_assert_eq(read(told[0], &pid, sizeof(pid)), (ssize_t)sizeof(pid));
    cr_assert(runs(pid));
    kill(us, SIGKILL);
    waitpid(us, NULL, 0);
    assert_ends(pid);
}
