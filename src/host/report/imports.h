/* Results of imports into the store as documents and as JSON (docs/format/import.md). */
#ifndef DEJANK_REPORT_IMPORTS_H
#define DEJANK_REPORT_IMPORTS_H

#include "base/text.h"
#include "import/run_batches.h"
#include "import/series_file.h"
#include "report/document.h"

/* The next functions write runs as JSON with the schema dejank.import/1. */

/* Appends the object of one file. `state` is "imported", "known" or "refused". `batch`
 * and `run` identify the stored run, or are NULL and 0 if the run was not stored. */
void dj_report_imported_file_json(struct dj_text *json, const struct dj_import_file *file,
                                  const char *state, const char *batch, int64_t run);

/* Appends the whole JSON. `files` has the objects of all files. */
void dj_report_imported_runs_json(struct dj_text *out,
                                  const struct dj_import_batches *batches,
                                  const struct dj_text *files);

/* Adds to an empty document how many runs were imported, and the batches. Adds nothing if
 * there is no batch. `store` is the option --store for the next commands, or NULL. */
void dj_report_build_imported_runs(struct dj_document *document,
                                   const struct dj_import_batches *batches,
                                   const char *store);

/* The next functions write figures over time as JSON with the schema
 * dejank.import-history/1. */

/* Appends the object of one file. */
void dj_report_imported_series_json(struct dj_text *out, const char *path,
                                    const struct dj_imported_series *result);

/* Appends a line for a file that was stored. */
void dj_report_imported_series_text(struct dj_text *out,
                                    const struct dj_imported_series *result);

#endif
