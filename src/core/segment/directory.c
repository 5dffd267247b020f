#include "segment/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Mode bits that a segment directory must not have, so that only its owner can create
 * files or links in it. The mode of the files themselves prevents reading by others. */
static const mode_t OPEN_TO_OTHERS = S_IWGRP | S_IWOTH;

static int check_directory(const struct dj_segment_directory *directory,
                           struct dj_error *err)
{
    struct stat status;
    if (lstat(directory->path, &status) != 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            directory->path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return dj_error_set(err, DJ_E_OWNER, "%s: expected a directory, found %s",
                            directory->path,
                            S_ISLNK(status.st_mode) ? "a link" : "something else");
    }
    if (status.st_uid != directory->owner) {
        return dj_error_set(err, DJ_E_OWNER, "%s: expected owner %u, found %u",
                            directory->path, directory->owner, (unsigned)status.st_uid);
    }
    if ((status.st_mode & OPEN_TO_OTHERS) != 0) {
        return dj_error_set(
            err, DJ_E_OWNER,
            "%s: other users can write to this directory; run: chmod go-w '%s'",
            directory->path, directory->path);
    }
    return 0;
}

static bool set_path(struct dj_segment_directory *directory, const char *parent,
                     const char *child)
{
    int length =
        snprintf(directory->path, sizeof(directory->path), "%s%s", parent, child);
    return length > 0 && (size_t)length < sizeof(directory->path);
}

/* Returns $XDG_RUNTIME_DIR if it belongs to this user, otherwise NULL. After `su` or
 * `sudo -E` it may belong to another user. If root created a directory there, recordings
 * of the other user would fail. */
static const char *find_runtime_directory(void)
{
    const char *path = secure_getenv("XDG_RUNTIME_DIR");
    struct stat status;
    if (path == NULL || path[0] != '/' || stat(path, &status) != 0 ||
        !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
        return NULL;
    }
    return path;
}

/* Returns $DEJANK_DIR, or NULL if it is not set. */
static const char *find_chosen_directory(void)
{
    const char *path = secure_getenv("DEJANK_DIR");
    return path != NULL && path[0] != '\0' ? path : NULL;
}

static bool set_own_path(struct dj_segment_directory *directory)
{
    const char *chosen = find_chosen_directory();
    if (chosen != NULL) {
        return set_path(directory, chosen, "");
    }
    const char *runtime = find_runtime_directory();
    if (runtime != NULL) {
        return set_path(directory, runtime, "/dejank");
    }
    if (directory->owner == 0) {
        return set_path(directory, "/run/dejank", "");
    }
    char child[24];
    snprintf(child, sizeof(child), "%u", directory->owner);
    return set_path(directory, "/tmp/dejank-", child);
}

int dj_segment_ensure_directory(struct dj_segment_directory *directory,
                                struct dj_error *err)
{
    directory->owner = geteuid();
    if (!set_own_path(directory)) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "the path of the segment directory is longer than %d bytes",
                            DJ_SEGMENT_PATH - 1);
    }
    if (mkdir(directory->path, 0700) != 0 && errno != EEXIST) {
        return dj_error_set(err, DJ_E_IO, "%s: cannot create this directory: %s",
                            directory->path, strerror(errno));
    }
    return check_directory(directory, err);
}

int dj_segment_check_space(const struct dj_segment_directory *directory, size_t keep,
                           struct dj_error *err)
{
    size_t needed = DJ_SEGMENT_PAGE + dj_segment_window_bytes(keep);
    struct statvfs disk;
    if (faccessat(AT_FDCWD, directory->path, W_OK | X_OK, AT_EACCESS) != 0) {
        return dj_error_set(err, DJ_E_IO, "%s: cannot write to this directory: %s",
                            directory->path, strerror(errno));
    }
    /* Some file systems report a size of 0. */
    if (statvfs(directory->path, &disk) != 0 || disk.f_blocks == 0 ||
        disk.f_bavail >= needed / disk.f_frsize + 1) {
        return 0;
    }
    return dj_error_set(err, DJ_E_IO,
                        "%s: not enough disk space for a segment of %zu KiB",
                        directory->path, needed / 1024);
}

struct directory_list {
    struct dj_segment_directory *directories;
    size_t count, maximum;
};

/* Adds a directory if it exists, has the right owner, and is not yet in the list. */
static void add_directory(struct directory_list *list, unsigned owner, const char *parent,
                          const char *child)
{
    struct dj_segment_directory directory = {.owner = owner};
    if (list->count == list->maximum || !set_path(&directory, parent, child) ||
        check_directory(&directory, NULL) != 0) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->directories[i].path, directory.path) == 0) {
            return;
        }
    }
    list->directories[list->count++] = directory;
}

static void add_directories_of_user(struct directory_list *list, unsigned uid)
{
    char path[64];
    snprintf(path, sizeof(path), "/run/user/%u", uid);
    add_directory(list, uid, path, "/dejank");
    snprintf(path, sizeof(path), "/tmp/dejank-%u", uid);
    add_directory(list, uid, path, "");
}

/* Adds the directories of each user with an entry PREFIXuid in `folder`. Only root may
 * read these directories. */
static void add_directories_of_users(struct directory_list *list, const char *folder,
                                     const char *prefix)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return;
    }
    size_t skip = strlen(prefix);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strncmp(entry->d_name, prefix, skip) != 0 || entry->d_name[skip] < '0' ||
            entry->d_name[skip] > '9') {
            continue;
        }
        char *end;
        unsigned long uid = strtoul(entry->d_name + skip, &end, 10);
        if (*end == '\0' && uid < UINT32_MAX) {
            add_directories_of_user(list, (unsigned)uid);
        }
    }
    closedir(directory);
}

size_t dj_segment_list_directories(struct dj_segment_directory *directories,
                                   size_t maximum)
{
    struct directory_list list = {.directories = directories, .maximum = maximum};
    unsigned uid = geteuid();
    const char *chosen = find_chosen_directory();
    if (chosen != NULL) {
        add_directory(&list, uid, chosen, "");
        return list.count;
    }
    const char *runtime = find_runtime_directory();
    if (runtime != NULL) {
        add_directory(&list, uid, runtime, "/dejank");
    }
    if (uid == 0) {
        add_directory(&list, uid, "/run/dejank", "");
    }
    add_directories_of_user(&list, uid);
    if (uid == 0) {
        add_directories_of_users(&list, "/run/user", "");
        add_directories_of_users(&list, "/tmp", "dejank-");
    }
    return list.count;
}
