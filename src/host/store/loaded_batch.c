#include "store/loaded_batch.h"

#include <stdlib.h>

#include "memory/memory.h"
#include "store/sql/statement.h"

struct dj_batch_row dj_store_copy_batch_row(struct dj_strings *strings,
                                            const struct dj_batch_row *row)
{
    struct dj_batch_row copied = *row;
    const char **texts[] = {
        &copied.id,      &copied.name,        &copied.kind,     &copied.fingerprint,
        &copied.project, &copied.version,     &copied.commit,   &copied.label,
        &copied.serial,  &copied.device_kind, &copied.model,    &copied.release,
        &copied.options, &copied.objectives,  &copied.order,    &copied.group,
        &copied.arm,     &copied.repeats,     &copied.excluded, &copied.dejank,
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        *texts[i] = dj_memory_strings_add(strings, *texts[i]);
    }
    return copied;
}

static int copy_batch(void *user, const struct dj_batch_row *row)
{
    struct dj_loaded_batch *loaded = user;
    loaded->batch = dj_store_copy_batch_row(&loaded->strings, row);
    return 0;
}

static int copy_fact(void *user, const struct dj_fact *fact)
{
    struct dj_loaded_batch *loaded = user;
    DJ_XPUSH(loaded->facts, loaded->fact_count,
             (struct dj_fact){
                 .name = dj_memory_strings_add(&loaded->strings, fact->name),
                 .value = dj_memory_strings_add(&loaded->strings, fact->value),
                 .unit = dj_memory_strings_add(&loaded->strings, fact->unit),
             });
    return 0;
}

static int copy_run(void *user, const struct dj_run_row *row)
{
    struct dj_loaded_batch *loaded = user;
    DJ_XPUSH(loaded->runs, loaded->run_count, *row);
    struct dj_run_row *run = &loaded->runs[loaded->run_count - 1];
    run->reason = dj_memory_strings_add(&loaded->strings, row->reason);
    run->excluded = dj_memory_strings_add(&loaded->strings, row->excluded);
    run->release = dj_memory_strings_add(&loaded->strings, row->release);
    return 0;
}

static int load_rows(struct dj_store *store, int64_t batch,
                     struct dj_loaded_batch *loaded, struct dj_error *err)
{
    const struct dj_batch_filter filter = {.key = batch};
    int code =
        batch != 0 ? dj_store_read_batches(store, &filter, copy_batch, loaded, err) : 0;
    if (code == 0 && loaded->batch.key == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "%s: there is no batch %lld", store->path,
                            (long long)batch);
    }
    code = code == 0 ? dj_store_read_facts(store, loaded->batch.device_key, copy_fact,
                                           loaded, err)
                     : code;
    return code == 0 ? dj_store_read_runs(store, batch, copy_run, loaded, err) : code;
}

/* Reads all rows in one transaction, so that they are consistent even if another process
 * writes. */
int dj_store_load_batch(struct dj_store *store, int64_t batch,
                        struct dj_loaded_batch *loaded, struct dj_error *err)
{
    int code = dj_sql_begin(store, false, err);
    return code == 0 ? dj_sql_end(store, load_rows(store, batch, loaded, err), err)
                     : code;
}

void dj_store_loaded_batch_finish(struct dj_loaded_batch *loaded)
{
    dj_memory_strings_finish(&loaded->strings);
    free(loaded->facts);
    free(loaded->runs);
    *loaded = (struct dj_loaded_batch){0};
}

void dj_store_compute_center(const struct dj_run_row *runs, size_t count,
                             enum dj_metric metric, struct dj_center *center)
{
    size_t counted = 0;
    double *values = dj_xcalloc(count, sizeof(*values));
    for (size_t i = 0; i < count; i++) {
        if (dj_store_run_counts(&runs[i])) {
            values[counted++] = runs[i].metrics.value[metric];
        }
    }
    dj_center_compute(values, counted, center);
    free(values);
}

const char *dj_store_build_name(const struct dj_batch_row *batch)
{
    return batch->label != NULL     ? batch->label
           : batch->version != NULL ? batch->version
                                    : batch->commit;
}
