#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device/files.h"
#include "device/output_stream.h"
#include "memory/memory.h"
#include "store/engine.h"
#include "store/merge.h"
#include "store/sqlite.h"

/* ---- export ---- */

/* Call it when the store is complete. The file appears in one step and replaces no other
 * file. */
static int write_file(const struct dj_history *copy, const char *path,
                      struct dj_error *err)
{
    struct dj_output_stream stream;
    int code = dj_output_stream_open_fresh(&stream, path, err);
    if (code == 0 && (code = dj_sqlite_copy(copy, stream.fd, path, err)) != 0) {
        dj_output_stream_drop(&stream);
    }
    return code == 0 ? dj_output_stream_keep(&stream, err) : code;
}

/* SQLite writes into a file without a name, so no file is left over however the process
 * ends. */
static int merge_and_write(struct dj_history *store, const char *path,
                           const int64_t *batches, size_t count,
                           struct dj_history_moved *moved, struct dj_error *err)
{
    char id[DJ_HISTORY_ID];
    struct dj_history *copy = NULL;
    int code = dj_history_new_id(id, err);
    if (code != 0) {
        return code;
    }
    char *place = dj_xformat("%s.%s", path, id);
    code = dj_history_open(place, DJ_HISTORY_UNNAMED, &copy, err);
    code = code == 0 ? dj_merge(copy, store, batches, count, moved, err) : code;
    code = code == 0 ? write_file(copy, path, err) : code;
    dj_history_close(copy);
    free(place);
    return code;
}

int dj_history_export(struct dj_history *store, const char *path, const int64_t *batches,
                      size_t count, struct dj_history_moved *moved, struct dj_error *err)
{
    struct stat there;
    if (strstr(path, "://") != NULL) {
        return dj_error_set(err, DJ_E_USAGE, "%s: expected the path of a file", path);
    }
    if (lstat(path, &there) == 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "%s: it exists already", path);
    }
    return merge_and_write(store, path, batches, count, moved, err);
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

int dj_history_load(struct dj_history *store, const char *path,
                    struct dj_history_moved *moved, struct dj_error *err)
{
    struct dj_history *from;
    *moved = (struct dj_history_moved){0};
    if (dj_files_same(store->path, path)) {
        return dj_error_set(err, DJ_E_USAGE, "%s: this is the store itself", path);
    }
    int code = dj_history_open(path, DJ_HISTORY_READ, &from, err);
    if (code != 0) {
        return code;
    }
    code = check_file(from, err);
    code = code == 0 ? dj_merge(store, from, NULL, 0, moved, err) : code;
    dj_history_close(from);
    return code;
}
