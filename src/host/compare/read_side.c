#include "compare/read_side.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compare/operand.h"
#include "import/run_file.h"
#include "input/read.h"
#include "memory/memory.h"
#include "store/open_existing.h"
#include "store/url.h"

enum { FILES_MOST = 10000 };

/* The state of reading one side. */
struct reading {
    struct dj_side *side;
    int which; /* Which side is read: 0 for A, 1 for B. */
    const struct dj_sides_request *request;
    struct dj_sides_stores *stores;
    struct dj_error *err;
};

/* Computes the figures of a file. The whole text is one run. */
static int compute_figures(const struct dj_import_file *file, struct dj_side_run *run,
                           struct dj_error *err)
{
    static const struct dj_span everything = {0, 0};
    const struct dj_figure_rules inferred = {0};
    const struct dj_text *text = file->text.length > 0 ? &file->text : &file->raw;
    struct dj_window_figures figures;
    int code = dj_metrics_compute(dj_xtext(text), text->length, &inferred, &everything, 1,
                                  0, &figures, err);
    run->metrics = figures.metrics;
    run->findings_known = figures.findings_known;
    memcpy(run->found, figures.found, sizeof(run->found));
    run->times = figures.histogram[DJ_HISTOGRAM_FRAME_TIME];
    figures.histogram[DJ_HISTOGRAM_FRAME_TIME] = (struct dj_histogram){0};
    dj_metrics_window_figures_finish(&figures);
    return code;
}

/* Appends the device that a log names: its model, or else its CPU and GPU. */
static const char *read_device(const struct dj_import_file *file, struct dj_text *device)
{
    const char *model = dj_import_find_fact(file, "model");
    if (model != NULL) {
        dj_text_add(device, model);
    } else {
        dj_import_append_device(file, device);
    }
    return device->length > 0 ? dj_xtext(device) : NULL;
}

/* Adds a file as one run. A log's clock starts with the log, so the times of logs do not
 * order the runs. Only dumps keep their times. */
static int add_run(const struct reading *reading, const struct dj_import_file *file)
{
    struct dj_side *side = reading->side;
    bool dump = strcmp(file->format, "gfxinfo") == 0;
    struct dj_text device = {0};
    struct dj_side_run run = {
        .number = (int64_t)side->run_count + 1,
        .order_index = -1,
        .span = dump ? file->span : (struct dj_span){0},
        .source = file->source,
        .app = file->package_unknown ? NULL : file->package,
        .device = read_device(file, &device),
        .digest = file->log_run == 0 ? file->sha256 : NULL,
    };
    if (file->outcome != DJ_RUN_OK) {
        dj_compare_side_exclude(side, file->source,
                                file->reason[0] != '\0'
                                    ? file->reason
                                    : dj_facts_outcome_name(file->outcome));
        dj_text_finish(&device);
        return 0;
    }
    int code = compute_figures(file, &run, reading->err);
    if (code == 0) {
        dj_compare_side_add_run(side, &run);
    }
    dj_exponential_finish(&run.times);
    dj_text_finish(&device);
    return code;
}

static int add_read_file(const struct reading *reading, const struct dj_import_file *file,
                         bool is_run)
{
    if (!is_run) {
        dj_compare_side_exclude(reading->side, file->source,
                                "not a dump or a log of frames");
        return 0;
    }
    return add_run(reading, file);
}

/* Adds all runs of a file. */
static int add_file(const struct reading *reading, const char *path)
{
    const char *package = reading->request->package;
    struct dj_import_file file;
    dj_input_await(path, reading->request->messages);
    bool is_run = dj_import_read(path, package, reading->request->import_messages, &file);
    int code = add_read_file(reading, &file, is_run);
    while (code == 0 && dj_import_next(path, package, &file, &is_run)) {
        code = add_read_file(reading, &file, is_run);
    }
    dj_import_finish(&file);
    return code;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int add_folder(const struct reading *reading, const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, versionsort);
    if (count < 0) {
        return dj_error_set(reading->err, DJ_E_IO, "%s: cannot read the folder: %s", path,
                            strerror(errno));
    }
    int code = 0, files = 0;
    for (int i = 0; i < count; i++) {
        char *name = dj_xformat("%s/%s", path, entries[i]->d_name);
        struct stat status;
        if (code == 0 && stat(name, &status) == 0 && S_ISREG(status.st_mode)) {
            code = ++files > FILES_MOST
                       ? dj_error_set(reading->err, DJ_E_LIMIT, "%s: more than %d files",
                                      path, FILES_MOST)
                       : add_file(reading, name);
        }
        free(name);
        free(entries[i]);
    }
    free(entries);
    return files > 0 ? code
                     : dj_error_set(
                           reading->err, DJ_E_NO_DATA,
                           "%s: the folder is empty; expected dumps or logs, one per run",
                           path);
}

static bool is_store(const char *path)
{
    char first[16] = {0};
    FILE *file = fopen(path, "rb");
    bool store = file != NULL && fread(first, 1, sizeof(first), file) == sizeof(first) &&
                 memcmp(first, "SQLite format 3", sizeof(first)) == 0;
    if (file != NULL) {
        fclose(file);
    }
    return store;
}

static int add_path(const struct reading *reading, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        return add_file(reading, path);
    }
    if (stat(path, &status) != 0) {
        return dj_error_set(reading->err, DJ_E_NO_DATA, "%s: %s", path, strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return add_folder(reading, path);
    }
    return S_ISREG(status.st_mode) && is_store(path)
               ? dj_error_set(reading->err, DJ_E_USAGE,
                              "%s is a store. For one of its batches, write %s#BATCH",
                              path, path)
               : add_file(reading, path);
}

/* Adds each path of a list. */
static int add_list(const struct reading *reading, const char *list,
                    const char *separators)
{
    int code = 0;
    for (const char *at = list; *at != '\0' && code == 0;) {
        size_t length = strcspn(at, separators);
        char *part = dj_xcopy(at, length);
        code = length > 0 ? add_path(reading, part) : 0;
        free(part);
        at += length;
        at += *at != '\0';
    }
    return code;
}

static int add_listed(const struct reading *reading, const char *path)
{
    struct dj_text names = {0};
    int code =
        dj_input_read_whole(path, &names, reading->request->messages, reading->err);
    code = code == 0 ? add_list(reading, dj_xtext(&names), "\r\n") : code;
    dj_text_finish(&names);
    return code;
}

static bool is_store_at(const struct dj_store *history, const char *path)
{
    struct dj_text shown = {0};
    dj_store_url_format(path, &shown);
    bool same = strcmp(dj_store_path(history), dj_xtext(&shown)) == 0;
    dj_text_finish(&shown);
    return same;
}

static int add_stored(const struct reading *reading, const char *path, const char *word)
{
    struct dj_sides_stores *stores = reading->stores;
    struct dj_error *err = reading->err;
    int which = reading->which;
    struct dj_store *history = stores->history[which];
    if (history != NULL && path != NULL && !is_store_at(history, path)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "a side cannot have batches of several stores. hint: 'dejank "
                            "store load' copies one store into another");
    }
    int code = history == NULL ? dj_store_open_existing(path, &history, err) : 0;
    stores->history[which] = history;
    if (code == 0 && history == NULL) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "'%.100s' is not a file, and there is no store that could "
                            "have a batch or build of this name",
                            word);
    }
    stores->word[which] = word;
    return code == 0 ? dj_compare_side_add_named(reading->side, history, word,
                                                 &reading->request->filter,
                                                 &stores->several_devices[which], err)
                     : code;
}

/* Splits "FILE.db#BATCH" or "postgresql://…#BATCH" into store and batch. A label may
 * contain #, too. So the store ends at the first # that follows the name of a store. */
static bool split_store_and_batch(const char *word, char **path, const char **batch)
{
    struct stat status;
    for (const char *mark = strchr(word, '#'); mark != NULL;
         mark = strchr(mark + 1, '#')) {
        *path = mark > word ? dj_xcopy(word, (size_t)(mark - word)) : NULL;
        *batch = mark + 1;
        if (*path != NULL &&
            (dj_store_url_is_postgres(*path) || stat(*path, &status) == 0)) {
            return true;
        }
        free(*path);
    }
    *path = NULL;
    return false;
}

/* Returns whether the word is a list of files separated by commas. The first part must
 * exist as a file, because a label may contain a comma. */
static bool is_list(const char *word)
{
    size_t length = strcspn(word, ",");
    char *first = word[length] == ',' ? dj_xcopy(word, length) : NULL;
    bool list = first != NULL && dj_compare_operand_is_file(first);
    free(first);
    return list;
}

static int add_word(const struct reading *reading, const char *word)
{
    const char *store = reading->request->store;
    char *path;
    const char *batch;
    /* With a prefix, the word is always a batch or build, even if a file has the same
     * name. */
    if (dj_compare_operand_batch_name(word) != word || strncmp(word, "build:", 6) == 0) {
        return add_stored(reading, store, strchr(word, ':') + 1);
    }
    if (dj_compare_operand_is_file(word)) {
        /* This call only sends a message if a batch has the same name as the file. */
        dj_compare_operand_kind(word, store, true, reading->request->messages);
        return add_path(reading, word);
    }
    if (split_store_and_batch(word, &path, &batch)) {
        int code = add_stored(reading, path, batch);
        free(path);
        return code;
    }
    if (dj_store_url_is_postgres(word)) {
        return dj_error_set(reading->err, DJ_E_USAGE,
                            "this URL is a store. For one of its batches, write "
                            "postgresql://HOST/DATABASE#BATCH");
    }
    if (word[0] == '@' && dj_compare_operand_is_file(word + 1)) {
        return add_listed(reading, word + 1);
    }
    return is_list(word) ? add_list(reading, word, ",")
                         : add_stored(reading, store, word);
}

/* Reads the words of a side. An error about a word begins with the name of the side. */
int dj_compare_read_side(struct dj_side *side, char which, int count, char *const *words,
                         const struct dj_sides_request *request,
                         struct dj_sides_stores *stores, struct dj_error *err)
{
    const struct reading reading = {side, which - 'A', request, stores, err};
    struct dj_text name = {0};
    int code = 0;
    dj_store_url_format(words[0], &name);
    if (count > 1) {
        dj_text_format(&name, " and %d more", count - 1);
    }
    dj_compare_side_set_name(side, dj_xtext(&name));
    dj_text_finish(&name);
    for (int i = 0; i < count && code == 0; i++) {
        code = add_word(&reading, words[i]);
        if (code != 0) {
            dj_error_prepend(err, "%c", which);
        }
    }
    if (code == 0 && side->batch_count > 0) {
        for (size_t i = 0; i < side->run_count; i++) {
            if (side->runs[i].digest != NULL) {
                return dj_error_set(err, DJ_E_USAGE,
                                    "%c: a side cannot have both files and batches. "
                                    "hint: 'dejank import' adds files to the store",
                                    which);
            }
        }
    }
    return code;
}

bool dj_compare_need_range(const struct dj_sides_stores *stores)
{
    return stores->several_devices[0] || stores->several_devices[1];
}

static bool are_from_one_store(const struct dj_sides_stores *stores)
{
    return stores->history[0] != NULL && stores->history[1] != NULL &&
           strcmp(dj_store_path(stores->history[0]), dj_store_path(stores->history[1])) ==
               0;
}

int dj_compare_read_sides(struct dj_side sides[2],
                          const struct dj_side_operands operands[2],
                          const struct dj_sides_request *request,
                          struct dj_sides_stores *stores, struct dj_error *err)
{
    struct dj_error refused = {0};
    for (int i = 0; i < 2; i++) {
        int code = dj_compare_read_side(&sides[i], (char)('A' + i), operands[i].count,
                                        operands[i].words, request, stores, err);
        if (code != 0 && !stores->several_devices[i]) {
            return code;
        }
        refused = code != 0 ? *err : refused;
    }
    if (dj_compare_need_range(stores) &&
        (!are_from_one_store(stores) || operands[0].count != 1 ||
         operands[1].count != 1)) {
        *err = refused;
        return refused.code;
    }
    return 0;
}

void dj_compare_close_stores(struct dj_sides_stores *stores)
{
    dj_store_close(stores->history[0]);
    dj_store_close(stores->history[1]);
    *stores = (struct dj_sides_stores){0};
}
