/* Opens the SQLite file of a store. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "memory/memory.h"
#include "store/sql/engine.h"
#include "store/sqlite/engine.h"

enum {
    /* Time limit for waiting. A writer locks the file only while it writes one run. */
    BUSY_MS = 30000,
    WAL_TRIES = 300,
    WAL_PAUSE_NS = 10000000
};

static int make_folders(const char *path, struct dj_error *err)
{
    char *folder = dj_xstrdup(path);
    int code = 0;
    for (char *slash = strchr(folder + 1, '/'); slash != NULL && code == 0;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
            code = dj_error_set(err, DJ_E_OUTPUT, "%s: cannot create this folder: %s",
                                folder, strerror(errno));
        }
        *slash = '/';
    }
    free(folder);
    return code;
}

static int check_path(const char *path, enum dj_store_mode mode, struct dj_error *err)
{
    struct stat found;
    if (stat(path, &found) == 0) {
        return S_ISREG(found.st_mode)
                   ? 0
                   : dj_error_set(err, DJ_E_INVALID, "%s: expected a file", path);
    }
    if (errno != ENOENT && errno != ENOTDIR) {
        return dj_error_set(err, DJ_E_OUTPUT, "%s: %s", path, strerror(errno));
    }
    return mode == DJ_STORE_CREATE || mode == DJ_STORE_UNNAMED
               ? make_folders(path, err)
               : dj_error_set(err, DJ_E_NO_DATA, "%s: there is no such store", path);
}

void dj_sqlite_append_uri(struct dj_text *uri, const char *path)
{
    dj_text_add(uri, path[0] == '/' ? "file://" : "file:");
    for (; *path != '\0'; path++) {
        if (strchr("%?#", *path) != NULL) {
            dj_text_format(uri, "%%%02X", (unsigned char)*path);
        } else {
            dj_text_append(uri, path, 1);
        }
    }
}

static int open_file(struct dj_store *store, int flags, const char *parameters,
                     struct dj_error *err)
{
    struct dj_text uri = {0};
    dj_sqlite_append_uri(&uri, store->path);
    dj_text_add(&uri, parameters);
    sqlite3 *db = NULL;
    sqlite3_close(store->link);
    int result = sqlite3_open_v2(dj_xtext(&uri), &db, flags | SQLITE_OPEN_URI, NULL);
    store->link = db;
    dj_text_finish(&uri);
    if (result != SQLITE_OK) {
        return dj_sqlite_fail(store, result, "open it", err);
    }
    sqlite3_extended_result_codes(store->link, 1);
    sqlite3_busy_timeout(store->link, BUSY_MS);
    return 0;
}

static bool is_folder_writable(const char *path)
{
    char *copy = dj_xstrdup(path);
    bool writable = access(dirname(copy), W_OK) == 0;
    free(copy);
    return writable;
}

/* Opens a store in a folder in which no files can be created. SQLite cannot read a store
 * in WAL mode in such a folder. But if there is no log file, no process has the store
 * open and the file is complete. The file can then be read without locks. */
static int open_unwritable(struct dj_store *store, struct dj_error *err)
{
    char *wal = dj_xformat("%s-wal", store->path);
    bool whole = access(wal, F_OK) != 0;
    free(wal);
    store->immutable = whole;
    return whole
               ? open_file(store, SQLITE_OPEN_READONLY, "?immutable=1", err)
               : dj_error_set(
                     err, DJ_E_OUTPUT,
                     "%s: cannot read this store: its log is next to it, and the folder "
                     "is read-only. hint: copy both files to another folder",
                     store->path);
}

/* Opens a store for reading. The store is used by one thread at a time, so SQLite needs
 * no mutexes. */
static int open_reading(struct dj_store *store, struct dj_error *err)
{
    int code = open_file(store, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, "", err);
    if (code != 0) {
        return code;
    }
    int result = sqlite3_exec(store->link, "SELECT 1 FROM sqlite_schema LIMIT 1", NULL,
                              NULL, NULL);
    bool refused =
        (result & 0xFF) == SQLITE_CANTOPEN || (result & 0xFF) == SQLITE_READONLY;
    if (refused && !is_folder_writable(store->path)) {
        return open_unwritable(store, err);
    }
    return result == SQLITE_OK ? 0 : dj_sqlite_fail(store, result, "read it", err);
}

/* Sets WAL mode. Tries several times, because another process may create the same store
 * at the same time and SQLite's busy timeout does not apply to this pragma. */
static int set_wal(struct dj_store *store, struct dj_error *err)
{
    int result = SQLITE_BUSY;
    for (int i = 0; i < WAL_TRIES && result == SQLITE_BUSY; i++) {
        result =
            sqlite3_exec(store->link, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) &
            0xFF;
        if (result == SQLITE_BUSY) {
            nanosleep(&(struct timespec){.tv_nsec = WAL_PAUSE_NS}, NULL);
        }
    }
    return result == SQLITE_OK ? 0 : dj_sqlite_fail(store, result, "write to it", err);
}

int dj_sqlite_open(struct dj_store *store, const char *path, struct dj_error *err)
{
    int flags = store->mode == DJ_STORE_WRITE
                    ? SQLITE_OPEN_READWRITE
                    : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool reading = store->mode == DJ_STORE_READ;
    int code = check_path(path, store->mode, err);
    if (code != 0) {
        return code;
    }
    code = reading ? open_reading(store, err) : open_file(store, flags, "", err);
    if (code == 0 && store->mode == DJ_STORE_UNNAMED && unlink(path) != 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "%s: %s", path, strerror(errno));
    }
    if (code == 0 && !reading && sqlite3_db_readonly(store->link, "main") != 0) {
        return dj_sqlite_fail(store, SQLITE_READONLY, "write to it", err);
    }
    return code;
}

/* With synchronous = FULL, a commit is on disk when it returns. */
static const char pragmas[] = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; "
                              "PRAGMA trusted_schema = OFF";

/* The file has no name and does not outlive the process, so it needs no journal file. */
static const char unnamed_pragmas[] =
    "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF";

int dj_sqlite_set_up(struct dj_store *store, struct dj_error *err)
{
    int code = store->engine->run_script(store, pragmas, "open it", err);
    if (code != 0 || store->mode == DJ_STORE_READ) {
        return code;
    }
    return store->mode == DJ_STORE_UNNAMED
               ? store->engine->run_script(store, unnamed_pragmas, "write to it", err)
               : set_wal(store, err);
}
