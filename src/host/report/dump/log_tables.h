/* What an input contains apart from processes, as tables: the packages of graphicsstats,
 * and the very long frames that log lines name. */
#ifndef DEJANK_REPORT_DUMP_LOG_TABLES_H
#define DEJANK_REPORT_DUMP_LOG_TABLES_H

#include "import/parsed_dump.h"
#include "report/document.h"
#include "report/verdict/assessment.h"

/* An entry of graphicsstats. */
struct dj_package_row {
    char *name;       /* NULL if the entry has no name. */
    int64_t version;  /* Negative if unknown. */
    int64_t start_ms; /* Since 1970; not positive if unknown. */
    uint32_t frames;
    struct dj_jank_sample sample; /* No frames if the count of janky ones is unknown. */
    double janky_pct;             /* As printed. */
    uint32_t percentile_ms[4];
};

struct dj_long_frame_row {
    size_t line;
    int64_t pid; /* Negative if unknown. */
    int64_t duration_ms;
};

/* Zero it before use. Rows beyond a maximum are counted only. */
struct dj_log_tables {
    struct dj_package_row *packages;
    size_t package_rows, package_count;
    struct dj_package_row
        worst; /* The largest share of janky frames; frames 0 if none. */
    struct dj_long_frame_row *long_frames;
    size_t long_frame_rows, long_frame_count;
};

/* Copies what the dump contains. */
void dj_log_tables_read(struct dj_log_tables *tables, const struct dj_dump *dump);

/* Adds the verdict on an input that contains nothing else. */
void dj_log_tables_add_verdict(struct dj_document *document,
                               const struct dj_log_tables *tables, const char *source);

/* Adds the tables. Adds nothing if there are no rows. */
void dj_log_tables_add(struct dj_document *document, const struct dj_log_tables *tables);

void dj_log_tables_finish(struct dj_log_tables *tables);

#endif
