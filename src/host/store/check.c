#include <stdarg.h>
#include <string.h>

#include "store/blobs.h"
#include "store/engine.h"
#include "store/schema.h"
#include "store/sql.h"
#include "store/store_figures.h"
#include "store/upkeep.h"

struct checking {
    struct dj_history *store;
    void (*problem)(void *user, const char *sentence);
    void *user;
    struct dj_history_checked *checked;
};

static void tell(struct checking *checking, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(struct checking *checking, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    if (checking->checked->problems++ < DJ_HISTORY_PROBLEMS) {
        checking->problem(checking->user, sentence);
    }
}

/* Damaged data is reported as a problem and does not end the check. */
static int weigh(struct checking *checking, int code, const struct dj_error *err)
{
    if (code == DJ_E_INVALID) {
        tell(checking, "%s", err->message);
        return 0;
    }
    return code;
}

/* ---- the database ---- */

static void tell_plainly(void *data, const char *sentence)
{
    tell(data, "%s", sentence);
}

/* ---- evidence ---- */

static int check_blob(struct checking *checking, int64_t key, struct dj_error *err)
{
    struct dj_text bytes = {0};
    int code = dj_blob_read(checking->store, key, &bytes, err);
    checking->checked->evidence++;
    dj_text_finish(&bytes);
    return code;
}

/* ---- runs ---- */

static int compare(struct checking *checking, int64_t run, const char *name,
                   const struct dj_stored_run *stored, struct dj_error *err)
{
    int64_t version;
    int code = dj_sql_int(checking->store, &version, err,
                          "SELECT figures_version FROM runs WHERE id = ?", "i", run);
    if (code != 0 || version != DJ_FIGURES_VERSION) {
        checking->checked->older_figures += code == 0;
        return code;
    }
    for (size_t i = 0; i < stored->count && code == 0; i++) {
        bool same;
        code = dj_store_same_figures(checking->store, stored->windows[i],
                                     &stored->figures[i], &same, err);
        if (code == 0 && !same) {
            tell(checking,
                 "the figures of window %zu of run %s are not those of its evidence", i,
                 name);
        }
    }
    return code;
}

static int name_run(struct dj_history *store, int64_t run, char name[64],
                    struct dj_error *err)
{
    struct dj_statement *statement;
    int code = dj_sql_prepare(store, &statement, err,
                              "SELECT b.uid, r.number, r.attempt, r.warmup FROM runs r"
                              " JOIN batches b ON b.id = r.batch_id WHERE r.id = ?",
                              "i", run);
    snprintf(name, 64, "%lld", (long long)run);
    while (dj_sql_next_row(statement, &code, err)) {
        snprintf(name, 64, "%.16s/%s%lld.%lld", dj_sql_word(statement, 0),
                 dj_sql_int64(statement, 3) != 0 ? "w" : "",
                 (long long)dj_sql_int64(statement, 1),
                 (long long)dj_sql_int64(statement, 2));
    }
    return code;
}

static int check_run(struct checking *checking, int64_t run, struct dj_error *err)
{
    struct dj_stored_run stored = {0};
    char name[64];
    int code = name_run(checking->store, run, name, err);
    code = code == 0 ? dj_stored_run_read(checking->store, run, &stored, err) : code;
    checking->checked->runs++;
    checking->checked->windows += (int64_t)stored.count;
    if (code == 0 && stored.whole >= stored.count) {
        tell(checking, "run %s has no window of the whole of it", name);
    } else if (code == 0) {
        code = compare(checking, run, name, &stored, err);
    } else if (code == DJ_E_INVALID) {
        dj_error_prepend(err, "run %s", name);
    }
    dj_stored_run_finish(&stored);
    return code;
}

/* ---- the whole store ---- */

static int check_each(struct checking *checking, const char *next,
                      int (*check)(struct checking *checking, int64_t key,
                                   struct dj_error *err),
                      struct dj_error *err)
{
    int64_t key = 0;
    int code = 0;
    while (code == 0 && (code = dj_sql_next(checking->store, &key, next, err)) == 1) {
        code = weigh(checking, check(checking, key, err), err);
    }
    return weigh(checking, code, err);
}

int dj_history_check(struct dj_history *store,
                     void (*problem)(void *user, const char *sentence), void *user,
                     struct dj_history_checked *checked, struct dj_error *err)
{
    struct dj_error own = {0};
    struct checking checking = {store, problem, user, checked};
    *checked = (struct dj_history_checked){0};
    err = err != NULL ? err : &own;
    int code = store->engine->check_rows(store, tell_plainly, &checking, err);
    if ((code = weigh(&checking, code, err)) != 0) {
        return code;
    }
    code = dj_sql_int(store, &checked->batches, err, "SELECT count(*) FROM batches", "");
    if ((code = weigh(&checking, code, err)) != 0 ||
        (code = check_each(&checking, "SELECT min(id) FROM blobs WHERE id > ?",
                           check_blob, err)) != 0) {
        return code;
    }
    return check_each(&checking, "SELECT min(id) FROM runs WHERE id > ?", check_run, err);
}
