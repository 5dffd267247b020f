#include <inttypes.h>

#include "base/json.h"
#include "cli/store_option.h"
#include "cli/verbs.h"
#include "report/text_table.h"

struct list_options {
    struct dj_batch_filter filter;
    const char *store;
    bool json;
};

#define AT(member) offsetof(struct list_options, member)
static const struct dj_option options[] = {
    {"project", 0, DJ_OPTION_STRING, AT(filter.project), "P",
     "only batches of this project (the package)"},
    {"device", 'd', DJ_OPTION_STRING, AT(filter.serial), "D",
     "… of the device with this serial"},
    {"name", 0, DJ_OPTION_STRING, AT(filter.name), "NAME", "… of this name"},
    {"newest", 'n', DJ_OPTION_COUNT, AT(filter.most), "N", "the newest N of them"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "as JSON, schema dejank.list/1"},
    DJ_STORE_OPTION(struct list_options, store),
};

/* ---- JSON ---- */

static int put_batch(void *user, const struct dj_batch_row *batch)
{
    struct dj_text *text = user;
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "id", batch->id);
    dj_json_put_string(text, "name", batch->name);
    dj_json_put_string(text, "device", batch->serial);
    dj_json_put_string(text, "build", dj_batch_build_name(batch));
    dj_json_put_int(text, "runs", batch->runs.clean);
    dj_json_put_int(text, "disturbed", batch->runs.disturbed);
    dj_json_put_int(text, "failed", batch->runs.failed);
    dj_json_put_int(text, "excluded", batch->runs.excluded);
    dj_json_put_known(text, "planned",
                      batch->runs.planned > 0 ? batch->runs.planned : -1);
    dj_json_put_string(text, "project", batch->project);
    dj_json_put_string(text, "kind", batch->kind);
    dj_json_put_string(text, "model", batch->model);
    dj_json_put_string(text, "version", batch->version);
    dj_json_put_string(text, "commit", batch->commit);
    dj_json_put_string(text, "label", batch->label);
    dj_json_put_string(text, "group", batch->group);
    dj_json_put_string(text, "arm", batch->arm);
    dj_json_put_string(text, "excluded_reason", batch->excluded);
    dj_json_put_int(text, "began_unix_ms", batch->began_unix_ms);
    dj_json_close(text, "}");
    return 0;
}

/* ---- the table ---- */

static const struct dj_table_column columns[] = {
    {"batch", false},   {"began", false}, {"name", false},
    {"project", false}, {"build", false}, {"device", false},
    {"runs", true},     {"failed", true}, {"excluded", true}};

static int add_batch(void *user, const struct dj_batch_row *batch)
{
    struct dj_table *table = user;
    char began[DJ_MOMENT];
    dj_report_moment(batch->began_unix_ms, began);
    dj_table_add(table, batch->id);
    dj_table_add(table, began);
    dj_table_add(table, batch->name);
    dj_table_add(table, batch->project);
    dj_table_add(table, dj_batch_build_name(batch));
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

/* ---- both ---- */

static int list(struct dj_history *history, const struct dj_batch_filter *filter,
                bool json, struct dj_text *text, struct dj_error *err)
{
    struct dj_table table;
    int code = 0;
    dj_table_init(&table, columns, COUNT_OF(columns));
    if (json) {
        dj_json_open_document(text, "dejank.list/1");
        dj_json_open_array(text, "batches");
    }
    if (history != NULL) {
        code = dj_history_each_batch(history, filter, json ? put_batch : add_batch,
                                     json ? (void *)text : &table, err);
    }
    if (json) {
        dj_json_close(text, "]}\n");
    } else if (code == 0 && table.cell_count == table.column_count) {
        dj_complain("no such batch is in the store");
    } else {
        dj_table_print(&table, "", text);
    }
    dj_table_finish(&table);
    return code;
}

static int run(void *given, int count, char **operands)
{
    struct list_options *values = given;
    struct dj_history *history;
    struct dj_text text = {0};
    struct dj_error err = {0};
    (void)operands;
    if (count != 0) {
        return dj_refuse("expected no other words (see dejank list --help)");
    }
    int code = dj_store_open_existing(values->store, &history, &err);
    code = code == 0 ? list(history, &values->filter, values->json, &text, &err) : code;
    dj_history_close(history);
    return dj_output_end(code, &text, &err);
}

const struct dj_verb dj_verb_list = {
    .name = "list",
    .synopsis =
        "[--project P] [--device D] [--name NAME] [-n N] [--json] [--store PATH|URL]",
    .summary = "the batches of runs that the store holds, the newest first",
    .details = "runs: clean and finished ones of those planned; failed: of another "
               "outcome than ok; excluded: left\n"
               "out with a reason. Warm-up runs count nowhere. Without a store there are "
               "no batches; one that\n"
               "--store names must be there.",
    DJ_OPTIONS(options, struct list_options),
    .run = run,
};
