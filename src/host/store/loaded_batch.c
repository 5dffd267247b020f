#include "store/loaded_batch.h"

#include <stdlib.h>

#include "memory/memory.h"
#include "store/sql.h"

/* ---- copies ---- */

struct dj_batch_row dj_batch_row_keep(struct dj_strings *strings,
                                      const struct dj_batch_row *row)
{
    struct dj_batch_row kept = *row;
    const char **texts[] = {
        &kept.id,      &kept.name,    &kept.kind,    &kept.fingerprint, &kept.project,
        &kept.version, &kept.commit,  &kept.label,   &kept.serial,      &kept.device_kind,
        &kept.model,   &kept.release, &kept.options, &kept.objectives,  &kept.order,
        &kept.group,   &kept.arm,     &kept.repeats, &kept.excluded,    &kept.dejank,
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        *texts[i] = dj_strings_keep(strings, *texts[i]);
    }
    return kept;
}

static int take_batch(void *user, const struct dj_batch_row *row)
{
    struct dj_loaded_batch *loaded = user;
    loaded->batch = dj_batch_row_keep(&loaded->strings, row);
    return 0;
}

static int take_fact(void *user, const struct dj_fact *fact)
{
    struct dj_loaded_batch *loaded = user;
    DJ_XPUSH(loaded->facts, loaded->fact_count,
             (struct dj_fact){
                 .name = dj_strings_keep(&loaded->strings, fact->name),
                 .value = dj_strings_keep(&loaded->strings, fact->value),
                 .unit = dj_strings_keep(&loaded->strings, fact->unit),
             });
    return 0;
}

static int take_run(void *user, const struct dj_run_row *row)
{
    struct dj_loaded_batch *loaded = user;
    DJ_XPUSH(loaded->runs, loaded->run_count, *row);
    struct dj_run_row *run = &loaded->runs[loaded->run_count - 1];
    run->reason = dj_strings_keep(&loaded->strings, row->reason);
    run->excluded = dj_strings_keep(&loaded->strings, row->excluded);
    run->release = dj_strings_keep(&loaded->strings, row->release);
    return 0;
}

/* ---- loading ---- */

static int load(struct dj_history *store, int64_t batch, struct dj_loaded_batch *loaded,
                struct dj_error *err)
{
    const struct dj_batch_filter filter = {.key = batch};
    int code =
        batch != 0 ? dj_history_each_batch(store, &filter, take_batch, loaded, err) : 0;
    if (code == 0 && loaded->batch.key == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "%s: there is no batch %lld", store->path,
                            (long long)batch);
    }
    code = code == 0 ? dj_history_each_fact(store, loaded->batch.device_key, take_fact,
                                            loaded, err)
                     : code;
    return code == 0 ? dj_history_each_run(store, batch, take_run, loaded, err) : code;
}

/* Reads everything in one transaction, so that a concurrent writer causes no mixture. */
int dj_loaded_batch_load(struct dj_history *store, int64_t batch,
                         struct dj_loaded_batch *loaded, struct dj_error *err)
{
    int code = dj_sql_begin(store, false, err);
    return code == 0 ? dj_sql_end(store, load(store, batch, loaded, err), err) : code;
}

void dj_loaded_batch_finish(struct dj_loaded_batch *loaded)
{
    dj_strings_finish(&loaded->strings);
    free(loaded->facts);
    free(loaded->runs);
    *loaded = (struct dj_loaded_batch){0};
}

void dj_runs_center(const struct dj_run_row *runs, size_t count, enum dj_metric metric,
                    struct dj_center *center)
{
    size_t counted = 0;
    double *values = dj_xcalloc(count, sizeof(*values));
    for (size_t i = 0; i < count; i++) {
        if (dj_run_row_counts(&runs[i])) {
            values[counted++] = runs[i].metrics.value[metric];
        }
    }
    dj_center_of(values, counted, center);
    free(values);
}

const char *dj_batch_build_name(const struct dj_batch_row *batch)
{
    return batch->label != NULL     ? batch->label
           : batch->version != NULL ? batch->version
                                    : batch->commit;
}
