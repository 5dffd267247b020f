/*
 * Reads tables with a header:
 *
 *     time,commit,metric,value,unit
 *     2021-03-04T05:06:07Z,0a1b2c3,p95,16.4,ms
 *
 * If there is no column `value`, each column of numbers is a metric:
 *
 *     date;version;frame time (ms);fps
 */
#include <stdio.h>
#include <stdlib.h>

#include "import/log/table.h"
#include "import/series_private.h"
#include "memory/memory.h"

enum column_use { UNDECIDED, METRIC, IGNORED };

struct table {
    struct dj_series_file *file;
    struct dj_error *err;
    struct dj_log_table lines;
    /* Index of the column for each key, or −1 if there is no such column. */
    int column[DJ_SERIES_KEYS];
    /* True if there is no column `value`, so that each column of numbers is a metric. */
    bool wide;
    enum column_use use[DJ_LOG_FIELDS];
    char metric[DJ_LOG_FIELDS][128]; /* Name and unit from the header of each column. */
    char unit[DJ_LOG_FIELDS][32];
    struct dj_text text[DJ_SERIES_KEYS]; /* Values of the current row by key. */
};

/* Copies the field of a key. Two quotation marks in a row are one quotation mark. */
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
            dj_text_add(text, "\xEF\xBF\xBD");
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
        name[i] = field->at[i] != '\0' ? field->at[i] : '?';
    }
    name[length] = '\0';
}

/* Reads the header of column i. A header such as "value (ms)" contains a name and a
 * unit. */
static void set_column(struct table *table, size_t i, size_t rank_of[DJ_SERIES_KEYS])
{
    size_t rank = 0;
    copy_name(&table->lines.header[i], table->metric[i], sizeof(table->metric[i]));
    if (!dj_import_series_split_unit(table->metric[i], table->unit[i],
                                     sizeof(table->unit[i]))) {
        table->unit[i][0] = '\0';
    }
    enum dj_series_key key = dj_import_series_key_find(table->metric[i], &rank);
    table->use[i] =
        key == DJ_SERIES_KEYS && table->metric[i][0] != '\0' ? UNDECIDED : IGNORED;
    if (key < DJ_SERIES_KEYS && (table->column[key] < 0 || rank < rank_of[key])) {
        table->column[key] = (int)i;
        rank_of[key] = rank;
    }
}

static int read_header(struct table *table)
{
    struct dj_error *err = table->err;
    size_t rank_of[DJ_SERIES_KEYS] = {0};
    if (!dj_log_table_next(&table->lines)) {
        return dj_error_set(err, DJ_E_NO_DATA, "the file contains no values");
    }
    dj_log_table_set_header(&table->lines);
    for (size_t i = 0; i < DJ_SERIES_KEYS; i++) {
        table->column[i] = -1;
    }
    if (table->lines.fields > DJ_LOG_FIELDS) {
        return dj_import_series_set_error(table->file, table->lines.line, err,
                                          "%zu columns: expected at most %d",
                                          table->lines.fields, DJ_LOG_FIELDS);
    }
    for (size_t i = 0; i < table->lines.header_fields; i++) {
        set_column(table, i, rank_of);
    }
    table->wide = table->column[DJ_SERIES_KEY_VALUE] < 0;
    bool named = table->column[DJ_SERIES_KEY_TIME] >= 0 ||
                 table->column[DJ_SERIES_KEY_COMMIT] >= 0 ||
                 table->column[DJ_SERIES_KEY_VERSION] >= 0;
    return table->wide && !named
               ? dj_import_series_set_error(
                     table->file, table->lines.line, err,
                     "expected a header with a column 'value', or with columns of "
                     "numbers and one of time, version and commit")
               : 0;
}

static bool is_empty_value(const struct dj_str *field)
{
    static const char *const words[] = {"", "-", "null", "none", "n/a", "na"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (dj_str_is_caseless(*field, words[i])) {
            return true;
        }
    }
    return false;
}

static int read_names(struct table *table, struct dj_series_row *row)
{
    char found[64];
    *row = (struct dj_series_row){.line = table->lines.line};
    for (size_t key = 0; key <= DJ_SERIES_KEY_SENSE; key++) {
        row->text[key] = copy_field(table, (int)key);
    }
    const char *sense = row->text[DJ_SERIES_KEY_SENSE];
    if (sense == NULL || sense[0] == '\0' ||
        dj_import_series_sense_find(sense, &row->sense)) {
        return 0;
    }
    return dj_import_series_set_error(
        table->file, table->lines.line, table->err,
        "direction: expected less, more or neutral, found '%s'",
        dj_log_escape_field(&table->lines, table->column[DJ_SERIES_KEY_SENSE], found));
}

/* Decides whether a column is a metric, which is the case if its first value is a
 * number. */
static enum column_use decide_column_use(struct table *table, size_t column)
{
    double value;
    if (table->use[column] == UNDECIDED && !is_empty_value(&table->lines.field[column])) {
        bool number = dj_log_parse_number(&table->lines, (int)column, &value) ||
                      dj_str_is_caseless(table->lines.field[column], "nan");
        table->use[column] = number ? METRIC : IGNORED;
    }
    return table->use[column];
}

/* Adds the value in a column. If the table is wide, the name of the column is the name of
 * the metric, and the unit of the column replaces the unit of the row. */
static int add_value(struct table *table, const struct dj_series_row *row, size_t column)
{
    char found[64], metric[300];
    struct dj_series_row one = *row;
    const char *prefix = row->text[DJ_SERIES_KEY_METRIC];
    const char *unit = row->text[DJ_SERIES_KEY_UNIT];
    bool has_prefix = prefix != NULL && prefix[0] != '\0';
    if (is_empty_value(&table->lines.field[column])) {
        table->file->empty++;
        return 0;
    }
    if (!dj_log_parse_number(&table->lines, (int)column, &one.value)) {
        return dj_import_series_set_error(
            table->file, table->lines.line, table->err,
            "expected a finite number or an empty field, found '%s'",
            dj_log_escape_field(&table->lines, (int)column, found));
    }
    if (table->wide) {
        snprintf(metric, sizeof(metric), "%s%s%s", has_prefix ? prefix : "",
                 has_prefix ? " " : "", table->metric[column]);
        one.text[DJ_SERIES_KEY_METRIC] = metric;
    }
    if (table->unit[column][0] != '\0' &&
        (table->wide || unit == NULL || unit[0] == '\0')) {
        one.text[DJ_SERIES_KEY_UNIT] = table->unit[column];
    }
    return dj_import_series_add(table->file, &one, table->err);
}

static int read_row(struct table *table)
{
    struct dj_series_row row;
    if (table->lines.fields != table->lines.header_fields) {
        return dj_import_series_set_error(table->file, table->lines.line, table->err,
                                          "%zu fields, expected %zu as in the header",
                                          table->lines.fields,
                                          table->lines.header_fields);
    }
    int code = read_names(table, &row);
    if (code == 0 && !table->wide) {
        return add_value(table, &row, (size_t)table->column[DJ_SERIES_KEY_VALUE]);
    }
    for (size_t i = 0; i < table->lines.fields && code == 0; i++) {
        code = decide_column_use(table, i) == METRIC ? add_value(table, &row, i) : 0;
    }
    return code;
}

int dj_import_series_read_csv(const char *bytes, size_t length,
                              struct dj_series_file *file, struct dj_error *err)
{
    struct table *table = dj_xcalloc(1, sizeof(*table));
    table->file = file;
    table->err = err;
    dj_log_table_init(&table->lines, bytes, length);
    int code = read_header(table);
    while (code == 0 && dj_log_table_next(&table->lines)) {
        code = read_row(table);
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
