#include "segment/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/layout.h"

/* Messages of glibc for errno values. They are copied here, because strerror() may take a
 * lock. strerrordesc_np() takes no lock, but exists only since glibc 2.32. */
static const struct {
    int failure;
    const char *text;
} reasons[] = {
    {EACCES, "Permission denied"},
    {EDQUOT, "Disk quota exceeded"},
    {EEXIST, "File exists"},
    {EFBIG, "File too large"},
    {EINTR, "Interrupted system call"},
    {EINVAL, "Invalid argument"},
    {EIO, "Input/output error"},
    {EISDIR, "Is a directory"},
    {ELOOP, "Too many levels of symbolic links"},
    {EMFILE, "Too many open files"},
    {ENAMETOOLONG, "File name too long"},
    {ENFILE, "Too many open files in system"},
    {ENODEV, "No such device"},
    {ENOENT, "No such file or directory"},
    {ENOMEM, "Cannot allocate memory"},
    {ENOSPC, "No space left on device"},
    {ENOSYS, "Function not implemented"},
    {ENOTDIR, "Not a directory"},
    {EOPNOTSUPP, "Operation not supported"},
    {EPERM, "Operation not permitted"},
    {EROFS, "Read-only file system"},
    {ESTALE, "Stale file handle"},
};

const char *dj_mapped_file_describe_errno(int failure)
{
    for (size_t i = 0; i < COUNT_OF(reasons); i++) {
        if (reasons[i].failure == failure) {
            return reasons[i].text;
        }
    }
    return "unknown error";
}

static int reserve_space(int fd, off_t offset, size_t bytes)
{
    if (fallocate(fd, 0, offset, (off_t)bytes) == 0) {
        return 0;
    }
    return errno == EOPNOTSUPP ? posix_fallocate(fd, offset, (off_t)bytes) : errno;
}

/* Returns whether the file would be longer than the process's limit. Creating such a
 * file would cause SIGXFSZ in the app. */
static bool exceeds_file_limit(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           bytes > limit.rlim_cur;
}

/* Maps the file. Returns 0 or an errno. */
static int map_file(struct dj_mapped_file *mapped, int fd, size_t bytes)
{
    struct stat status;
    if (exceeds_file_limit(bytes)) {
        return EFBIG;
    }
    if (ftruncate(fd, (off_t)bytes) != 0 || fstat(fd, &status) != 0) {
        return errno;
    }
    int failure = reserve_space(fd, 0, DJ_SEGMENT_PAGE);
    if (failure != 0) {
        return failure;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        return errno;
    }
    *mapped = (struct dj_mapped_file){memory, bytes, status.st_dev, status.st_ino};
    return 0;
}

int dj_mapped_file_create(struct dj_mapped_file *mapped, const char *path, int fd,
                          size_t bytes, struct dj_error *err)
{
    if (fd < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot create %s: %s", path,
                            dj_mapped_file_describe_errno(errno));
    }
    int failure = map_file(mapped, fd, bytes);
    close(fd);
    if (failure != 0) {
        unlink(path);
        return dj_error_set(err, DJ_E_IO, "cannot fill %s: %s", path,
                            dj_mapped_file_describe_errno(failure));
    }
    return 0;
}

int dj_mapped_file_reserve(const struct dj_mapped_file *mapped, const char *path,
                           off_t offset, size_t bytes)
{
    struct stat status;
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    bool same = fstat(fd, &status) == 0 && status.st_dev == mapped->device &&
                status.st_ino == mapped->inode;
    int failure = same ? reserve_space(fd, offset, bytes) : ESTALE;
    close(fd);
    return failure;
}

void dj_mapped_file_unmap(struct dj_mapped_file *mapped)
{
    if (mapped->memory != NULL) {
        munmap(mapped->memory, mapped->bytes);
    }
    *mapped = (struct dj_mapped_file){0};
}
