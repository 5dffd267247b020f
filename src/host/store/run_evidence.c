#include "store/run_evidence.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "memory/memory.h"
#include "output/file.h"
#include "store/store.h"

void dj_store_trace_file_name(const struct dj_run_row *run, char name[DJ_TRACE_FILE_NAME])
{
    char attempt[24] = "";
    if (run->attempt > 1) {
        snprintf(attempt, sizeof(attempt), ".%lld", (long long)run->attempt);
    }
    snprintf(name, DJ_TRACE_FILE_NAME, "%s-%lld%s.pftrace",
             run->warmup ? "warmup" : "run", (long long)run->number, attempt);
}

struct search {
    const char *kind;
    int64_t ordinal; /* Index of the evidence, or −1 if none was found yet. */
};

static int find_evidence(void *user, const struct dj_evidence_row *row)
{
    struct search *search = user;
    if (search->ordinal < 0 && strcmp(row->kind, search->kind) == 0) {
        search->ordinal = row->ordinal;
    }
    return 0;
}

int dj_store_read_run_evidence(struct dj_store *history, int64_t run, const char *kind,
                               struct dj_text *bytes, struct dj_error *err)
{
    struct search search = {kind, -1};
    int code = dj_store_read_evidence_rows(history, run, find_evidence, &search, err);
    if (code == 0 && search.ordinal < 0) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "the run has no %s", kind);
    }
    return code == 0 ? dj_store_read_evidence(history, run, search.ordinal, bytes, err)
                     : code;
}

/* Writes the trace of a run to a file in the folder and appends the path of the file to
 * *text. Does nothing and returns 0 if the run has no trace. */
static int save_trace(struct dj_store *history, const struct dj_run_row *run,
                      const char *folder, struct dj_text *text, struct dj_error *err)
{
    struct dj_text bytes = {0}, path = {0};
    char name[DJ_TRACE_FILE_NAME];
    int code =
        dj_store_read_run_evidence(history, run->key, DJ_EVIDENCE_TRACE, &bytes, err);
    if (code == 0) {
        dj_store_trace_file_name(run, name);
        dj_text_format(&path, "%s/%s", folder, name);
        code = dj_output_write(dj_xtext(&path), &bytes, err);
    }
    if (code == 0) {
        dj_text_format(text, "%s\n", dj_xtext(&path));
    }
    dj_text_finish(&bytes);
    dj_text_finish(&path);
    return code == DJ_E_NOT_FOUND ? 0 : code;
}

int dj_store_save_traces(struct dj_store *history, const struct dj_loaded_batch *batch,
                         const char *folder, struct dj_text *text, struct dj_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return dj_error_set(err, DJ_E_OUTPUT, "cannot create %s: %s", folder,
                            strerror(errno));
    }
    int code = 0;
    for (size_t i = 0; i < batch->run_count && code == 0; i++) {
        code = save_trace(history, &batch->runs[i], folder, text, err);
    }
    return code == 0 && text->length == 0
               ? dj_error_set(err, DJ_E_NO_DATA,
                              "no run of the batch has a trace. hint: 'dejank run "
                              "--trace' records traces")
               : code;
}
