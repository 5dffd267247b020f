#include "capture/linux/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_TEXT = 1 << 24, PIECE = 1 << 16 };

/* Usual mount points of tracefs. The one that newer kernels use is first. */
static const char *const mount_points[] = {"/sys/kernel/tracing",
                                           "/sys/kernel/debug/tracing"};

int dj_tracefs_set_error(const char *path, const char *doing, struct dj_error *err)
{
    int failure = errno;
    int code = failure == EACCES || failure == EPERM ? DJ_E_OWNER
               : failure == ENOENT                   ? DJ_E_NOT_FOUND
                                                     : DJ_E_IO;
    return dj_error_set(err, code, "tracefs: %s %s: %s", doing, path, strerror(failure));
}

static int open_mounted(const char *path)
{
    struct statfs mounted;
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0 && (fstatfs(dir, &mounted) != 0 || mounted.f_type != TRACEFS_MAGIC)) {
        close(dir);
        errno = ENOENT;
        return -1;
    }
    return dir;
}

/* Mounts tracefs without a path. Other processes then do not see the mount, and the
 * kernel removes it when this process ends. */
static int mount_tracefs(int *dir, struct dj_error *err)
{
    int context = fsopen("tracefs", FSOPEN_CLOEXEC);
    int failure = errno;
    if (context < 0) {
        return dj_error_set(
            err, failure == EPERM ? DJ_E_OWNER : DJ_E_UNSUPPORTED, "tracefs: %s",
            failure == EPERM
                ? geteuid() == 0
                      ? "it is not mounted, and this root user may not mount it"
                      : "it is not mounted, and only root may mount it"
            : failure == ENODEV ? "this kernel does not have it"
                                : strerror(failure));
    }
    bool made = fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0;
    *dir = made ? fsmount(context, FSMOUNT_CLOEXEC, 0) : -1;
    failure = errno;
    close(context);
    return *dir < 0 ? dj_error_set(err, failure == EPERM ? DJ_E_OWNER : DJ_E_IO,
                                   "tracefs is not mounted, and mounting it failed: %s",
                                   strerror(failure))
                    : 0;
}

int dj_tracefs_open(int *dir, struct dj_error *err)
{
    bool refused = false;
    for (size_t i = 0; i < COUNT_OF(mount_points); i++) {
        *dir = open_mounted(mount_points[i]);
        if (*dir >= 0) {
            return 0;
        }
        refused = refused || errno == EACCES || errno == EPERM;
    }
    int code = mount_tracefs(dir, err);
    return code == DJ_E_OWNER && refused
               ? dj_error_set(err, code, "tracefs: only root may read %s",
                              mount_points[0])
               : code;
}

int dj_tracefs_write(int dir, const char *path, const char *value, struct dj_error *err)
{
    int fd = openat(dir, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0) {
        return dj_tracefs_set_error(path, "cannot open", err);
    }
    size_t length = strlen(value);
    ssize_t wrote = write(fd, value, length);
    int code =
        wrote == (ssize_t)length ? 0 : dj_tracefs_set_error(path, "cannot set", err);
    close(fd);
    return code;
}

int dj_tracefs_read(int dir, const char *path, struct dj_text *text, struct dj_error *err)
{
    char piece[PIECE];
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return dj_tracefs_set_error(path, "cannot open", err);
    }
    ssize_t got;
    while ((got = read(fd, piece, sizeof(piece))) > 0 && text->length < MOST_TEXT) {
        dj_text_append(text, piece, (size_t)got);
    }
    int code = got < 0 ? dj_tracefs_set_error(path, "cannot read", err) : 0;
    close(fd);
    return code == 0 && text->failed
               ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for %s", path)
               : code;
}
