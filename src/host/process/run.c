/* Runs a program and waits until it ends. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/child.h"
#include "process/descriptor.h"
#include "process/process.h"

extern char **environ;

int dj_process_exit_code(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int read_all(const struct dj_process_run *run, int pipes[2], struct dj_error *err)
{
    struct dj_text *const texts[2] = {run->out, run->err};
    while (pipes[0] >= 0 || pipes[1] >= 0) {
        struct pollfd wait[2] = {{.fd = pipes[0], .events = POLLIN},
                                 {.fd = pipes[1], .events = POLLIN}};
        int code = dj_deadline_poll(run->deadline, wait, 2, err);
        if (code != 0) {
            dj_error_prepend(err, "'%s'", run->argv[0]);
            return code;
        }
        for (int i = 0; i < 2; i++) {
            if (wait[i].revents != 0) {
                dj_descriptor_read(&pipes[i], texts[i]);
            }
        }
        if (run->out->failed || run->err->failed) {
            return dj_error_set(err, DJ_E_LIMIT, "'%s' wrote more than %d MiB",
                                run->argv[0], DJ_PROCESS_OUTPUT_MAX / (1024 * 1024));
        }
    }
    return 0;
}

/* Waits for the end of the program by checking every 2 ms, because waitpid() has no
 * timeout. The end of the pipes cannot be used, because the program may close them
 * early. */
static int wait_for_end(const struct dj_process_run *run, pid_t pid, int *exit_code,
                        struct dj_error *err)
{
    int status, code = 0;
    pid_t ended;
    while ((ended = waitpid(pid, &status, WNOHANG)) != pid) {
        if (ended < 0 && errno != EINTR) {
            return dj_error_set(err, DJ_E_IO, "cannot wait for '%s': %s", run->argv[0],
                                strerror(errno));
        }
        code = dj_deadline_check(run->deadline, err);
        if (code != 0) {
            dj_error_prepend(err, "'%s'", run->argv[0]);
            return code;
        }
        dj_host_sleep_ns(2 * DJ_MILLISECOND_NS);
    }
    *exit_code = dj_process_exit_code(status);
    return 0;
}

static int wait_for_program(const struct dj_process_run *run, pid_t pid, int pipes[2],
                            int *exit_code, struct dj_error *err)
{
    int code = read_all(run, pipes, err);
    code = code == 0 ? wait_for_end(run, pid, exit_code, err) : code;
    if (code != 0 && code != DJ_E_IO) {
        kill(-pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    return code;
}

/* Starts the program with default signal actions. Does not use fork(), because fork()
 * copies the page tables, which takes long in a large process. */
static int spawn(const char *const *argv, const int streams[3], pid_t *pid,
                 struct dj_error *err)
{
    const struct dj_process_options options = {.argv = argv};
    char **words = (char **)(uintptr_t)argv; /* The prototypes of POSIX lack const. */
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3; i++) {
        posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    }
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    int reason = posix_spawnp(pid, argv[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return dj_child_set_error(&options, reason, err);
}

int dj_process_run(const struct dj_process_run *run, int *exit_code, struct dj_error *err)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int out[2] = {-1, -1}, errors[2] = {-1, -1};
    pid_t pid = 0;
    int code = 0;
    if (run->out != NULL) {
        run->out->maximum = DJ_PROCESS_OUTPUT_MAX;
        run->err->maximum = DJ_PROCESS_OUTPUT_MAX;
        if (pipe2(out, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) {
            code =
                dj_error_set(err, DJ_E_IO, "cannot create a pipe: %s", strerror(errno));
        }
    }
    const int streams[3] = {null, run->out != NULL ? out[1] : null,
                            run->out != NULL ? errors[1] : null};
    code = code == 0 ? spawn(run->argv, streams, &pid, err) : code;
    dj_descriptor_close(&null);
    dj_descriptor_close(&out[1]);
    dj_descriptor_close(&errors[1]);
    int pipes[2] = {out[0], errors[0]};
    code = code == 0 ? wait_for_program(run, pid, pipes, exit_code, err) : code;
    dj_descriptor_close(&pipes[0]);
    dj_descriptor_close(&pipes[1]);
    return code;
}
