/* Tables in text, line by line and cut into fields; and what the readers of logs share.
 * Private to the log_*.c files. */
#ifndef DEJANK_IMPORT_LOG_TABLE_H
#define DEJANK_IMPORT_LOG_TABLE_H

#include "base/str.h"
#include "import/log.h"

enum { DJ_LOG_FIELDS = 128 };

struct dj_log_table {
    const char *at, *end; /* what is left of the text */
    size_t line;          /* number of the line read last, from 1 */
    size_t filled;        /* lines so far that were not blank */
    bool ended;           /* it had its LF: else it may have been cut */
    struct dj_str row;    /* that line, without CR and LF */
    char separator;       /* ',', ';' or a tab */
    bool decimal_comma;   /* the separator leaves the comma free for numbers */
    struct dj_str field[DJ_LOG_FIELDS]; /* without blanks and quotes around them */
    size_t fields;                      /* may be more than are kept */
    struct dj_str header[DJ_LOG_FIELDS];
    size_t header_fields;
};

/* From the text's beginning, a BOM passed over. */
void dj_log_table_init(struct dj_log_table *table, const char *bytes, size_t length);

/* The next line that is not blank, cut into fields; false: there is none. */
bool dj_log_table_next(struct dj_log_table *table);

/* The line read last becomes the header; its own most frequent separator holds from here
 * on. */
void dj_log_table_take_header(struct dj_log_table *table);

/* Index of a header's field, whatever its case; −1: none. */
int dj_log_table_find(const struct dj_log_table *table, const char *name);

/* A finite decimal number that fills the field. NaN, infinities and words are none. */
bool dj_log_number(const struct dj_log_table *table, int field, double *value);

/* At most 40 bytes of a field as a message shows it, escaped, in buffer. */
const char *dj_log_show(const struct dj_log_table *table, int field, char buffer[64]);

/* ---- what readers fill ---- */

struct dj_log_format {
    const char *name, *words;
    bool (*is_header)(const struct dj_log_table *table);
    /* From behind the header on. */
    int (*read)(struct dj_log_table *table, struct dj_log *log, struct dj_error *err);
};

extern const struct dj_log_format dj_log_mangohud, dj_log_mangohud_summary,
    dj_log_presentmon;

/* A row without columns of its own: "59.9,16.69", of which the first line is the first
 * frame. */
extern const struct dj_log_format dj_log_bare;

void dj_log_note(struct dj_log *log, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line or (line 0) a value that is no frame: a note, and counted. */
void dj_log_bad_row(struct dj_log *log, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True where the line has as many fields as the header; else it is told as bad, and why:
 * cut, numbers with a comma, or foreign. */
bool dj_log_row_fits(struct dj_log *log, const struct dj_log_table *table);

/* Adds a frame, with which the stream's clock goes on. DJ_E_LIMIT: more than
 * DJ_LOG_FRAMES. */
int dj_log_add_frame(struct dj_log *log, struct dj_log_stream *stream, int64_t end_ns,
                     int64_t time_ns, struct dj_error *err);
/* A fact beyond the maximum, and an empty one, is left out. */
void dj_log_add_fact(struct dj_log *log, struct dj_str name, struct dj_str value);
struct dj_log_stream *dj_log_add_stream(struct dj_log *log);

#endif
