#include "recorder/descriptors.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum {
    DESCRIPTORS = 1024,
    INHERITED = 32, /* Number of descriptors that are examined when the program starts. */
    KIND_BITS = 2
};

/* One element per file descriptor. The lowest bits of an element are the kind of the
 * descriptor. If the descriptor is a pipe, the bits above are the number of the pipe. */
static _Atomic uint32_t descriptors[DESCRIPTORS];

static _Atomic uint32_t pipes; /* Number of pipes found so far. */

static void set_descriptor(int fd, enum dj_descriptor_kind kind, uint32_t pipe)
{
    if (fd >= 0 && fd < DESCRIPTORS) {
        atomic_store_explicit(&descriptors[fd], pipe << KIND_BITS | (uint32_t)kind,
                              memory_order_relaxed);
    }
}

static uint32_t get_descriptor(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS
               ? atomic_load_explicit(&descriptors[fd], memory_order_relaxed)
               : 0;
}

void dj_recorder_descriptor_set_kind(int fd, enum dj_descriptor_kind kind)
{
    set_descriptor(fd, kind, 0);
}

void dj_recorder_descriptor_add_pipe(int reading, int writing)
{
    uint32_t pipe = atomic_fetch_add_explicit(&pipes, 1, memory_order_relaxed);
    set_descriptor(reading, DJ_DESCRIPTOR_PIPE, pipe);
    set_descriptor(writing, DJ_DESCRIPTOR_PIPE, pipe);
}

enum dj_descriptor_kind dj_descriptor_kind(int fd)
{
    return (enum dj_descriptor_kind)(get_descriptor(fd) & ((1U << KIND_BITS) - 1));
}

const void *dj_descriptor_pipe(int fd)
{
    uint32_t found = get_descriptor(fd);
    return dj_descriptor_kind(fd) == DJ_DESCRIPTOR_PIPE
               ? (const void *)((uintptr_t)(found >> KIND_BITS) << 1 | 1)
               : NULL;
}

static enum dj_descriptor_kind read_kind(const struct stat *status)
{
    if (S_ISFIFO(status->st_mode)) {
        return DJ_DESCRIPTOR_PIPE;
    }
    bool is_other = S_ISSOCK(status->st_mode) || S_ISREG(status->st_mode) ||
                    S_ISBLK(status->st_mode) || S_ISDIR(status->st_mode);
    return is_other ? DJ_DESCRIPTOR_OTHER : DJ_DESCRIPTOR_WAIT;
}

/* Returns the number of the pipe. The two ends of a pipe have the same inode. If the
 * other end was examined before, returns the number of the other end. Otherwise returns a
 * new number. */
static uint32_t find_pipe_number(const ino_t *inodes, int fd)
{
    for (int i = 0; i < fd; i++) {
        if (inodes[i] == inodes[fd] && dj_descriptor_kind(i) == DJ_DESCRIPTOR_PIPE) {
            return get_descriptor(i) >> KIND_BITS;
        }
    }
    return atomic_fetch_add_explicit(&pipes, 1, memory_order_relaxed);
}

void dj_descriptors_load(void)
{
    int saved_errno = errno;
    ino_t inodes[INHERITED] = {0};
    for (int fd = 0; fd < INHERITED; fd++) {
        struct stat status;
        if (fstat(fd, &status) != 0) {
            continue;
        }
        enum dj_descriptor_kind kind = read_kind(&status);
        inodes[fd] = status.st_ino;
        set_descriptor(fd, kind,
                       kind == DJ_DESCRIPTOR_PIPE ? find_pipe_number(inodes, fd) : 0);
    }
    errno = saved_errno;
}
