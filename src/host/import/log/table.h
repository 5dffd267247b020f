/* Reads tables in text line by line and splits them into fields. Also has what the
 * readers of logs share. */
#ifndef DEJANK_IMPORT_LOG_TABLE_H
#define DEJANK_IMPORT_LOG_TABLE_H

#include "base/error.h"
#include "base/str.h"
#include "import/log/frame_log.h"

enum { DJ_LOG_FIELDS = 128 };

struct dj_log_table {
    const char *at, *end; /* the rest of the text */
    size_t line;          /* number of the last line, from 1 */
    size_t filled;        /* lines so far that were not blank */
    bool ended;           /* it ended with LF; otherwise it may be truncated */
    struct dj_str row;    /* the last line, without CR and LF */
    char separator;       /* ',', ';' or a tab */
    bool decimal_comma;   /* the separator is no comma, so numbers may have one */
    struct dj_str field[DJ_LOG_FIELDS]; /* without blanks and quotes around them */
    size_t fields;                      /* may be more than are stored */
    struct dj_str header[DJ_LOG_FIELDS];
    size_t header_fields;
};

/* Starts at the beginning of the text, after a BOM. */
void dj_log_table_init(struct dj_log_table *table, const char *bytes, size_t length);

/* Reads the next line that is not blank and splits it into fields. Returns false at the
 * end. */
bool dj_log_table_next(struct dj_log_table *table);

/* Makes the last line the header. Its most frequent separator is used from here on. */
void dj_log_table_set_header(struct dj_log_table *table);

/* Returns the index of a header's field, ignoring case; −1: none. */
int dj_log_table_find_column(const struct dj_log_table *table, const char *name);

/* Reads a finite decimal number that fills the field. NaN, infinities and words are
 * none. */
bool dj_log_parse_number(const struct dj_log_table *table, int field, double *value);

/* Writes at most 40 bytes of a field, escaped for a message, to buffer. */
const char *dj_log_escape_field(const struct dj_log_table *table, int field,
                                char buffer[64]);

struct dj_log_format {
    const char *name, *words;
    bool (*is_header)(const struct dj_log_table *table);
    /* Reads a format's rows, from after the header on. */
    int (*read)(struct dj_log_table *table, struct dj_log *log, struct dj_error *err);
};

extern const struct dj_log_format dj_log_mangohud, dj_log_mangohud_summary,
    dj_log_presentmon;

/* A row without named columns, "59.9,16.69". The first line is the first frame. */
extern const struct dj_log_format dj_log_bare;

void dj_log_note(struct dj_log *log, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes and counts a line or (line 0) a value that is no frame. */
void dj_log_add_bad_row(struct dj_log *log, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether the line has as many fields as the header. Otherwise notes the reason:
 * truncated, numbers with a comma, or foreign. */
bool dj_log_check_row(struct dj_log *log, const struct dj_log_table *table);

/* Adds a frame and advances the stream's clock. DJ_E_LIMIT: more than DJ_LOG_FRAMES. */
int dj_log_add_frame(struct dj_log *log, struct dj_log_stream *stream, int64_t end_ns,
                     int64_t time_ns, struct dj_error *err);
/* Empty facts, and facts beyond the maximum, are dropped. */
void dj_log_add_fact(struct dj_log *log, struct dj_str name, struct dj_str value);
struct dj_log_stream *dj_log_add_stream(struct dj_log *log);

#endif
