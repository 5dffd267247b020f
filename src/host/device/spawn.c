#include "device/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct pipes {
    int out[2], err[2];
};

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static void close_pipes(struct pipes *pipes)
{
    for (size_t i = 0; i < 2; i++) {
        close_fd(&pipes->out[i]);
        close_fd(&pipes->err[i]);
    }
}

static void redirect(posix_spawn_file_actions_t *actions, const struct pipes *pipes)
{
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (pipes == NULL) {
        posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY,
                                         0);
        posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY,
                                         0);
    } else {
        posix_spawn_file_actions_adddup2(actions, pipes->out[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(actions, pipes->err[1], STDERR_FILENO);
    }
}

/* Its own process group, so that a time-out ends all of it and Ctrl-C on our terminal
 * does not. Signals as at the start of a program, whatever this one made of them. */
static int start(const char *const *argv, const struct pipes *pipes, pid_t *pid,
                 struct dj_error *err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    redirect(&actions, pipes);
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    char **words =
        (char **)(uintptr_t)argv; /* POSIX lacks the const; nothing is written */
    int failure = posix_spawnp(pid, argv[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    /* A folder of PATH that may not be looked into is as good as none. */
    if (failure == ENOENT || (failure == EACCES && strchr(argv[0], '/') == NULL)) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "there is no program '%s' in PATH",
                            argv[0]);
    }
    if (failure != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot start '%s': %s", argv[0],
                            strerror(failure));
    }
    return 0;
}

/* Takes what is there; closes *fd at its end. False where the text outgrew its maximum.
 */
static bool drain(int *fd, struct dj_text *text)
{
    char buffer[65536];
    ssize_t got = read(*fd, buffer, sizeof(buffer));
    if (got > 0) {
        dj_text_append(text, buffer, (size_t)got);
        return !text->failed;
    }
    if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        close_fd(fd);
    }
    return true;
}

static int read_all(struct pipes *pipes, const struct dj_deadline *deadline,
                    const char *program, struct dj_shell_result *result,
                    struct dj_error *err)
{
    while (pipes->out[0] >= 0 || pipes->err[0] >= 0) {
        struct pollfd wait[2] = {{.fd = pipes->out[0], .events = POLLIN},
                                 {.fd = pipes->err[0], .events = POLLIN}};
        int code = dj_deadline_poll(deadline, wait, 2, err);
        if (code != 0) {
            dj_error_prepend(err, "'%s'", program);
            return code;
        }
        if ((wait[0].revents != 0 && !drain(&pipes->out[0], &result->out)) ||
            (wait[1].revents != 0 && !drain(&pipes->err[0], &result->err))) {
            return dj_error_set(err, DJ_E_LIMIT, "'%s' wrote more than %d MiB", program,
                                DJ_DEVICE_OUTPUT_MAX / (1024 * 1024));
        }
    }
    return 0;
}

static int exit_code_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* There is no wait with a time-out for a child that may have closed its pipes long ago:
 * look every 2 ms. */
static int reap(pid_t pid, const struct dj_deadline *deadline, const char *program,
                int *exit_code, struct dj_error *err)
{
    int status;
    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid) {
            *exit_code = exit_code_of(status);
            return 0;
        }
        if (ended < 0 && errno != EINTR) {
            return dj_error_set(err, DJ_E_IO, "waiting for '%s': %s", program,
                                strerror(errno));
        }
        int code = dj_deadline_check(deadline, err);
        if (code != 0) {
            dj_error_prepend(err, "'%s'", program);
            return code;
        }
        dj_host_sleep_ns(2 * DJ_MILLISECOND_NS);
    }
}

static void kill_group(pid_t pid)
{
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

int dj_spawn(const char *const *argv, const struct dj_deadline *deadline,
             struct dj_shell_result *result, struct dj_error *err)
{
    struct pipes pipes = {{-1, -1}, {-1, -1}};
    pid_t pid;
    result->out.maximum = DJ_DEVICE_OUTPUT_MAX;
    result->err.maximum = DJ_DEVICE_OUTPUT_MAX;
    if (pipe2(pipes.out, O_CLOEXEC) != 0 || pipe2(pipes.err, O_CLOEXEC) != 0) {
        int code = dj_error_set(err, DJ_E_IO, "cannot make a pipe: %s", strerror(errno));
        close_pipes(&pipes);
        return code;
    }
    int code = start(argv, &pipes, &pid, err);
    if (code == 0) {
        close_fd(&pipes.out[1]);
        close_fd(&pipes.err[1]);
        code = read_all(&pipes, deadline, argv[0], result, err);
        if (code == 0) {
            code = reap(pid, deadline, argv[0], &result->exit_code, err);
        }
        if (code != 0 && code != DJ_E_IO) {
            kill_group(pid);
        }
    }
    close_pipes(&pipes);
    return code;
}

int dj_spawn_silent(const char *const *argv, const struct dj_deadline *deadline,
                    int *exit_code, struct dj_error *err)
{
    pid_t pid;
    int code = start(argv, NULL, &pid, err);
    if (code != 0) {
        return code;
    }
    code = reap(pid, deadline, argv[0], exit_code, err);
    if (code != 0 && code != DJ_E_IO) {
        kill_group(pid);
    }
    return code;
}
