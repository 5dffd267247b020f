#include "import/log.h"

#include "import/log/json.h"
#include "import/log/table.h"

/* dejank searches this many lines at the start of the text for the header of a log. */
enum { HEADER_LINES = 40 };

/* The formats in the order in which they are tried. A text has the first format that
 * recognises its header. */
static const struct dj_log_format *const formats[] = {
    &dj_log_presentmon,
    &dj_log_mangohud_summary,
    &dj_log_bare,
    &dj_log_mangohud,
};

/* Finds the header and its format. Afterwards, the table is positioned after the
 * header. */
static const struct dj_log_format *find_header(struct dj_log_table *table)
{
    for (int i = 0; i < HEADER_LINES && dj_log_table_next(table); i++) {
        struct dj_log_table tried = *table;
        dj_log_table_set_header(&tried);
        for (size_t k = 0; k < COUNT_OF(formats); k++) {
            if (formats[k]->is_header(&tried)) {
                *table = tried;
                return formats[k];
            }
        }
    }
    return NULL;
}

bool dj_import_is_log(const char *bytes, size_t length)
{
    enum { FIRST = 16384 };
    struct dj_log_table table;
    dj_log_table_init(&table, bytes, length < FIRST ? length : FIRST);
    return find_header(&table) != NULL || dj_log_json_find(bytes, length) != NULL;
}

const char *dj_log_name(const struct dj_log *log)
{
    return log->format != NULL ? log->format->name : "unknown";
}

static int read_table(const char *bytes, size_t length, struct dj_log *log,
                      struct dj_error *err)
{
    struct dj_log_table table;
    dj_log_table_init(&table, bytes, length);
    log->text = table.at;
    log->format = find_header(&table);
    if (log->format == NULL && table.fields == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "the file is empty");
    }
    if (log->format == NULL) {
        log->error_line = 1;
        return dj_error_set(err, DJ_E_INVALID,
                            "expected gfxinfo text, or a log with the columns of "
                            "MangoHud (fps, frametime) or PresentMon (Application, "
                            "MsBetweenPresents), or the JSON of CapFrameX, "
                            "Macrobenchmark or flashlight");
    }
    int result = log->format->read(&table, log, err);
    if (result == 0 && log->frames == 0) {
        log->error_line = table.line;
    }
    return result;
}

int dj_import_read_log(const char *bytes, size_t length, struct dj_log *log,
                       struct dj_error *err)
{
    *log = (struct dj_log){0};
    if (length > DJ_LOG_BYTES) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "the file has more than the maximum of %d MiB",
                            DJ_LOG_BYTES >> 20);
    }
    const struct dj_log_format *json = dj_log_json_find(bytes, length);
    log->format = json;
    int result = json != NULL ? dj_log_json_read(bytes, length, log, err)
                              : read_table(bytes, length, log, err);
    if (result == 0 && log->frames == 0) {
        result = dj_error_set(err, DJ_E_NO_DATA, "no frame in this %s%s%s",
                              log->format->words, log->note_count > 0 ? ": " : "",
                              log->note_count > 0 ? log->notes[0].message : "");
    }
    return result;
}

size_t dj_import_count_runs(const struct dj_log *log)
{
    return log->run_count > 0 ? log->run_count : 1;
}

void dj_import_finish_log(struct dj_log *log)
{
    for (size_t i = 0; i < log->stream_count; i++) {
        free(log->streams[i].process);
        free(log->streams[i].title);
        free(log->streams[i].frames);
    }
    for (size_t i = 0; i < log->fact_count; i++) {
        free(log->facts[i].name);
        free(log->facts[i].value);
    }
    free(log->streams);
    *log = (struct dj_log){0};
}
