#include "dumpsys/state.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dumpsys/output.h"

static const mode_t OPEN_TO_OTHERS = S_IWGRP | S_IWOTH;

enum { RETRY_MS = 10, NS_PER_MS = 1000000 };

/* Returns the path if it is a folder of this user, otherwise NULL. After `su` or `sudo
 * -E` the path may belong to another user, and nothing must be written there. */
static const char *check_own_folder(const char *path)
{
    struct stat status;
    return path != NULL && path[0] == '/' && stat(path, &status) == 0 &&
                   S_ISDIR(status.st_mode) && status.st_uid == geteuid()
               ? path
               : NULL;
}

static const char *find_home_folder(void)
{
    const char *home = check_own_folder(secure_getenv("HOME"));
    if (home == NULL) {
        const struct passwd *user = getpwuid(geteuid());
        home = check_own_folder(user != NULL ? user->pw_dir : NULL);
    }
    return home;
}

static int set_path(struct dj_state *state, const char *parent, const char *child,
                    struct dj_error *err)
{
    int length = snprintf(state->path, sizeof(state->path), "%s%s", parent, child);
    return length > 0 && (size_t)length < sizeof(state->path)
               ? 0
               : dj_error_set(err, DJ_E_LIMIT,
                              "%.100s…: the path is longer than %d bytes", parent,
                              DJ_STATE_PATH - 1);
}

static int set_io_error(const struct dj_state *state, const char *name, const char *what,
                        struct dj_error *err)
{
    return dj_error_set(err, DJ_E_IO, "%s%s%s: %s: %s", state->path,
                        name[0] != '\0' ? "/" : "", name, what, strerror(errno));
}

static int create_folder(struct dj_state *state, struct dj_error *err)
{
    return mkdir(state->path, 0700) == 0 || errno == EEXIST
               ? 0
               : set_io_error(state, "", "cannot create this directory", err);
}

/* Creates the missing folders below the home folder. */
static int create_in_home(struct dj_state *state, const char *home, struct dj_error *err)
{
    static const char *const folders[] = {"/.local", "/.local/state",
                                          "/.local/state/dejank"};
    int code = 0;
    for (size_t i = 0; code == 0 && i < COUNT_OF(folders); i++) {
        code = set_path(state, home, folders[i], err);
        code = code != 0 ? code : create_folder(state, err);
    }
    return code;
}

/* Returns true if the user has chosen this folder. A folder of another user counts as not
 * chosen, because its path comes from the environment of that user. A path that does not
 * exist counts as chosen. */
static bool is_chosen(const char *path)
{
    struct stat status;
    return check_own_folder(path) != NULL ||
           (path != NULL && path[0] == '/' && stat(path, &status) != 0 &&
            errno == ENOENT);
}

/* Creates the state folder in the chosen folder, and all missing folders above it. */
static int create_in_chosen(struct dj_state *state, const char *chosen,
                            struct dj_error *err)
{
    int code = set_path(state, chosen, "/dejank", err);
    for (char *at = state->path + 1; code == 0 && (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        code = create_folder(state, err);
        *at = '/';
    }
    return code != 0 ? code : create_folder(state, err);
}

static int find_folder(struct dj_state *state, struct dj_error *err)
{
    const char *chosen = secure_getenv("XDG_STATE_HOME");
    if (is_chosen(chosen)) {
        return create_in_chosen(state, chosen, err);
    }
    const char *home = find_home_folder();
    return home != NULL ? create_in_home(state, home, err)
                        : dj_error_set(err, DJ_E_NOT_FOUND,
                                       "this user has no home directory; set "
                                       "XDG_STATE_HOME to a directory for the figures");
}

static int check_folder(const struct dj_state *state, struct dj_error *err)
{
    struct stat status;
    if (fstat(state->directory, &status) != 0) {
        return set_io_error(state, "", "cannot read the owner and mode of this directory",
                            err);
    }
    if (status.st_uid != geteuid()) {
        return dj_error_set(err, DJ_E_OWNER, "%s: expected owner %u, found %u",
                            state->path, (unsigned)geteuid(), (unsigned)status.st_uid);
    }
    if ((status.st_mode & OPEN_TO_OTHERS) != 0) {
        return dj_error_set(
            err, DJ_E_OWNER,
            "%s: other users may write to this directory; fix it with: chmod go-w '%s'",
            state->path, state->path);
    }
    return 0;
}

static int64_t get_time_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / NS_PER_MS;
}

static int acquire_lock(struct dj_state *state, struct dj_error *err)
{
    state->lock = openat(state->directory, "lock",
                         O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (state->lock < 0) {
        return set_io_error(state, "lock", "cannot open this file", err);
    }
    int64_t until_ms = get_time_ms() + DJ_STATE_WAIT_MS;
    while (flock(state->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return set_io_error(state, "lock", "cannot lock this file", err);
        }
        if (get_time_ms() > until_ms) {
            return dj_error_set(err, DJ_E_TIMEOUT,
                                "%s/lock: another process holds this lock", state->path);
        }
        nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * NS_PER_MS}, NULL);
    }
    return 0;
}

int dj_state_open(struct dj_state *state, struct dj_error *err)
{
    *state = (struct dj_state){.directory = -1, .lock = -1};
    int code = find_folder(state, err);
    if (code != 0) {
        return code;
    }
    state->directory = open(state->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (state->directory < 0) {
        return set_io_error(state, "", "cannot open this directory", err);
    }
    code = check_folder(state, err);
    return code != 0 ? code : acquire_lock(state, err);
}

void dj_state_close(struct dj_state *state)
{
    if (state->lock >= 0) {
        close(state->lock);
    }
    if (state->directory >= 0) {
        close(state->directory);
    }
    *state = (struct dj_state){.directory = -1, .lock = -1};
}

static int read_all(const struct dj_state *state, const char *name, int fd,
                    struct dj_text *text, struct dj_error *err)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_uid != geteuid()) {
        return dj_error_set(err, DJ_E_OWNER, "%s/%s: expected a regular file of user %u",
                            state->path, name, (unsigned)geteuid());
    }
    char buffer[65536];
    ssize_t got;
    text->maximum = DJ_STATE_BYTES_MAX;
    while ((got = read(fd, buffer, sizeof(buffer))) > 0) {
        dj_text_append(text, buffer, (size_t)got);
    }
    if (got < 0) {
        return set_io_error(state, name, "cannot read this file", err);
    }
    return text->failed ? dj_error_set(err, DJ_E_LIMIT,
                                       "%s/%s: the file is longer than the limit of %d "
                                       "bytes, or memory is exhausted",
                                       state->path, name, DJ_STATE_BYTES_MAX)
                        : 0;
}

int dj_state_read(const struct dj_state *state, const char *name, struct dj_text *text,
                  struct dj_error *err)
{
    int fd =
        openat(state->directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return errno == ENOENT ? 0
                               : set_io_error(state, name, "cannot open this file", err);
    }
    int code = read_all(state, name, fd, text, err);
    close(fd);
    return code;
}

/* The lock permits only one writer, so one temporary name is enough. A temporary file
 * of a writer that was killed is removed first. */
int dj_state_replace(const struct dj_state *state, const char *name,
                     const struct dj_text *text, struct dj_error *err)
{
    char temporary[64];
    snprintf(temporary, sizeof(temporary), "%s.new", name);
    unlinkat(state->directory, temporary, 0);
    int fd = openat(state->directory, temporary,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        return set_io_error(state, temporary, "cannot create this file", err);
    }
    bool written =
        dj_output_write(fd, dj_text_get(text), text->length) && fdatasync(fd) == 0;
    written = close(fd) == 0 && written;
    if (!written || renameat(state->directory, temporary, state->directory, name) != 0) {
        int code = set_io_error(state, temporary, "cannot write this file", err);
        unlinkat(state->directory, temporary, 0);
        return code;
    }
    return 0;
}
