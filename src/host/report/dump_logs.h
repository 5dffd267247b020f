/* What a page says of an input's graphicsstats and log lines: sums and very long frames
 * without rows, which are told once, after the processes. */
#ifndef DEJANK_REPORT_DUMP_LOGS_H
#define DEJANK_REPORT_DUMP_LOGS_H

#include "report/standing.h"
#include "report/terminal_page.h"

/* Zero it before use. */
struct dj_logs {
    struct dj_text packages; /* lines of the table; what it cannot hold is counted */
    size_t package_count, packages_beyond;
    struct dj_sample
        worst;        /* of the package that looks worst; no frames: there is none */
    double worst_pct; /* its share of janky frames as printed */
    struct dj_text worst_package;
    struct dj_text daveys; /* the first log lines */
    size_t davey_count;
};

/* Takes what a dump has of these. */
void dj_logs_add(struct dj_logs *logs, const struct dj_dump *dump);
void dj_logs_finish(struct dj_logs *logs);

static inline bool dj_logs_any(const struct dj_logs *logs)
{
    return logs->package_count + logs->davey_count > 0;
}

/* The verdict of an input that has nothing better. */
void dj_logs_verdict(struct dj_terminal *out, const struct dj_logs *logs,
                     const char *source);

/* The tables; nothing of what there is none. */
void dj_logs_put(struct dj_terminal *out, const struct dj_logs *logs);

#endif
