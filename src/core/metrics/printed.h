/* What the statistics blocks of a run's text say, taken together: the figures as printed.
 */
#ifndef DEJANK_METRICS_PRINTED_H
#define DEJANK_METRICS_PRINTED_H

#include "gfxinfo/dump.h"
#include "metrics/figures.h"

/* Zero it. */
struct dj_printed {
    size_t blocks;
    uint32_t lines; /* that all of them have: bits as in dj_lines_of() */
    bool cut_frame, cut_gpu, cut_janky; /* one of them lacks something there */
    struct dj_stats sum;
    struct dj_stats_block only; /* the first: what it printed, where it is alone */
    const struct dj_dialect *dialect;
    bool tells_recovery;
    int64_t recovered, expected;
};

/* A process's own block, or where it has none those of its windows. */
void dj_printed_add(struct dj_printed *printed, const struct dj_dump_process *process,
                    const struct dj_dialect *dialect);

/* Sets what it amounts to. Percentiles of several blocks are those of their histograms
 * together. False: out of memory. */
bool dj_printed_settle(const struct dj_printed *printed,
                       struct dj_window_figures *figures);

#endif
