#include <inttypes.h>

#include "base/json.h"
#include "report/moment.h"
#include "report/stored_batch.h"
#include "report/terminal/table.h"

static int append_batch_json(void *user, const struct dj_batch_row *batch)
{
    struct dj_text *text = user;
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "id", batch->id);
    dj_json_add_string(text, "name", batch->name);
    dj_json_add_string(text, "device", batch->serial);
    dj_json_add_string(text, "build", dj_store_build_name(batch));
    dj_json_add_int(text, "runs", batch->runs.clean);
    dj_json_add_int(text, "disturbed", batch->runs.disturbed);
    dj_json_add_int(text, "failed", batch->runs.failed);
    dj_json_add_int(text, "excluded", batch->runs.excluded);
    dj_json_add_known(text, "planned",
                      batch->runs.planned > 0 ? batch->runs.planned : -1);
    dj_json_add_string(text, "project", batch->project);
    dj_json_add_string(text, "kind", batch->kind);
    dj_json_add_string(text, "model", batch->model);
    dj_json_add_string(text, "version", batch->version);
    dj_json_add_string(text, "commit", batch->commit);
    dj_json_add_string(text, "label", batch->label);
    dj_json_add_string(text, "group", batch->group);
    dj_json_add_string(text, "arm", batch->arm);
    dj_json_add_string(text, "excluded_reason", batch->excluded);
    dj_json_add_int(text, "began_unix_ms", batch->began_unix_ms);
    dj_json_close(text, "}");
    return 0;
}

static const struct dj_text_table_column columns[] = {
    {"batch", false},   {"began", false}, {"name", false},
    {"project", false}, {"build", false}, {"device", false},
    {"runs", true},     {"failed", true}, {"excluded", true}};

static int add_batch(void *user, const struct dj_batch_row *batch)
{
    struct dj_text_table *table = user;
    char began[DJ_MOMENT];
    dj_report_moment(batch->began_unix_ms, began);
    dj_table_add(table, batch->id);
    dj_table_add(table, began);
    dj_table_add(table, batch->name);
    dj_table_add(table, batch->project);
    dj_table_add(table, dj_store_build_name(batch));
    dj_table_add(table, batch->serial);
    if (batch->runs.planned > 0) {
        dj_table_format(table, "%" PRId64 "/%" PRId64, batch->runs.clean,
                        batch->runs.planned);
    } else {
        dj_table_format(table, "%" PRId64, batch->runs.clean);
    }
    dj_table_format(table, "%" PRId64, batch->runs.failed);
    dj_table_format(table, "%" PRId64, batch->runs.excluded);
    return 0;
}

int dj_report_batch_list(struct dj_store *history, const struct dj_batch_filter *filter,
                         bool json, struct dj_text *text, struct dj_error *err)
{
    struct dj_text_table table;
    int code = 0;
    dj_table_init(&table, columns, COUNT_OF(columns));
    if (json) {
        dj_json_open_document(text, "dejank.list/1");
        dj_json_open_array(text, "batches");
    }
    if (history != NULL) {
        code =
            dj_store_read_batches(history, filter, json ? append_batch_json : add_batch,
                                  json ? (void *)text : &table, err);
    }
    if (json) {
        dj_json_close(text, "]}\n");
    } else if (code != 0 || table.cell_count > table.column_count) {
        dj_table_append(&table, "", text);
    }
    dj_table_finish(&table);
    return code;
}
