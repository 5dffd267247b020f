#include <stdarg.h>

#include "store/blob.h"
#include "store/figures/figures.h"
#include "store/sql/engine.h"
#include "store/sql/schema.h"
#include "store/sql/statement.h"
#include "store/upkeep.h"

struct check_state {
    struct dj_store *store;
    void (*problem)(void *user, const char *sentence);
    void *user;
    struct dj_store_check_result *checked;
};

static void report_problem(struct check_state *check_state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void report_problem(struct check_state *check_state, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    if (check_state->checked->problems++ < DJ_STORE_PROBLEMS_MAX) {
        check_state->problem(check_state->user, sentence);
    }
}

/* Reports damaged data as a problem and returns 0, so that the check continues. Returns
 * any other error. */
static int handle_error(struct check_state *check_state, int code,
                        const struct dj_error *err)
{
    if (code == DJ_E_INVALID) {
        report_problem(check_state, "%s", err->message);
        return 0;
    }
    return code;
}

static void report_sentence(void *data, const char *sentence)
{
    report_problem(data, "%s", sentence);
}

static int check_blob(struct check_state *check_state, int64_t key, struct dj_error *err)
{
    struct dj_text bytes = {0};
    int code = dj_blob_read(check_state->store, key, &bytes, err);
    check_state->checked->evidence++;
    dj_text_finish(&bytes);
    return code;
}

static int compare_figures(struct check_state *check_state, int64_t run, const char *name,
                           const struct dj_figures_source *stored, struct dj_error *err)
{
    int64_t version;
    int code = dj_sql_int(check_state->store, &version, err,
                          "SELECT figures_version FROM runs WHERE id = ?", "i", run);
    if (code != 0 || version != DJ_FIGURES_VERSION) {
        check_state->checked->older_figures += code == 0;
        return code;
    }
    for (size_t i = 0; i < stored->count && code == 0; i++) {
        bool same;
        code = dj_figures_compare(check_state->store, stored->windows[i],
                                  &stored->figures[i], &same, err);
        if (code == 0 && !same) {
            report_problem(
                check_state,
                "the figures of window %zu of run %s differ from those of its evidence",
                i, name);
        }
    }
    return code;
}

static int format_run_name(struct dj_store *store, int64_t run, char name[64],
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

static int check_run(struct check_state *check_state, int64_t run, struct dj_error *err)
{
    struct dj_figures_source stored = {0};
    char name[64];
    int code = format_run_name(check_state->store, run, name, err);
    code =
        code == 0 ? dj_figures_source_read(check_state->store, run, &stored, err) : code;
    check_state->checked->runs++;
    check_state->checked->windows += (int64_t)stored.count;
    if (code == 0 && stored.whole >= stored.count) {
        report_problem(check_state, "run %s has no window for the whole run", name);
    } else if (code == 0) {
        code = compare_figures(check_state, run, name, &stored, err);
    } else if (code == DJ_E_INVALID) {
        dj_error_prepend(err, "run %s", name);
    }
    dj_figures_source_finish(&stored);
    return code;
}

static int check_all(struct check_state *check_state, const char *next,
                     int (*check)(struct check_state *check_state, int64_t key,
                                  struct dj_error *err),
                     struct dj_error *err)
{
    int64_t key = 0;
    int code = 0;
    while (code == 0 && (code = dj_sql_next(check_state->store, &key, next, err)) == 1) {
        code = handle_error(check_state, check(check_state, key, err), err);
    }
    return handle_error(check_state, code, err);
}

int dj_store_check(struct dj_store *store,
                   void (*problem)(void *user, const char *sentence), void *user,
                   struct dj_store_check_result *checked, struct dj_error *err)
{
    struct dj_error own = {0};
    struct check_state check_state = {store, problem, user, checked};
    *checked = (struct dj_store_check_result){0};
    err = err != NULL ? err : &own;
    int code = store->engine->check_rows(store, report_sentence, &check_state, err);
    if ((code = handle_error(&check_state, code, err)) != 0) {
        return code;
    }
    code = dj_sql_int(store, &checked->batches, err, "SELECT count(*) FROM batches", "");
    if ((code = handle_error(&check_state, code, err)) != 0 ||
        (code = check_all(&check_state, "SELECT min(id) FROM blobs WHERE id > ?",
                          check_blob, err)) != 0) {
        return code;
    }
    return check_all(&check_state, "SELECT min(id) FROM runs WHERE id > ?", check_run,
                     err);
}
