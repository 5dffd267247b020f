#include "import/series_file.h"

#include <inttypes.h>
#include <string.h>

#include "input/read.h"
#include "memory/memory.h"

/* Reads the first text in a file, which may be compressed or in an archive. */
static int read_file(const char *path, struct dj_text *text,
                     const struct dj_messages *messages, struct dj_error *err)
{
    enum dj_input_part_kind kind = DJ_PART_NONE;
    text->maximum = DJ_SERIES_BYTES;
    int code = dj_input_read_first(path, text, &kind, messages, err);
    if (code == 0 && kind != DJ_PART_TEXT) {
        return dj_error_set(err, DJ_E_INVALID, "the file contains no text");
    }
    return code == 0 && text->full
               ? dj_error_set(err, DJ_E_LIMIT,
                              "the file has more than the maximum of %d MiB",
                              DJ_SERIES_BYTES >> 20)
               : code;
}

/* Derives the name of the project from the name of the file: "fps-2021" for
 * "results/fps-2021.csv.gz". */
static void derive_project(const char *path, char *project, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(project, size, "%s", slash != NULL ? slash + 1 : path);
    static const char *const endings[] = {".gz",  ".zst",  ".xz",    ".zip", ".csv",
                                          ".tsv", ".json", ".jsonl", ".txt"};
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        size_t length = strlen(project);
        size_t ending = strlen(endings[i]);
        if (length > ending && strcasecmp(project + length - ending, endings[i]) == 0) {
            project[length - ending] = '\0';
        }
    }
    if (strcmp(path, "-") == 0 || project[0] == '\0') {
        snprintf(project, size, "imported");
    }
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* Sends messages about rows that were skipped or reordered. */
static void describe_rows(const char *path, const struct dj_series_file *file,
                          const struct dj_messages *messages)
{
    const char *name = dj_input_name(path);
    if (file->duplicates > 0) {
        dj_message(messages, "%s: %zu duplicate row%s skipped", name, file->duplicates,
                   plural((int64_t)file->duplicates));
    }
    if (file->empty > 0) {
        dj_message(messages, "%s: %zu without a value skipped", name, file->empty);
    }
    if (file->backwards > 0) {
        dj_message(messages,
                   "%s: the time goes back in %zu row%s; all rows were sorted by time",
                   name, file->backwards, plural((int64_t)file->backwards));
    }
    if (file->newest_first) {
        dj_message(messages, "%s: the newest row is first; the order was reversed", name);
    }
    for (size_t i = 0; i < file->count; i++) {
        if (file->series[i].sense == DJ_SERIES_UNKNOWN) {
            dj_message(messages,
                       "%s: the direction of '%.60s' is unknown: its changes are "
                       "reported, but none as a regression (set --better less|more)",
                       name, file->series[i].metric);
            return;
        }
    }
}

int dj_import_series_file(struct dj_store *history, const char *path, const char *project,
                          const struct dj_series_defaults *defaults,
                          const struct dj_messages *messages,
                          struct dj_imported_series *result)
{
    struct dj_text text = {0};
    struct dj_error *err = &result->error;
    *result = (struct dj_imported_series){.file = {0}};
    derive_project(path, result->derived, sizeof(result->derived));
    result->project = project != NULL ? project : result->derived;
    int code = read_file(path, &text, messages, err);
    /* DJ_E_IO would mean that a device failed. A missing file is missing data. */
    code = code == DJ_E_IO ? DJ_E_NO_DATA : code;
    code = code == 0 ? dj_import_read_series(dj_xtext(&text), text.length, defaults,
                                             &result->file, err)
                     : code;
    code = code == 0 ? dj_store_insert_series(history, result->project, &result->file,
                                              dj_input_name(path), &result->stored, err)
                     : code;
    if (code != 0) {
        dj_message(messages, "%s: %s; nothing was imported", dj_input_name(path),
                   err->message);
    } else {
        describe_rows(path, &result->file, messages);
    }
    err->code = code;
    dj_text_finish(&text);
    return code;
}

void dj_import_series_finish(struct dj_imported_series *result)
{
    dj_store_series_finish(&result->file);
}
