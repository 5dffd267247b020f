#include "cli/await.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options.h"

enum { PATIENCE_MS = 1000 };

/* A shell's <(…) is a link to a pipe, and is being written to. */
static bool is_named_pipe(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* "-", /dev/stdin, /dev/tty. −1: no terminal. */
static int open_terminal(const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        return isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
    }
    if (stat(path, &status) != 0 || !S_ISCHR(status.st_mode)) {
        return -1;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && !isatty(fd)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void dj_await_input(const char *path)
{
    if (is_named_pipe(path)) {
        dj_complain("%s is a pipe: waiting for what writes to it", path);
        return;
    }
    int fd = open_terminal(path);
    struct pollfd input = {.fd = fd, .events = POLLIN};
    if (fd >= 0 && poll(&input, 1, PATIENCE_MS) == 0) {
        dj_complain("reading what is typed or pasted here; Ctrl-D ends it");
    }
    if (fd > STDIN_FILENO) {
        close(fd);
    }
}
