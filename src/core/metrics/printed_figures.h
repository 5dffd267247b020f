/* Metrics from the statistics that gfxinfo printed. A block is the statistics of one
 * process, or of one app window. The blocks of a run are added up. */
#ifndef DEJANK_METRICS_PRINTED_FIGURES_H
#define DEJANK_METRICS_PRINTED_FIGURES_H

#include "gfxinfo/dump.h"
#include "metrics/figures.h"

/* Set it to zero before use. */
struct dj_printed_figures {
    size_t blocks;
    /* Kinds of lines that all blocks have, with the bits of
     * dj_gfxinfo_lines_of_dialect(). */
    uint32_t lines;
    /* At least one block lacks some values of this kind, because the text was
     * truncated. */
    bool cut_frame, cut_gpu, cut_janky;
    struct dj_stats sum;
    /* The first block. Its printed values are used if there is no other block. */
    struct dj_stats_block first;
    const struct dj_dialect *dialect;
    bool has_recovery;
    int64_t recovered, expected;
};

/* Adds the block of a process, or the blocks of its app windows if the process has
 * none. */
void dj_printed_figures_add(struct dj_printed_figures *printed,
                            const struct dj_dump_process *process,
                            const struct dj_dialect *dialect);

/* Sets the metrics and histograms. If there are several blocks, percentiles are computed
 * from the sums of their histograms. Returns false if there is no memory. */
bool dj_printed_figures_fill(const struct dj_printed_figures *printed,
                             struct dj_window_figures *figures);

#endif
