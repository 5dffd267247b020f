#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "output/user_folder.h"
#include "store/sql/engine.h"
#include "store/sql/schema.h"
#include "store/sql/statement.h"
#include "store/url.h"

int dj_store_default_path(struct dj_text *path, struct dj_error *err)
{
    int code = dj_xcode(
        dj_output_user_folder_append("XDG_DATA_HOME", ".local/share", path, err));
    if (code != 0) {
        dj_error_prepend(err, "the store has no default location (set one with --store)");
        return code;
    }
    dj_text_add(path, "/dejank/history.db");
    return 0;
}

const char *dj_store_path(const struct dj_store *store)
{
    return store->path;
}

/* Reads the content in one transaction, because another process may be creating the
 * store. */
static int read_content_once(struct dj_store *store, struct dj_sql_content *content,
                             struct dj_error *err)
{
    int code = dj_sql_begin(store, false, err);
    return code == 0
               ? dj_sql_end(store, store->engine->read_content(store, content, err), err)
               : code;
}

/* Returns an error if the file or database is not a store that this program can use.
 * Without this check, dejank could change data of another program. */
static int check_content(struct dj_store *store, const struct dj_sql_content *content,
                         struct dj_error *err)
{
    const struct dj_sql_engine *engine = store->engine;
    bool is_empty = !content->ours && content->other_tables == 0;
    if (is_empty && (store->mode == DJ_STORE_CREATE || store->mode == DJ_STORE_UNNAMED)) {
        return 0;
    }
    if (is_empty && engine->empty != NULL) {
        return dj_error_set(err, DJ_E_NO_DATA, "%s: %s", store->path, engine->empty);
    }
    if (!content->ours) {
        return dj_error_set(err, DJ_E_INVALID, "%s: %s", store->path, engine->not_ours);
    }
    if (content->version > DJ_SCHEMA_VERSION) {
        return dj_error_set(
            err, DJ_E_VERSION,
            "%s: a newer dejank wrote it (schema %lld, this version reads %d)",
            store->path, (long long)content->version, DJ_SCHEMA_VERSION);
    }
    store->version = content->version;
    return dj_schema_check(store, content->version, err);
}

static int run_steps(struct dj_store *store, void *data, struct dj_error *err)
{
    struct dj_sql_content content;
    (void)data;
    /* The content is read again, because the store may already have been migrated: by
     * another process, or by this process before its connection was lost. */
    int code = store->engine->read_content(store, &content, err);
    code = code == 0 ? check_content(store, &content, err) : code;
    if (code != 0 || (content.ours && content.version == DJ_SCHEMA_VERSION)) {
        return code;
    }
    struct dj_text tables = {0};
    dj_schema_append_tables(&tables, DJ_SCHEMA_VERSION);
    if (!content.ours) {
        code = store->engine->run_script(store, dj_xtext(&tables), "bring it up to date",
                                         err);
    }
    for (int64_t i = content.version; content.ours && i < DJ_SCHEMA_VERSION && code == 0;
         i++) {
        code = store->engine->run_script(store, dj_schema_steps[i], "bring it up to date",
                                         err);
    }
    dj_text_finish(&tables);
    code = code == 0 ? store->engine->write_version(store, err) : code;
    store->version = DJ_SCHEMA_VERSION;
    return code;
}

static int migrate(struct dj_store *store, struct dj_error *err)
{
    const struct dj_sql_work work = {run_steps, NULL, NULL};
    return dj_sql_write(store, &work, err);
}

static int open_store(struct dj_store *store, const char *location, struct dj_error *err)
{
    struct dj_sql_content content;
    int code = store->engine->open(store, location, err);
    if (code != 0 || (code = read_content_once(store, &content, err)) != 0 ||
        (code = check_content(store, &content, err)) != 0 ||
        (store->engine->set_up != NULL &&
         (code = store->engine->set_up(store, err)) != 0)) {
        return code;
    }
    bool is_old = store->version < DJ_SCHEMA_VERSION;
    return is_old && store->mode != DJ_STORE_READ ? migrate(store, err) : 0;
}

/* Chooses PostgreSQL for its URLs and SQLite for file names. */
static int choose_engine(const char *location, const char *shown,
                         const struct dj_sql_engine **engine, struct dj_error *err)
{
    *engine =
        dj_store_url_is_postgres(location) ? &dj_postgres_engine : &dj_sqlite_engine;
    if (*engine == &dj_sqlite_engine && strstr(location, "://") != NULL) {
        return dj_error_set(
            err, DJ_E_UNSUPPORTED,
            "%s: expected the path of a file or postgresql://USER@HOST:PORT/DATABASE",
            shown);
    }
    return location[0] != '\0'
               ? 0
               : dj_error_set(err, DJ_E_USAGE, "expected the path of a store, got ''");
}

int dj_store_open(const char *path, enum dj_store_mode mode, struct dj_store **store,
                  struct dj_error *err)
{
    struct dj_text standard = {0}, shown = {0};
    const struct dj_sql_engine *engine = NULL;
    int code = path == NULL ? dj_store_default_path(&standard, err) : 0;
    path = path == NULL ? dj_xtext(&standard) : path;
    dj_store_url_format(path, &shown);
    *store = NULL;
    code = code == 0 ? choose_engine(path, dj_xtext(&shown), &engine, err) : code;
    if (code == 0) {
        struct dj_store *made = dj_xcalloc(1, sizeof(*made));
        *made = (struct dj_store){
            .engine = engine, .path = dj_xtext_detach(&shown), .mode = mode};
        code = open_store(made, path, err);
        if (code != 0) {
            dj_store_close(made);
            made = NULL;
        }
        *store = made;
    }
    dj_text_finish(&shown);
    dj_text_finish(&standard);
    return code;
}

void dj_store_close(struct dj_store *store)
{
    if (store != NULL) {
        store->engine->close(store);
        free(store->path);
        free(store);
    }
}
