#include "recorder/trace_marker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Usual paths of trace_marker, with the newer mount point of tracefs first. */
static const char *const tracefs_paths[] = {
    "/sys/kernel/tracing/trace_marker",
    "/sys/kernel/debug/tracing/trace_marker",
};

/* A number above the descriptors that apps usually open and close. */
enum { HIGH_FD = 900 };

static struct {
    _Atomic int fd; /* Open descriptor of trace_marker, or 0 if none is open. */
    dev_t device;   /* Device and inode of the opened file. */
    ino_t inode;
} marker;

static int open_high(const char *path)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD) : -1;
    if (high >= 0) {
        close(fd);
    }
    return high >= 0 ? high : fd;
}

void dj_trace_marker_open(const char *path)
{
    struct stat status;
    int fd = -1;
    if (path[0] == '/') {
        fd = open_high(path);
    }
    for (size_t i = 0; path[0] != '/' && fd < 0 && i < COUNT_OF(tracefs_paths); i++) {
        fd = open_high(tracefs_paths[i]);
    }
    if (fd > 0 && fstat(fd, &status) == 0) {
        marker.device = status.st_dev;
        marker.inode = status.st_ino;
        atomic_store(&marker.fd, fd);
    }
}

/* Returns the descriptor if it still refers to the opened file, otherwise 0. The app may
 * have closed the descriptor. Its number may now belong to another file, and dejank must
 * not write to that file. */
static int get_checked_fd(void)
{
    struct stat status;
    int fd = atomic_load_explicit(&marker.fd, memory_order_acquire);
    if (fd > 0 && (fstat(fd, &status) != 0 || status.st_dev != marker.device ||
                   status.st_ino != marker.inode)) {
        atomic_store(&marker.fd, 0);
        return 0;
    }
    return fd;
}

static const struct {
    char letter;
    bool named, valued;
} forms[DJ_SECTION_KIND_COUNT] = {
    [DJ_SECTION_BEGIN] = {'B', true, false},
    [DJ_SECTION_END] = {'E', false, false},
    [DJ_SECTION_ASYNC_BEGIN] = {'S', true, true},
    [DJ_SECTION_ASYNC_END] = {'F', true, true},
    [DJ_SECTION_COUNTER] = {'C', true, true},
};

void dj_trace_marker_write(const struct dj_section_data *note)
{
    int saved_errno = errno;
    int fd = get_checked_fd();
    if (fd > 0) {
        char line[DJ_SECTIONS_NAME + 64];
        int length = snprintf(line, sizeof(line), "%c|%d", forms[note->kind].letter,
                              (int)getpid());
        if (forms[note->kind].named) {
            length += snprintf(line + length, sizeof(line) - (size_t)length, "|%.*s",
                               (int)note->length, note->name);
        }
        if (forms[note->kind].valued) {
            length += snprintf(line + length, sizeof(line) - (size_t)length, "|%lld",
                               (long long)note->value);
        }
        line[length++] = '\n';
        const struct iovec whole = {line, (size_t)length};
        /* writev() is used because hooks intercept the app's calls of write(). */
        ssize_t written = writev(fd, &whole, 1);
        (void)written; /* The write fails if the buffer is full or tracing is off. Such
                        * an event is not mirrored. */
    }
    errno = saved_errno;
}
