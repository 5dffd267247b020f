#include "base/json.h"
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

static int append_blessing(void *user, const struct dj_blessing *blessing)
{
    struct dj_text *out = user;
    dj_text_format(out, "%s  ", blessing->id);
    dj_report_format_trend_day(out, blessing->made_unix_ms);
    dj_text_append_any_name(out, "  ", blessing->project, " ");
    dj_text_append_escaped_name(out, blessing->metric);
    dj_text_append_any_name(out, blessing->up ? " up from " : " down from ",
                            blessing->from_point, ", by ");
    dj_text_append_escaped_name(out, blessing->who);
    dj_text_append_any_name(out, ": ", blessing->why, "");
    if (blessing->withdrawn != NULL) {
        dj_text_append_any_name(out, " (taken back: ", blessing->withdrawn, ")");
    }
    dj_text_add(out, "\n");
    return 0;
}

int dj_report_blessings(struct dj_store *history, const char *project, bool json,
                        struct dj_text *text, struct dj_error *err)
{
    int code = 0;
    if (json) {
        dj_json_open_document(text, "dejank.blessings/1");
        dj_json_open_array(text, "blessings");
    }
    if (history != NULL) {
        code = dj_store_read_blessings(
            history, project, json ? append_blessing_json : append_blessing, text, err);
    }
    if (json) {
        dj_json_close(text, "]}\n");
    }
    return code;
}
