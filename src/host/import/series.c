#include "import/series.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "import/series_private.h"
#include "input/sniff.h"
#include "memory/memory.h"

int dj_import_series_set_error(struct dj_series_file *file, size_t line,
                               struct dj_error *err, const char *format, ...)
{
    struct dj_error scratch;
    char message[sizeof(scratch.message)];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof(message), format, list);
    va_end(list);
    file->error_line = line;
    return dj_error_set(err, DJ_E_INVALID, "%s", message);
}

static const char *get_or_default(const char *text, const char *otherwise)
{
    return text != NULL && text[0] != '\0' ? text : otherwise;
}

static bool are_equal(const char *a, const char *b)
{
    return strcmp(get_or_default(a, ""), get_or_default(b, "")) == 0;
}

/* Returns a copy that is valid as long as the file, or NULL if the text is NULL or "". */
static const char *copy_text(struct dj_series_file *file, const char *text)
{
    return dj_memory_strings_add(&file->strings, get_or_default(text, NULL));
}

static bool matches_row(const struct dj_series *series, const struct dj_series_row *row)
{
    return are_equal(series->metric, row->text[DJ_SERIES_KEY_METRIC]) &&
           are_equal(series->flow, row->text[DJ_SERIES_KEY_FLOW]) &&
           are_equal(series->device, row->text[DJ_SERIES_KEY_DEVICE]) &&
           are_equal(series->release, row->text[DJ_SERIES_KEY_RELEASE]) &&
           are_equal(series->config, row->text[DJ_SERIES_KEY_CONFIG]);
}

static int add_series(struct dj_series_file *file, const struct dj_series_row *row,
                      struct dj_error *err)
{
    if (file->count == DJ_SERIES_MOST) {
        file->error_line = row->line;
        return dj_error_set(err, DJ_E_LIMIT,
                            "the file has more than the maximum of %d series",
                            DJ_SERIES_MOST);
    }
    DJ_XPUSH(file->series, file->count,
             (struct dj_series){
                 .metric = copy_text(file, row->text[DJ_SERIES_KEY_METRIC]),
                 .unit = copy_text(file, row->text[DJ_SERIES_KEY_UNIT]),
                 .sense = row->sense,
                 .flow = copy_text(file, row->text[DJ_SERIES_KEY_FLOW]),
                 .device = copy_text(file, row->text[DJ_SERIES_KEY_DEVICE]),
                 .release = copy_text(file, row->text[DJ_SERIES_KEY_RELEASE]),
                 .config = copy_text(file, row->text[DJ_SERIES_KEY_CONFIG]),
                 .unit_line = row->line,
             });
    return 0;
}

/* Sets file->last to the index of the series of the row. Adds the series if it is new. */
static int find_series(struct dj_series_file *file, const struct dj_series_row *row,
                       struct dj_error *err)
{
    if (file->last < file->count && matches_row(&file->series[file->last], row)) {
        return 0;
    }
    file->last = 0;
    while (file->last < file->count && !matches_row(&file->series[file->last], row)) {
        file->last++;
    }
    return file->last < file->count ? 0 : add_series(file, row, err);
}

static int check_row(struct dj_series_file *file, const struct dj_series *series,
                     const struct dj_series_row *row, bool timed, struct dj_error *err)
{
    const char *unit = row->text[DJ_SERIES_KEY_UNIT];
    struct dj_text metric = {0};
    int code = 0;
    dj_text_append_escaped_name(&metric, row->text[DJ_SERIES_KEY_METRIC]);
    if (!are_equal(series->unit, unit)) {
        code = dj_import_series_set_error(
            file, row->line, err,
            "'%.60s' is in %.30s here, but in %.30s before (%zu): expected one unit",
            dj_text_get(&metric), get_or_default(unit, "no unit"),
            get_or_default(series->unit, "no unit"), series->unit_line);
    } else if (series->point_count > 0 &&
               timed != (series->points[0].at_unix_ms != DJ_SERIES_NO_TIME)) {
        code = dj_import_series_set_error(
            file, row->line, err,
            "'%.60s' has %s here, but %s before: expected a time for all points or for "
            "none",
            dj_text_get(&metric), timed ? "a time" : "no time", timed ? "none" : "one");
    }
    dj_text_finish(&metric);
    return code;
}

/* Returns a copy of the text. If the text equals the name of the previous point, which is
 * frequent, returns that name instead of a second copy. */
static const char *copy_name(struct dj_series_file *file, const char *text,
                             const char *before)
{
    return text != NULL && before != NULL && strcmp(text, before) == 0
               ? before
               : copy_text(file, text);
}

static void add_point(struct dj_series_file *file, struct dj_series *series,
                      const struct dj_series_row *row, int64_t at)
{
    const char *version = row->text[DJ_SERIES_KEY_VERSION];
    const char *commit = row->text[DJ_SERIES_KEY_COMMIT];
    struct dj_series_point before = {0};
    if (series->point_count > 0) {
        before = series->points[series->point_count - 1];
    }
    DJ_XPUSH(series->points, series->point_count,
             (struct dj_series_point){
                 .at_unix_ms = at,
                 .version = copy_name(file, version, before.version),
                 .commit = copy_name(file, commit, before.commit),
                 .value = row->value,
                 .line = row->line,
             });
    file->points++;
}

static int check_lengths(struct dj_series_file *file, const struct dj_series_row *row,
                         struct dj_error *err)
{
    for (size_t i = 0; i < DJ_SERIES_NAMES; i++) {
        if (row->text[i] != NULL && strlen(row->text[i]) > DJ_SERIES_TEXT) {
            return dj_import_series_set_error(
                file, row->line, err, "a name has more than %d bytes", DJ_SERIES_TEXT);
        }
    }
    return 0;
}

/* Adds the defaults for everything that the row does not contain. */
static void apply_defaults(const struct dj_series_defaults *defaults,
                           struct dj_series_row *row)
{
    const char *const texts[] = {
        [DJ_SERIES_KEY_METRIC] = get_or_default(defaults->metric, "value"),
        [DJ_SERIES_KEY_UNIT] = defaults->unit,
        [DJ_SERIES_KEY_FLOW] = defaults->flow,
        [DJ_SERIES_KEY_DEVICE] = defaults->device,
        [DJ_SERIES_KEY_RELEASE] = defaults->release,
        [DJ_SERIES_KEY_CONFIG] = defaults->config,
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        row->text[i] = get_or_default(row->text[i], texts[i]);
    }
    if (get_or_default(row->text[DJ_SERIES_KEY_VERSION],
                       row->text[DJ_SERIES_KEY_COMMIT]) == NULL) {
        row->text[DJ_SERIES_KEY_VERSION] = defaults->version;
        row->text[DJ_SERIES_KEY_COMMIT] = defaults->commit;
    }
    row->sense = row->sense != DJ_SERIES_UNKNOWN ? row->sense : defaults->sense;
    if (row->sense == DJ_SERIES_UNKNOWN) {
        row->sense = dj_import_series_find_unit_sense(row->text[DJ_SERIES_KEY_UNIT],
                                                      row->text[DJ_SERIES_KEY_METRIC]);
    }
}

int dj_import_series_add(struct dj_series_file *file, const struct dj_series_row *row,
                         struct dj_error *err)
{
    struct dj_series_row whole = *row;
    int64_t at = DJ_SERIES_NO_TIME;
    const char *time = row->text[DJ_SERIES_KEY_TIME];
    bool timed = get_or_default(time, NULL) != NULL;
    if (!isfinite(row->value)) {
        return dj_import_series_set_error(file, row->line, err,
                                          "the value is not a finite number");
    }
    if (timed && !dj_import_parse_time(time, &at)) {
        struct dj_text shown = {0};
        dj_text_append_escaped_name(&shown, time);
        int code = dj_import_series_set_error(
            file, row->line, err,
            "expected a time such as 2021-03-04T05:06:07Z or seconds since 1970, found "
            "'%.40s'",
            dj_text_get(&shown));
        dj_text_finish(&shown);
        return code;
    }
    if (file->points == DJ_SERIES_POINTS) {
        file->error_line = row->line;
        return dj_error_set(err, DJ_E_LIMIT,
                            "the file has more than the maximum of %d points",
                            DJ_SERIES_POINTS);
    }
    apply_defaults(file->defaults, &whole);
    int code = check_lengths(file, &whole, err);
    code = code == 0 ? find_series(file, &whole, err) : code;
    code =
        code == 0 ? check_row(file, &file->series[file->last], &whole, timed, err) : code;
    if (code == 0) {
        add_point(file, &file->series[file->last], &whole, at);
    }
    return code;
}

static int compare_names(const struct dj_series_point *a, const struct dj_series_point *b)
{
    int sort_points =
        strcmp(get_or_default(a->version, ""), get_or_default(b->version, ""));
    return sort_points != 0
               ? sort_points
               : strcmp(get_or_default(a->commit, ""), get_or_default(b->commit, ""));
}

/* Compares two points by all members that duplicates share, and then by their places in
 * the file. */
static int compare_all(const void *left, const void *right)
{
    const struct dj_series_point *a = left;
    const struct dj_series_point *b = right;
    int sort_points = DJ_COMPARE(a->at_unix_ms, b->at_unix_ms);
    sort_points = sort_points != 0 ? sort_points : compare_names(a, b);
    sort_points = sort_points != 0 ? sort_points : DJ_COMPARE(a->value, b->value);
    return sort_points != 0 ? sort_points : DJ_COMPARE(a->ordinal, b->ordinal);
}

static int compare_time(const void *left, const void *right)
{
    const struct dj_series_point *a = left;
    const struct dj_series_point *b = right;
    int sort_points = DJ_COMPARE(a->at_unix_ms, b->at_unix_ms);
    return sort_points != 0 ? sort_points : DJ_COMPARE(a->ordinal, b->ordinal);
}

/* Returns whether two points are duplicates. Points without a time, a version and a
 * commit are never duplicates. */
static bool is_same(const struct dj_series_point *a, const struct dj_series_point *b)
{
    bool named =
        a->at_unix_ms != DJ_SERIES_NO_TIME || a->version != NULL || a->commit != NULL;
    return named && a->at_unix_ms == b->at_unix_ms && compare_names(a, b) == 0 &&
           a->value == b->value;
}

static void drop_duplicates(struct dj_series *series)
{
    size_t count_kept = 0;
    qsort(series->points, series->point_count, sizeof(*series->points), compare_all);
    for (size_t i = 0; i < series->point_count; i++) {
        if (count_kept == 0 ||
            !is_same(&series->points[count_kept - 1], &series->points[i])) {
            series->points[count_kept++] = series->points[i];
        }
    }
    series->point_count = count_kept;
}

static size_t count_backwards(const struct dj_series *series)
{
    size_t backwards = 0;
    for (size_t i = 1; i < series->point_count; i++) {
        backwards += series->points[i].at_unix_ms < series->points[i - 1].at_unix_ms;
    }
    return backwards;
}

/* Returns whether the newest point is first in the file, which means that no point is
 * later than the point before it. In such a file, points with equal times are in reverse
 * order too. */
static bool is_newest_first(const struct dj_series *series)
{
    size_t count = series->point_count;
    for (size_t i = 1; i < count; i++) {
        if (series->points[i].at_unix_ms > series->points[i - 1].at_unix_ms) {
            return false;
        }
    }
    return count > 1 &&
           series->points[count - 1].at_unix_ms < series->points[0].at_unix_ms;
}

static void sort_points(struct dj_series_file *file, struct dj_series *series)
{
    size_t count = series->point_count;
    bool timed = count > 0 && series->points[0].at_unix_ms != DJ_SERIES_NO_TIME;
    bool is_reversed = timed && is_newest_first(series);
    file->backwards += timed && !is_reversed ? count_backwards(series) : 0;
    file->newest_first = file->newest_first || is_reversed;
    for (size_t i = 0; i < count; i++) {
        series->points[i].ordinal = (int64_t)(is_reversed ? count - 1 - i : i);
    }
    drop_duplicates(series);
    file->duplicates += count - series->point_count;
    file->points -= count - series->point_count;
    qsort(series->points, series->point_count, sizeof(*series->points), compare_time);
    for (size_t i = 0; i < series->point_count; i++) {
        series->points[i].ordinal = timed ? 0 : (int64_t)i;
    }
}

int dj_import_read_series(const char *bytes, size_t length,
                          const struct dj_series_defaults *defaults,
                          struct dj_series_file *file, struct dj_error *err)
{
    *file = (struct dj_series_file){.defaults = defaults};
    if (length > DJ_SERIES_BYTES) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "the file has more than the maximum of %d MiB",
                            DJ_SERIES_BYTES >> 20);
    }
    char first = dj_input_sniff_find_first(bytes, length);
    int code = first == '{' || first == '['
                   ? dj_import_series_read_json(bytes, length, file, err)
                   : dj_import_series_read_csv(bytes, length, file, err);
    if (code == 0 && file->points == 0) {
        code = dj_error_set(err, DJ_E_NO_DATA, "the file contains no values");
    }
    for (size_t i = 0; i < file->count && code == 0; i++) {
        sort_points(file, &file->series[i]);
    }
    return code;
}
