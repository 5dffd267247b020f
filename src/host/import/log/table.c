#include "import/log/table.h"

#include <math.h>
#include <stdarg.h>

#include "memory/memory.h"

void dj_log_table_init(struct dj_log_table *table, const char *bytes, size_t length)
{
    static const char bom[] = "\xef\xbb\xbf";
    *table = (struct dj_log_table){
        .at = bytes, .end = bytes + length, .separator = ',', .ended = true};
    if (length >= 3 && memcmp(bytes, bom, 3) == 0) {
        table->at += 3;
    }
}

/* Removes blanks and quotation marks around the text. */
static struct dj_str trim_field(struct dj_str text)
{
    struct dj_str field = dj_str_trim(text);
    bool quoted = field.length >= 2 && field.at[0] == '"' && dj_str_ends(field, "\"");
    return quoted ? (struct dj_str){field.at + 1, field.length - 2} : field;
}

/* Splits the line into fields. A separator in quotation marks is part of its field. */
static void split_fields(struct dj_log_table *table)
{
    const char *end = table->row.at + table->row.length;
    const char *from = table->row.at;
    bool quoted = false;
    table->fields = 0;
    for (const char *at = from; at <= end; at++) {
        if (at < end && *at == '"') {
            quoted = !quoted;
        }
        if (at == end || (*at == table->separator && !quoted)) {
            if (table->fields < DJ_LOG_FIELDS) {
                table->field[table->fields] =
                    trim_field((struct dj_str){from, (size_t)(at - from)});
            }
            table->fields++;
            from = at + 1;
        }
    }
}

static bool read_line(struct dj_log_table *table)
{
    if (table->at >= table->end) {
        return false;
    }
    const char *feed = memchr(table->at, '\n', (size_t)(table->end - table->at));
    const char *end = feed != NULL ? feed : table->end;
    table->row = (struct dj_str){table->at, (size_t)(end - table->at)};
    table->ended = feed != NULL;
    table->at = feed != NULL ? feed + 1 : table->end;
    while (dj_str_ends(table->row, "\r")) {
        table->row.length--;
    }
    table->line++;
    return true;
}

bool dj_log_table_next(struct dj_log_table *table)
{
    while (read_line(table)) {
        if (trim_field(table->row).length > 0) {
            split_fields(table);
            table->filled++;
            return true;
        }
    }
    return false;
}

/* Chooses a semicolon or a tab if the header contains one. A comma is not searched for,
 * because a first row without a header may have decimal commas. */
void dj_log_table_set_header(struct dj_log_table *table)
{
    static const char separators[] = {';', '\t'};
    for (size_t i = 0; i < sizeof(separators); i++) {
        if (memchr(table->row.at, separators[i], table->row.length) != NULL) {
            table->separator = separators[i];
            break;
        }
    }
    table->decimal_comma = table->separator != ',';
    split_fields(table);
    table->header_fields = table->fields < DJ_LOG_FIELDS ? table->fields : DJ_LOG_FIELDS;
    memcpy(table->header, table->field, sizeof(table->header));
}

int dj_log_table_find_column(const struct dj_log_table *table, const char *name)
{
    for (size_t i = 0; i < table->header_fields; i++) {
        if (dj_str_is_caseless(table->header[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

/* Returns whether the text consists of the characters of decimal numbers. strtod() also
 * accepts infinities, NaN, hexadecimal numbers and leading blanks. */
static bool is_decimal(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789.eE+-")] == '\0';
}

bool dj_log_parse_number(const struct dj_log_table *table, int field, double *value)
{
    char text[48];
    char *end;
    if (field < 0 || (size_t)field >= table->fields || field >= DJ_LOG_FIELDS) {
        return false;
    }
    const struct dj_str *span = &table->field[field];
    if (span->length == 0 || span->length >= sizeof(text)) {
        return false;
    }
    /* A comma in quotation marks is no separator, so it is a decimal comma. */
    bool quoted = span->at > table->row.at && span->at[-1] == '"';
    for (size_t i = 0; i < span->length; i++) {
        bool comma = span->at[i] == ',' && (table->decimal_comma || quoted);
        text[i] = comma ? '.' : span->at[i];
    }
    text[span->length] = '\0';
    if (!is_decimal(text)) {
        return false;
    }
    double number = strtod(text, &end);
    if (*end != '\0' || !isfinite(number)) {
        return false;
    }
    *value = number;
    return true;
}

const char *dj_log_escape_field(const struct dj_log_table *table, int field,
                                char buffer[64])
{
    enum { SHOWN = 40 };
    struct dj_text safe = {0};
    const struct dj_str *span = &table->field[field];
    bool exists = field >= 0 && (size_t)field < table->fields && field < DJ_LOG_FIELDS;
    size_t length = exists ? span->length : 0;
    dj_text_append_escaped(&safe, exists ? span->at : "",
                           length < SHOWN ? length : SHOWN);
    snprintf(buffer, 64, "%s", dj_xtext(&safe));
    dj_text_finish(&safe);
    return buffer;
}

static void add_note(struct dj_log *log, size_t line, const char *format, va_list list)
{
    if (log->note_count < DJ_LOG_NOTES) {
        struct dj_log_note *note = &log->notes[log->note_count];
        note->line = line;
        vsnprintf(note->message, sizeof(note->message), format, list);
    }
    log->note_count++;
}

void dj_log_note(struct dj_log *log, size_t line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_note(log, line, format, list);
    va_end(list);
}

void dj_log_add_bad_row(struct dj_log *log, size_t line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_note(log, line, format, list);
    va_end(list);
    log->rows_bad++;
}

bool dj_log_check_row(struct dj_log *log, const struct dj_log_table *table)
{
    if (table->fields == table->header_fields) {
        return true;
    }
    if (!table->ended && table->fields < table->header_fields) {
        dj_log_add_bad_row(log, table->line,
                           "the last line is truncated: %zu fields, expected %zu as in "
                           "the header; skipped",
                           table->fields, table->header_fields);
    } else if (table->separator == ',' && table->fields > table->header_fields) {
        dj_log_add_bad_row(
            log, table->line,
            "%zu fields, expected %zu as in the header; numbers with decimal commas look "
            "like several fields: write the log with decimal points (LC_NUMERIC=C)",
            table->fields, table->header_fields);
    } else {
        dj_log_add_bad_row(log, table->line, "%zu fields, expected %zu as in the header",
                           table->fields, table->header_fields);
    }
    return false;
}

int dj_log_add_frame(struct dj_log *log, struct dj_log_stream *stream, int64_t end_ns,
                     int64_t time_ns, struct dj_error *err)
{
    if (log->frames >= DJ_LOG_FRAMES) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "the file has more than the maximum of %d frames",
                            (int)DJ_LOG_FRAMES);
    }
    DJ_XPUSH(stream->frames, stream->frame_count,
             (struct dj_log_frame){end_ns, time_ns, DJ_LOG_UNKNOWN, DJ_LOG_UNKNOWN});
    stream->clock_ns = end_ns;
    log->frames++;
    return 0;
}

void dj_log_add_fact(struct dj_log *log, struct dj_str name, struct dj_str value)
{
    if (log->fact_count < DJ_LOG_FACTS && name.length > 0 && value.length > 0) {
        log->facts[log->fact_count++] = (struct dj_log_fact){
            dj_xcopy(name.at, name.length), dj_xcopy(value.at, value.length)};
    }
}

struct dj_log_stream *dj_log_add_stream(struct dj_log *log)
{
    DJ_XPUSH(log->streams, log->stream_count,
             (struct dj_log_stream){.pid = -1,
                                    .late = -1,
                                    .display_ns = DJ_LOG_UNKNOWN,
                                    .next_display_ns = DJ_LOG_UNKNOWN,
                                    .drawn_display_ns = DJ_LOG_UNKNOWN,
                                    .drawn_content_ns = DJ_LOG_UNKNOWN});
    return &log->streams[log->stream_count - 1];
}
