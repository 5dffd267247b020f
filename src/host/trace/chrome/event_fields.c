#include "trace/chrome/event_fields.h"

#include <string.h>

#include "memory/memory.h"

static const struct {
    const char *key;
    uint8_t field;
} fields[] = {
    {"ph", DJ_CHROME_PHASE},        {"ts", DJ_CHROME_TS},     {"dur", DJ_CHROME_DUR},
    {"pid", DJ_CHROME_PID},         {"tid", DJ_CHROME_TID},   {"name", DJ_CHROME_NAME},
    {"cat", DJ_CHROME_CATEGORY},    {"id", DJ_CHROME_ID},     {"id2", DJ_CHROME_ID2},
    {"bind_id", DJ_CHROME_BIND_ID}, {"args", DJ_CHROME_ARGS},
};

static uint8_t find_field(struct dj_str key)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        if (dj_str_is(key, fields[i].key)) {
            return fields[i].field;
        }
    }
    return DJ_CHROME_NO_FIELD;
}

void dj_chrome_fields_reset(struct dj_chrome_fields *raw)
{
    memset(raw->fields, 0, sizeof(raw->fields));
    raw->series_count = 0;
    raw->field = DJ_CHROME_NO_FIELD;
    raw->inner = (struct dj_chrome_text_range){0};
    dj_text_clear(&raw->text);
}

static void append(struct dj_chrome_fields *raw, struct dj_chrome_text_range *part,
                   struct dj_str text)
{
    size_t room = DJ_CHROME_TEXT_MAX - raw->text.length;
    size_t length = text.length < room ? text.length : room;
    if (!part->is_set) {
        *part = (struct dj_chrome_text_range){.at = raw->text.length, .is_set = true};
    }
    dj_text_append(&raw->text, text.at, length);
    part->length += length;
}

static void add_value(struct dj_chrome_fields *raw, uint8_t field,
                      enum dj_json_token token, struct dj_str text)
{
    if (field != DJ_CHROME_NO_FIELD &&
        (token == DJ_JSON_STRING || token == DJ_JSON_NUMBER)) {
        append(raw, &raw->fields[field], text);
    }
}

struct dj_str dj_chrome_fields_get(const struct dj_chrome_fields *raw,
                                   const struct dj_chrome_text_range *part)
{
    return part->is_set
               ? (struct dj_str){dj_text_get(&raw->text) + part->at, part->length}
               : (struct dj_str){"", 0};
}

/* Starts a new key. If the previous key had no value, removes its text. */
static void set_inner_key(struct dj_chrome_fields *raw, struct dj_str key)
{
    if (raw->inner.is_set && raw->inner.at + raw->inner.length == raw->text.length) {
        raw->text.length = raw->inner.at;
    }
    if (raw->field == DJ_CHROME_ID2) {
        raw->fields[DJ_CHROME_ID2] = (struct dj_chrome_text_range){0};
    }
    raw->inner = (struct dj_chrome_text_range){0};
    append(raw, &raw->inner, key);
}

/* Stores a member of `args` that is a number, or a string that may contain a number. */
static void add_argument(struct dj_chrome_fields *raw, enum dj_json_token token,
                         struct dj_str text)
{
    enum { LONGEST_NUMBER = 64 };
    struct dj_chrome_text_range value = {0};
    bool string = token == DJ_JSON_STRING;
    if ((string || token == DJ_JSON_NUMBER) && text.length < LONGEST_NUMBER &&
        raw->series_count < DJ_CHROME_SERIES_MAX) {
        append(raw, &value, text);
        raw->series[raw->series_count].name = raw->inner;
        raw->series[raw->series_count].string = string;
        raw->series[raw->series_count++].value = value;
    }
}

/* Handles a token inside `args` or `id2`. */
static void add_inner(struct dj_chrome_fields *raw, enum dj_json_token token,
                      struct dj_str text)
{
    if (token == DJ_JSON_KEY) {
        set_inner_key(raw, text);
    } else if (raw->field == DJ_CHROME_ID2) {
        add_value(raw, DJ_CHROME_ID2, token, text);
    } else if (raw->field == DJ_CHROME_ARGS && token == DJ_JSON_STRING &&
               dj_str_is(dj_chrome_fields_get(raw, &raw->inner), "name")) {
        add_value(raw, DJ_CHROME_ARGS_NAME, token, text);
    } else if (raw->field == DJ_CHROME_ARGS) {
        add_argument(raw, token, text);
    }
}

void dj_chrome_fields_add_token(struct dj_chrome_fields *raw, enum dj_json_token token,
                                struct dj_str text, uint32_t depth)
{
    if (depth == 0 && token == DJ_JSON_KEY) {
        raw->field = find_field(text);
        raw->fields[raw->field] = (struct dj_chrome_text_range){0};
    } else if (depth == 0) {
        add_value(raw, raw->field, token, text);
    } else if (depth == 1 && token <= DJ_JSON_NUMBER) {
        add_inner(raw, token, text);
    }
    dj_xcheck(!raw->text.failed);
}
