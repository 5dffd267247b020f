/* Logs that are one JSON object: how they are recognised, and what their readers
 * share. */
#ifndef DEJANK_IMPORT_LOG_JSON_H
#define DEJANK_IMPORT_LOG_JSON_H

#include "import/log/table.h"

struct json_t;

/* Returns which of these logs a text is, from keys that no other has; NULL: none. */
const struct dj_log_format *dj_log_json_find(const char *bytes, size_t length);

/* Reads the text of a format that dj_log_json_find() returned. Errors as
 * dj_import_read_log(). */
int dj_log_json_read(const char *bytes, size_t length, struct dj_log *log,
                     struct dj_error *err);

/* The readers, given the outermost object. An object of an unexpected form is
 * DJ_E_INVALID with its path ("Runs[1].CaptureData"). */
int dj_log_read_capframex(const struct json_t *root, struct dj_log *log,
                          struct dj_error *err);
int dj_log_read_flashlight(const struct json_t *root, struct dj_log *log,
                           struct dj_error *err);
int dj_log_read_macrobenchmark(const struct json_t *root, struct dj_log *log,
                               struct dj_error *err);

/* Returns a member that is a text; NULL if it is none, or empty. */
const char *dj_log_json_get_text(const struct json_t *object, const char *key);

/* Returns false if it is no finite number. */
bool dj_log_json_get_number(const struct json_t *value, double *number);

/* Adds a stream of a process to the log's next run. Returns NULL and sets err on
 * failure. */
struct dj_log_stream *dj_log_json_add_run(struct dj_log *log, const char *process,
                                          struct dj_error *err);

/* A member that is a fact of the system, and the fact's name. */
struct dj_log_json_fact {
    const char *key, *name;
};

/* Adds the members that are texts or numbers. */
void dj_log_json_add_facts(struct dj_log *log, const struct json_t *object,
                           const struct dj_log_json_fact *facts, size_t count);

#endif
