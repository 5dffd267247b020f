#include "store/sql/statement.h"
#include "store/upkeep.h"

struct exclusion {
    const char *update, *reason;
    int64_t key;
};

static int write_exclusion(struct dj_store *store, void *data, struct dj_error *err)
{
    const struct exclusion *exclusion = data;
    int64_t changed;
    int code = dj_sql_change(store, &changed, err, exclusion->update, "ti",
                             exclusion->reason, exclusion->key);
    return code == 0 && changed == 0
               ? dj_error_set(err, DJ_E_NO_DATA, "%s: there is no run or batch %lld",
                              store->path, (long long)exclusion->key)
               : code;
}

static int set_excluded(struct dj_store *store, const char *update, const char *reason,
                        int64_t key, struct dj_error *err)
{
    struct exclusion exclusion = {update, reason, key};
    const struct dj_sql_work work = {write_exclusion, NULL, &exclusion};
    return dj_sql_write(store, &work, err);
}

int dj_store_exclude_run(struct dj_store *store, int64_t run, const char *reason,
                         struct dj_error *err)
{
    return set_excluded(store, "UPDATE runs SET excluded = ? WHERE id = ?", reason, run,
                        err);
}

int dj_store_exclude_batch(struct dj_store *store, int64_t batch, const char *reason,
                           struct dj_error *err)
{
    return set_excluded(store, "UPDATE batches SET excluded = ? WHERE id = ?", reason,
                        batch, err);
}
