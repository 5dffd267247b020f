/* The evidence of single runs: reads it, and saves traces as files. */
#ifndef DEJANK_STORE_RUN_EVIDENCE_H
#define DEJANK_STORE_RUN_EVIDENCE_H

#include "base/text.h"
#include "store/loaded_batch.h"

enum { DJ_TRACE_FILE_NAME = 64 };

/* The file name of a run's trace: "run-3.pftrace", "run-3.2.pftrace" of its second
 * attempt, "warmup-1.pftrace". */
void dj_store_trace_file_name(const struct dj_run_row *run,
                              char name[DJ_TRACE_FILE_NAME]);

/* Appends a run's first evidence of that kind (DJ_EVIDENCE_TRACE) to *bytes.
 * DJ_E_NOT_FOUND where it has none. */
int dj_store_read_run_evidence(struct dj_store *history, int64_t run, const char *kind,
                               struct dj_text *bytes, struct dj_error *err);

/* Writes those of a batch into the folder, made where it lacks, and a line for each into
 * *text: its path. DJ_E_NO_DATA where no run has one, DJ_E_OUTPUT. */
int dj_store_save_traces(struct dj_store *history, const struct dj_loaded_batch *batch,
                         const char *folder, struct dj_text *text, struct dj_error *err);

#endif
