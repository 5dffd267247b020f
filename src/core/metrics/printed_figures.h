/* The combined statistics blocks of a run's text: the figures as printed. */
#ifndef DEJANK_METRICS_PRINTED_FIGURES_H
#define DEJANK_METRICS_PRINTED_FIGURES_H

#include "gfxinfo/dump.h"
#include "metrics/figures.h"

/* Zero it before use. */
struct dj_printed_figures {
    size_t blocks;
    uint32_t
        lines; /* lines that all blocks have: bits as in dj_gfxinfo_lines_of_dialect() */
    bool cut_frame, cut_gpu, cut_janky; /* a block lacks some of these values */
    struct dj_stats sum;
    struct dj_stats_block
        only; /* the first block, whose printed values are used if it is the only one */
    const struct dj_dialect *dialect;
    bool tells_recovery;
    int64_t recovered, expected;
};

/* Adds a process's own block, or those of its windows if it has none. */
void dj_printed_figures_add(struct dj_printed_figures *printed,
                            const struct dj_dump_process *process,
                            const struct dj_dialect *dialect);

/* Sets the resulting figures. Percentiles of several blocks are those of their
 * combined histograms. Returns false without memory. */
bool dj_printed_figures_fill(const struct dj_printed_figures *printed,
                             struct dj_window_figures *figures);

#endif
