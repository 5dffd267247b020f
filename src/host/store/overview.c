#include "store/overview.h"

#include <inttypes.h>

#include "store/sql/engine.h"
#include "store/sql/statement.h"

int dj_store_read_projects(struct dj_store *store,
                           int (*callback)(void *user,
                                           const struct dj_project_row *project),
                           void *user, struct dj_error *err)
{
    struct dj_statement *row;
    int code = dj_sql_prepare(
        store, &row, err,
        "SELECT p.name, count(b.id), max(b.began_unix_ms) FROM projects p"
        " LEFT JOIN batches b ON b.project_id = p.id AND b.excluded IS NULL"
        " GROUP BY p.id, p.name ORDER BY p.name",
        "");
    while (dj_sql_next_row(row, &code, err)) {
        const struct dj_project_row project = {dj_sql_word(row, 0), dj_sql_int64(row, 1),
                                               dj_sql_int64(row, 2)};
        code = callback(user, &project);
    }
    return code;
}

int dj_store_read_change_counter(struct dj_store *store, int64_t *counter,
                                 struct dj_error *err)
{
    return dj_sql_int(store, counter, err, store->engine->change_counter, "");
}

int dj_store_find_batch_of_run(struct dj_store *store, int64_t run, int64_t *batch,
                               struct dj_error *err)
{
    int code =
        dj_sql_int(store, batch, err, "SELECT batch_id FROM runs WHERE id = ?", "i", run);
    return code == 0 && *batch == 0
               ? dj_error_set(err, DJ_E_NO_DATA, "there is no run %" PRId64, run)
               : code;
}
