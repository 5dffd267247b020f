#include "import/run_batches.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/store.h"

enum { FACTS_MOST = DJ_LOG_FACTS, CONDITIONS_MOST = 6 };

/* Facts that have another name, or a unit, in the store. */
static const struct {
    const char *log, *name, *unit;
} facts[] = {
    {"ram", "ram", "kB"},
    {"cpuscheduler", "governor", NULL},
};

static size_t collect_device_facts(const struct dj_log *log,
                                   struct dj_fact device[FACTS_MOST])
{
    for (size_t i = 0; i < log->fact_count; i++) {
        device[i] = (struct dj_fact){log->facts[i].name, log->facts[i].value, NULL};
        for (size_t k = 0; k < COUNT_OF(facts); k++) {
            if (strcmp(log->facts[i].name, facts[k].log) == 0) {
                device[i].name = facts[k].name;
                device[i].unit = facts[k].unit;
            }
        }
    }
    return log->fact_count;
}

/* Appends the name of the device that the user gave, or the one of the log. */
static void describe_device(const struct dj_import_batches *batches,
                            const struct dj_import_file *file, struct dj_text *device)
{
    if (batches->names->device != NULL) {
        dj_text_add(device, batches->names->device);
    } else {
        dj_import_append_device(file, device);
    }
}

/* Returns the batch in the form that the store needs. Its facts are stored in `all`. */
static struct dj_store_batch describe_batch(const struct dj_import_batches *batches,
                                            const struct dj_import_file *file,
                                            const char *device,
                                            struct dj_fact all[FACTS_MOST])
{
    const struct dj_import_names *names = batches->names;
    return (struct dj_store_batch){
        .project = file->package,
        .build = {names->build, names->commit, names->label},
        .device = {.serial = device[0] != '\0' ? device : "unknown",
                   .kind = "import",
                   .model = device[0] != '\0' ? device : NULL,
                   .release = dj_import_find_fact(file, "os"),
                   .facts = all,
                   .fact_count = collect_device_facts(&file->log, all)},
        .name = names->name != NULL    ? names->name
                : names->label != NULL ? names->label
                                       : "import",
        .kind = "import",
    };
}

/* Finds the batch to which the file belongs, or adds a new one, which has no key yet.
 * Returns NULL and sets err if there are too many batches. */
static struct dj_import_batch *find_or_add_batch(struct dj_import_batches *batches,
                                                 const struct dj_import_file *file,
                                                 struct dj_error *err)
{
    struct dj_text device = {0};
    struct dj_import_batch *batch = batches->batch;
    struct dj_import_batch *end = batch + batches->count;
    describe_device(batches, file, &device);
    while (batch < end && (strcmp(batch->package, file->package) != 0 ||
                           strcmp(batch->device, dj_xtext(&device)) != 0)) {
        batch++;
    }
    if (batch == end && batches->count == DJ_IMPORT_BATCHES) {
        dj_error_set(err, DJ_E_LIMIT,
                     "the files are of more than %d pairs of a package and a "
                     "device; import them in several commands",
                     DJ_IMPORT_BATCHES);
        batch = NULL;
    } else if (batch == end) {
        *batch = (struct dj_import_batch){.package = dj_xstrdup(file->package),
                                          .device = dj_xtext_detach(&device)};
        batches->count++;
    }
    dj_text_finish(&device);
    return batch;
}

/* Returns the number of frames of the run that the log itself calls late, or −1 if
 * unknown. */
static int64_t get_late_count(const struct dj_log *log, size_t run)
{
    for (size_t i = 0; i < log->stream_count; i++) {
        if (log->streams[i].run == run && log->streams[i].late >= 0) {
            return log->streams[i].late;
        }
    }
    return -1;
}

static size_t collect_conditions(const struct dj_import_file *file,
                                 struct dj_condition conditions[CONDITIONS_MOST])
{
    const double unknown = __builtin_nan("");
    const int64_t late = get_late_count(&file->log, file->log_run);
    const struct {
        bool known;
        struct dj_condition condition;
    } all[CONDITIONS_MOST] = {
        {true, {"imported-from", unknown, file->source, NULL}},
        {true, {"imported-format", unknown, file->format, NULL}},
        {file->log.sample_ns > 0,
         {"sample-interval", (double)file->log.sample_ns / 1e6, NULL, "ms"}},
        {file->log.times_are != NULL,
         {"frame-times-are", unknown, file->log.times_are, NULL}},
        {late >= 0, {"frames-late", (double)late, NULL, NULL}},
        {file->log.rows_bad > 0,
         {"rows-left-out", (double)file->log.rows_bad, NULL, NULL}},
    };
    size_t count = 0;
    for (size_t i = 0; i < CONDITIONS_MOST; i++) {
        if (all[i].known) {
            conditions[count++] = all[i].condition;
        }
    }
    return count;
}

/* Fills `evidence` for a run and returns the number of elements. The first element is the
 * gfxinfo text from which all figures are computed. The second element, if any, is the
 * file from which this text was made. */
static size_t collect_evidence(const struct dj_import_file *file,
                               struct dj_store_evidence evidence[2])
{
    const char *kind = file->log.format != NULL ? "log" : "dump";
    struct dj_store_evidence raw = {DJ_EVIDENCE_GFXINFO, file->source,
                                    dj_xtext(&file->raw), file->raw.length};
    if (file->text.length == 0) {
        evidence[0] = raw;
        return 1;
    }
    evidence[0] = (struct dj_store_evidence){DJ_EVIDENCE_GFXINFO, NULL,
                                             dj_xtext(&file->text), file->text.length};
    evidence[1] = raw;
    evidence[1].kind = kind;
    return 2;
}

static int store_run(struct dj_import_batches *batches, const struct dj_import_file *file,
                     struct dj_import_batch *batch, struct dj_error *err)
{
    struct dj_condition conditions[CONDITIONS_MOST];
    struct dj_store_evidence evidence[2];
    struct dj_store_run run = {
        .number = batch->runs + 1,
        .attempt = 1,
        .order_index = batch->runs,
        .outcome = file->outcome,
        .reason = file->reason[0] != '\0' ? file->reason : NULL,
        .started_unix_ms = file->written_unix_ms,
        .duration_ns = file->span.end_ns - file->span.start_ns,
        .span = file->span,
        .windows = file->windows,
        .window_count = file->window_count,
        .before = conditions,
        .before_count = collect_conditions(file, conditions),
        .evidence = evidence,
        .evidence_count = collect_evidence(file, evidence),
    };
    struct dj_fact facts_of_device[FACTS_MOST];
    struct dj_store_batch whole =
        describe_batch(batches, file, batch->device, facts_of_device);
    int result = batch->key != 0
                     ? dj_store_commit_run(batches->history, batch->key, &run, NULL, err)
                     : dj_store_begin_batch_with_run(batches->history, &whole, &run,
                                                     batch->id, &batch->key, err);
    batch->runs += result == 0;
    return result;
}

/* Removes a new batch if its first run could not be stored. */
static void remove_if_new(struct dj_import_batches *batches,
                          struct dj_import_batch *batch)
{
    if (batch->key == 0) {
        free(batch->package);
        free(batch->device);
        batches->count--; /* A new batch is always the last one. */
    }
}

const struct dj_import_batch *dj_import_store_run(struct dj_import_batches *batches,
                                                  const struct dj_import_file *file,
                                                  struct dj_error *err)
{
    struct dj_import_batch *batch = find_or_add_batch(batches, file, err);
    if (batch != NULL && store_run(batches, file, batch, err) != 0) {
        remove_if_new(batches, batch);
        batch = NULL;
    }
    return batch;
}

void dj_import_batches_finish(struct dj_import_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++) {
        free(batches->batch[i].package);
        free(batches->batch[i].device);
    }
}
