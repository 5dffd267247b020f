#include "segment/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "segment/sections_layout.h"

static const int64_t NS_PER_S = INT64_C(1000000000);

/* Reads a decimal number without leading zeros that ends with the character `stop`.
 * Moves *text past both. */
static bool read_number(const char **text, char stop, uint64_t *number)
{
    const char *at = *text;
    if (*at < '0' || *at > '9' || (*at == '0' && at[1] != stop)) {
        return false;
    }
    *number = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number)) {
            return false;
        }
    }
    if (*at != stop) {
        return false;
    }
    *text = stop != '\0' ? at + 1 : at;
    return true;
}

/* Parses the name of a segment, PID.START or PID.START.IMAGE. Returns false for other
 * names. */
static bool parse_name(const char *name, struct dj_segment_file *file)
{
    uint64_t pid;
    uint64_t image = 0;
    if (!read_number(&name, '.', &pid) || pid == 0 || pid > INT32_MAX) {
        return false;
    }
    if (!read_number(&name, '\0', &file->start_ticks) &&
        (!read_number(&name, '.', &file->start_ticks) ||
         !read_number(&name, '\0', &image) || image == 0 || image >= DJ_SEGMENT_IMAGES)) {
        return false;
    }
    file->pid = (int64_t)pid;
    file->image = (unsigned)image;
    return true;
}

void dj_segment_file_name(char name[DJ_SEGMENT_FILE_NAME], int64_t pid,
                          uint64_t start_ticks, unsigned image)
{
    int length = snprintf(name, DJ_SEGMENT_FILE_NAME, "%lld.%llu", (long long)pid,
                          (unsigned long long)start_ticks);
    if (image > 0) {
        snprintf(name + length, DJ_SEGMENT_FILE_NAME - (size_t)length, ".%u", image);
    }
}

bool dj_segment_is_replaced(const char *path)
{
    struct dj_segment_file file = {0};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char next[DJ_SEGMENT_FILE_NAME];
    if (!parse_name(name, &file)) {
        return false;
    }
    dj_segment_file_name(next, file.pid, file.start_ticks, file.image + 1);
    int length =
        snprintf(file.path, sizeof(file.path), "%.*s%s", (int)(name - path), path, next);
    return length > 0 && (size_t)length < sizeof(file.path) &&
           access(file.path, F_OK) == 0;
}

static int64_t read_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static bool read_at(int fd, void *bytes, size_t size, off_t offset)
{
    return pread(fd, bytes, size, offset) == (ssize_t)size;
}

/* Returns the timestamp of the newest frame. The modification time of the file is not
 * enough, because on tmpfs it does not change when a mapping is written. */
static int64_t find_newest_frame_ns(int fd, const struct dj_segment_header *header)
{
    int64_t newest_ns = header->created_ns;
    uint32_t windows = header->windows;
    for (uint32_t i = 0; i < windows && i < DJ_SEGMENT_WINDOWS; i++) {
        int64_t last_ns;
        off_t window = (off_t)header->header_bytes + (off_t)i * header->window_bytes;
        if (!read_at(fd, &last_ns, sizeof(last_ns),
                     window + (off_t)offsetof(struct dj_segment_open_window, last_ns))) {
            break;
        }
        newest_ns = last_ns > newest_ns ? last_ns : newest_ns;
    }
    return newest_ns;
}

/* Adds information from the header: the boot, and the time of the last frame. If the
 * file has no header yet, only the information from its name is known. */
static void read_header(int fd, struct dj_segment_file *file)
{
    struct dj_segment_header header;
    char boot_id[40];
    dj_segment_read_boot_id(boot_id);
    static const char nothing[sizeof(header.magic)];
    if (!read_at(fd, &header, sizeof(header), 0)) {
        return;
    }
    file->unfinished = memcmp(header.magic, nothing, sizeof(nothing)) == 0;
    if (memcmp(header.magic, DJ_SEGMENT_MAGIC, sizeof(header.magic)) != 0) {
        return;
    }
    if (header.version == DJ_SEGMENT_VERSION && header.retention < DJ_RETENTION_COUNT) {
        file->retention = (enum dj_retention)header.retention;
    }
    if (header.boot_id[0] == '\0') {
        return;
    }
    if (strncmp(header.boot_id, boot_id, sizeof(boot_id)) != 0) {
        file->other_boot = true;
        file->ended = true;
        return;
    }
    int64_t ago_s =
        (read_clock_ns(CLOCK_MONOTONIC) - find_newest_frame_ns(fd, &header)) / NS_PER_S;
    int64_t frame_s = read_clock_ns(CLOCK_REALTIME) / NS_PER_S - (ago_s > 0 ? ago_s : 0);
    file->modified_s = frame_s > file->modified_s ? frame_s : file->modified_s;
}

static bool describe_file(int directory_fd, const struct dj_segment_directory *directory,
                          const char *name, struct dj_segment_file *file)
{
    *file = (struct dj_segment_file){.owner = directory->owner};
    int length = snprintf(file->path, sizeof(file->path), "%s/%s", directory->path, name);
    struct stat status;
    if (!parse_name(name, file) || length < 0 || (size_t)length >= sizeof(file->path) ||
        fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return false;
    }
    file->modified_s = status.st_mtim.tv_sec;
    file->ended = !dj_segment_process_is_alive(file->pid, file->start_ticks);
    if (!S_ISREG(status.st_mode) || status.st_uid != directory->owner) {
        /* The file is invalid. dj_segment_identify() will report it with its name. */
        return true;
    }
    int fd = openat(directory_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        read_header(fd, file);
        close(fd);
    }
    return true;
}

static int open_directory(const struct dj_segment_directory *directory,
                          struct dj_error *err)
{
    int fd = open(directory->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        int code = errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO;
        dj_error_set(err, code, "%s: %s", directory->path, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return code;
    }
    if (status.st_uid != directory->owner) {
        close(fd);
        return dj_error_set(err, DJ_E_OWNER, "%s: expected owner %u, found %u",
                            directory->path, directory->owner, (unsigned)status.st_uid);
    }
    return fd;
}

typedef bool visit_function(const struct dj_segment_file *file, void *user);

/* Reads directory entries without readdir(), because readdir() allocates memory and this
 * code also runs inside recorded apps. */
static ssize_t read_entries(int directory_fd, struct dirent *entries, size_t bytes)
{
#ifdef __GLIBC__
    _Static_assert(sizeof(struct dirent) == sizeof(struct dirent64),
                   "struct dirent has the layout of the kernel");
    return getdents64(directory_fd, entries, bytes);
#else
    /* Uses getdents(), because musl has no getdents64(). */
    return getdents(directory_fd, entries, bytes);
#endif
}

static int scan_open(int directory_fd, const struct dj_segment_directory *directory,
                     visit_function *visit, void *user, struct dj_error *err)
{
    _Alignas(struct dirent) char buffer[8192];
    for (;;) {
        ssize_t got = read_entries(directory_fd, (struct dirent *)buffer, sizeof(buffer));
        if (got < 0) {
            return dj_error_set(err, DJ_E_IO, "%s: %s", directory->path, strerror(errno));
        }
        if (got == 0) {
            return 0;
        }
        for (ssize_t at = 0; at < got;) {
            const struct dirent *entry = (const struct dirent *)(buffer + at);
            struct dj_segment_file file;
            at += entry->d_reclen;
            if (describe_file(directory_fd, directory, entry->d_name, &file) &&
                !visit(&file, user)) {
                return 0;
            }
        }
    }
}

int dj_segment_scan(const struct dj_segment_directory *directory,
                    bool (*visit)(const struct dj_segment_file *file, void *user),
                    void *user, struct dj_error *err)
{
    int directory_fd = open_directory(directory, err);
    if (directory_fd < 0) {
        return directory_fd;
    }
    int code = scan_open(directory_fd, directory, visit, user, err);
    close(directory_fd);
    return code;
}

/* The newest ended segments found so far, at most DJ_SEGMENT_ENDED_MAX. They are not
 * removed. */
struct prune {
    int directory_fd;
    int64_t oldest_kept_s;
    size_t count;
    struct remaining {
        char name[DJ_SEGMENT_FILE_NAME];
        int64_t modified_s;
    } remaining[DJ_SEGMENT_ENDED_MAX];
};

static size_t find_oldest(const struct prune *prune)
{
    size_t oldest = 0;
    for (size_t i = 1; i < prune->count; i++) {
        if (prune->remaining[i].modified_s < prune->remaining[oldest].modified_s) {
            oldest = i;
        }
    }
    return oldest;
}

static int remove_with_sections(int directory_fd, const char *path)
{
    char sections[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    snprintf(sections, sizeof(sections), "%s" DJ_SECTIONS_SUFFIX, path);
    unlinkat(directory_fd, sections, 0);
    return unlinkat(directory_fd, path, 0);
}

int dj_segment_remove(const struct dj_segment_file *file, struct dj_error *err)
{
    return remove_with_sections(AT_FDCWD, file->path) == 0 || errno == ENOENT
               ? 0
               : dj_error_set(err, DJ_E_IO, "%s: %s", file->path, strerror(errno));
}

static bool prune_file(const struct dj_segment_file *file, void *user)
{
    struct prune *prune = user;
    struct remaining candidate = {.modified_s = file->modified_s};
    if (!file->ended || (file->retention == DJ_RETAIN_NAMED && !file->other_boot)) {
        return true;
    }
    dj_segment_file_name(candidate.name, file->pid, file->start_ticks, file->image);
    if (file->modified_s < prune->oldest_kept_s || file->other_boot || file->unfinished) {
        remove_with_sections(prune->directory_fd, candidate.name);
        return true;
    }
    if (prune->count < DJ_SEGMENT_ENDED_MAX) {
        prune->remaining[prune->count++] = candidate;
        return true;
    }
    struct remaining *oldest = &prune->remaining[find_oldest(prune)];
    if (oldest->modified_s < candidate.modified_s) {
        struct remaining newer = candidate;
        candidate = *oldest;
        *oldest = newer;
    }
    remove_with_sections(prune->directory_fd, candidate.name);
    return true;
}

void dj_segment_prune(const struct dj_segment_directory *directory)
{
    struct prune prune = {.directory_fd = open_directory(directory, NULL),
                          .oldest_kept_s = read_clock_ns(CLOCK_REALTIME) / NS_PER_S -
                                           (int64_t)DJ_SEGMENT_ENDED_DAYS * 86400};
    if (prune.directory_fd >= 0) {
        scan_open(prune.directory_fd, directory, prune_file, &prune, NULL);
        close(prune.directory_fd);
    }
}
