#include "process/child.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "process/descriptor.h"

/* Returns whether the file could be a shell script without "#!". The shell then runs the
 * file, as in execvp(). A program for another architecture is no script. */
static bool is_text(const char *path)
{
    char magic[SELFMAG] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, magic, sizeof(magic)) : -1;
    dj_descriptor_close(&fd);
    return length >= 0 && memcmp(magic, ELFMAG, SELFMAG) != 0;
}

static void reset_signals(void)
{
    const struct sigaction default_action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &default_action, NULL);
    }
}

/* Makes only system calls, because in the child of a fork() the locks of other threads
 * may stay locked forever. */
_Noreturn void dj_child_run(const struct dj_child *child)
{
    const struct dj_process_options *options = child->options;
    /* The prototypes of POSIX lack const. */
    char **argv = (char **)(uintptr_t)options->argv;
    sigset_t none;
    sigemptyset(&none);
    if (child->own_group) {
        setpgid(0, 0);
    }
    if (child->mask == NULL) {
        reset_signals();
    }
    if (child->child_action != NULL) {
        sigaction(SIGCHLD, child->child_action, NULL);
    }
    sigprocmask(SIG_SETMASK, child->mask != NULL ? child->mask : &none, NULL);
    for (int i = 0; i < 3; i++) {
        if (child->streams[i] >= 0) {
            dup2(child->streams[i], i);
        }
    }
    if (options->prepare != NULL) {
        options->prepare(options->user);
    }
    if (options->path == NULL) {
        execvp(argv[0], argv);
    } else {
        execv(options->path, argv);
    }
    int reason = errno;
    if (reason == ENOEXEC && options->path != NULL && is_text(options->path)) {
        execvp(options->path, argv);
    }
    ssize_t written = write(child->exec_error, &reason, sizeof(reason));
    _exit(written == (ssize_t)sizeof(reason) ? 126 : 127);
}

int dj_child_set_error(const struct dj_process_options *options, int reason,
                       struct dj_error *err)
{
    const char *name = options->path != NULL ? options->path : options->argv[0];
    /* execvp() also returns EACCES if it cannot search a folder of PATH. Both cases count
     * as a missing program. */
    bool absent = options->path == NULL &&
                  (reason == ENOENT || (reason == EACCES && strchr(name, '/') == NULL));
    return reason == 0 ? 0
           : absent    ? dj_error_set(err, DJ_E_NOT_FOUND,
                                      "there is no program '%s' in PATH", name)
                       : dj_error_set(err, DJ_E_IO, "cannot start '%s': %s", name,
                                      strerror(reason));
}

int dj_child_wait_for_exec(const struct dj_process_options *options, int exec_error,
                           struct dj_error *err)
{
    int reason = 0;
    while (read(exec_error, &reason, sizeof(reason)) < 0 && errno == EINTR) {
    }
    return dj_child_set_error(options, reason, err);
}
