#include <stdlib.h>

#include "store/sql/engine.h"
#include "store/sql/statement.h"
#include "store/upkeep.h"

/* Selects the batches to delete: those that are older than the given time and not among
 * the newest of their project and device. Devices are identified by serial, so that a
 * system update does not start a new count. */
static const char going[] =
    "INSERT INTO temp.going SELECT id FROM ("
    " SELECT b.id, b.began_unix_ms, row_number() OVER (PARTITION "
    "BY b.project_id, d.serial"
    " ORDER BY b.began_unix_ms DESC, b.id DESC) AS place"
    " FROM batches b JOIN devices d ON d.id = b.device_id) AS placed"
    " WHERE (?1 = 0 OR began_unix_ms < ?1) AND place > ?2";

/* Evidence that no remaining batch uses. */
#define GOING_BLOBS                                                                      \
    " FROM blobs x WHERE NOT EXISTS (SELECT 1 FROM evidence e"                           \
    " JOIN runs r ON r.id = e.run_id WHERE e.blob_id = x.id"                             \
    " AND r.batch_id NOT IN (SELECT id FROM temp.going))"

static int count_going(struct dj_store *store, struct dj_store_prune_result *pruned,
                       struct dj_error *err)
{
    const struct {
        int64_t *value;
        const char *sql;
    } counts[] = {
        {&pruned->batches, "SELECT count(*) FROM temp.going"},
        {&pruned->runs,
         "SELECT count(*) FROM runs WHERE batch_id IN (SELECT id FROM temp.going)"},
        {&pruned->evidence, "SELECT count(*)" GOING_BLOBS},
        {&pruned->evidence_bytes, "SELECT coalesce(sum(length(x.data)), 0)" GOING_BLOBS},
    };
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(counts) && code == 0; i++) {
        code = dj_sql_int(store, counts[i].value, err, counts[i].sql, "");
    }
    return code;
}

static int report_going(struct dj_store *store,
                        int (*callback)(void *user, const struct dj_batch_row *batch),
                        void *user, struct dj_error *err)
{
    static const char next[] = "SELECT min(id) FROM temp.going WHERE id > ?";
    struct dj_batch_filter filter = {0};
    int code = 0;
    while (code == 0 && (code = dj_sql_next(store, &filter.key, next, err)) == 1) {
        code = dj_store_read_batches(store, &filter, callback, user, err);
    }
    return code;
}

static int delete_going(struct dj_store *store, struct dj_error *err)
{
    static const char *const deletes[] = {
        "DELETE FROM batches WHERE id IN (SELECT id FROM temp.going)",
        "DELETE FROM blobs WHERE id NOT IN (SELECT blob_id FROM evidence)",
        "DELETE FROM builds WHERE id NOT IN (SELECT build_id FROM batches)",
        "DELETE FROM devices WHERE id NOT IN (SELECT device_id FROM batches)",
        ("DELETE FROM projects WHERE id NOT IN (SELECT project_id FROM batches)"
         " AND id NOT IN (SELECT project_id FROM series)"),
    };
    return dj_sql_run_all(store, deletes, COUNT_OF(deletes), err);
}

static int choose_batches(struct dj_store *store,
                          const struct dj_store_prune_rules *rules, struct dj_error *err)
{
    static const char *const table[] = {
        "DROP TABLE IF EXISTS temp.going",
        "CREATE TEMP TABLE going (id INTEGER PRIMARY KEY)"};
    int code = dj_sql_run_all(store, table, COUNT_OF(table), err);
    return code == 0
               ? dj_sql_run(store, err, going, "ii", rules->before_unix_ms, rules->keep)
               : code;
}

int dj_store_prune(struct dj_store *store, const struct dj_store_prune_rules *rules,
                   int (*callback)(void *user, const struct dj_batch_row *batch),
                   void *user, struct dj_store_prune_result *pruned, struct dj_error *err)
{
    *pruned = (struct dj_store_prune_result){0};
    if (rules->before_unix_ms <= 0 && rules->keep <= 0) {
        return dj_error_set(err, DJ_E_USAGE,
                            "expected an age or a number of batches to keep");
    }
    int code = dj_sql_begin(store, !rules->dry_run, err);
    if (code != 0) {
        return code;
    }
    code = choose_batches(store, rules, err);
    code = code == 0 ? count_going(store, pruned, err) : code;
    code = code == 0 ? report_going(store, callback, user, err) : code;
    code = code == 0 && !rules->dry_run ? delete_going(store, err) : code;
    code = dj_sql_end(store, code, err);
    if (code == 0 && !rules->dry_run && pruned->batches > 0 &&
        store->engine->compact != NULL) {
        store->engine->compact(store);
    }
    return code;
}
