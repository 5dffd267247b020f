/* Reads tables line by line from text, and splits the lines into fields. Also contains
 * functions that the readers of logs share. */
#ifndef DEJANK_IMPORT_LOG_TABLE_H
#define DEJANK_IMPORT_LOG_TABLE_H

#include "base/error.h"
#include "base/str.h"
#include "import/log/frame_log.h"

enum { DJ_LOG_FIELDS = 128 };

struct dj_log_table {
    const char *at, *end; /* The part of the text that has not been read yet. */
    size_t line;          /* Number of the current line, from 1. */
    size_t filled;        /* Number of lines that have been read and are not blank. */
    /* True if the current line ends with LF. Otherwise the line may be truncated. */
    bool ended;
    struct dj_str row; /* The current line without CR and LF. */
    char separator;    /* Separator of the fields: ',', ';' or a tab. */
    /* True if numbers may have decimal commas, because the separator is no comma. */
    bool decimal_comma;
    /* The fields of the current line, without the blanks and quotation marks around
     * them. */
    struct dj_str field[DJ_LOG_FIELDS];
    /* Number of fields of the current line. May be larger than DJ_LOG_FIELDS. */
    size_t fields;
    struct dj_str header[DJ_LOG_FIELDS];
    size_t header_fields;
};

/* Starts at the beginning of the text. Skips a byte order mark. */
void dj_log_table_init(struct dj_log_table *table, const char *bytes, size_t length);

/* Reads the next line that is not blank and splits it into fields. Returns false at the
 * end of the text. */
bool dj_log_table_next(struct dj_log_table *table);

/* Makes the current line the header. Chooses the separator from this line, for all
 * further lines. */
void dj_log_table_set_header(struct dj_log_table *table);

/* Returns the index of the column with this name, ignoring case, or −1. */
int dj_log_table_find_column(const struct dj_log_table *table, const char *name);

/* Reads a number from a field. Returns false if the field is not a finite decimal
 * number. */
bool dj_log_parse_number(const struct dj_log_table *table, int field, double *value);

/* Writes the first 40 bytes of a field to `buffer`, with control characters escaped, for
 * a message. Returns `buffer`. */
const char *dj_log_escape_field(const struct dj_log_table *table, int field,
                                char buffer[64]);

struct dj_log_format {
    const char *name, *words;
    bool (*is_header)(const struct dj_log_table *table);
    /* Reads the rows after the header. */
    int (*read)(struct dj_log_table *table, struct dj_log *log, struct dj_error *err);
};

extern const struct dj_log_format dj_log_mangohud, dj_log_mangohud_summary,
    dj_log_presentmon;

/* Logs with rows such as "59.9,16.69" that need no header. The first line may already be
 * a frame. */
extern const struct dj_log_format dj_log_bare;

void dj_log_note(struct dj_log *log, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a note about a line that is no frame, and counts the line. `line` is 0 for a value
 * that has no line number. */
void dj_log_add_bad_row(struct dj_log *log, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns whether the line has as many fields as the header. Otherwise adds a note with
 * the probable reason: the line is truncated, has numbers with a decimal comma, or is no
 * row. */
bool dj_log_check_row(struct dj_log *log, const struct dj_log_table *table);

/* Adds a frame to a stream, and sets the clock of the stream to the end of the frame.
 * Returns DJ_E_LIMIT after more than DJ_LOG_FRAMES frames. */
int dj_log_add_frame(struct dj_log *log, struct dj_log_stream *stream, int64_t end_ns,
                     int64_t time_ns, struct dj_error *err);
/* Adds a fact of the system. Ignores facts with an empty name or value, and facts beyond
 * the maximum. */
void dj_log_add_fact(struct dj_log *log, struct dj_str name, struct dj_str value);
struct dj_log_stream *dj_log_add_stream(struct dj_log *log);

#endif
