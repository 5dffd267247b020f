#include <stdlib.h>

#include "base/json.h"
#include "cli/import_batches.h"
#include "cli/import_file.h"
#include "cli/import_known.h"
#include "cli/read_input.h"
#include "cli/store_option.h"
#include "cli/verbs.h"
#include "memory/memory.h"

#define AT(member) offsetof(struct dj_import_options, member)
static const struct dj_option options[] = {
    {"label", 0, DJ_OPTION_STRING, AT(label), "L",
     "what tells these runs from others (\"before\"); part of the build"},
    {"build", 0, DJ_OPTION_STRING, AT(build), "VERSION", "the app's version"},
    {"commit", 0, DJ_OPTION_STRING, AT(commit), "C", "… and its commit"},
    {"device-name", 0, DJ_OPTION_STRING, AT(device_name), "D",
     "the device they were made on; else what the log says, or unknown"},
    {"name", 0, DJ_OPTION_STRING, AT(name), "NAME",
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
    DJ_STORE_OPTION(struct dj_import_options, store),
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "what became of each file as JSON (schema dejank.import/1)"},
};

struct importer {
    struct dj_import_batches batches;
    struct dj_known_files known;
    struct dj_text json; /* the files so far */
    int code;
};

/* ---- a file ---- */

/* What became of one, as JSON. `known` is where the store has it already. */
static void tell(struct importer *importer, const struct dj_import_file *file,
                 const char *state, const char *batch, int64_t run)
{
    struct dj_text *json = &importer->json;
    dj_json_open_object(json, NULL);
    dj_json_put_string(json, "file", file->source);
    dj_json_put_string(json, "state", state);
    dj_json_put_string(json, "format", file->format);
    dj_json_put_string(json, "package", file->package);
    dj_json_put_string(json, "batch", batch);
    dj_json_put_known(json, "run", run > 0 ? run : -1);
    dj_json_put_string(json, "outcome",
                       file->package == NULL ? NULL : dj_run_outcome_name(file->outcome));
    dj_json_put_known(json, "frames", file->package == NULL ? -1 : (int64_t)file->frames);
    dj_json_put_string(json, "unit", file->log.unit);
    dj_json_open_array(json, "notes");
    size_t notes = file->log.note_count;
    for (size_t i = 0; i < notes && i < DJ_LOG_NOTES; i++) {
        dj_json_open_object(json, NULL);
        dj_json_put_known(json, "line",
                          file->log.notes[i].line > 0 ? (int64_t)file->log.notes[i].line
                                                      : -1);
        dj_json_put_string(json, "message", file->log.notes[i].message);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]");
    dj_json_put_int(json, "notes_omitted",
                    notes > DJ_LOG_NOTES ? (int64_t)(notes - DJ_LOG_NOTES) : 0);
    dj_json_close(json, "}");
}

/* A run that was read with that exit code. 0 also where it is none: that is told, and in
 * importer->code. */
static int store_read(struct importer *importer, const struct dj_import_file *file,
                      int code, struct dj_error *err)
{
    if (code == DJ_EXIT_OK) {
        const struct dj_import_batch *batch =
            dj_import_batches_store(&importer->batches, file, err);
        if (batch == NULL) {
            return err->code;
        }
        dj_known_files_add(&importer->known, file->sha256, batch->id, batch->runs);
        tell(importer, file, "imported", batch->id, batch->runs);
        code = file->outcome == DJ_RUN_OK ? DJ_EXIT_OK : DJ_EXIT_DATA;
    } else {
        tell(importer, file, "refused", NULL, 0);
    }
    importer->code = code > importer->code ? code : importer->code;
    return 0;
}

static void pass_over(struct importer *importer, const struct dj_import_file *file,
                      const struct dj_known_file *known)
{
    dj_complain(
        "%s: the store has it already, as run %lld of batch %s; left out (--again "
        "imports it all the same)",
        file->source, (long long)known->run, known->batch);
    tell(importer, file, "known", known->batch, known->run);
    if (file->outcome != DJ_RUN_OK && importer->code == DJ_EXIT_OK) {
        importer->code = DJ_EXIT_DATA;
    }
}

static int import(struct importer *importer, const char *path, struct dj_error *err)
{
    struct dj_import_file file;
    const char *package = importer->batches.options->package;
    int result = 0;
    dj_await_input(path);
    int code = dj_import_read(path, package, &file);
    const struct dj_known_file *known =
        code == DJ_EXIT_OK ? dj_known_files_find(&importer->known, file.sha256) : NULL;
    if (known != NULL && !importer->batches.options->again) {
        pass_over(importer, &file, known);
    } else {
        do {
            result = store_read(importer, &file, code, err);
        } while (result == 0 && dj_import_next(path, package, &file, &code));
    }
    dj_import_finish(&file);
    return result;
}

/* ---- what was done ---- */

static void print_json(const struct importer *importer, struct dj_text *out)
{
    dj_json_open_document(out, "dejank.import/1");
    dj_json_put_string(out, "store", dj_history_path(importer->batches.history));
    dj_json_open_array(out, "batches");
    for (size_t i = 0; i < importer->batches.count; i++) {
        const struct dj_import_batch *batch = &importer->batches.batch[i];
        dj_json_open_object(out, NULL);
        dj_json_put_string(out, "id", batch->id);
        dj_json_put_string(out, "package", batch->package);
        dj_json_put_int(out, "runs", batch->runs);
        dj_json_close(out, "}");
    }
    dj_json_close(out, "]");
    dj_json_open_array(out, "files");
    dj_text_append(out, dj_xtext(&importer->json), importer->json.length);
    dj_json_close(out, "]}\n");
}

static void print_words(const struct importer *importer, struct dj_text *out)
{
    for (size_t i = 0; i < importer->batches.count; i++) {
        const struct dj_import_batch *batch = &importer->batches.batch[i];
        dj_text_format(out, "batch %s: %lld run%s of ", batch->id, (long long)batch->runs,
                       batch->runs == 1 ? "" : "s");
        dj_text_put_any_name(out, "", batch->package, "\n");
    }
}

static int finish(struct importer *importer, int result, struct dj_error *err)
{
    struct dj_text out = {0};
    if (importer->batches.history != NULL && importer->batches.options->json) {
        print_json(importer, &out);
    } else {
        print_words(importer, &out);
    }
    int printed = dj_output_print(&out, result == 0 ? err : NULL);
    dj_text_finish(&out);
    dj_text_finish(&importer->json);
    dj_import_batches_finish(&importer->batches);
    dj_known_files_finish(&importer->known);
    dj_history_close(importer->batches.history);
    return result != 0 ? result : printed;
}

static int run(void *given, int count, char **operands)
{
    struct dj_import_options *values = given;
    if (count == 0) {
        return dj_refuse("expected files (see dejank import --help)");
    }
    if (values->history &&
        (values->label != NULL || values->name != NULL || values->again)) {
        return dj_refuse(
            "--label, --name and --again are of batches, and do not go with --history");
    }
    if (values->history) {
        return dj_import_history(count, operands, values);
    }
    if (values->metric != NULL || values->unit != NULL || values->better != NULL ||
        values->flow != NULL) {
        return dj_refuse("--metric, --unit, --better and --flow go with --history");
    }
    struct dj_error err = {0};
    struct importer *importer = dj_xcalloc(1, sizeof(*importer));
    importer->batches.options = values;
    int result = dj_history_open(values->store, DJ_HISTORY_CREATE,
                                 &importer->batches.history, &err);
    result = result == 0
                 ? dj_known_files_read(&importer->known, importer->batches.history, &err)
                 : result;
    for (int i = 0; i < count && result == 0; i++) {
        result = import(importer, operands[i], &err);
    }
    result = finish(importer, result, &err);
    int code = dj_verb_end(result, &err);
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
    DJ_OPTIONS(options, struct dj_import_options),
    .run = run,
};
