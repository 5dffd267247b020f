/* Reads the evidence of single runs, and saves traces as files. */
#ifndef DEJANK_STORE_RUN_EVIDENCE_H
#define DEJANK_STORE_RUN_EVIDENCE_H

#include "base/text.h"
#include "store/loaded_batch.h"

enum { DJ_TRACE_FILE_NAME = 64 };

/* Writes the file name for the trace of a run: "run-3.pftrace", "run-3.2.pftrace" for its
 * second attempt, or "warmup-1.pftrace". */
void dj_store_trace_file_name(const struct dj_run_row *run,
                              char name[DJ_TRACE_FILE_NAME]);

/* Appends the bytes of a run's first evidence of a kind such as DJ_EVIDENCE_TRACE.
 * Returns DJ_E_NOT_FOUND if the run has no evidence of this kind. */
int dj_store_read_run_evidence(struct dj_store *history, int64_t run, const char *kind,
                               struct dj_text *bytes, struct dj_error *err);

/* Writes the traces of all runs of a batch as files in the folder. Creates the folder if
 * it is missing. Appends the path of each file as a line to *text. Returns DJ_E_NO_DATA
 * if no run has a trace, or DJ_E_OUTPUT if a file cannot be written. */
int dj_store_save_traces(struct dj_store *history, const struct dj_loaded_batch *batch,
                         const char *folder, struct dj_text *text, struct dj_error *err);

#endif
