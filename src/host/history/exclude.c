#include "history/sql.h"
#include "history/upkeep.h"

static int exclude(struct dj_history *history, const char *update, const char *reason,
                   int64_t key, struct dj_error *err)
{
    int code = dj_sql_run(history, err, update, "ti", reason, key);
    if (code == 0 && sqlite3_changes(history->db) == 0) {
        code = dj_error_set(err, DJ_E_NO_DATA, "%s: there is no run or batch %lld",
                            history->path, (long long)key);
    }
    return code;
}

int dj_history_exclude_run(struct dj_history *history, int64_t run, const char *reason,
                           struct dj_error *err)
{
    return exclude(history, "UPDATE runs SET excluded = ? WHERE id = ?", reason, run,
                   err);
}

int dj_history_exclude_batch(struct dj_history *history, int64_t batch,
                             const char *reason, struct dj_error *err)
{
    return exclude(history, "UPDATE batches SET excluded = ? WHERE id = ?", reason, batch,
                   err);
}
