#include "process/descriptor.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

void dj_descriptor_close(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

bool dj_descriptor_read(int *fd, struct dj_text *text)
{
    char buffer[65536];
    ssize_t got = *fd >= 0 ? read(*fd, buffer, sizeof(buffer)) : -1;
    if (got > 0) {
        dj_text_append(text, buffer, (size_t)got);
        return true;
    }
    if (*fd >= 0 && (got == 0 || (errno != EINTR && errno != EAGAIN))) {
        dj_descriptor_close(fd);
    }
    return false;
}

ssize_t dj_descriptor_write(int fd, const void *bytes, size_t size)
{
    static const struct timespec at_once = {0};
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t written = write(fd, bytes, size);
    int failure = errno;
    if (written < 0 && failure == EPIPE && !sigismember(&pending, SIGPIPE)) {
        while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return written;
}
