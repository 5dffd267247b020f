#include "import/log/json.h"

#include <jansson.h>
#include <math.h>

#include "input/sniff.h"
#include "memory/memory.h"

/* A log has this format if it contains both keys. The keys are searched for in the whole
 * text, because the keys of a JSON object have no order. */
static const struct {
    const char *keys[2];
    struct dj_log_format format;
    int (*read)(const struct json_t *root, struct dj_log *log, struct dj_error *err);
} logs[] = {
    {{"\"Runs\"", "\"CaptureData\""},
     {.name = "capframex", .words = "CapFrameX capture"},
     dj_log_read_capframex},
    {{"\"benchmarks\"", "\"frameDurationCpuMs\""},
     {.name = "macrobenchmark", .words = "Macrobenchmark result"},
     dj_log_read_macrobenchmark},
    {{"\"iterations\"", "\"measures\""},
     {.name = "flashlight", .words = "flashlight result"},
     dj_log_read_flashlight},
};
enum { LOGS = COUNT_OF(logs) };

static bool contains_key(const char *bytes, size_t length, const char *key)
{
    return memmem(bytes, length, key, strlen(key)) != NULL;
}

const struct dj_log_format *dj_log_json_find(const char *bytes, size_t length)
{
    bool is_object = dj_input_sniff_find_first(bytes, length) == '{';
    for (size_t i = 0; i < LOGS && is_object; i++) {
        if (contains_key(bytes, length, logs[i].keys[0]) &&
            contains_key(bytes, length, logs[i].keys[1])) {
            return &logs[i].format;
        }
    }
    return NULL;
}

int dj_log_json_read(const char *bytes, size_t length, struct dj_log *log,
                     struct dj_error *err)
{
    json_error_t json_error;
    int result = DJ_E_INVALID;
    size_t bom = length > 0 && bytes[0] == '\xef' ? 3 : 0;
    json_t *root = json_loadb(bytes + bom, length - bom, 0, &json_error);
    if (root == NULL) {
        log->error_line = json_error.line > 0 ? (size_t)json_error.line : 1;
        return dj_error_set(err, DJ_E_INVALID, "invalid JSON at column %d: %.140s",
                            json_error.column, json_error.text);
    }
    for (size_t i = 0; i < LOGS; i++) {
        if (log->format == &logs[i].format) {
            result = logs[i].read(root, log, err);
        }
    }
    json_decref(root);
    return result;
}

const char *dj_log_json_get_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL && text[0] != '\0' ? text : NULL;
}

bool dj_log_json_get_number(const json_t *value, double *number)
{
    *number = json_number_value(value);
    return json_is_number(value) && isfinite(*number);
}

struct dj_log_stream *dj_log_json_add_run(struct dj_log *log, const char *process,
                                          struct dj_error *err)
{
    if (log->stream_count == DJ_LOG_RUNS) {
        dj_error_set(err, DJ_E_LIMIT, "the file has more than the maximum of %d runs",
                     DJ_LOG_RUNS);
        return NULL;
    }
    struct dj_log_stream *stream = dj_log_add_stream(log);
    stream->run = log->run_count++;
    stream->process = dj_xstrdup(process);
    return stream;
}

void dj_log_json_add_facts(struct dj_log *log, const json_t *object,
                           const struct dj_log_json_fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char number[32];
        const json_t *value = json_object_get(object, facts[i].key);
        const char *text = json_string_value(value);
        if (json_is_number(value)) {
            snprintf(number, sizeof(number), "%.15g", json_number_value(value));
            text = number;
        }
        if (text != NULL) {
            dj_log_add_fact(log, dj_str_of(facts[i].name), dj_str_of(text));
        }
    }
}
