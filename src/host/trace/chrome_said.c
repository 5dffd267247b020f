#include "trace/chrome_said.h"

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

static uint8_t field_of(struct dj_str key)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        if (dj_str_is(key, fields[i].key)) {
            return fields[i].field;
        }
    }
    return DJ_CHROME_NO_FIELD;
}

void dj_chrome_said_begin(struct dj_chrome_said *said)
{
    memset(said->fields, 0, sizeof(said->fields));
    said->series_count = 0;
    said->field = DJ_CHROME_NO_FIELD;
    said->inner = (struct dj_chrome_part){0};
    dj_text_clear(&said->text);
}

static void append(struct dj_chrome_said *said, struct dj_chrome_part *part,
                   struct dj_str text)
{
    size_t room = DJ_CHROME_TEXT - said->text.length;
    size_t length = text.length < room ? text.length : room;
    if (!part->told) {
        *part = (struct dj_chrome_part){.at = said->text.length, .told = true};
    }
    dj_text_append(&said->text, text.at, length);
    part->length += length;
}

static void put_value(struct dj_chrome_said *said, uint8_t field,
                      enum dj_json_token token, struct dj_str text)
{
    if (field != DJ_CHROME_NO_FIELD &&
        (token == DJ_JSON_STRING || token == DJ_JSON_NUMBER)) {
        append(said, &said->fields[field], text);
    }
}

struct dj_str dj_chrome_said_words(const struct dj_chrome_said *said,
                                   const struct dj_chrome_part *part)
{
    return part->told ? (struct dj_str){dj_text_get(&said->text) + part->at, part->length}
                      : (struct dj_str){"", 0};
}

/* Drops the previous key if no value was stored for it. */
static void take_inner_key(struct dj_chrome_said *said, struct dj_str key)
{
    if (said->inner.told && said->inner.at + said->inner.length == said->text.length) {
        said->text.length = said->inner.at;
    }
    if (said->field == DJ_CHROME_ID2) {
        said->fields[DJ_CHROME_ID2] = (struct dj_chrome_part){0};
    }
    said->inner = (struct dj_chrome_part){0};
    append(said, &said->inner, key);
}

/* Stores a number, or a string that may contain one. */
static void put_argument(struct dj_chrome_said *said, enum dj_json_token token,
                         struct dj_str text)
{
    enum { LONGEST_NUMBER = 64 };
    struct dj_chrome_part value = {0};
    bool string = token == DJ_JSON_STRING;
    if ((string || token == DJ_JSON_NUMBER) && text.length < LONGEST_NUMBER &&
        said->series_count < DJ_CHROME_SERIES) {
        append(said, &value, text);
        said->series[said->series_count].name = said->inner;
        said->series[said->series_count].string = string;
        said->series[said->series_count++].value = value;
    }
}

/* Handles a member of args or id2. */
static void take_inner(struct dj_chrome_said *said, enum dj_json_token token,
                       struct dj_str text)
{
    if (token == DJ_JSON_KEY) {
        take_inner_key(said, text);
    } else if (said->field == DJ_CHROME_ID2) {
        put_value(said, DJ_CHROME_ID2, token, text);
    } else if (said->field == DJ_CHROME_ARGS && token == DJ_JSON_STRING &&
               dj_str_is(dj_chrome_said_words(said, &said->inner), "name")) {
        put_value(said, DJ_CHROME_ARGS_NAME, token, text);
    } else if (said->field == DJ_CHROME_ARGS) {
        put_argument(said, token, text);
    }
}

void dj_chrome_said_take(struct dj_chrome_said *said, enum dj_json_token token,
                         struct dj_str text, uint32_t depth)
{
    if (depth == 0 && token == DJ_JSON_KEY) {
        said->field = field_of(text);
        said->fields[said->field] = (struct dj_chrome_part){0};
    } else if (depth == 0) {
        put_value(said, said->field, token, text);
    } else if (depth == 1 && token <= DJ_JSON_NUMBER) {
        take_inner(said, token, text);
    }
    dj_xcheck(!said->text.failed);
}
