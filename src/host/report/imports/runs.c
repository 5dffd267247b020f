#include "base/json.h"
#include "device/quote.h"
#include "memory/memory.h"
#include "report/imports.h"

void dj_report_imported_file_json(struct dj_text *json, const struct dj_import_file *file,
                                  const char *state, const char *batch, int64_t run)
{
    dj_json_open_object(json, NULL);
    dj_json_add_string(json, "file", file->source);
    dj_json_add_string(json, "state", state);
    dj_json_add_string(json, "format", file->format);
    dj_json_add_string(json, "package", file->package);
    dj_json_add_string(json, "batch", batch);
    dj_json_add_known(json, "run", run > 0 ? run : -1);
    dj_json_add_string(json, "outcome",
                       file->package == NULL ? NULL
                                             : dj_facts_outcome_name(file->outcome));
    dj_json_add_known(json, "frames", file->package == NULL ? -1 : (int64_t)file->frames);
    dj_json_add_string(json, "unit", file->log.unit);
    dj_json_open_array(json, "notes");
    size_t notes = file->log.note_count;
    for (size_t i = 0; i < notes && i < DJ_LOG_NOTES; i++) {
        dj_json_open_object(json, NULL);
        dj_json_add_known(json, "line",
                          file->log.notes[i].line > 0 ? (int64_t)file->log.notes[i].line
                                                      : -1);
        dj_json_add_string(json, "message", file->log.notes[i].message);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]");
    dj_json_add_int(json, "notes_omitted",
                    notes > DJ_LOG_NOTES ? (int64_t)(notes - DJ_LOG_NOTES) : 0);
    dj_json_close(json, "}");
}

void dj_report_imported_runs_json(struct dj_text *out,
                                  const struct dj_import_batches *batches,
                                  const struct dj_text *files)
{
    dj_json_open_document(out, "dejank.import/1");
    dj_json_add_string(out, "store", dj_store_path(batches->history));
    dj_json_open_array(out, "batches");
    for (size_t i = 0; i < batches->count; i++) {
        const struct dj_import_batch *batch = &batches->batch[i];
        dj_json_open_object(out, NULL);
        dj_json_add_string(out, "id", batch->id);
        dj_json_add_string(out, "package", batch->package);
        dj_json_add_int(out, "runs", batch->runs);
        dj_json_close(out, "}");
    }
    dj_json_close(out, "]");
    dj_json_open_array(out, "files");
    dj_text_append(out, files->data, files->length);
    dj_json_close(out, "]}\n");
}

static const struct dj_import_batch *get_batch(const void *record)
{
    return record;
}

static void get_id(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_batch(record)->id);
}

static void get_package(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_batch(record)->package);
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%lld", (long long)get_batch(record)->runs);
}

static const struct dj_table_column columns[] = {
    {"batch", NULL, false, get_id},
    {"package", NULL, false, get_package},
    {"runs", NULL, true, get_runs},
};

static void add_verdict(struct dj_document *document,
                        const struct dj_import_batches *batches)
{
    const struct dj_import_batch *first = &batches->batch[0];
    struct dj_text words = {0};
    long long runs = 0;
    for (size_t i = 0; i < batches->count; i++) {
        runs += (long long)batches->batch[i].runs;
    }
    if (batches->count == 1) {
        dj_text_format(&words, "Imported %lld run%s of %s as batch %s", runs,
                       runs == 1 ? "" : "s", first->package, first->id);
    } else {
        dj_text_format(&words, "Imported %lld runs as %zu batches", runs, batches->count);
    }
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
}

void dj_report_build_imported_runs(struct dj_document *document,
                                   const struct dj_import_batches *batches,
                                   const char *store)
{
    struct dj_text command = {0};
    if (batches->count == 0) {
        return;
    }
    add_verdict(document, batches);
    if (batches->count > 1) {
        dj_document_begin_table(document, columns, COUNT_OF(columns));
        for (size_t i = 0; i < batches->count; i++) {
            dj_document_add_row(document, &batches->batch[i]);
        }
    }
    dj_text_format(&command, "dejank show %s", batches->batch[0].id);
    if (store != NULL) {
        dj_text_add(&command, " --store ");
        dj_device_quote_word(&command, store);
    }
    dj_document_add_command(document, dj_xtext(&command), "its runs and their figures");
    dj_text_finish(&command);
}
