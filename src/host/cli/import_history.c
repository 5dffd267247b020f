#include "cli/import_options.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "cli/options.h"
#include "cli/read_input.h"
#include "device/output_file.h"
#include "import/series.h"
#include "memory/memory.h"
#include "store/timeline.h"

struct importing {
    const struct dj_import_options *options;
    struct dj_series_defaults defaults;
    struct dj_history *history;
    struct dj_text out;
};

/* ---- reading ---- */

/* The first text of a file, whatever is around it. */
static int read_file(const char *path, struct dj_text *text, struct dj_error *err)
{
    enum dj_part_kind kind = DJ_PART_NONE;
    text->maximum = DJ_SERIES_BYTES;
    int code = dj_read_first(path, text, &kind, err);
    if (code == 0 && kind != DJ_PART_TEXT) {
        return dj_error_set(err, DJ_E_INVALID, "there is no text in it");
    }
    return code == 0 && text->full
               ? dj_error_set(err, DJ_E_LIMIT, "more than the %d MiB that are read",
                              DJ_SERIES_BYTES >> 20)
               : code;
}

/* "results/fps-2021.csv.gz" is of the project "fps-2021". */
static void project_of(const char *path, char *project, size_t size)
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

/* ---- telling ---- */

static void tell_json(struct importing *importing, const char *path, const char *project,
                      const struct dj_series_file *file,
                      const struct dj_series_stored *stored, const struct dj_error *err)
{
    struct dj_text *out = &importing->out;
    dj_json_open_object(out, NULL);
    dj_json_put_string(out, "file", dj_input_name(path));
    dj_json_put_string(out, "state", err == NULL ? "imported" : "refused");
    dj_json_put_string(out, "error", err != NULL ? err->message : NULL);
    dj_json_put_known(out, "line",
                      err != NULL && file->error_line > 0 ? (int64_t)file->error_line
                                                          : -1);
    dj_json_put_string(out, "project", project);
    dj_json_put_int(out, "series", err == NULL ? (int64_t)file->count : 0);
    dj_json_put_int(out, "new_series", stored->series);
    dj_json_put_int(out, "new_points", stored->points);
    dj_json_put_int(out, "known_points", stored->known_points);
    dj_json_put_int(out, "duplicates", (int64_t)file->duplicates);
    dj_json_put_int(out, "empty", (int64_t)file->empty);
    dj_json_put_int(out, "backwards", (int64_t)file->backwards);
    dj_json_put_bool(out, "newest_first", file->newest_first);
    dj_json_close(out, "}");
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void tell_words(struct importing *importing, const char *project,
                       const struct dj_series_file *file,
                       const struct dj_series_stored *stored)
{
    struct dj_text *out = &importing->out;
    dj_text_format(out, "project ");
    dj_text_escaped_name(out, project);
    dj_text_format(out, ": %zu series, %" PRId64 " point%s new", file->count,
                   stored->points, plural(stored->points));
    if (stored->known_points > 0) {
        dj_text_format(out, ", %" PRId64 " known already", stored->known_points);
    }
    dj_text_string(out, "\n");
}

/* What was done to the rows, beyond reading them. */
static void tell_notes(const char *path, const struct dj_series_file *file)
{
    const char *name = dj_input_name(path);
    if (file->duplicates > 0) {
        dj_complain("%s: %zu row%s stood there twice; once is taken", name,
                    file->duplicates, plural((int64_t)file->duplicates));
    }
    if (file->empty > 0) {
        dj_complain("%s: %zu without a value passed over", name, file->empty);
    }
    if (file->backwards > 0) {
        dj_complain("%s: the clock goes back in %zu row%s; all are put in order of time",
                    name, file->backwards, plural((int64_t)file->backwards));
    }
    if (file->newest_first) {
        dj_complain("%s: the newest stood first; turned round", name);
    }
    for (size_t i = 0; i < file->count; i++) {
        if (file->series[i].sense == DJ_SERIES_UNSAID) {
            dj_complain("%s: which way '%.60s' is better nobody says: its shifts are "
                        "told, and none is called a regression (--better less|more)",
                        name, file->series[i].metric);
            return;
        }
    }
}

/* ---- a file ---- */

static int import(struct importing *importing, const char *path)
{
    struct dj_series_stored stored = {0};
    struct dj_series_file file = {0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    char project[256];
    project_of(path, project, sizeof(project));
    const char *name =
        importing->options->package != NULL ? importing->options->package : project;
    int code = read_file(path, &text, &err);
    /* A file that is not there is no data, as everywhere; no device failed. */
    code = code == DJ_E_IO ? DJ_E_NO_DATA : code;
    code = code == 0 ? dj_series_read(dj_xtext(&text), text.length, &importing->defaults,
                                      &file, &err)
                     : code;
    code = code == 0 ? dj_history_put_series(importing->history, name, &file,
                                             dj_input_name(path), &stored, &err)
                     : code;
    if (code != 0) {
        dj_complain("%s: %s; nothing of it was taken", dj_input_name(path), err.message);
    } else {
        tell_notes(path, &file);
    }
    if (importing->options->json) {
        tell_json(importing, path, name, &file, &stored, code != 0 ? &err : NULL);
    } else if (code == 0) {
        tell_words(importing, name, &file, &stored);
    }
    dj_series_finish(&file);
    dj_text_finish(&text);
    return dj_exit_for(code);
}

int dj_import_history(int count, char **files, const struct dj_import_options *options)
{
    struct importing importing = {
        .options = options,
        .defaults = {.metric = options->metric,
                     .unit = options->unit,
                     .flow = options->flow,
                     .device = options->device_name,
                     .version = options->build,
                     .commit = options->commit},
    };
    struct dj_error err = {0};
    if (options->better != NULL &&
        !dj_series_sense_find(options->better, &importing.defaults.sense)) {
        return dj_refuse("--better: expected less, more or neutral, got '%s'",
                         options->better);
    }
    int code =
        dj_history_open(options->store, DJ_HISTORY_CREATE, &importing.history, &err);
    if (code != 0) {
        return dj_verb_end(code, &err);
    }
    if (options->json) {
        dj_json_open_document(&importing.out, "dejank.import-history/1");
        dj_json_put_string(&importing.out, "store", dj_history_path(importing.history));
        dj_json_open_array(&importing.out, "files");
    }
    int worst = DJ_EXIT_OK;
    for (int i = 0; i < count; i++) {
        code = import(&importing, files[i]);
        worst = code > worst ? code : worst;
    }
    if (options->json) {
        dj_json_close(&importing.out, "]}\n");
    }
    int printed = dj_output_end(0, &importing.out, &err);
    dj_history_close(importing.history);
    return worst != DJ_EXIT_OK ? worst : printed;
}
