#include "fleet/session.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/hex.h"
#include "base/json.h"

/* The numbers that may be unknown. */
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"version_code", offsetof(struct dj_session, version_code)},
    {"refresh_hz", offsetof(struct dj_session, refresh_hz)},
    {"ram_mb", offsetof(struct dj_session, ram_mb)},
};

static void write_id(struct dj_text *text, const uint8_t *id)
{
    char hex[2 * DJ_SESSION_ID_BYTES + 1];
    dj_hex_write(hex, id, DJ_SESSION_ID_BYTES);
    dj_json_add_string(text, "id", hex);
}

static void write_counters(struct dj_text *text, const struct dj_session *session)
{
    for (size_t i = 0; i < DJ_SESSION_FIRST_CAUSE; i++) {
        if (session->counter[i] >= 0) {
            dj_json_add_int(text, dj_session_counter_names[i], session->counter[i]);
        }
    }
    dj_json_open_object(text, "causes");
    for (size_t i = DJ_SESSION_FIRST_CAUSE; i < DJ_SESSION_COUNTERS; i++) {
        if (session->counter[i] >= 0) {
            dj_json_add_int(text, dj_session_counter_names[i], session->counter[i]);
        }
    }
    dj_json_close(text, "}");
}

static void write_histogram(struct dj_text *text, const char *name,
                            const struct dj_session_histogram *histogram)
{
    dj_json_open_object(text, name);
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        if (histogram->count[i] > 0) {
            char label[16];
            snprintf(label, sizeof(label), "%" PRIu32, dj_frame_bucket_label_ms(i));
            dj_json_add_int(text, label, histogram->count[i]);
        }
    }
    dj_json_close(text, "}");
}

static void write_members(struct dj_text *text, const struct dj_session *session)
{
    struct dj_text day = {0};
    write_id(text, session->id);
    dj_json_add_int(text, "revision", session->revision);
    for (size_t i = 0; i < DJ_SESSION_TEXTS; i++) {
        if (session->text[i][0] != '\0') {
            dj_json_add_string(text, dj_session_text_names[i], session->text[i]);
        }
    }
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        int64_t value = *(const int64_t *)((const char *)session + numbers[i].offset);
        if (value >= 0) {
            dj_json_add_int(text, numbers[i].name, value);
        }
    }
    dj_session_append_day(&day, session->day);
    dj_json_add_text(text, "day", &day);
    dj_json_add_int(text, "start_unix_s", session->start_unix_s);
    write_counters(text, session);
    for (size_t i = 0; i < DJ_SESSION_HISTOGRAMS; i++) {
        if (session->histogram[i].is_known) {
            write_histogram(text, dj_session_histogram_names[i], &session->histogram[i]);
        }
    }
    if (session->figure_count > 0) {
        dj_json_open_object(text, "figures");
        for (size_t i = 0; i < session->figure_count; i++) {
            dj_json_add_number(text, session->figure[i].name, session->figure[i].value);
        }
        dj_json_close(text, "}");
    }
}

/* The line has a text of its own, so that no comma separates it from the line before. */
void dj_session_write_json(struct dj_text *text, const struct dj_session *session)
{
    struct dj_text line = {0};
    dj_json_open_document(&line, DJ_SESSION_SCHEMA);
    write_members(&line, session);
    dj_json_close(&line, "}\n");
    dj_text_append(text, line.data, line.length);
    text->failed |= line.failed;
    dj_text_finish(&line);
}

static int expect(struct dj_error *err, const char *member, const char *expected)
{
    return dj_error_set(err, DJ_E_INVALID, "%s: expected %s", member, expected);
}

static int read_id(const json_t *root, struct dj_session *session, struct dj_error *err)
{
    const char *hex = json_string_value(json_object_get(root, "id"));
    return hex != NULL && dj_hex_read(dj_str_of(hex), session->id, DJ_SESSION_ID_BYTES)
               ? 0
               : expect(err, "id", "32 hexadecimal digits");
}

static int read_texts(const json_t *root, struct dj_session *session,
                      struct dj_error *err)
{
    for (size_t i = 0; i < DJ_SESSION_TEXTS; i++) {
        const json_t *value = json_object_get(root, dj_session_text_names[i]);
        if (value == NULL || json_is_null(value)) {
            continue;
        }
        if (!json_is_string(value)) {
            return expect(err, dj_session_text_names[i], "a string");
        }
        if (json_string_length(value) > DJ_SESSION_TEXT_MOST) {
            return dj_error_set(err, DJ_E_INVALID,
                                "%s: expected at most %d bytes, found %zu",
                                dj_session_text_names[i], DJ_SESSION_TEXT_MOST,
                                json_string_length(value));
        }
        memcpy(session->text[i], json_string_value(value), json_string_length(value));
    }
    return 0;
}

/* Leaves *number unchanged if the member is missing or null. */
static int read_integer(const json_t *object, const char *name, int64_t *number,
                        struct dj_error *err)
{
    const json_t *value = json_object_get(object, name);
    if (value == NULL || json_is_null(value)) {
        return 0;
    }
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        return expect(err, name, "an integer of 0 or more");
    }
    *number = json_integer_value(value);
    return 0;
}

static int read_counters(const json_t *root, struct dj_session *session,
                         struct dj_error *err)
{
    const json_t *causes = json_object_get(root, "causes");
    if (causes != NULL && !json_is_object(causes)) {
        return expect(err, "causes", "an object");
    }
    if (!json_is_integer(json_object_get(root, "frames"))) {
        return expect(err, "frames", "the number of frames");
    }
    int code = 0;
    for (size_t i = 0; i < DJ_SESSION_COUNTERS && code == 0; i++) {
        code = read_integer(i < DJ_SESSION_FIRST_CAUSE ? root : causes,
                            dj_session_counter_names[i], &session->counter[i], err);
    }
    return code;
}

static int read_bucket(const char *histogram, const char *label, const json_t *count,
                       uint32_t *counts, struct dj_error *err)
{
    int64_t label_ms = -1;
    bool is_number = label[0] != '\0' && label[strspn(label, "0123456789")] == '\0' &&
                     dj_str_int(dj_str_of(label), &label_ms) && label_ms < 100000;
    size_t bucket = is_number ? dj_frame_bucket(label_ms * 1000000) : 0;
    if (!is_number || dj_frame_bucket_label_ms(bucket) != label_ms) {
        return dj_error_set(
            err, DJ_E_INVALID,
            "%s: expected a bucket of hwui such as \"5\", found \"%.20s\"", histogram,
            label);
    }
    json_int_t value = json_is_integer(count) ? json_integer_value(count) : -1;
    if (value < 0 || value > UINT32_MAX) {
        return dj_error_set(err, DJ_E_INVALID,
                            "%s: expected a number of frames at bucket \"%s\"", histogram,
                            label);
    }
    counts[bucket] = (uint32_t)value;
    return 0;
}

static int read_histogram(const json_t *root, const char *name,
                          struct dj_session_histogram *histogram, struct dj_error *err)
{
    json_t *object = json_object_get(root, name);
    if (object == NULL || json_is_null(object)) {
        return 0;
    }
    if (!json_is_object(object)) {
        return expect(err, name, "an object of hwui's buckets");
    }
    const char *label;
    json_t *count;
    json_object_foreach(object, label, count)
    {
        int code = read_bucket(name, label, count, histogram->count, err);
        if (code != 0) {
            return code;
        }
    }
    histogram->is_known = json_object_size(object) > 0;
    return 0;
}

static int read_figures(const json_t *root, struct dj_session *session,
                        struct dj_error *err)
{
    json_t *object = json_object_get(root, "figures");
    if (object == NULL || json_is_null(object)) {
        return 0;
    }
    if (!json_is_object(object) || json_object_size(object) > DJ_SESSION_FIGURES_MOST) {
        return expect(err, "figures", "an object of at most 32 numbers");
    }
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (!json_is_number(value) || strlen(name) > DJ_SESSION_NAME_MOST) {
            return expect(err, "figures", "names of at most 64 bytes, and numbers");
        }
        dj_session_add_figure(session, name, json_number_value(value));
    }
    return 0;
}

static int read_time(const json_t *root, struct dj_session *session, struct dj_error *err)
{
    int64_t start = -1;
    int code = read_integer(root, "start_unix_s", &start, err);
    if (code != 0) {
        return code;
    }
    if (start < 0) {
        return expect(err, "start_unix_s", "seconds since 1970");
    }
    dj_session_set_start(session, start);
    const json_t *day = json_object_get(root, "day");
    if (day != NULL &&
        (!json_is_string(day) ||
         !dj_session_parse_day(dj_str_of(json_string_value(day)), &session->day))) {
        return expect(err, "day", "a day such as \"2026-03-31\"");
    }
    return 0;
}

static int read_numbers(const json_t *root, struct dj_session *session,
                        struct dj_error *err)
{
    int code = read_integer(root, "revision", &session->revision, err);
    for (size_t i = 0; i < COUNT_OF(numbers) && code == 0; i++) {
        code = read_integer(root, numbers[i].name,
                            (int64_t *)((char *)session + numbers[i].offset), err);
    }
    return code;
}

static int check_schema(const json_t *root, struct dj_error *err)
{
    const json_t *schema = json_object_get(root, "schema");
    const char *name = json_string_value(schema);
    if (schema != NULL && (name == NULL || strcmp(name, DJ_SESSION_SCHEMA) != 0)) {
        return expect(err, "schema", "\"" DJ_SESSION_SCHEMA "\"");
    }
    return 0;
}

static int read_members(const json_t *root, struct dj_session *session,
                        struct dj_error *err)
{
    static int (*const readers[])(const json_t *, struct dj_session *,
                                  struct dj_error *) = {
        read_id, read_texts, read_numbers, read_time, read_counters, read_figures};
    int code = check_schema(root, err);
    for (size_t i = 0; i < COUNT_OF(readers) && code == 0; i++) {
        code = readers[i](root, session, err);
    }
    for (size_t i = 0; i < DJ_SESSION_HISTOGRAMS && code == 0; i++) {
        code = read_histogram(root, dj_session_histogram_names[i], &session->histogram[i],
                              err);
    }
    return code;
}

int dj_session_read_json(const char *line, size_t length, struct dj_session *session,
                         struct dj_error *err)
{
    dj_session_init(session);
    if (length > DJ_SESSION_JSON_MOST) {
        return dj_error_set(err, DJ_E_INVALID,
                            "expected a session of at most %d bytes, found %zu",
                            DJ_SESSION_JSON_MOST, length);
    }
    json_error_t trouble;
    json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &trouble);
    int code = root == NULL ? dj_error_set(err, DJ_E_INVALID,
                                           "expected a JSON object at byte %d: %s",
                                           trouble.position, trouble.text)
               : !json_is_object(root)
                   ? dj_error_set(err, DJ_E_INVALID, "expected a JSON object")
                   : read_members(root, session, err);
    json_decref(root);
    return code;
}
