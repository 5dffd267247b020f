#include "triage/batch.h"

#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "spill/spill.h"
#include "store/run_evidence.h"
#include "trace/read.h"

/* Reads a trace from bytes in memory. The trace reader needs a path, so the bytes are
 * written to a file in memory first. */
static int read_bytes(const struct dj_text *bytes, struct dj_trace *trace,
                      struct dj_error *err)
{
    char path[64];
    struct dj_spill spill;
    int failure = dj_spill_open_memory(&spill);
    failure =
        failure == 0 ? dj_spill_append(&spill, bytes->data, bytes->length) : failure;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", spill.file - 1);
    int code = failure == 0
                   ? dj_trace_read(path, trace, err)
                   : dj_error_set(err, DJ_E_NO_MEMORY, "no memory for a trace: %s",
                                  strerror(failure));
    dj_spill_close(&spill);
    return code;
}

/* A run of a batch, and the triage to which its trace is added. */
struct adding {
    struct dj_triage_sum *sum;
    struct dj_store *store;
    const struct dj_run_row *run;
    bool base;
};

/* Adds the janky rows in the run's gfxinfo to the findings. Does nothing if the store has
 * no gfxinfo of the run. */
static int add_rows(const struct adding *adding, const struct dj_trace *trace,
                    struct dj_error *err)
{
    struct dj_text text = {0};
    struct dj_triage_rows rows = {0};
    const char *release = adding->run->release;
    int code = dj_store_read_run_evidence(adding->store, adding->run->key,
                                          DJ_EVIDENCE_GFXINFO, &text, err);
    code = code != 0 ? code
                     : dj_triage_rows_read(
                           &rows, dj_xtext(&text), text.length,
                           release != NULL ? dj_frame_dialect_find(release) : NULL, err);
    if (code == 0) {
        dj_triage_findings_add(&adding->sum->findings, adding->sum->triage, &trace->clock,
                               &rows);
    }
    dj_triage_rows_finish(&rows);
    dj_text_finish(&text);
    return code == DJ_E_NOT_FOUND || code == DJ_E_NO_DATA || code == DJ_E_INVALID ? 0
                                                                                  : code;
}

static int add_bytes(const struct adding *adding, const struct dj_text *bytes,
                     const char *name, struct dj_error *err)
{
    struct dj_trace trace = {.keep_marks = true, .keep_samples = true};
    int code = read_bytes(bytes, &trace, err);
    if (code == 0 && adding->base) {
        code = dj_triage_add_base(adding->sum->triage, &trace, err);
    } else if (code == 0) {
        code = dj_triage_add(adding->sum->triage, &trace, name, err);
        code = code != 0 ? code : add_rows(adding, &trace, err);
    }
    dj_trace_finish(&trace);
    return code;
}

/* Adds the trace of a run. If the trace cannot be used, appends a note and returns 0,
 * because other runs may have usable traces. */
static int add_run(const struct adding *adding, struct dj_error *err)
{
    struct dj_text bytes = {0};
    struct dj_error fault = {0};
    char name[DJ_TRACE_FILE_NAME];
    int code = dj_store_read_run_evidence(adding->store, adding->run->key,
                                          DJ_EVIDENCE_TRACE, &bytes, &fault);
    if (code == 0) {
        dj_store_trace_file_name(adding->run, name);
        code = add_bytes(adding, &bytes, name, &fault);
        adding->sum->traces += code == 0;
        if (dj_xcode(code) != 0) {
            dj_text_format(&adding->sum->notes, "%s is skipped: %s\n", name,
                           fault.message);
            code = 0;
        }
    } else if (code == DJ_E_NOT_FOUND) {
        code = 0;
    }
    dj_text_finish(&bytes);
    if (code != 0 && err != NULL) {
        *err = fault;
    }
    return code;
}

int dj_triage_add_batch(struct dj_triage_sum *sum, struct dj_store *store, int64_t batch,
                        bool base, struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    size_t before = sum->traces;
    int code = dj_store_load_batch(store, batch, &loaded, err);
    for (size_t i = 0; i < loaded.run_count && code == 0; i++) {
        struct adding adding = {sum, store, &loaded.runs[i], base};
        if (dj_store_run_counts(&loaded.runs[i])) {
            code = add_run(&adding, err);
        }
    }
    dj_store_loaded_batch_finish(&loaded);
    if (code == 0 && sum->traces == before) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "no run of that batch has a trace with frames: record traces "
                            "with `dejank run --trace`");
    }
    return code;
}

int dj_triage_add_stored_run(struct dj_triage_sum *sum, struct dj_store *store,
                             int64_t batch, int64_t run, struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    size_t before = sum->traces;
    int code = dj_store_load_batch(store, batch, &loaded, err);
    for (size_t i = 0; i < loaded.run_count && code == 0; i++) {
        struct adding adding = {sum, store, &loaded.runs[i], false};
        code = loaded.runs[i].key == run ? add_run(&adding, err) : 0;
    }
    dj_store_loaded_batch_finish(&loaded);
    return code == 0 && sum->traces == before
               ? dj_error_set(err, DJ_E_NO_DATA, "the run has no trace with frames")
               : code;
}

void dj_triage_sum_finish(struct dj_triage_sum *sum)
{
    dj_triage_destroy(sum->triage);
    dj_triage_findings_finish(&sum->findings);
    dj_text_finish(&sum->notes);
    *sum = (struct dj_triage_sum){0};
}
