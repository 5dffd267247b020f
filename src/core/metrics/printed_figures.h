/* Metrics from the statistics that gfxinfo printed. A block is the statistics of one
 * process, or of one app window. The blocks of a run are added up. */
#ifndef DEJANK_METRICS_PRINTED_FIGURES_H
#define DEJANK_METRICS_PRINTED_FIGURES_H

#include "gfxinfo/dump.h"
#include "metrics/figures.h"

/* Set the struct to zero before use. */
struct dj_printed_figures {
    size_t blocks;
    /* Bit mask of the lines that all blocks have, as in dj_gfxinfo_lines_of_dialect(). */
    uint32_t lines;
    /* Flags for data that at least one block lacks, because the text was truncated: some
     * frame times, some GPU times, or a reliable number of janky frames. */
    bool cut_frame, cut_gpu, cut_janky;
    struct dj_stats sum;
    /* The first block. If it is the only one, its printed percentiles are used. */
    struct dj_stats_block first;
    const struct dj_dialect *dialect;
    bool has_recovery;
    int64_t recovered, expected;
};

/* Adds the block of a process. If the process has no block of its own, adds the blocks of
 * its app windows. */
void dj_printed_figures_add(struct dj_printed_figures *printed,
                            const struct dj_dump_process *process,
                            const struct dj_dialect *dialect);

/* Sets the metrics and histograms. If there are several blocks, percentiles are computed
 * from the sums of their histograms. Returns false if there is no memory. */
bool dj_printed_figures_fill(const struct dj_printed_figures *printed,
                             struct dj_window_figures *figures);

#endif
