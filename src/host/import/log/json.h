/* Logs that consist of one JSON object: how their format is recognised, and functions
 * that their readers share. */
#ifndef DEJANK_IMPORT_LOG_JSON_H
#define DEJANK_IMPORT_LOG_JSON_H

#include "import/log/table.h"

struct json_t;

/* Returns the format of a text from keys that only this format has, or NULL if the text
 * has none of these formats. */
const struct dj_log_format *dj_log_json_find(const char *bytes, size_t length);

/* Reads a text whose format dj_log_json_find() has found. Returns the errors of
 * dj_import_read_log(). */
int dj_log_json_read(const char *bytes, size_t length, struct dj_log *log,
                     struct dj_error *err);

/* The readers of the formats. `root` is the outermost object. Return DJ_E_INVALID if an
 * object has an unexpected form. The message has the path of this object, such as
 * "Runs[1].CaptureData". */
int dj_log_read_capframex(const struct json_t *root, struct dj_log *log,
                          struct dj_error *err);
int dj_log_read_flashlight(const struct json_t *root, struct dj_log *log,
                           struct dj_error *err);
int dj_log_read_macrobenchmark(const struct json_t *root, struct dj_log *log,
                               struct dj_error *err);

/* Returns a member that is a text and not empty, or else NULL. */
const char *dj_log_json_get_text(const struct json_t *object, const char *key);

/* Returns false if the value is not a finite number. */
bool dj_log_json_get_number(const struct json_t *value, double *number);

/* Adds the next run to the log, with one stream of the process. Returns NULL and sets err
 * if there are too many runs. */
struct dj_log_stream *dj_log_json_add_run(struct dj_log *log, const char *process,
                                          struct dj_error *err);

/* A member of an object that is a fact of the system, and the name of this fact. */
struct dj_log_json_fact {
    const char *key, *name;
};

/* Adds the facts whose members are texts or numbers. */
void dj_log_json_add_facts(struct dj_log *log, const struct json_t *object,
                           const struct dj_log_json_fact *facts, size_t count);

#endif
