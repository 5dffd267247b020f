/* Tables of the contents of an input that belong to no process: the packages of
 * graphicsstats, and the very long frames that log lines name. */
#ifndef DEJANK_REPORT_DUMP_LOG_TABLES_H
#define DEJANK_REPORT_DUMP_LOG_TABLES_H

#include "import/parsed_dump.h"
#include "report/document.h"
#include "report/verdict/assessment.h"

/* An entry of graphicsstats. */
struct dj_package_row {
    char *name;      /* Name of the package, or NULL if the entry has no name. */
    int64_t version; /* Version code, or a negative value if unknown. */
    /* Start of the statistics in ms since 1970. Not positive if unknown. */
    int64_t start_ms;
    uint32_t frames;
    /* Numbers of frames and of janky frames. The sample has no frames if the number of
     * janky frames is unknown. */
    struct dj_jank_sample sample;
    double janky_pct; /* Percentage of janky frames that the dump prints. */
    uint32_t percentile_ms[4];
};

struct dj_long_frame_row {
    size_t line;
    int64_t pid; /* Id of the process, or a negative value if unknown. */
    int64_t duration_ms;
};

/* Zero the struct before use. Rows beyond a maximum are only counted. */
struct dj_log_tables {
    struct dj_package_row *packages;
    size_t package_rows, package_count;
    /* The entry with the largest share of janky frames. The sample of the row has no
     * frames if there is no such entry. */
    struct dj_package_row worst;
    struct dj_long_frame_row *long_frames;
    size_t long_frame_rows, long_frame_count;
};

/* Copies the entries of graphicsstats and the logged frames from the dump. */
void dj_log_tables_read(struct dj_log_tables *tables, const struct dj_dump *dump);

/* Adds the verdict on an input that contains only graphicsstats and log lines. */
void dj_log_tables_add_verdict(struct dj_document *document,
                               const struct dj_log_tables *tables, const char *source);

/* Adds the tables. Adds nothing if there are no rows. */
void dj_log_tables_add(struct dj_document *document, const struct dj_log_tables *tables);

void dj_log_tables_finish(struct dj_log_tables *tables);

#endif
