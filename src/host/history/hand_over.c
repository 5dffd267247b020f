#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/files.h"
#include "history/engine.h"
#include "history/merge.h"

/* ---- export ---- */

static int close_as_one_file(struct dj_history *store, struct dj_error *err)
{
    int code =
        store->engine->script(store, "PRAGMA journal_mode = DELETE", "finish it", err);
    dj_history_close(store);
    return code;
}

static void remove_partial(const char *path)
{
    static const char *const companions[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof(companions) / sizeof(companions[0]); i++) {
        struct dj_text name = {0};
        dj_text_format(&name, "%s%s", path, companions[i]);
        unlink(dj_text_get(&name));
        dj_text_finish(&name);
    }
}

/* Beside the result, so that it becomes that in one step. */
static int write_partial(struct dj_history *history, const char *partial,
                         const int64_t *batches, size_t count,
                         struct dj_history_moved *moved, struct dj_error *err)
{
    struct dj_history *out;
    int code = dj_history_open(partial, DJ_HISTORY_CREATE, &out, err);
    if (code != 0) {
        return code;
    }
    code = dj_merge(out, history, batches, count, moved, err);
    int closed = close_as_one_file(out, code == 0 ? err : NULL);
    return code == 0 ? closed : code;
}

/* Two exports to one name: the second fails. Not all file systems know this step. */
static int put_in_place(const char *partial, const char *path, struct dj_error *err)
{
    int result = renameat2(AT_FDCWD, partial, AT_FDCWD, path, RENAME_NOREPLACE);
    if (result != 0 && errno == EINVAL) {
        result = access(path, F_OK) == 0 ? -1 : rename(partial, path);
        errno = result != 0 && errno == EINVAL ? EEXIST : errno;
    }
    return result == 0 ? 0
                       : dj_error_set(err, DJ_E_OUTPUT, "%s: %s", path, strerror(errno));
}

int dj_history_export(struct dj_history *history, const char *path,
                      const int64_t *batches, size_t count,
                      struct dj_history_moved *moved, struct dj_error *err)
{
    char id[DJ_HISTORY_ID];
    struct stat there;
    struct dj_text partial = {0};
    if (strstr(path, "://") != NULL) {
        return dj_error_set(err, DJ_E_USAGE, "%s: expected the path of a file", path);
    }
    if (lstat(path, &there) == 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "%s: it exists already", path);
    }
    int code = dj_history_new_id(id, err);
    dj_text_format(&partial, "%s.%s", path, id);
    if (code == 0 && partial.failed) {
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    code = code == 0
               ? write_partial(history, dj_text_get(&partial), batches, count, moved, err)
               : code;
    code = code == 0 ? put_in_place(dj_text_get(&partial), path, err) : code;
    if (code != 0) {
        remove_partial(dj_text_get(&partial));
    }
    dj_text_finish(&partial);
    return code;
}

/* ---- load ---- */

static void keep_first(void *user, const char *sentence)
{
    char *first = user;
    if (first[0] == '\0') {
        snprintf(first, 256, "%s", sentence);
    }
}

static int check_file(struct dj_history *from, struct dj_error *err)
{
    char first[256] = "";
    struct dj_history_checked checked;
    int code = dj_history_check(from, keep_first, first, &checked, err);
    return code == 0 && checked.problems > 0
               ? dj_error_set(err, DJ_E_INVALID,
                              "%s: nothing was loaded, as it has %lld problem%s: %s",
                              from->path, (long long)checked.problems,
                              checked.problems == 1 ? "" : "s", first)
               : code;
}

int dj_history_load(struct dj_history *history, const char *path,
                    struct dj_history_moved *moved, struct dj_error *err)
{
    struct dj_history *from;
    *moved = (struct dj_history_moved){0};
    if (dj_files_same(history->path, path)) {
        return dj_error_set(err, DJ_E_USAGE, "%s: this is the store itself", path);
    }
    int code = dj_history_open(path, DJ_HISTORY_READ, &from, err);
    if (code != 0) {
        return code;
    }
    code = check_file(from, err);
    code = code == 0 ? dj_merge(history, from, NULL, 0, moved, err) : code;
    dj_history_close(from);
    return code;
}
