#include "device/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/stream.h"

int dj_files_open(const char *path, struct dj_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? fd
                   : dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO,
                                  "cannot read %s: %s", path, strerror(errno));
}

static int copy_file(struct dj_device *device, int from, int to, struct dj_error *err)
{
    char buffer[65536];
    for (;;) {
        const struct dj_deadline deadline =
            dj_deadline_in(DJ_SECOND_NS, &device->interrupt);
        ssize_t got = read(from, buffer, sizeof(buffer));
        if (got == 0) {
            return 0;
        }
        int failure = got > 0 ? dj_output_stream_write_all(to, buffer, (size_t)got)
                      : errno != EINTR ? errno
                                       : 0;
        if (failure != 0) {
            return dj_error_set(err, DJ_E_IO, "%s", strerror(failure));
        }
        int code = dj_deadline_check(&deadline, err);
        if (code != 0) {
            return code;
        }
    }
}

int dj_files_push(struct dj_device *device, const char *local_path,
                  const char *remote_path, unsigned mode, struct dj_error *err)
{
    struct dj_text fresh = {0};
    int from = dj_files_open(local_path, err);
    if (from < 0) {
        return from;
    }
    dj_text_format(&fresh, "%s.dejank-%ld", remote_path, (long)getpid());
    int to = open(dj_text_get(&fresh), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int code = to < 0 ? dj_error_set(err, DJ_E_IO, "%s", strerror(errno))
                      : copy_file(device, from, to, err);
    if (code == 0 && fchmod(to, mode & 07777) != 0) {
        code = dj_error_set(err, DJ_E_IO, "%s", strerror(errno));
    }
    if (to >= 0 && close(to) != 0 && code == 0) {
        code = dj_error_set(err, DJ_E_IO, "%s", strerror(errno));
    }
    if (code == 0 && rename(dj_text_get(&fresh), remote_path) != 0) {
        code = dj_error_set(err, DJ_E_IO, "%s", strerror(errno));
    }
    if (code != 0) {
        dj_error_prepend(err, "cannot write %s", remote_path);
        if (to >= 0) {
            unlink(dj_text_get(&fresh));
        }
    }
    close(from);
    dj_text_finish(&fresh);
    return code;
}

int dj_files_pull(struct dj_device *device, const char *remote_path,
                  struct dj_text *bytes, struct dj_error *err)
{
    char buffer[65536];
    ssize_t got = 0;
    size_t before = bytes->length;
    int code = 0;
    int fd = dj_files_open(remote_path, err);
    (void)device;
    if (fd < 0) {
        return fd;
    }
    while (code == 0 && (got = read(fd, buffer, sizeof(buffer))) > 0) {
        dj_text_append(bytes, buffer, (size_t)got);
        if (bytes->failed || bytes->length - before > DJ_DEVICE_OUTPUT_MAX) {
            code = dj_error_set(err, DJ_E_LIMIT, "%s has more than %d MiB", remote_path,
                                DJ_DEVICE_OUTPUT_MAX / (1024 * 1024));
        }
    }
    if (code == 0 && got < 0) {
        code = dj_error_set(err, DJ_E_IO, "cannot read %s: %s", remote_path,
                            strerror(errno));
    }
    close(fd);
    return code;
}

bool dj_device_files_are_same(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}
