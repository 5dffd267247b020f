#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/progress.h"
#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "import/known_files.h"
#include "input/read.h"
#include "memory/memory.h"
#include "report/imports.h"

/* The options. With --history, `package` is the project. Names in a file have precedence
 * over names in options. */
struct import_options {
    struct dj_import_names names;
    const char *package, *store;
    const char *metric, *unit, *better, *flow;
    bool json, again, history;
};

#define AT(member) offsetof(struct import_options, member)
static const struct dj_option options[] = {
    {"label", 0, DJ_OPTION_STRING, AT(names.label), "LABEL",
     "label of the build, such as before"},
    {"app-version", 0, DJ_OPTION_STRING, AT(names.build), "VERSION",
     "version of the app"},
    {"commit", 0, DJ_OPTION_STRING, AT(names.commit), "COMMIT", "commit of the build"},
    {"device-name", 0, DJ_OPTION_STRING, AT(names.device), "NAME",
     "device of the runs (default: the device that the file names, otherwise unknown)"},
    {"name", 0, DJ_OPTION_STRING, AT(names.name), "NAME",
     "name of the batch (default: the label, or import)"},
    {"package", 0, DJ_OPTION_STRING, AT(package), "NAME",
     "app to import if a file has several or names none; with --history: the project"},
    {"again", 0, DJ_OPTION_FLAG, AT(again), NULL,
     "also import files that are already in the store"},
    {"history", 0, DJ_OPTION_FLAG, AT(history), NULL,
     "import figures of other tools, one per version: CSV with a header, or JSON"},
    {"metric", 0, DJ_OPTION_STRING, AT(metric), "NAME",
     "with --history: name of the metric, if the file names none"},
    {"unit", 0, DJ_OPTION_STRING, AT(unit), "UNIT",
     "with --history: unit, if the file names none"},
    {"better", 0, DJ_OPTION_CHOICE, AT(better), "less|more|neutral",
     "with --history: which values are better, if the file does not say so"},
    {"flow", 0, DJ_OPTION_STRING, AT(flow), "NAME",
     "with --history: flow, if the file names none"},
    DJ_STORE_OPTION(struct import_options, store),
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "print the result for each file as JSON (schema dejank.import/1)"},
};

struct importer {
    const struct import_options *options;
    struct dj_import_batches batches;
    struct dj_known_files known;
    struct dj_text json; /* The JSON objects of all files so far. */
    int64_t known_files; /* Number of files that were skipped. */
    /* The batch of the last skipped file, and the build of all skipped files, or "" if it
     * is unknown or they have several. */
    char known_batch[DJ_STORE_ID_BYTES], known_build[80];
    int code;
};

/* Stores a run. If the file is not a run, reports it, sets importer->code and returns 0,
 * so that the other files are still imported. */
static int store_run(struct importer *importer, const struct dj_import_file *file,
                     bool is_run, struct dj_error *err)
{
    int code = DJ_EXIT_DATA;
    if (is_run) {
        const struct dj_import_batch *batch =
            dj_import_store_run(&importer->batches, file, err);
        if (batch == NULL) {
            return err->code;
        }
        dj_import_known_files_add(&importer->known, file->sha256, batch->id, batch->runs);
        dj_report_imported_file_json(&importer->json, file, "imported", batch->id,
                                     batch->runs);
        code = file->outcome == DJ_RUN_OK ? DJ_EXIT_OK : DJ_EXIT_DATA;
    } else {
        dj_report_imported_file_json(&importer->json, file, "refused", NULL, 0);
    }
    importer->code = code > importer->code ? code : importer->code;
    return 0;
}

/* Finds the build of a batch. Sets *build to "" if it is unknown. */
static void find_build(struct dj_store *history, const char *batch, char build[80])
{
    struct dj_loaded_batch loaded = {0};
    int64_t key;
    build[0] = '\0';
    if (dj_store_find_batch(history, batch, &key, NULL) == 0 &&
        dj_store_load_batch(history, key, &loaded, NULL) == 0) {
        const char *name = dj_store_build_name(&loaded.batch);
        snprintf(build, 80, "%.79s", name != NULL ? name : "");
    }
    dj_store_loaded_batch_finish(&loaded);
}

static void count_known_file(struct importer *importer, const struct dj_known_file *known)
{
    char build[80];
    if (strcmp(importer->known_batch, known->batch) != 0) {
        find_build(importer->batches.history, known->batch, build);
        if (importer->known_files == 0) {
            memcpy(importer->known_build, build, sizeof(build));
        } else if (strcmp(importer->known_build, build) != 0) {
            importer->known_build[0] = '\0';
        }
        memcpy(importer->known_batch, known->batch, sizeof(importer->known_batch));
    }
    importer->known_files++;
}

/* If all files were skipped, sums that up. */
static void report_nothing_imported(const struct importer *importer)
{
    const char *build = importer->known_build;
    if (importer->batches.count == 0 && importer->known_files > 0) {
        dj_cli_print_message("0 runs imported; %lld file%s imported before%s%s%s",
                             (long long)importer->known_files,
                             importer->known_files == 1 ? " was" : "s were",
                             build[0] != '\0' ? " (as build " : "", build,
                             build[0] != '\0' ? ")" : "");
    }
}

static void skip_known_file(struct importer *importer, const struct dj_import_file *file,
                            const struct dj_known_file *known)
{
    dj_cli_print_message(
        "%s: skipped, because the store has it as run %lld of batch %s (--again imports "
        "it again)",
        file->source, (long long)known->run, known->batch);
    dj_report_imported_file_json(&importer->json, file, "known", known->batch,
                                 known->run);
    count_known_file(importer, known);
    if (file->outcome != DJ_RUN_OK && importer->code == DJ_EXIT_OK) {
        importer->code = DJ_EXIT_DATA;
    }
}

static int import_file(struct importer *importer, const char *path, struct dj_error *err)
{
    struct dj_import_file file;
    const char *package = importer->options->package;
    int result = 0;
    dj_input_await(path, &dj_cli_messages);
    bool is_run = dj_import_read(path, package, &dj_cli_messages, &file);
    const struct dj_known_file *known =
        is_run ? dj_import_known_files_find(&importer->known, file.sha256) : NULL;
    if (known != NULL && !importer->options->again) {
        skip_known_file(importer, &file, known);
    } else {
        do {
            result = store_run(importer, &file, is_run, err);
        } while (result == 0 && dj_import_next(path, package, &file, &is_run));
    }
    dj_import_finish(&file);
    return result;
}

static int finish_import(struct importer *importer, int result, struct dj_error *err)
{
    struct dj_text out = {0};
    if (importer->batches.history != NULL && importer->options->json) {
        dj_report_imported_runs_json(&out, &importer->batches, &importer->json);
    } else {
        struct dj_document document = {0};
        dj_report_build_imported_runs(&document, &importer->batches,
                                      importer->options->store);
        dj_cli_append_document(&out, &document, true);
    }
    int printed = dj_output_print(&out, result == 0 ? err : NULL);
    if (result == 0) {
        report_nothing_imported(importer);
    }
    dj_text_finish(&out);
    dj_text_finish(&importer->json);
    dj_import_batches_finish(&importer->batches);
    dj_import_known_files_finish(&importer->known);
    dj_store_close(importer->batches.history);
    return result != 0 ? result : printed;
}

static int import_series(const struct import_options *values,
                         const struct dj_series_defaults *defaults,
                         struct dj_store *history, const char *path, struct dj_text *out)
{
    struct dj_imported_series result;
    int code = dj_import_series_file(history, path, values->package, defaults,
                                     &dj_cli_messages, &result);
    if (values->json) {
        dj_report_imported_series_json(out, path, &result);
    } else if (code == 0) {
        dj_report_imported_series_text(out, &result);
    }
    dj_import_series_finish(&result);
    return dj_cli_exit_code(code);
}

static void show_file(struct dj_progress_job *job, const char *file, int index, int count)
{
    struct dj_text what = {0};
    dj_text_format(&what, "importing file %d of %d: %s", index + 1, count, file);
    dj_progress_update_job(job, dj_xtext(&what));
    dj_text_finish(&what);
}

static int import_history(int count, char **files, const struct import_options *values)
{
    struct dj_series_defaults defaults = {.metric = values->metric,
                                          .unit = values->unit,
                                          .flow = values->flow,
                                          .device = values->names.device,
                                          .version = values->names.build,
                                          .commit = values->names.commit};
    struct dj_store *history;
    struct dj_text out = {0};
    struct dj_error err = {0};
    int worst = DJ_EXIT_OK;
    if (values->better != NULL) {
        dj_import_series_sense_find(values->better, &defaults.sense);
    }
    int code = dj_store_open(values->store, DJ_STORE_CREATE, &history, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    if (values->json) {
        dj_json_open_document(&out, "dejank.import-history/1");
        dj_json_add_string(&out, "store", dj_store_path(history));
        dj_json_open_array(&out, "files");
    }
    struct dj_progress_job job;
    dj_progress_begin_job(&job, "importing");
    for (int i = 0; i < count; i++) {
        show_file(&job, files[i], i, count);
        code = import_series(values, &defaults, history, files[i], &out);
        worst = code > worst ? code : worst;
    }
    dj_progress_end_job(&job);
    if (values->json) {
        dj_json_close(&out, "]}\n");
    }
    int printed = dj_cli_finish_output(0, &out, &err);
    dj_store_close(history);
    return worst != DJ_EXIT_OK ? worst : printed;
}

static int run(void *given, int count, char **operands)
{
    struct import_options *values = given;
    if (values->history &&
        (values->names.label != NULL || values->names.name != NULL || values->again)) {
        return dj_cli_print_usage_error(
            "--label, --name and --again do not apply to --history");
    }
    if (values->history) {
        return import_history(count, operands, values);
    }
    if (values->metric != NULL || values->unit != NULL || values->better != NULL ||
        values->flow != NULL) {
        return dj_cli_print_usage_error(
            "--metric, --unit, --better and --flow require --history");
    }
    struct dj_error err = {0};
    struct importer *importer = dj_xcalloc(1, sizeof(*importer));
    importer->options = values;
    importer->batches.names = &values->names;
    int result =
        dj_store_open(values->store, DJ_STORE_CREATE, &importer->batches.history, &err);
    result = result == 0 ? dj_import_known_files_read(&importer->known,
                                                      importer->batches.history, &err)
                         : result;
    struct dj_progress_job job;
    dj_progress_begin_job(&job, "importing");
    for (int i = 0; i < count && result == 0; i++) {
        show_file(&job, operands[i], i, count);
        result = import_file(importer, operands[i], &err);
    }
    dj_progress_end_job(&job);
    result = finish_import(importer, result, &err);
    int code = dj_cli_finish(result, &err);
    code = code == DJ_EXIT_OK ? importer->code : code;
    free(importer);
    return code;
}

static const struct dj_example examples[] = {
    {"Import all dumps of a folder as the runs of build 1.7",
     "dejank import dumps/*.txt --app-version 1.7 --device-name pixel6"},
    {"Import a MangoHud log", "dejank import game_2026-01-31.csv --label before"},
    {"Import the history of another tool's metric",
     "dejank import startup.csv --history --metric startup --unit ms --better less"},
};

const struct dj_verb dj_verb_import = {
    .name = "import",
    .synopsis = "[OPTION]… FILE…\n"
                "--history [--package NAME] [--metric NAME] [--unit UNIT] [--better "
                "DIRECTION] FILE…",
    .summary = "import dumps and other tools' logs into the store",
    .description =
        "Each file is a run. All files of one app and device form a batch. To compare an "
        "imported build with one that 'dejank run' measured, use the same --name and "
        "--device-name as that batch. dejank detects the format, also in compressed "
        "files and zip archives. If FILE is -, dejank reads standard input.\n"
        "gfxinfo\ttext of dumpsys, as for dejank parse\n"
        "MangoHud\tthe log, not its _summary.csv; the unit of frametime is detected\n"
        "fps,frametime\ttwo columns, with or without that header\n"
        "PresentMon\tCSV of versions 1 and 2, and of CapFrameX\n"
        "other results\tJSON of CapFrameX, Macrobenchmark and flashlight\n"
        "Most logs contain only the times of frames, so their stages are unknown. dejank "
        "skips files that are already in the store. More: docs/format/import.md.\n",
    .exit_codes = "4\ta file has no known format or no frames; the others are imported\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE", 1, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct import_options),
    .run = run,
};
