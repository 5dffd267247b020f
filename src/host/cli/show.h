/* `dejank show`, and the traces that runs of a batch have as evidence. */
#ifndef DEJANK_CLI_SHOW_H
#define DEJANK_CLI_SHOW_H

#include "base/text.h"
#include "store/loaded_batch.h"

/* ---- for people: facts of a batch, its runs, what they come to ---- */

int dj_show_text(struct dj_history *history, const struct dj_loaded_batch *loaded,
                 struct dj_text *text, struct dj_error *err);

/* ---- schema dejank.show/1 (docs/format/list.md) ---- */

int dj_show_json(struct dj_history *history, const struct dj_loaded_batch *loaded,
                 struct dj_text *text, struct dj_error *err);

/* ---- traces ---- */

enum { DJ_TRACE_FILE_NAME = 64 };

/* The file name of a run's trace: "run-3.pftrace", "run-3.2.pftrace" of its second
 * attempt, "warmup-1.pftrace". */
void dj_trace_file_name(const struct dj_run_row *run, char name[DJ_TRACE_FILE_NAME]);

/* Appends a run's first evidence of that kind (DJ_EVIDENCE_TRACE) to *bytes.
 * DJ_E_NOT_FOUND where it has none. */
int dj_run_evidence_read(struct dj_history *history, int64_t run, const char *kind,
                         struct dj_text *bytes, struct dj_error *err);

/* Writes those of a batch into the folder, made where it lacks, and a line for each into
 * *text: its path. DJ_E_NO_DATA where no run has one, DJ_E_OUTPUT. */
int dj_show_traces(struct dj_history *history, const struct dj_loaded_batch *batch,
                   const char *folder, struct dj_text *text, struct dj_error *err);

#endif
