/* Hooks of the C library's functions that create file descriptors. They report the
 * kind of a descriptor to the recorder, without a call to the kernel. Functions that
 * create sockets and files are hooked too, because a new descriptor may reuse the
 * number of a pipe or of another descriptor that threads wait on. */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "hooks/export.h"
#include "recorder/descriptors.h"

static int set_kind(int fd, enum dj_descriptor_kind kind)
{
    dj_recorder_descriptor_set_kind(fd, kind);
    return fd;
}

static int set_pair_kind(int result, const int fds[2])
{
    if (result == 0) {
        dj_recorder_descriptor_set_kind(fds[0], DJ_DESCRIPTOR_OTHER);
        dj_recorder_descriptor_set_kind(fds[1], DJ_DESCRIPTOR_OTHER);
    }
    return result;
}

static int add_pipe(int result, const int fds[2])
{
    if (result == 0) {
        dj_recorder_descriptor_add_pipe(fds[0], fds[1]);
    }
    return result;
}

/* Stores the kind of a descriptor that was opened by its path, and returns the
 * descriptor. Only the path decides: a descriptor of a device has the kind
 * DJ_DESCRIPTOR_WAIT, because a read from it waits for the device. */
static int set_opened_kind(int fd, const char *path)
{
    bool is_device = fd >= 0 && path != NULL && strncmp(path, "/dev/", 5) == 0 &&
                     strncmp(path, "/dev/shm/", 9) != 0;
    return set_kind(fd, is_device ? DJ_DESCRIPTOR_WAIT : DJ_DESCRIPTOR_OTHER);
}

EXPORT int pipe(int fds[2])
{
    return add_pipe(REAL(pipe)(fds), fds);
}

EXPORT int pipe2(int fds[2], int flags)
{
    return add_pipe(REAL(pipe2)(fds, flags), fds);
}

EXPORT int eventfd(unsigned count, int flags)
{
    return set_kind(REAL(eventfd)(count, flags), DJ_DESCRIPTOR_WAIT);
}

EXPORT int timerfd_create(clockid_t clock, int flags)
{
    return set_kind(REAL(timerfd_create)(clock, flags), DJ_DESCRIPTOR_WAIT);
}

EXPORT int signalfd(int fd, const sigset_t *mask, int flags)
{
    return set_kind(REAL(signalfd)(fd, mask, flags), DJ_DESCRIPTOR_WAIT);
}

EXPORT int inotify_init(void)
{
    return set_kind(REAL(inotify_init)(), DJ_DESCRIPTOR_WAIT);
}

EXPORT int inotify_init1(int flags)
{
    return set_kind(REAL(inotify_init1)(flags), DJ_DESCRIPTOR_WAIT);
}

EXPORT int socket(int domain, int type, int protocol)
{
    return set_kind(REAL(socket)(domain, type, protocol), DJ_DESCRIPTOR_OTHER);
}

EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
    return set_pair_kind(REAL(socketpair)(domain, type, protocol, fds), fds);
}

EXPORT int accept(int fd, struct sockaddr *address, socklen_t *length)
{
    return set_kind(REAL(accept)(fd, address, length), DJ_DESCRIPTOR_OTHER);
}

EXPORT int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    return set_kind(REAL(accept4)(fd, address, length, flags), DJ_DESCRIPTOR_OTHER);
}

/* Reads the mode argument. If the caller gave no mode, this reads any value from an
 * argument register. That does no harm, because the real function then ignores the mode:
 * it uses the mode only with O_CREAT and O_TMPFILE. */
#define MODE_OF(last)                                                                    \
    va_list arguments;                                                                   \
    va_start(arguments, last);                                                           \
    mode_t mode = va_arg(arguments, mode_t);                                             \
    va_end(arguments)

/* The hook has a name of its own in C, because the headers rename open to open64 if
 * offsets have 64 bits. */
EXPORT int hook_open(const char *path, int flags, ...) __asm__("open");
EXPORT int hook_open(const char *path, int flags, ...)
{
    MODE_OF(flags);
    return set_opened_kind(REAL(open)(path, flags, mode), path);
}

EXPORT int hook_open64(const char *path, int flags, ...) __asm__("open64");
EXPORT int hook_open64(const char *path, int flags, ...)
{
    MODE_OF(flags);
    return set_opened_kind(REAL(open64)(path, flags, mode), path);
}

EXPORT int hook_openat(int directory, const char *path, int flags, ...) __asm__("openat");
EXPORT int hook_openat(int directory, const char *path, int flags, ...)
{
    MODE_OF(flags);
    return set_opened_kind(REAL(openat)(directory, path, flags, mode), path);
}

EXPORT int hook_openat64(int directory, const char *path, int flags,
                         ...) __asm__("openat64");
EXPORT int hook_openat64(int directory, const char *path, int flags, ...)
{
    MODE_OF(flags);
    return set_opened_kind(REAL(openat64)(directory, path, flags, mode), path);
}

/* Programs built with _FORTIFY_SOURCE call these functions if they call open() or
 * openat() without a mode. */
EXPORT int __open_2(const char *path, int flags)
{
    return set_opened_kind(REAL(__open_2)(path, flags), path);
}

EXPORT int __open64_2(const char *path, int flags)
{
    return set_opened_kind(REAL(__open64_2)(path, flags), path);
}

EXPORT int __openat_2(int directory, const char *path, int flags)
{
    return set_opened_kind(REAL(__openat_2)(directory, path, flags), path);
}

EXPORT int __openat64_2(int directory, const char *path, int flags)
{
    return set_opened_kind(REAL(__openat64_2)(directory, path, flags), path);
}
