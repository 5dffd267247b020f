#include "report/dump_replay.h"

#include <jansson.h>
#include <string.h>

#include "memory/memory.h"

static int number_of(const json_t *object, const char *key, int64_t least, int64_t *value,
                     struct dj_error *err)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_integer(member) || json_integer_value(member) < least) {
        return dj_error_set(err, DJ_E_INVALID, "\"%s\" must be a whole number%s", key,
                            least > 0 ? " above 0" : "");
    }
    *value = json_integer_value(member);
    return 0;
}

static int columns_of(const json_t *object, struct dj_column_list *columns,
                      struct dj_error *err)
{
    const json_t *names = json_object_get(object, "columns");
    size_t count = json_array_size(names);
    if (count == 0 || count > DJ_COLUMN_COUNT) {
        return dj_error_set(err, DJ_E_INVALID,
                            "\"columns\" must be a list of 1 to %d names",
                            DJ_COLUMN_COUNT);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        enum dj_column column;
        if (name == NULL || !dj_frame_column_find(name, strlen(name), &column)) {
            return dj_error_set(err, DJ_E_INVALID,
                                "\"columns\" has a name that is no release's: %.64s",
                                name != NULL ? name : "(not a text)");
        }
        columns->column[columns->count++] = (uint8_t)column;
    }
    return 0;
}

/* Converts a row of the JSON to a frame. A null in the row is an unknown value. */
static int frame_of(const json_t *row, const struct dj_column_list *columns,
                    struct dj_frame *frame)
{
    if (json_array_size(row) != columns->count) {
        return -1;
    }
    for (size_t i = 0; i < columns->count; i++) {
        const json_t *value = json_array_get(row, i);
        if (json_is_integer(value)) {
            dj_frame_set(frame, (enum dj_column)columns->column[i],
                         json_integer_value(value));
        } else if (!json_is_null(value)) {
            return -1;
        }
    }
    return 0;
}

static int frames_of(const json_t *object, struct dj_replay *replay, struct dj_error *err)
{
    struct dj_column_list columns = {0};
    int code = columns_of(object, &columns, err);
    if (code != 0) {
        return code;
    }
    const json_t *rows = json_object_get(object, "frames");
    if (!json_is_array(rows)) {
        return dj_error_set(err, DJ_E_INVALID, "\"frames\" must be a list");
    }
    size_t count = json_array_size(rows);
    replay->frames = dj_xcalloc(count, sizeof(replay->frames[0]));
    for (size_t i = 0; i < count; i++) {
        if (frame_of(json_array_get(rows, i), &columns, &replay->frames[i]) != 0) {
            return dj_error_set(err, DJ_E_INVALID,
                                "frame %zu must be a list of %u whole numbers", i + 1,
                                columns.count);
        }
    }
    replay->frame_count = count;
    return 0;
}

int dj_report_replay_read(const char *json, size_t length, struct dj_replay *replay,
                          struct dj_error *err)
{
    *replay = (struct dj_replay){0};
    json_error_t trouble;
    json_t *object = json_loadb(json, length, JSON_REJECT_DUPLICATES, &trouble);
    if (object == NULL) {
        return dj_error_set(err, DJ_E_INVALID, "invalid JSON at byte %d: %.160s",
                            trouble.position, trouble.text);
    }
    const struct {
        const char *key;
        int64_t least, *value;
    } numbers[] = {{"vsync_ns", 1, &replay->vsync_ns},
                   {"sf_offset_ns", INT64_MIN, &replay->sf_offset_ns},
                   {"app_offset_ns", INT64_MIN, &replay->app_offset_ns}};
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(numbers) && code == 0; i++) {
        code = number_of(object, numbers[i].key, numbers[i].least, numbers[i].value, err);
    }
    code = code == 0 ? frames_of(object, replay, err) : code;
    json_decref(object);
    return code;
}
