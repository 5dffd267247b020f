#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device/files.h"
#include "memory/memory.h"
#include "output/stream.h"
#include "store/sql/engine.h"
#include "store/sqlite/engine.h"
#include "store/upkeep/merge.h"

/* Copies the complete store to a new file at `path`. The file appears in one step. A file
 * that already exists is not replaced. */
static int write_file(const struct dj_store *copy, const char *path, struct dj_error *err)
{
    struct dj_output_stream stream;
    int code = dj_output_stream_open_new(&stream, path, err);
    if (code == 0 && (code = dj_sqlite_copy(copy, stream.fd, path, err)) != 0) {
        dj_output_stream_discard(&stream);
    }
    return code == 0 ? dj_output_stream_commit(&stream, err) : code;
}

/* Copies the batches to a store in a file without a name, and then to `path`. So no
 * incomplete file remains, however the process ends. */
static int merge_and_write(struct dj_store *store, const char *path,
                           const int64_t *batches, size_t count,
                           struct dj_store_copy_counts *moved, struct dj_error *err)
{
    char id[DJ_STORE_ID_BYTES];
    struct dj_store *copy = NULL;
    int code = dj_store_create_id(id, err);
    if (code != 0) {
        return code;
    }
    char *unnamed_path = dj_xformat("%s.%s", path, id);
    code = dj_store_open(unnamed_path, DJ_STORE_UNNAMED, &copy, err);
    code = code == 0 ? dj_merge_batches(copy, store, batches, count, moved, err) : code;
    code = code == 0 ? write_file(copy, path, err) : code;
    dj_store_close(copy);
    free(unnamed_path);
    return code;
}

int dj_store_export(struct dj_store *store, const char *path, const int64_t *batches,
                    size_t count, struct dj_store_copy_counts *moved,
                    struct dj_error *err)
{
    struct stat there;
    if (strstr(path, "://") != NULL) {
        return dj_error_set(err, DJ_E_USAGE, "%s: expected the path of a file", path);
    }
    if (lstat(path, &there) == 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "%s: the file exists already", path);
    }
    return merge_and_write(store, path, batches, count, moved, err);
}

static void copy_first_problem(void *user, const char *sentence)
{
    char *first = user;
    if (first[0] == '\0') {
        snprintf(first, 256, "%s", sentence);
    }
}

static int check_file(struct dj_store *from, struct dj_error *err)
{
    char first[256] = "";
    struct dj_store_check_result checked;
    int code = dj_store_check(from, copy_first_problem, first, &checked, err);
    return code == 0 && checked.problems > 0
               ? dj_error_set(err, DJ_E_INVALID,
                              "%s: nothing was loaded, because it has %lld problem%s: %s",
                              from->path, (long long)checked.problems,
                              checked.problems == 1 ? "" : "s", first)
               : code;
}

int dj_store_load(struct dj_store *store, const char *path,
                  struct dj_store_copy_counts *moved, struct dj_error *err)
{
    struct dj_store *from;
    *moved = (struct dj_store_copy_counts){0};
    if (dj_device_files_are_same(store->path, path)) {
        return dj_error_set(err, DJ_E_USAGE, "%s: this is the store itself", path);
    }
    int code = dj_store_open(path, DJ_STORE_READ, &from, err);
    if (code != 0) {
        return code;
    }
    code = check_file(from, err);
    code = code == 0 ? dj_merge_batches(store, from, NULL, 0, moved, err) : code;
    dj_store_close(from);
    return code;
}
