/* Results of imports into the store, for people and for scripts
 * (docs/format/import.md). */
#ifndef DEJANK_REPORT_IMPORTS_H
#define DEJANK_REPORT_IMPORTS_H

#include "base/text.h"
#include "import/run_batches.h"
#include "import/series_file.h"

/* ---- runs: schema dejank.import/1 ---- */

/* Appends the object of one file. `state`: "imported", "known" or "refused". `batch` and
 * `run` locate the stored run; NULL and 0: it is not stored. */
void dj_report_imported_file_json(struct dj_text *json, const struct dj_import_file *file,
                                  const char *state, const char *batch, int64_t run);

/* Appends the document. `files`: the objects of all files. */
void dj_report_imported_runs_json(struct dj_text *out,
                                  const struct dj_import_batches *batches,
                                  const struct dj_text *files);

/* Appends a line for each batch. */
void dj_report_imported_runs_text(struct dj_text *out,
                                  const struct dj_import_batches *batches);

/* ---- figures over time: schema dejank.import-history/1 ---- */

/* Appends the object of one file. */
void dj_report_imported_series_json(struct dj_text *out, const char *path,
                                    const struct dj_imported_series *result);

/* Appends a line for a file that was stored. */
void dj_report_imported_series_text(struct dj_text *out,
                                    const struct dj_imported_series *result);

#endif
