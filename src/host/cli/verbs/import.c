#include <stdlib.h>

#include "base/json.h"
#include "cli/store_option.h"
#include "cli/verbs.h"
#include "import/known_files.h"
#include "input/read.h"
#include "memory/memory.h"
#include "report/imports.h"

/* With --history, `package` is the project. Names and figures that a file contains win
 * over the options. */
struct import_options {
    struct dj_import_names names;
    const char *package, *store;
    const char *metric, *unit, *better, *flow;
    bool json, again, history;
};

#define AT(member) offsetof(struct import_options, member)
static const struct dj_option options[] = {
    {"label", 0, DJ_OPTION_STRING, AT(names.label), "L",
     "what tells these runs from others (\"before\"); part of the build"},
    {"build", 0, DJ_OPTION_STRING, AT(names.build), "VERSION", "the app's version"},
    {"commit", 0, DJ_OPTION_STRING, AT(names.commit), "C", "… and its commit"},
    {"device-name", 0, DJ_OPTION_STRING, AT(names.device), "D",
     "the device they were made on; else what the log says, or unknown"},
    {"name", 0, DJ_OPTION_STRING, AT(names.name), "NAME",
     "of the batch; else its label, or \"import\""},
    {"package", 0, DJ_OPTION_STRING, AT(package), "P",
     "the process meant, where a file holds several or does not name its own"},
    {"again", 0, DJ_OPTION_FLAG, AT(again), NULL,
     "also files that the store has already"},
    {"history", 0, DJ_OPTION_FLAG, AT(history), NULL,
     "figures of other tools over time: CSV with a header, or JSON (--package: the "
     "project)"},
    {"metric", 0, DJ_OPTION_STRING, AT(metric), "M",
     "… what they are of, where the file does not say"},
    {"unit", 0, DJ_OPTION_STRING, AT(unit), "U", "… and in which unit"},
    {"better", 0, DJ_OPTION_STRING, AT(better), "WAY",
     "… and which way is better: less, more or neutral"},
    {"flow", 0, DJ_OPTION_STRING, AT(flow), "F", "… and of which flow"},
    DJ_STORE_OPTION(struct import_options, store),
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "what became of each file as JSON (schema dejank.import/1)"},
};

struct importer {
    const struct import_options *options;
    struct dj_import_batches batches;
    struct dj_known_files known;
    struct dj_text json; /* the objects of the files so far */
    int code;
};

/* Stores a run; 0 also for a file that is not a run, which sets importer->code. */
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

static void skip_known_file(struct importer *importer, const struct dj_import_file *file,
                            const struct dj_known_file *known)
{
    dj_cli_print_message(
        "%s: the store has it already, as run %lld of batch %s; left out (--again "
        "imports it all the same)",
        file->source, (long long)known->run, known->batch);
    dj_report_imported_file_json(&importer->json, file, "known", known->batch,
                                 known->run);
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
        dj_report_imported_runs_text(&out, &importer->batches);
    }
    int printed = dj_output_print(&out, result == 0 ? err : NULL);
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
    if (values->better != NULL &&
        !dj_import_series_sense_find(values->better, &defaults.sense)) {
        return dj_cli_print_usage_error(
            "--better: expected less, more or neutral, got '%s'", values->better);
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
    for (int i = 0; i < count; i++) {
        code = import_series(values, &defaults, history, files[i], &out);
        worst = code > worst ? code : worst;
    }
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
    if (count == 0) {
        return dj_cli_print_usage_error("expected files (see dejank import --help)");
    }
    if (values->history &&
        (values->names.label != NULL || values->names.name != NULL || values->again)) {
        return dj_cli_print_usage_error(
            "--label, --name and --again are of batches, and do not go with --history");
    }
    if (values->history) {
        return import_history(count, operands, values);
    }
    if (values->metric != NULL || values->unit != NULL || values->better != NULL ||
        values->flow != NULL) {
        return dj_cli_print_usage_error(
            "--metric, --unit, --better and --flow go with --history");
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
    for (int i = 0; i < count && result == 0; i++) {
        result = import_file(importer, operands[i], &err);
    }
    result = finish_import(importer, result, &err);
    int code = dj_cli_finish(result, &err);
    code = code == DJ_EXIT_OK ? importer->code : code;
    free(importer);
    return code;
}

const struct dj_verb dj_verb_import = {
    .name = "import",
    .synopsis = "FILE|- … [--label L] [--build V] [--commit C] [--device-name D]\n"
                "       dejank import FILE|- … --history [--package P] [--metric M] "
                "[--unit U] [--better WAY]",
    .summary = "put dumps and other tools' logs into the store",
    .details = "Each file is a run, all of one package and device are a batch. What a "
               "file is, its first lines\n"
               "tell, also where it is compressed:\n"
               "  gfxinfo text   as any dumpsys printed it\n"
               "  MangoHud       the log, not its _summary.csv; the unit of its "
               "frametime is found out\n"
               "  fps,frametime  two columns, with that header or without\n"
               "  PresentMon     of versions 1 and 2, CapFrameX's CSV too\n"
               "Of a log only what it tells becomes known: no stage is made of the time "
               "between presents. A file\n"
               "that the store has already is left out. Exit code 4 where a file is none "
               "of these or has no frames;\n"
               "the others are in the store.",
    DJ_OPTIONS(options, struct import_options),
    .run = run,
};
