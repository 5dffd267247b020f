/*
 * Reads the JSON of several tools:
 *
 *     [1786.0, 1859.0, …]   (plain values)
 *     {"metric": "p95", "unit": "ms", "values": […], "times": […], "commits": […]}
 *     [{"time": …, "commit": …, "metric": …, "value": …}, …]
 *     … or one such point per line
 *     {"metric": …, "points": [{…}, …]}, {"series": [{…}, …]}
 *     {"data": [{"push_timestamp": …, "revision": …, "value": …}]}
 *     {"test_runs": [[id, [build, time, "revision"], 1363976019, 303.5, …], …]}
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "import/series_private.h"

enum {
    LEVELS = 4, /* Maximum nesting depth of the lists and objects that contain values. */
    WORD = 40   /* Size of the buffer for a number as text, in bytes. */
};

struct reader {
    struct dj_series_file *file;
    size_t points; /* Number of points so far, for error messages. */
    int level;
    struct dj_error *err;
};

/* Returns a value as text, or NULL if it is neither a text nor a number. Numbers are
 * written to `buffer`. */
static const char *get_word(const json_t *value, char buffer[WORD])
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    if (json_is_integer(value)) {
        snprintf(buffer, WORD, "%lld", (long long)json_integer_value(value));
        return buffer;
    }
    if (json_is_real(value)) {
        snprintf(buffer, WORD, "%.17g", json_real_value(value));
        return buffer;
    }
    return NULL;
}

static int set_expected_error(struct reader *reader, const char *what,
                              const char *expected)
{
    return dj_import_series_set_error(reader->file, reader->points, reader->err,
                                      "%s: expected %s", what, expected);
}

struct words {
    char buffer[DJ_SERIES_KEYS][WORD];
    const char *text[DJ_SERIES_KEYS];
    size_t rank[DJ_SERIES_KEYS];
    const json_t *value;
};

static void read_words(const json_t *object, struct words *words)
{
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)object, name, member)
    {
        size_t rank = 0;
        enum dj_series_key key = dj_import_series_key_find(name, &rank);
        bool better =
            key < DJ_SERIES_KEYS && (words->text[key] == NULL || rank < words->rank[key]);
        if (key == DJ_SERIES_KEY_VALUE && (words->value == NULL || better)) {
            words->value = member;
            words->rank[key] = rank;
        } else if (better && key != DJ_SERIES_KEY_VALUE) {
            const char *word = get_word(member, words->buffer[key]);
            words->text[key] = word != NULL ? word : words->text[key];
            words->rank[key] = word != NULL ? rank : words->rank[key];
        }
    }
}

static int read_sense(struct reader *reader, const char *word,
                      enum dj_series_sense *sense)
{
    return word == NULL || dj_import_series_sense_find(word, sense)
               ? 0
               : set_expected_error(reader, "the direction", "less, more or neutral");
}

static int create_row(struct reader *reader, const struct words *words,
                      const struct dj_series_row *outer, struct dj_series_row *row)
{
    *row = *outer;
    for (size_t i = 0; i < DJ_SERIES_KEYS; i++) {
        row->text[i] = words->text[i] != NULL ? words->text[i] : outer->text[i];
    }
    return read_sense(reader, words->text[DJ_SERIES_KEY_SENSE], &row->sense);
}

static int add_value(struct reader *reader, const json_t *value,
                     const struct dj_series_row *row)
{
    struct dj_series_row whole = *row;
    reader->points++;
    if (json_is_null(value)) {
        reader->file->empty++;
        return 0;
    }
    if (!json_is_number(value)) {
        return set_expected_error(reader, "the value", "a number");
    }
    whole.value = json_number_value(value);
    whole.line = reader->points;
    return dj_import_series_add(reader->file, &whole, reader->err);
}

/* Keys of arrays that may accompany "values". Such an array has one entry for each
 * value. */
static const struct {
    const char *keys[4];
    enum dj_series_key key;
} companions[] = {
    {{"times", "timestamps", "dates", "time"}, DJ_SERIES_KEY_TIME},
    {{"commits", "revisions", "commit", "shas"}, DJ_SERIES_KEY_COMMIT},
    {{"versions", "version", "builds", "tags"}, DJ_SERIES_KEY_VERSION},
};

static int check_lengths(struct reader *reader, const json_t *object,
                         const json_t *arrays[COUNT_OF(companions)], size_t count)
{
    for (size_t i = 0; i < COUNT_OF(companions); i++) {
        arrays[i] = NULL;
        for (size_t k = 0; k < COUNT_OF(companions[i].keys) && arrays[i] == NULL; k++) {
            const json_t *found = json_object_get(object, companions[i].keys[k]);
            arrays[i] = json_is_array(found) ? found : NULL;
        }
        if (arrays[i] != NULL && json_array_size(arrays[i]) != count) {
            return set_expected_error(reader, companions[i].keys[0],
                                      "as many entries as 'values'");
        }
    }
    return 0;
}

static int add_values(struct reader *reader, const json_t *values, const json_t *object,
                      const struct dj_series_row *outer)
{
    const json_t *arrays[COUNT_OF(companions)];
    size_t count = json_array_size(values);
    int code = check_lengths(reader, object, arrays, count);
    for (size_t i = 0; i < count && code == 0; i++) {
        char buffer[COUNT_OF(companions)][WORD];
        struct dj_series_row row = *outer;
        for (size_t k = 0; k < COUNT_OF(companions); k++) {
            const char *word = get_word(json_array_get(arrays[k], i), buffer[k]);
            if (word != NULL) {
                row.text[companions[k].key] = word;
            }
        }
        code = add_value(reader, json_array_get(values, i), &row);
    }
    return code;
}

/* Adds a test run: [id, [build, time, "revision"], seconds since 1970, value, …]. */
static int add_test_run(struct reader *reader, const json_t *run,
                        const struct dj_series_row *outer)
{
    char buffer[WORD];
    struct dj_series_row row = *outer;
    const json_t *time = json_array_get(run, 2);
    if (json_array_size(run) < 4 || !json_is_number(time)) {
        reader->points++;
        return set_expected_error(reader, "test_runs",
                                  "[id, [build, time, revision], seconds, value]");
    }
    row.text[DJ_SERIES_KEY_COMMIT] =
        json_string_value(json_array_get(json_array_get(run, 1), 2));
    row.text[DJ_SERIES_KEY_TIME] = get_word(time, buffer);
    return add_value(reader, json_array_get(run, 3), &row);
}

static int read_value(struct reader *reader, const json_t *value,
                      const struct dj_series_row *outer);

static int add_items(struct reader *reader, const json_t *array,
                     const struct dj_series_row *outer, bool test_runs)
{
    int code = 0;
    for (size_t i = 0; i < json_array_size(array) && code == 0; i++) {
        const json_t *item = json_array_get(array, i);
        code = test_runs ? add_test_run(reader, item, outer)
                         : read_value(reader, item, outer);
    }
    return code;
}

static const struct {
    const char *key;
    bool test_runs;
} lists[] = {{"points", false},  {"series", false},       {"data", false},
             {"results", false}, {"measurements", false}, {"test_runs", true}};

static int read_object(struct reader *reader, const json_t *object,
                       const struct dj_series_row *outer)
{
    struct words words = {0};
    struct dj_series_row row;
    read_words(object, &words);
    int code = create_row(reader, &words, outer, &row);
    if (code != 0) {
        return code;
    }
    const json_t *values = json_object_get(object, "values");
    if (json_is_array(values)) {
        return add_values(reader, values, object, &row);
    }
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const json_t *list = json_object_get(object, lists[i].key);
        if (json_is_array(list)) {
            return add_items(reader, list, &row, lists[i].test_runs);
        }
    }
    if (words.value != NULL && !json_is_array(words.value) &&
        !json_is_object(words.value)) {
        return add_value(reader, words.value, &row);
    }
    reader->points++;
    return set_expected_error(
        reader, "an object",
        "a member 'value', 'values', 'points', 'series', 'data' or 'test_runs'");
}

static int read_value(struct reader *reader, const json_t *value,
                      const struct dj_series_row *outer)
{
    if (reader->level == LEVELS) {
        return set_expected_error(reader, "arrays and objects", "at most 4 levels");
    }
    reader->level++;
    int code = json_is_array(value)    ? add_items(reader, value, outer, false)
               : json_is_object(value) ? read_object(reader, value, outer)
                                       : add_value(reader, value, outer);
    reader->level--;
    return code;
}

static bool is_blank(const char *bytes, size_t length)
{
    size_t i = 0;
    while (i < length && memchr(" \t\r\n", bytes[i], 4) != NULL) {
        i++;
    }
    return i == length;
}

/* Reads one JSON value, or several consecutive ones. */
static int read_values(struct reader *reader, const char *bytes, size_t length)
{
    static const struct dj_series_row nothing = {0};
    size_t at = 0;
    size_t line = 1;
    size_t line_start = 0; /* Position at which the line of `at` begins. */
    int code = 0;
    while (code == 0 && !is_blank(bytes + at, length - at)) {
        json_error_t json_error;
        json_t *root =
            json_loadb(bytes + at, length - at, JSON_DISABLE_EOF_CHECK, &json_error);
        if (root == NULL) {
            bool same_line = json_error.line <= 1;
            reader->file->error_line =
                line + (same_line ? 0 : (size_t)json_error.line - 1);
            return dj_error_set(
                reader->err, DJ_E_INVALID, "line %zu: invalid JSON at column %zu: %.140s",
                reader->file->error_line,
                (size_t)json_error.column + (same_line ? at - line_start : 0),
                json_error.text);
        }
        code = read_value(reader, root, &nothing);
        if (code == DJ_E_INVALID) {
            dj_error_prepend(reader->err, "point %zu", reader->file->error_line);
        }
        json_decref(root);
        for (size_t i = 0; i < (size_t)json_error.position && at + i < length; i++) {
            if (bytes[at + i] == '\n') {
                line++;
                line_start = at + i + 1;
            }
        }
        at += (size_t)json_error.position;
    }
    return code;
}

int dj_import_series_read_json(const char *bytes, size_t length,
                               struct dj_series_file *file, struct dj_error *err)
{
    struct reader reader = {.file = file, .err = err};
    size_t bom = length > 0 && bytes[0] == '\xef' ? 3 : 0;
    return read_values(&reader, bytes + bom, length - bom);
}
