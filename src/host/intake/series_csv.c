/*
 * A table with a header:
 *     time,commit,metric,value,unit
 *     2021-03-04T05:06:07Z,0a1b2c3,p95,16.4,ms
 * or, without a column `value`, each column of numbers a metric of its own:
 *     date;version;frame time (ms);fps
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intake/log_table.h"
#include "intake/series_parts.h"
#include "memory/memory.h"

enum column_use { UNDECIDED, METRIC, PASSED_OVER };

struct table {
    struct dj_log_table lines;
    int column[DJ_SERIES_KEYS]; /* of each key; −1: none */
    bool wide;                  /* every column of numbers is a metric */
    enum column_use use[DJ_LOG_FIELDS];
    char metric[DJ_LOG_FIELDS][128]; /* of wide ones: name and unit */
    char unit[DJ_LOG_FIELDS][32];
    size_t metrics;
    struct dj_text text[DJ_SERIES_KEYS]; /* of the row */
};

/* "" inside quotes is one. */
static const char *copy_field(struct table *table, int key)
{
    struct dj_text *text = &table->text[key];
    int column = table->column[key];
    dj_text_clear(text);
    if (column < 0 || (size_t)column >= table->lines.fields) {
        return NULL;
    }
    const struct dj_str *field = &table->lines.field[column];
    for (size_t i = 0; i < field->length; i++) {
        char c = field->at[i];
        if (c == '\0') {
            dj_text_string(text, "\xEF\xBF\xBD");
            continue;
        }
        dj_text_append(text, &c, 1);
        i += c == '"' && i + 1 < field->length && field->at[i + 1] == '"';
    }
    return dj_xtext(text);
}

static void copy_name(const struct dj_str *field, char *name, size_t size)
{
    size_t length = field->length < size - 1 ? field->length : size - 1;
    for (size_t i = 0; i < length; i++) {
        name[i] = field->at[i];
        if (name[i] == '\0') {
            name[i] = '?';
        }
    }
    name[length] = '\0';
}

/* ---- the header ---- */

/* "value (ms)" is the value, and tells its unit. */
static void know_column(struct table *table, size_t i, size_t rank_of[DJ_SERIES_KEYS])
{
    size_t rank = 0;
    copy_name(&table->lines.header[i], table->metric[i], sizeof(table->metric[i]));
    bool unit =
        dj_series_unit_of_name(table->metric[i], table->unit[i], sizeof(table->unit[i]));
    if (!unit) {
        table->unit[i][0] = '\0';
    }
    enum dj_series_key key =
        dj_series_key_find(table->metric[i], strlen(table->metric[i]), &rank);
    table->use[i] =
        key == DJ_SERIES_KEYS && table->metric[i][0] != '\0' ? UNDECIDED : PASSED_OVER;
    if (key < DJ_SERIES_KEYS && (table->column[key] < 0 || rank < rank_of[key])) {
        table->column[key] = (int)i;
        rank_of[key] = rank;
    }
}

static int read_header(struct table *table, struct dj_series_file *file,
                       struct dj_error *err)
{
    size_t rank_of[DJ_SERIES_KEYS] = {0};
    if (!dj_log_table_next(&table->lines)) {
        return dj_error_set(err, DJ_E_NO_DATA, "there is no figure in it");
    }
    dj_log_table_take_header(&table->lines);
    for (size_t i = 0; i < DJ_SERIES_KEYS; i++) {
        table->column[i] = -1;
    }
    if (table->lines.fields > DJ_LOG_FIELDS) {
        return dj_series_fail(file, table->lines.line, err,
                              "%zu columns: expected at most %d", table->lines.fields,
                              DJ_LOG_FIELDS);
    }
    for (size_t i = 0; i < table->lines.header_fields; i++) {
        know_column(table, i, rank_of);
    }
    table->wide = table->column[DJ_SERIES_KEY_VALUE] < 0;
    bool named = table->column[DJ_SERIES_KEY_TIME] >= 0 ||
                 table->column[DJ_SERIES_KEY_COMMIT] >= 0 ||
                 table->column[DJ_SERIES_KEY_VERSION] >= 0;
    return table->wide && !named
               ? dj_series_fail(file, table->lines.line, err,
                                "expected a header with a column 'value', or with one of "
                                "time, version and commit beside columns of numbers")
               : 0;
}

/* ---- rows ---- */

static bool is_nothing(const struct dj_str *field)
{
    static const char *const words[] = {"", "-", "null", "none", "n/a", "na"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (dj_str_is_caseless(*field, words[i])) {
            return true;
        }
    }
    return false;
}

static int no_number(struct table *table, struct dj_series_file *file, int column,
                     struct dj_error *err)
{
    char found[64];
    return dj_series_fail(file, table->lines.line, err,
                          "expected a finite number, found '%s'; a field that is empty "
                          "says that there is none",
                          dj_log_show(&table->lines, column, found));
}

static int read_sense(struct table *table, struct dj_series_file *file,
                      struct dj_series_row *row, struct dj_error *err)
{
    const char *word = copy_field(table, DJ_SERIES_KEY_SENSE);
    if (word == NULL || word[0] == '\0' || dj_series_sense_find(word, &row->sense)) {
        return 0;
    }
    char found[64];
    return dj_series_fail(
        file, table->lines.line, err,
        "which way is better: expected less, more or neutral, found '%s'",
        dj_log_show(&table->lines, table->column[DJ_SERIES_KEY_SENSE], found));
}

static int read_names(struct table *table, struct dj_series_file *file,
                      struct dj_series_row *row, struct dj_error *err)
{
    *row = (struct dj_series_row){
        .metric = copy_field(table, DJ_SERIES_KEY_METRIC),
        .unit = copy_field(table, DJ_SERIES_KEY_UNIT),
        .flow = copy_field(table, DJ_SERIES_KEY_FLOW),
        .device = copy_field(table, DJ_SERIES_KEY_DEVICE),
        .release = copy_field(table, DJ_SERIES_KEY_RELEASE),
        .config = copy_field(table, DJ_SERIES_KEY_CONFIG),
        .version = copy_field(table, DJ_SERIES_KEY_VERSION),
        .commit = copy_field(table, DJ_SERIES_KEY_COMMIT),
        .time = copy_field(table, DJ_SERIES_KEY_TIME),
        .line = table->lines.line,
    };
    return read_sense(table, file, row, err);
}

static int add_long(struct table *table, const struct dj_series_defaults *defaults,
                    struct dj_series_file *file, struct dj_series_row *row,
                    struct dj_error *err)
{
    int column = table->column[DJ_SERIES_KEY_VALUE];
    if (is_nothing(&table->lines.field[column])) {
        file->empty++;
        return 0;
    }
    if (!dj_log_number(&table->lines, column, &row->value)) {
        return no_number(table, file, column, err);
    }
    if (row->unit == NULL || row->unit[0] == '\0') {
        row->unit = table->unit[column];
    }
    return dj_series_add(file, defaults, row, err);
}

/* A column is one of numbers where the first thing that stands in it is one. */
static enum column_use decide(struct table *table, size_t column)
{
    double value;
    if (table->use[column] == UNDECIDED && !is_nothing(&table->lines.field[column])) {
        bool number = dj_log_number(&table->lines, (int)column, &value) ||
                      dj_str_is_caseless(table->lines.field[column], "nan");
        table->use[column] = number ? METRIC : PASSED_OVER;
        table->metrics += number;
    }
    return table->use[column];
}

static int add_column(struct table *table, const struct dj_series_defaults *defaults,
                      struct dj_series_file *file, const struct dj_series_row *row,
                      size_t column, struct dj_error *err)
{
    char metric[300];
    struct dj_series_row one = *row;
    if (is_nothing(&table->lines.field[column])) {
        file->empty++;
        return 0;
    }
    if (!dj_log_number(&table->lines, (int)column, &one.value)) {
        return no_number(table, file, (int)column, err);
    }
    snprintf(metric, sizeof(metric), "%s%s%s", row->metric != NULL ? row->metric : "",
             row->metric != NULL && row->metric[0] != '\0' ? " " : "",
             table->metric[column]);
    one.metric = metric;
    one.unit = table->unit[column][0] != '\0' ? table->unit[column] : row->unit;
    return dj_series_add(file, defaults, &one, err);
}

static int add_wide(struct table *table, const struct dj_series_defaults *defaults,
                    struct dj_series_file *file, const struct dj_series_row *row,
                    struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < table->lines.fields && code == 0; i++) {
        if (decide(table, i) == METRIC) {
            code = add_column(table, defaults, file, row, i, err);
        }
    }
    return code;
}

static int read_row(struct table *table, const struct dj_series_defaults *defaults,
                    struct dj_series_file *file, struct dj_error *err)
{
    struct dj_series_row row;
    if (table->lines.fields != table->lines.header_fields) {
        return dj_series_fail(file, table->lines.line, err,
                              "%zu fields, expected %zu as in the header",
                              table->lines.fields, table->lines.header_fields);
    }
    int code = read_names(table, file, &row, err);
    if (code != 0) {
        return code;
    }
    return table->wide ? add_wide(table, defaults, file, &row, err)
                       : add_long(table, defaults, file, &row, err);
}

int dj_series_read_csv(const char *bytes, size_t length,
                       const struct dj_series_defaults *defaults,
                       struct dj_series_file *file, struct dj_error *err)
{
    struct table *table = dj_xcalloc(1, sizeof(*table));
    dj_log_table_init(&table->lines, bytes, length);
    int code = read_header(table, file, err);
    while (code == 0 && dj_log_table_next(&table->lines)) {
        code = read_row(table, defaults, file, err);
    }
    if (code == DJ_E_INVALID) {
        dj_error_prepend(err, "line %zu", file->error_line);
    }
    for (size_t i = 0; i < DJ_SERIES_KEYS; i++) {
        dj_text_finish(&table->text[i]);
    }
    free(table);
    return code;
}
