/* The list of accepted changes as JSON and as a document. */
#include "base/json.h"
#include "memory/memory.h"
#include "report/stored_batch.h"
#include "report/trend.h"

static int append_blessing_json(void *user, const struct dj_blessing *blessing)
{
    struct dj_text *out = user;
    dj_json_open_object(out, NULL);
    dj_json_add_string(out, "id", blessing->id);
    dj_json_add_string(out, "project", blessing->project);
    dj_json_add_string(out, "metric", blessing->metric);
    dj_json_add_string(out, "segment", blessing->segment);
    dj_json_add_string(out, "direction", blessing->up ? "up" : "down");
    dj_json_add_known(out, "from_unix_ms",
                      blessing->from_unix_ms != INT64_MIN ? blessing->from_unix_ms : -1);
    dj_json_add_known(out, "from_ordinal", blessing->from_ordinal);
    dj_json_add_string(out, "from", blessing->from_point);
    dj_json_add_string(out, "who", blessing->who);
    dj_json_add_string(out, "why", blessing->why);
    dj_json_add_int(out, "made_unix_ms", blessing->made_unix_ms);
    dj_json_add_string(out, "withdrawn", blessing->withdrawn);
    dj_json_close(out, "}");
    return 0;
}

int dj_report_write_blessings_json(struct dj_text *text, struct dj_store *history,
                                   const char *project, struct dj_error *err)
{
    int code = 0;
    dj_json_open_document(text, "dejank.blessings/1");
    dj_json_open_array(text, "blessings");
    if (history != NULL) {
        code = dj_store_read_blessings(history, project, append_blessing_json, text, err);
    }
    dj_json_close(text, "]}\n");
    return code;
}

static const struct dj_blessing *get_blessing(const void *record)
{
    return record;
}

static void get_id(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_blessing(record)->id);
}

static void get_day(struct dj_cell *cell, const void *record)
{
    dj_report_format_trend_day(&cell->text, get_blessing(record)->made_unix_ms);
}

static void get_change(struct dj_cell *cell, const void *record)
{
    const struct dj_blessing *blessing = get_blessing(record);
    dj_cell_format(cell, "%s %s %s from %s", blessing->project, blessing->metric,
                   blessing->up ? "up" : "down", blessing->from_point);
}

static void get_reason(struct dj_cell *cell, const void *record)
{
    const struct dj_blessing *blessing = get_blessing(record);
    dj_cell_format(cell, "%s: %s", blessing->who, blessing->why);
    if (blessing->withdrawn != NULL) {
        dj_cell_format(cell, " (withdrawn: %s)", blessing->withdrawn);
        cell->tone = DJ_TONE_MUTED;
    }
}

static const struct dj_table_column columns[] = {
    {"blessing", NULL, false, get_id},
    {"made", NULL, false, get_day},
    {"change", NULL, false, get_change},
    {"accepted by", NULL, false, get_reason},
};

/* The table, and how many blessings it has. */
struct blessings {
    struct dj_document table;
    size_t count, withdrawn;
};

static int add_row(void *user, const struct dj_blessing *blessing)
{
    struct blessings *blessings = user;
    dj_document_add_row(&blessings->table, blessing);
    blessings->count++;
    blessings->withdrawn += blessing->withdrawn != NULL;
    return 0;
}

int dj_report_build_blessings(struct dj_document *document, struct dj_store *history,
                              const char *project, struct dj_error *err)
{
    struct blessings blessings = {.count = 0};
    struct dj_text words = {0};
    int code = 0;
    dj_document_begin_table(&blessings.table, columns, COUNT_OF(columns));
    if (history != NULL) {
        code = dj_store_read_blessings(history, project, add_row, &blessings, err);
    }
    size_t valid = blessings.count - blessings.withdrawn;
    dj_text_format(&words, "%zu accepted change%s", valid, valid == 1 ? "" : "s");
    if (blessings.withdrawn > 0) {
        dj_text_format(&words, ", %zu withdrawn", blessings.withdrawn);
    }
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
    dj_document_append(document, &blessings.table);
    return code;
}
