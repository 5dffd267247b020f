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

/* Only the owner may put files or links into a directory. The mode of the files
 * prevents reading. */
static const mode_t OPEN_TO_OTHERS = S_IWGRP | S_IWOTH;

static int check_place(const struct dj_segment_place *place, struct dj_error *err)
{
    struct stat status;
    if (lstat(place->path, &status) != 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            place->path, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return dj_error_set(err, DJ_E_OWNER, "%s: expected a directory, found %s",
                            place->path,
                            S_ISLNK(status.st_mode) ? "a link" : "something else");
    }
    if (status.st_uid != place->owner) {
        return dj_error_set(err, DJ_E_OWNER, "%s: expected owner %u, found %u",
                            place->path, place->owner, (unsigned)status.st_uid);
    }
    if ((status.st_mode & OPEN_TO_OTHERS) != 0) {
        return dj_error_set(err, DJ_E_OWNER,
                            "%s: others may write to it; mend it with: chmod go-w '%s'",
                            place->path, place->path);
    }
    return 0;
}

static bool set_path(struct dj_segment_place *place, const char *parent,
                     const char *child)
{
    int length = snprintf(place->path, sizeof(place->path), "%s%s", parent, child);
    return length > 0 && (size_t)length < sizeof(place->path);
}

/* Returns $XDG_RUNTIME_DIR if it can be trusted, else NULL. After `su` or `sudo -E` it
 * may belong to another user, and a directory created there would lock that user out. */
static const char *runtime_directory(void)
{
    const char *path = secure_getenv("XDG_RUNTIME_DIR");
    struct stat status;
    if (path == NULL || path[0] != '/' || stat(path, &status) != 0 ||
        !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
        return NULL;
    }
    return path;
}

/* Returns $DEJANK_DIR, or NULL. */
static const char *chosen_directory(void)
{
    const char *path = secure_getenv("DEJANK_DIR");
    return path != NULL && path[0] != '\0' ? path : NULL;
}

static bool own_path(struct dj_segment_place *place)
{
    const char *chosen = chosen_directory();
    if (chosen != NULL) {
        return set_path(place, chosen, "");
    }
    const char *runtime = runtime_directory();
    if (runtime != NULL) {
        return set_path(place, runtime, "/dejank");
    }
    if (place->owner == 0) {
        return set_path(place, "/run/dejank", "");
    }
    char child[24];
    snprintf(child, sizeof(child), "%u", place->owner);
    return set_path(place, "/tmp/dejank-", child);
}

int dj_segment_ensure_directory(struct dj_segment_place *place, struct dj_error *err)
{
    place->owner = geteuid();
    if (!own_path(place)) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "the segment directory's path is longer than %d bytes",
                            DJ_SEGMENT_PATH - 1);
    }
    if (mkdir(place->path, 0700) != 0 && errno != EEXIST) {
        return dj_error_set(err, DJ_E_IO, "%s: cannot make this directory: %s",
                            place->path, strerror(errno));
    }
    return check_place(place, err);
}

int dj_segment_check_space(const struct dj_segment_place *place, size_t keep,
                           struct dj_error *err)
{
    size_t needed = DJ_SEGMENT_PAGE + dj_segment_window_bytes(keep);
    struct statvfs disk;
    if (faccessat(AT_FDCWD, place->path, W_OK | X_OK, AT_EACCESS) != 0) {
        return dj_error_set(err, DJ_E_IO, "%s: cannot write here: %s", place->path,
                            strerror(errno));
    }
    /* Some file systems report no size. */
    if (statvfs(place->path, &disk) != 0 || disk.f_blocks == 0 ||
        disk.f_bavail >= needed / disk.f_frsize + 1) {
        return 0;
    }
    return dj_error_set(err, DJ_E_IO, "%s: there is no room for a segment of %zu KiB",
                        place->path, needed / 1024);
}

struct place_list {
    struct dj_segment_place *places;
    size_t count, maximum;
};

/* Adds a directory that exists and passes the owner check, if it is not in the list. */
static void add_place(struct place_list *list, unsigned owner, const char *parent,
                      const char *child)
{
    struct dj_segment_place place = {.owner = owner};
    if (list->count == list->maximum || !set_path(&place, parent, child) ||
        check_place(&place, NULL) != 0) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->places[i].path, place.path) == 0) {
            return;
        }
    }
    list->places[list->count++] = place;
}

static void add_user(struct place_list *list, unsigned uid)
{
    char path[64];
    snprintf(path, sizeof(path), "/run/user/%u", uid);
    add_place(list, uid, path, "/dejank");
    snprintf(path, sizeof(path), "/tmp/dejank-%u", uid);
    add_place(list, uid, path, "");
}

/* Adds the directories of every user that has an entry PREFIXuid in `folder`. Only for
 * root. */
static void add_users_in(struct place_list *list, const char *folder, const char *prefix)
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
            add_user(list, (unsigned)uid);
        }
    }
    closedir(directory);
}

size_t dj_segment_list_places(struct dj_segment_place *places, size_t maximum)
{
    struct place_list list = {.places = places, .maximum = maximum};
    unsigned uid = geteuid();
    const char *chosen = chosen_directory();
    if (chosen != NULL) {
        add_place(&list, uid, chosen, "");
        return list.count;
    }
    const char *runtime = runtime_directory();
    if (runtime != NULL) {
        add_place(&list, uid, runtime, "/dejank");
    }
    if (uid == 0) {
        add_place(&list, uid, "/run/dejank", "");
    }
    add_user(&list, uid);
    if (uid == 0) {
        add_users_in(&list, "/run/user", "");
        add_users_in(&list, "/tmp", "dejank-");
    }
    return list.count;
}
