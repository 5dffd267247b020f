/* Preloaded into an adbd, and so into every command of its shells, if the kernel does
 * not permit namespaces (tests/e2e/devices.py, tests/e2e/android/machine.py).
 *
 * A socket that would listen on every address listens only on the loopback.
 *
 * If $DEVICE_FOLDER is set, absolute paths are those of a stand-in Android device:
 *   /data, /sdcard and /sys     the folders of these names in $DEVICE_FOLDER
 *   /storage/emulated/0         the same as /sdcard
 *   /system/bin                 /bin
 *   /proc/NAME                  $DEVICE_FOLDER/proc/NAME, if it exists
 *   /proc/uptime                the machine's uptime plus $DEVICE_AHEAD_S seconds
 * Nothing can be created in /data/local/tmp while $DEVICE_FOLDER/full exists. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int __open_2(const char *path,
             int flags); /* open() in a program built with _FORTIFY_SOURCE. */

#define TEMPORARY "/data/local/tmp"

struct mapping {
    const char *prefix;
    const char *place; /* "/bin" is a path of the machine. Any other value is a path in
                        * $DEVICE_FOLDER. */
};

static const struct mapping mappings[] = {
    {"/data", "data"}, {"/sdcard", "sdcard"},   {"/storage/emulated/0", "sdcard"},
    {"/sys", "sys"},   {"/system/bin", "/bin"},
};

/* Returns the rest of the path after the prefix, or NULL if the path does not begin
 * with the prefix. */
static const char *path_below(const char *path, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(path, prefix, length) != 0) {
        return NULL;
    }
    return path[length] == '/' || path[length] == '\0' ? path + length : NULL;
}

static bool exists(const char *path)
{
    struct stat found;
    return fstatat(AT_FDCWD, path, &found, 0) == 0;
}

static bool is_full(const char *path)
{
    const char *folder = getenv("DEVICE_FOLDER");
    char mark[PATH_MAX];
    if (folder == NULL || path_below(path, TEMPORARY) == NULL) {
        return false;
    }
    snprintf(mark, sizeof mark, "%s/full", folder);
    return exists(mark);
}

/* Returns the path on this machine, in `storage` if it differs from `path`. */
static const char *map_path(const char *path, char storage[PATH_MAX])
{
    const char *folder = getenv("DEVICE_FOLDER");
    if (folder == NULL || path == NULL || path[0] != '/') {
        return path;
    }
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; i++) {
        const char *rest = path_below(path, mappings[i].prefix);
        if (rest == NULL) {
            continue;
        }
        bool is_own = mappings[i].place[0] != '/';
        snprintf(storage, PATH_MAX, "%s%s%s%s", is_own ? folder : "", is_own ? "/" : "",
                 mappings[i].place, rest);
        return storage;
    }
    if (path_below(path, "/proc") != NULL) {
        snprintf(storage, PATH_MAX, "%s%s", folder, path);
        return strcmp(path, "/proc") != 0 && exists(storage) ? storage : path;
    }
    return path;
}

/* Returns a descriptor of a file with the contents of /proc/uptime, or −1 after an
 * error. */
static int open_uptime(void)
{
    const char *ahead = getenv("DEVICE_AHEAD_S");
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    int fd = memfd_create("uptime", MFD_CLOEXEC);
    if (fd >= 0) {
        double up = (double)(now.tv_sec + (ahead != NULL ? atoll(ahead) : 0));
        dprintf(fd, "%.2f %.2f\n", up + (double)now.tv_nsec / 1e9, up);
        lseek(fd, 0, SEEK_SET);
    }
    return fd;
}

#pragma GCC visibility push(default)

#define REAL(name) ((__typeof__(&name))real_function(#name))

static void *real_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    return found;
}

/* Defines functions whose first argument is a path. */
#define PATH_FIRST(type, name, parameters, ...)                                          \
    type name parameters                                                                 \
    {                                                                                    \
        char storage[PATH_MAX];                                                          \
        const char *mapped = map_path(path, storage);                                    \
        return REAL(name)(mapped __VA_OPT__(, ) __VA_ARGS__);                            \
    }

/* Defines functions whose first argument is a folder's descriptor and whose second
 * argument is a path. */
#define PATH_SECOND(type, name, parameters, ...)                                         \
    type name parameters                                                                 \
    {                                                                                    \
        char storage[PATH_MAX];                                                          \
        const char *mapped = map_path(path, storage);                                    \
        return REAL(name)(fd, mapped __VA_OPT__(, ) __VA_ARGS__);                        \
    }

/* Defines functions that create a file, which fails on a full device. */
#define PATH_CREATES(name, parameters, ...)                                              \
    int name parameters                                                                  \
    {                                                                                    \
        char storage[PATH_MAX];                                                          \
        if (is_full(path)) {                                                             \
            errno = ENOSPC;                                                              \
            return -1;                                                                   \
        }                                                                                \
        const char *mapped = map_path(path, storage);                                    \
        return REAL(name)(__VA_ARGS__);                                                  \
    }

PATH_FIRST(int, access, (const char *path, int mode), mode)
PATH_FIRST(int, chdir, (const char *path))
PATH_FIRST(int, chmod, (const char *path, mode_t mode), mode)
PATH_FIRST(int, chown, (const char *path, uid_t user, gid_t group), user, group)
PATH_FIRST(int, lchown, (const char *path, uid_t user, gid_t group), user, group)
PATH_FIRST(int, execv, (const char *path, char *const argv[]), argv)
PATH_FIRST(int, execve, (const char *path, char *const argv[], char *const env[]), argv,
           env)
PATH_FIRST(int, lutimes, (const char *path, const struct timeval times[2]), times)
PATH_FIRST(int, rmdir, (const char *path))
PATH_FIRST(int, stat, (const char *restrict path, struct stat *restrict found), found)
PATH_FIRST(int, lstat, (const char *restrict path, struct stat *restrict found), found)
PATH_FIRST(int, stat64, (const char *restrict path, struct stat64 *restrict found), found)
PATH_FIRST(int, lstat64, (const char *restrict path, struct stat64 *restrict found),
           found)
PATH_FIRST(int, statfs, (const char *path, struct statfs *found), found)
PATH_FIRST(int, statvfs, (const char *restrict path, struct statvfs *restrict found),
           found)
PATH_FIRST(int, unlink, (const char *path))
PATH_FIRST(ssize_t, readlink,
           (const char *restrict path, char *restrict text, size_t size), text, size)
PATH_FIRST(DIR *, opendir, (const char *path))
PATH_FIRST(FILE *, fopen, (const char *restrict path, const char *restrict mode), mode)
PATH_SECOND(int, faccessat, (int fd, const char *path, int mode, int flags), mode, flags)
PATH_SECOND(int, fchmodat, (int fd, const char *path, mode_t mode, int flags), mode,
            flags)
PATH_SECOND(int, statx,
            (int fd, const char *restrict path, int flags, unsigned mask,
             struct statx *restrict found),
            flags, mask, found)
PATH_SECOND(int, unlinkat, (int fd, const char *path, int flags), flags)
PATH_SECOND(int, utimensat,
            (int fd, const char *path, const struct timespec times[2], int flags), times,
            flags)
PATH_CREATES(mkdir, (const char *path, mode_t mode), mapped, mode)
PATH_CREATES(mkdirat, (int fd, const char *path, mode_t mode), fd, mapped, mode)
PATH_CREATES(symlink, (const char *target, const char *path), target, mapped)

int fstatat(int fd, const char *restrict path, struct stat *restrict found, int flags)
{
    char storage[PATH_MAX];
    return REAL(fstatat)(fd, map_path(path, storage), found, flags);
}

static int open_mapped(int fd, const char *path, int flags, mode_t mode)
{
    char storage[PATH_MAX];
    if (getenv("DEVICE_FOLDER") != NULL && strcmp(path, "/proc/uptime") == 0) {
        return open_uptime();
    }
    if ((flags & O_CREAT) != 0 && is_full(path)) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(openat)(fd, map_path(path, storage), flags, mode);
}

static mode_t read_mode(int flags, va_list arguments)
{
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = read_mode(flags, arguments);
    va_end(arguments);
    return open_mapped(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = read_mode(flags, arguments);
    va_end(arguments);
    return open_mapped(AT_FDCWD, path, flags, mode);
}

int __open_2(const char *path, int flags)
{
    return open_mapped(AT_FDCWD, path, flags, 0);
}

int openat(int fd, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = read_mode(flags, arguments);
    va_end(arguments);
    return open_mapped(fd, path, flags, mode);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    char from_storage[PATH_MAX], to_storage[PATH_MAX];
    return REAL(renameat2)(from_fd, map_path(from, from_storage), to_fd,
                           map_path(to, to_storage), flags);
}

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    return renameat2(from_fd, from, to_fd, to, 0);
}

int rename(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int bind(int fd, const struct sockaddr *address, socklen_t size)
{
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    if (address->sa_family == AF_INET && size >= sizeof ipv4) {
        memcpy(&ipv4, address, sizeof ipv4);
        ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return REAL(bind)(fd, (struct sockaddr *)&ipv4, sizeof ipv4);
    }
    if (address->sa_family == AF_INET6 && size >= sizeof ipv6) {
        /* adb connects to the IPv4 address 127.0.0.1. */
        static const unsigned char loopback[16] = {
            [10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1};
        memcpy(&ipv6, address, sizeof ipv6);
        memcpy(&ipv6.sin6_addr, loopback, sizeof loopback);
        return REAL(bind)(fd, (struct sockaddr *)&ipv6, sizeof ipv6);
    }
    return REAL(bind)(fd, address, size);
}
