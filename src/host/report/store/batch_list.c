/* The list of stored batches as JSON and as a document. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "device/quote.h"
#include "memory/memory.h"
#include "report/moment.h"
#include "report/served_page.h"
#include "report/stored_batch.h"

static void append_batch_json(struct dj_text *text, const struct dj_batch_row *batch)
{
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
}

void dj_report_finish_batch_list(struct dj_batch_list *list)
{
    free(list->rows);
    dj_memory_strings_finish(&list->strings);
    *list = (struct dj_batch_list){0};
}

static int add_row(void *user, const struct dj_batch_row *batch)
{
    struct dj_batch_list *list = user;
    DJ_XPUSH(list->rows, list->count, dj_store_copy_batch_row(&list->strings, batch));
    return 0;
}

int dj_report_load_batch_list(struct dj_batch_list *list, struct dj_store *history,
                              const struct dj_batch_filter *filter, struct dj_error *err)
{
    return history != NULL ? dj_store_read_batches(history, filter, add_row, list, err)
                           : 0;
}

void dj_report_write_batch_list_json(struct dj_text *text,
                                     const struct dj_batch_list *list)
{
    dj_json_open_document(text, "dejank.list/1");
    dj_json_open_array(text, "batches");
    for (size_t i = 0; i < list->count; i++) {
        append_batch_json(text, &list->rows[i]);
    }
    dj_json_close(text, "]}\n");
}

static const char *get_project(const struct dj_batch_row *batch)
{
    return batch->project;
}

static const char *get_name(const struct dj_batch_row *batch)
{
    return batch->name;
}

static const char *get_device(const struct dj_batch_row *batch)
{
    return batch->serial;
}

/* Links a cell to a page of the server. */
static void link_cell(struct dj_cell *cell, const char *folder, const char *name)
{
    dj_text_format(&cell->target, "/%s/", folder);
    dj_report_append_encoded(&cell->target, name);
}

static void write_id(struct dj_cell *cell, const void *record)
{
    const struct dj_batch_row *batch = record;
    dj_cell_format(cell, "%s", batch->id);
    link_cell(cell, "batches", batch->id);
}

static void write_moment(struct dj_cell *cell, const void *record)
{
    char began[DJ_MOMENT];
    dj_report_moment(((const struct dj_batch_row *)record)->began_unix_ms, began);
    dj_cell_format(cell, "%s", began);
}

static void write_text(struct dj_cell *cell, const char *text)
{
    dj_cell_format(cell, "%s", text != NULL ? text : "");
}

static void write_build(struct dj_cell *cell, const void *record)
{
    write_text(cell, dj_store_build_name(record));
}

static void write_name(struct dj_cell *cell, const void *record)
{
    write_text(cell, get_name(record));
}

static void write_project(struct dj_cell *cell, const void *record)
{
    write_text(cell, get_project(record));
    link_cell(cell, "projects", get_project(record));
}

static void write_device(struct dj_cell *cell, const void *record)
{
    write_text(cell, get_device(record));
}

static void write_count(struct dj_cell *cell, int64_t count, const char *name)
{
    if (count > 0) {
        dj_cell_format(cell, ", %" PRId64 " %s", count, name);
    }
}

/* Writes the number of runs that count, and then the other runs: "9 of 10 planned, 1
 * failed". */
static void write_runs(struct dj_cell *cell, const void *record)
{
    const struct dj_batch_row *batch = record;
    dj_cell_format(cell, "%" PRId64, batch->runs.clean);
    if (batch->runs.planned > 0) {
        dj_cell_format(cell, " of %" PRId64, batch->runs.planned);
    }
    write_count(cell, batch->runs.failed, "failed");
    write_count(cell, batch->runs.excluded, "excluded");
    cell->tone = batch->runs.clean == 0 ? DJ_TONE_WARNING : DJ_TONE_PLAIN;
}

/* Columns that the table of a list has only if their values differ. If all batches have
 * the same value, the list shows it once as a field. */
static const struct {
    const char *label;
    const char *(*get)(const struct dj_batch_row *batch);
    void (*write)(struct dj_cell *cell, const void *record);
} optional[] = {
    {"project", get_project, write_project},
    {"name", get_name, write_name},
    {"device", get_device, write_device},
};
enum { OPTIONAL = COUNT_OF(optional), COLUMNS_MAX = OPTIONAL + 4 };
/* Returns whether the first `count` rows have the same value. */
static bool is_same(const struct dj_batch_list *list, size_t count,
                    const char *(*get)(const struct dj_batch_row *batch))
{
    const char *first = get(&list->rows[0]);
    for (size_t i = 1; i < count; i++) {
        const char *other = get(&list->rows[i]);
        if ((first == NULL) != (other == NULL) ||
            (first != NULL && strcmp(first, other) != 0)) {
            return false;
        }
    }
    return true;
}

void dj_report_add_batch_list(struct dj_document *document,
                              const struct dj_batch_list *list, size_t most)
{
    struct dj_table_column columns[COLUMNS_MAX] = {
        {"batch", NULL, false, write_id},
        {"began", NULL, false, write_moment},
        {"build", NULL, false, write_build},
    };
    size_t column_count = 3;
    size_t count = list->count < most ? list->count : most;
    for (size_t i = 0; count > 0 && i < OPTIONAL; i++) {
        if (!is_same(list, count, optional[i].get)) {
            columns[column_count++] = (struct dj_table_column){optional[i].label, NULL,
                                                               false, optional[i].write};
        } else if (optional[i].get(&list->rows[0]) != NULL) {
            struct dj_text words = {0};
            dj_text_add(&words, optional[i].get(&list->rows[0]));
            dj_document_add_field(document, optional[i].label, &words);
        }
    }
    columns[column_count++] = (struct dj_table_column){"runs", NULL, false, write_runs};
    dj_document_begin_table(document, columns, column_count);
    for (size_t i = 0; i < count; i++) {
        dj_document_add_row(document, &list->rows[i]);
    }
}

static void add_command(struct dj_document *document, const char *store,
                        const char *purpose, const char *verb, const char *first,
                        const char *second)
{
    struct dj_text command = {0};
    dj_text_format(&command, "dejank %s %s%s%s", verb, first,
                   second[0] != '\0' ? " " : "", second);
    if (store != NULL) {
        dj_text_add(&command, " --store ");
        dj_device_quote_word(&command, store);
    }
    dj_document_add_command(document, dj_xtext(&command), purpose);
    dj_text_finish(&command);
}

void dj_report_build_batch_list(struct dj_document *document,
                                const struct dj_batch_list *list, const char *store)
{
    struct dj_text words = {0};
    dj_document_set_title(document, "Batches — dejank list");
    dj_text_format(&words, "%zu batch%s%s", list->count, list->count == 1 ? "" : "es",
                   list->count > 1 ? ", newest first" : "");
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
    dj_report_add_batch_list(document, list, list->count);
    add_command(document, store, "the runs and figures of the newest batch", "show",
                list->rows[0].id, "");
    if (list->count > 1) {
        add_command(document, store,
                    "decide whether the newest batch is slower than the "
                    "batch before",
                    "compare", list->rows[1].id, list->rows[0].id);
    }
}
