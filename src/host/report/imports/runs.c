#include "base/json.h"
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

void dj_report_imported_runs_text(struct dj_text *out,
                                  const struct dj_import_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++) {
        const struct dj_import_batch *batch = &batches->batch[i];
        dj_text_format(out, "batch %s: %lld run%s of ", batch->id, (long long)batch->runs,
                       batch->runs == 1 ? "" : "s");
        dj_text_append_any_name(out, "", batch->package, "\n");
    }
}
