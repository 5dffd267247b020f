#include "process/process.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_NS (20 * DJ_SECOND_NS)

static struct dj_error err;
static struct dj_text output, errors;

/* A pipe that shows whether processes are running. Every program of a test and all of its
 * descendants have the write end open, so the read end reports the end of the stream when
 * all of them have ended. A program writes a byte when it is ready. */
static int alive_pipe[2] = {-1, -1};

static void open_alive_pipe(void)
{
    int ends[2];
    cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
    alive_pipe[0] = ends[0];
    /* A high number, because shells use low descriptors. */
    alive_pipe[1] = fcntl(ends[1], F_DUPFD, 64);
    cr_assert(alive_pipe[1] >= 0);
    close(ends[1]);
}

static void close_alive_pipe(void)
{
    close(alive_pipe[0]);
    close(alive_pipe[1]);
    dj_text_finish(&output);
    dj_text_finish(&errors);
}

TestSuite(process, .init = open_alive_pipe, .fini = close_alive_pipe);

static bool read_alive_pipe(char *byte, int64_t timeout_ns)
{
    struct pollfd fd = {.fd = alive_pipe[0], .events = POLLIN};
    *byte = 0;
    return poll(&fd, 1, (int)(timeout_ns / DJ_MILLISECOND_NS)) > 0 &&
           read(alive_pipe[0], byte, 1) >= 0;
}

static bool are_ready(size_t count)
{
    char byte = '.';
    for (size_t i = 0; i < count && byte == '.'; i++) {
        byte = read_alive_pipe(&byte, PATIENCE_NS) ? byte : 0;
    }
    return byte == '.';
}

static bool all_have_ended(int64_t timeout_ns)
{
    char byte;
    close(alive_pipe[1]);
    alive_pipe[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return read_alive_pipe(&byte, timeout_ns) && byte == 0;
}

/* Starts a shell script, in which `eval "$0"` writes a byte to the pipe. */
static struct dj_process *start(struct dj_process_options options, const char *script)
{
    struct dj_process *process = NULL;
    char ready[48];
    snprintf(ready, sizeof(ready), "printf . >/proc/self/fd/%d", alive_pipe[1]);
    const char *const argv[] = {"sh", "-c", script, ready, NULL};
    options.argv = argv;
    cr_assert_eq(dj_process_start(&options, &process, &err), 0, "%s", err.message);
    return process;
}

static const struct dj_process_options piped = {.in = DJ_STREAM_PIPE,
                                                .out = DJ_STREAM_PIPE,
                                                .err = DJ_STREAM_PIPE,
                                                .scope = DJ_SCOPE_GROUP,
                                                .grace_ns = DJ_SECOND_NS / 2};
static const struct dj_process_options stored = {.path = "/bin/sh",
                                                 .in = DJ_STREAM_NULL,
                                                 .out = DJ_STREAM_STORE,
                                                 .err = DJ_STREAM_STORE,
                                                 .scope = DJ_SCOPE_DESCENDANTS};
static const struct dj_process_options foreground = {
    .path = "/bin/sh", .scope = DJ_SCOPE_FOREGROUND, .grace_ns = DJ_SECOND_NS / 5};
static const struct dj_process_options waiting = {.path = "/bin/sh",
                                                  .scope = DJ_SCOPE_FOREGROUND,
                                                  .waits_for_release = true,
                                                  .grace_ns = DJ_SECOND_NS / 5};

/* The program, a process in the background and a process in its own session. All of them
 * ignore SIGTERM. */
#define STUBBORN                                                                         \
    "trap '' TERM HUP; (eval \"$0\"; sleep 1000) & setsid sh -c 'eval \"$0\"; "          \
    "sleep 1000' \"$0\" & eval \"$0\"; wait; sleep 1000"
#define STUBBORN_GROUP                                                                   \
    "trap '' TERM HUP; (eval \"$0\"; sleep 1000) & eval \"$0\"; wait; sleep 1000"

static void wait_until_over(struct dj_process *process)
{
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    while (dj_process_is_running(process) && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
    cr_assert_not(dj_process_is_running(process));
}

static int wait_for_status(struct dj_process *process)
{
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    int status = -1;
    while (!dj_process_status(process, &status) && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
    cr_assert(dj_process_status(process, &status));
    return status;
}

Test(process, stored_output_and_exit_code)
{
    struct dj_process *process = start(stored, "echo out; echo err >&2; exit 9");
    wait_until_over(process);
    cr_assert_eq(dj_process_exit_code(wait_for_status(process)), 9);
    dj_process_read_stored(process, &output);
    cr_assert_str_eq(dj_text_get(&output), "out\nerr\n");
    dj_process_close(process);
}

Test(process, a_lot_of_stored_output_never_blocks_the_program)
{
    struct dj_process *process = start(stored, "head -c 3000000 /dev/zero | tr '\\0' x");
    wait_until_over(process);
    dj_process_read_stored(process, &output);
    cr_assert_eq(output.length, DJ_PROCESS_STORED_MAX);
    dj_process_close(process);
}

static void read_to_end(struct dj_process *process)
{
    struct dj_text *const texts[2] = {&output, &errors};
    const struct dj_interrupt_request never = {0};
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    bool ended = false;
    while (!ended && dj_host_now_ns() < until_ns) {
        cr_assert_eq(dj_process_read(process, &never, DJ_SECOND_NS, texts, &ended, &err),
                     0, "%s", err.message);
    }
    cr_assert(ended);
}

Test(process, piped_input_and_output)
{
    struct dj_process *process = start(piped, "echo err >&2; cat; exit 5");
    const struct dj_deadline deadline = dj_deadline_in(PATIENCE_NS, NULL);
    cr_assert_eq(dj_process_write(process, "a\0b", 3, &deadline, &err), 0);
    dj_process_end_input(process);
    cr_assert_eq(dj_process_write(process, "c", 1, &deadline, &err), DJ_E_USAGE);
    read_to_end(process);
    cr_assert_eq(output.length, 3);
    cr_assert_arr_eq(output.data, "a\0b", 3);
    cr_assert_str_eq(dj_text_get(&errors), "err\n");
    cr_assert_eq(dj_process_exit_code(wait_for_status(process)), 5);
    dj_process_close(process);
}

Test(process, a_descendant_keeps_no_pipe_open_for_us)
{
    struct dj_process *process = start(piped, "sleep 1000 & echo done");
    read_to_end(process);
    cr_assert_str_eq(dj_text_get(&output), "done\n");
    dj_process_close(process);
    cr_assert(all_have_ended(PATIENCE_NS));
}

Test(process, no_such_program)
{
    const char *const argv[] = {"dejank-no-such-program", NULL};
    struct dj_process_options options = {.argv = argv};
    struct dj_process *process;
    for (int scope = DJ_SCOPE_GROUP; scope <= DJ_SCOPE_FOREGROUND; scope++) {
        options.scope = (enum dj_process_scope)scope;
        options.path = NULL;
        cr_assert_eq(dj_process_start(&options, &process, &err), DJ_E_NOT_FOUND);
        cr_assert_str_eq(err.message,
                         "there is no program 'dejank-no-such-program' in PATH");
        cr_assert_null(process);
        options.path = "/no/such/program";
        cr_assert_eq(dj_process_start(&options, &process, &err), DJ_E_IO);
        cr_assert_str_eq(err.message,
                         "cannot start '/no/such/program': No such file or directory");
        cr_assert_null(process);
    }
}

Test(process, sigterm_lets_the_program_end_by_itself)
{
    const struct dj_process_options *const all[] = {&piped, &stored, &foreground};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct dj_process *process = start(
            *all[i], "trap 'exit 7' TERM; eval \"$0\"; while :; do sleep 0.01; done");
        cr_assert(are_ready(1));
        dj_process_stop(process, PATIENCE_NS);
        cr_assert_eq(dj_process_exit_code(wait_for_status(process)), 7);
        dj_process_close(process);
    }
}

Test(process, processes_that_ignore_sigterm_are_killed)
{
    const struct dj_process_options *const all[] = {&piped, &stored, &foreground};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        bool group = all[i]->scope == DJ_SCOPE_GROUP;
        struct dj_process *process = start(*all[i], group ? STUBBORN_GROUP : STUBBORN);
        cr_assert(are_ready(group ? 2 : 3));
        dj_process_stop(process, 50 * DJ_MILLISECOND_NS);
        int status = wait_for_status(process);
        cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        dj_process_close(process);
    }
    cr_assert(all_have_ended(PATIENCE_NS));
}

Test(process, a_stopped_group_receives_sigterm)
{
    struct dj_process *process =
        start(piped, "trap 'exit 7' TERM; eval \"$0\"; kill -STOP $$; sleep 1000");
    cr_assert(are_ready(1));
    dj_process_stop(process, PATIENCE_NS);
    cr_assert_eq(dj_process_exit_code(wait_for_status(process)), 7);
    dj_process_close(process);
}

/* The descendants receive SIGTERM after the program has ended. */
Test(process, descendants_receive_sigterm_before_sigkill)
{
    struct dj_process *process =
        start(stored, "setsid sh -c 'trap \"echo asked; exit\" TERM; eval \"$0\"; "
                      "while :; do sleep 0.01; done' \"$0\" &");
    cr_assert(are_ready(1));
    cr_assert_eq(wait_for_status(process), 0);
    cr_assert(dj_process_is_running(process));
    dj_process_stop(process, PATIENCE_NS);
    cr_assert_not(dj_process_is_running(process));
    dj_process_read_stored(process, &output);
    cr_assert_str_eq(dj_text_get(&output), "asked\n");
    dj_process_close(process);
}

Test(process, descendants_of_a_foreground_program_continue)
{
    struct dj_process *process =
        start(foreground, "sh -c 'eval \"$0\"; sleep 1; eval \"$0\"' \"$0\" & exit 3");
    cr_assert_eq(dj_process_exit_code(wait_for_status(process)), 3);
    dj_process_close(process);
    cr_assert(are_ready(2));
    cr_assert(all_have_ended(PATIENCE_NS));
}

Test(process, a_program_waits_for_its_release)
{
    struct dj_process *process = start(waiting, "eval \"$0\"; exit 4");
    char byte;
    cr_assert_not(read_alive_pipe(&byte, 50 * DJ_MILLISECOND_NS));
    cr_assert_eq(kill(dj_process_pid(process), 0), 0);
    dj_process_release(process);
    cr_assert(are_ready(1));
    cr_assert_eq(dj_process_exit_code(wait_for_status(process)), 4);
    dj_process_close(process);
}

Test(process, a_program_that_is_never_released_never_runs)
{
    dj_process_close(start(waiting, "eval \"$0\""));
    cr_assert(all_have_ended(PATIENCE_NS), "without a byte");
}

/* Starts a program in another process, which is killed when the program is ready. */
static bool start_and_be_killed(const struct dj_process_options *options,
                                const char *script, size_t count)
{
    pid_t us = fork();
    if (us == 0) {
        /* In case the test fails before the process is killed. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        struct dj_process *process = start(*options, script);
        dj_process_release(process);
        pause();
    }
    bool ready = are_ready(count);
    kill(us, SIGKILL);
    waitpid(us, NULL, 0);
    return ready;
}

Test(process, all_end_when_this_process_is_killed)
{
    const struct dj_process_options *const all[] = {&piped, &stored, &foreground,
                                                    &waiting};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        bool group = all[i]->scope == DJ_SCOPE_GROUP;
        cr_assert(start_and_be_killed(all[i], group ? STUBBORN_GROUP : STUBBORN,
                                      group ? 2 : 3));
    }
    cr_assert(all_have_ended(PATIENCE_NS));
}

Test(process, the_program_ends_when_its_guardian_is_killed)
{
    struct dj_process *process =
        start(stored, "eval \"$0\"; cut -d ' ' -f 4 /proc/$$/stat; "
                      "exec sleep 1000");
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    while (strchr(dj_text_get(&output), '\n') == NULL && dj_host_now_ns() < until_ns) {
        dj_text_clear(&output);
        dj_process_read_stored(process, &output);
    }
    pid_t guardian = (pid_t)strtol(dj_text_get(&output), NULL, 10);
    cr_assert(guardian > 1 && guardian != getpid());
    cr_assert_eq(kill(guardian, SIGKILL), 0);
    int status = wait_for_status(process);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    dj_process_close(process);
    cr_assert(are_ready(1));
    cr_assert(all_have_ended(PATIENCE_NS));
}

enum { REFUSED = 77 };

/* Runs as the first process of a pid namespace. It outlives the process that started the
 * programs. */
static _Noreturn void run_first_process(const struct dj_process_options *options,
                                        const char *script, size_t ready, bool own_proc)
{
    if (own_proc && (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
                     mount("proc", "/proc", "proc", 0, NULL) != 0)) {
        _exit(REFUSED);
    }
    bool done = start_and_be_killed(options, script, ready);
    _exit(done && all_have_ended(PATIENCE_NS) ? 0 : 1);
}

static void check_in_namespace(const struct dj_process_options *options,
                               const char *script, size_t ready, bool own_proc)
{
    int user = geteuid() == 0 ? 0 : CLONE_NEWUSER, status = -1;
    close_alive_pipe();
    open_alive_pipe();
    pid_t outer = fork();
    if (outer == 0) {
        if (unshare(user | CLONE_NEWPID | CLONE_NEWNS) != 0) {
            _exit(REFUSED);
        }
        pid_t first = fork();
        if (first == 0) {
            run_first_process(options, script, ready, own_proc);
        }
        /* Closed here, because the first process waits until all others have closed
         * it. */
        close(alive_pipe[1]);
        waitpid(first, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
    }
    close(alive_pipe[1]);
    alive_pipe[1] = -1;
    waitpid(outer, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED) {
        cr_skip_test("no pid namespace can be made here");
    }
    cr_assert_eq(status, 0);
}

Test(process, all_end_in_a_pid_namespace)
{
    check_in_namespace(&stored, STUBBORN, 3, true);
    check_in_namespace(&foreground, STUBBORN, 3, true);
}

/* /proc shows the process ids of the outer namespace, which belong to other processes. */
Test(process, the_program_ends_in_a_pid_namespace_without_its_own_proc)
{
    check_in_namespace(&stored, "trap '' TERM; eval \"$0\"; while :; do sleep 0.1; done",
                       1, false);
    check_in_namespace(&piped, STUBBORN_GROUP, 2, false);
}

Test(process, all_descriptors_are_closed)
{
    const struct dj_process_options *const all[] = {&piped, &stored, &foreground,
                                                    &waiting};
    int before = dup(0), after;
    close(before);
    for (size_t i = 0; i < 12; i++) {
        dj_process_close(start(*all[i % 4], "true"));
    }
    after = dup(0);
    close(after);
    cr_assert_eq(before, after);
}
