#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "history/schema.h"
#include "history/schema_check.h"
#include "history/sql.h"

enum {
    BUSY_MS = 30000, /* a writer holds the file for a run at a time */
    WAL_TRIES = 300,
    WAL_PAUSE_NS = 10000000
};

void dj_history_default_path(struct dj_text *path)
{
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    if (data != NULL &&
        data[0] == '/') { /* others are to be ignored, its standard says */
        dj_text_format(path, "%s/dejank/history.db", data);
    } else {
        dj_text_format(path, "%s/.local/share/dejank/history.db",
                       home != NULL ? home : "");
    }
}

const char *dj_history_path(const struct dj_history *history)
{
    return history->path;
}

/* ---- the place ---- */

static int make_folders(const char *path, struct dj_error *err)
{
    char *folder = strdup(path);
    if (folder == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int code = 0;
    for (char *slash = strchr(folder + 1, '/'); slash != NULL && code == 0;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
            code = dj_error_set(err, DJ_E_OUTPUT, "%s: cannot make this folder: %s",
                                folder, strerror(errno));
        }
        *slash = '/';
    }
    free(folder);
    return code;
}

static int check_path(const char *path, enum dj_history_mode mode, struct dj_error *err)
{
    struct stat found;
    if (strstr(path, "://") != NULL) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s: expected the path of a file: this dejank knows no other "
                            "store than SQLite",
                            path);
    }
    if (path[0] == '\0') {
        return dj_error_set(err, DJ_E_USAGE, "expected the path of a store, got ''");
    }
    if (stat(path, &found) == 0) {
        return S_ISREG(found.st_mode)
                   ? 0
                   : dj_error_set(err, DJ_E_INVALID, "%s: expected a file", path);
    }
    if (errno != ENOENT && errno != ENOTDIR) {
        return dj_error_set(err, DJ_E_OUTPUT, "%s: %s", path, strerror(errno));
    }
    return mode == DJ_HISTORY_CREATE
               ? make_folders(path, err)
               : dj_error_set(err, DJ_E_NO_DATA, "%s: there is no such store", path);
}

/* ---- opening the file ---- */

void dj_sql_append_uri(struct dj_text *uri, const char *path)
{
    dj_text_string(uri, path[0] == '/' ? "file://" : "file:");
    for (; *path != '\0'; path++) {
        if (strchr("%?#", *path) != NULL) {
            dj_text_format(uri, "%%%02X", (unsigned char)*path);
        } else {
            dj_text_append(uri, path, 1);
        }
    }
}

static int open_file(struct dj_history *history, int flags, const char *parameters,
                     struct dj_error *err)
{
    struct dj_text uri = {0};
    dj_sql_append_uri(&uri, history->path);
    dj_text_string(&uri, parameters);
    sqlite3_close(history->db);
    history->db = NULL;
    int result = uri.failed ? SQLITE_NOMEM
                            : sqlite3_open_v2(dj_text_get(&uri), &history->db,
                                              flags | SQLITE_OPEN_URI, NULL);
    dj_text_finish(&uri);
    if (result != SQLITE_OK) {
        return dj_sql_fail(history, result, "open it", err);
    }
    sqlite3_extended_result_codes(history->db, 1);
    sqlite3_busy_timeout(history->db, BUSY_MS);
    return 0;
}

static bool folder_is_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct dj_text folder = {0};
    dj_text_append(&folder, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
    dj_text_string(&folder, ".");
    bool writable = access(dj_text_get(&folder), W_OK) == 0;
    dj_text_finish(&folder);
    return writable;
}

/* Without the right to make the files beside it, SQLite reads no store in WAL mode. Where
 * no log is beside it nobody has it open, and the file alone is the whole store: it is
 * read without locks. */
static int open_unwritable(struct dj_history *history, struct dj_error *err)
{
    struct dj_text wal = {0};
    dj_text_format(&wal, "%s-wal", history->path);
    bool whole = access(dj_text_get(&wal), F_OK) != 0;
    dj_text_finish(&wal);
    history->immutable = whole;
    return whole ? open_file(history, SQLITE_OPEN_READONLY, "?immutable=1", err)
                 : dj_error_set(err, DJ_E_OUTPUT,
                                "%s: cannot read it: its log is beside it, and this "
                                "place is read-only; copy both files elsewhere",
                                history->path);
}

static int open_reading(struct dj_history *history, struct dj_error *err)
{
    int code = open_file(history, SQLITE_OPEN_READONLY, "", err);
    if (code != 0) {
        return code;
    }
    int result = sqlite3_exec(history->db, "SELECT 1 FROM sqlite_schema LIMIT 1", NULL,
                              NULL, NULL);
    bool refused =
        (result & 0xFF) == SQLITE_CANTOPEN || (result & 0xFF) == SQLITE_READONLY;
    if (refused && !folder_is_writable(history->path)) {
        return open_unwritable(history, err);
    }
    return result == SQLITE_OK ? 0 : dj_sql_fail(history, result, "read it", err);
}

/* ---- what is in it ---- */

struct content {
    int64_t application, version, tables;
};

static int look(struct dj_history *history, struct content *content, struct dj_error *err)
{
    int code =
        dj_sql_int(history, &content->application, err, "PRAGMA application_id", "");
    code = code == 0
               ? dj_sql_int(history, &content->version, err, "PRAGMA user_version", "")
               : code;
    return code == 0 ? dj_sql_int(history, &content->tables, err,
                                  "SELECT count(*) FROM sqlite_schema", "")
                     : code;
}

/* Of one moment: another process may be making the store just now. */
static int look_at_once(struct dj_history *history, struct content *content,
                        struct dj_error *err)
{
    int code = dj_sql_run(history, err, "BEGIN", "");
    return code == 0 ? dj_sql_end(history, look(history, content, err), err) : code;
}

static bool is_empty(const struct content *content)
{
    return content->application == 0 && content->version == 0 && content->tables == 0;
}

/* Nothing is changed in a file that is not ours. */
static int judge(struct dj_history *history, const struct content *content,
                 struct dj_error *err)
{
    if (is_empty(content) && history->mode == DJ_HISTORY_CREATE) {
        return 0;
    }
    if (content->application != DJ_SCHEMA_APPLICATION) {
        return dj_error_set(err, DJ_E_INVALID,
                            "%s: it is an SQLite file, but no store of dejank",
                            history->path);
    }
    if (content->version > DJ_SCHEMA_VERSION) {
        return dj_error_set(err, DJ_E_VERSION,
                            "%s: a newer dejank made it (schema %lld, this one knows %d)",
                            history->path, (long long)content->version,
                            DJ_SCHEMA_VERSION);
    }
    history->version = content->version;
    return dj_schema_check(history, content->version, err);
}

/* ---- bringing it up to date ---- */

/* Two processes may make the same store at once; SQLite's own waiting does not cover this
 * step. */
static int set_wal(struct dj_history *history, struct dj_error *err)
{
    int result = SQLITE_BUSY;
    for (int i = 0; i < WAL_TRIES && result == SQLITE_BUSY; i++) {
        result =
            sqlite3_exec(history->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) &
            0xFF;
        if (result == SQLITE_BUSY) {
            nanosleep(&(struct timespec){.tv_nsec = WAL_PAUSE_NS}, NULL);
        }
    }
    return result == SQLITE_OK ? 0 : dj_sql_fail(history, result, "write to it", err);
}

static int take_steps(struct dj_history *history, struct dj_error *err)
{
    struct content content;
    char pragmas[96];
    int code = look(history, &content, err); /* another process may have been first */
    code = code == 0 ? judge(history, &content, err) : code;
    if (code != 0 || content.version == DJ_SCHEMA_VERSION) {
        return code;
    }
    for (int64_t i = content.version; i < DJ_SCHEMA_VERSION; i++) {
        int result = sqlite3_exec(history->db, dj_schema_steps[i], NULL, NULL, NULL);
        if (result != SQLITE_OK) {
            return dj_sql_fail(history, result, "bring it up to date", err);
        }
    }
    snprintf(pragmas, sizeof(pragmas),
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             DJ_SCHEMA_APPLICATION, DJ_SCHEMA_VERSION);
    int result = sqlite3_exec(history->db, pragmas, NULL, NULL, NULL);
    history->version = DJ_SCHEMA_VERSION;
    return result == SQLITE_OK ? 0 : dj_sql_fail(history, result, "write to it", err);
}

static int migrate(struct dj_history *history, struct dj_error *err)
{
    int code = dj_sql_begin(history, err);
    return code == 0 ? dj_sql_end(history, take_steps(history, err), err) : code;
}

/* A commit is on the disk when it returns: synchronous is FULL. */
static int set_up(struct dj_history *history, struct dj_error *err)
{
    static const char pragmas[] = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; "
                                  "PRAGMA trusted_schema = OFF";
    int result = sqlite3_exec(history->db, pragmas, NULL, NULL, NULL);
    return result == SQLITE_OK ? 0 : dj_sql_fail(history, result, "open it", err);
}

static int open_store(struct dj_history *history, struct dj_error *err)
{
    static const int flags[] = {
        [DJ_HISTORY_WRITE] = SQLITE_OPEN_READWRITE,
        [DJ_HISTORY_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
    };
    struct content content;
    bool reading = history->mode == DJ_HISTORY_READ;
    int code = reading ? open_reading(history, err)
                       : open_file(history, flags[history->mode], "", err);
    if (code == 0 && !reading && sqlite3_db_readonly(history->db, "main") != 0) {
        return dj_sql_fail(history, SQLITE_READONLY, "write to it", err);
    }
    code = code == 0 ? look_at_once(history, &content, err) : code;
    code = code == 0 ? judge(history, &content, err) : code;
    code = code == 0 ? set_up(history, err) : code;
    if (code != 0 || reading) {
        return code;
    }
    code = set_wal(history, err);
    return code == 0 && content.version < DJ_SCHEMA_VERSION ? migrate(history, err)
                                                            : code;
}

int dj_history_open(const char *path, enum dj_history_mode mode,
                    struct dj_history **history, struct dj_error *err)
{
    struct dj_text standard = {0};
    if (path == NULL) {
        dj_history_default_path(&standard);
        path = dj_text_get(&standard);
    }
    *history = NULL;
    int code = check_path(path, mode, err);
    struct dj_history *opened = code == 0 ? calloc(1, sizeof(*opened)) : NULL;
    if (opened != NULL) {
        *opened = (struct dj_history){.path = strdup(path), .mode = mode};
    }
    if (code == 0 && (opened == NULL || opened->path == NULL)) {
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    code = code == 0 ? open_store(opened, err) : code;
    if (code == 0) {
        *history = opened;
    } else {
        dj_history_close(opened);
    }
    dj_text_finish(&standard);
    return code;
}

void dj_history_close(struct dj_history *history)
{
    if (history != NULL) {
        sqlite3_close(history->db);
        free(history->path);
        free(history);
    }
}
