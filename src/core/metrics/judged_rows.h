/* Judges the frames of one app window by the jank rule of their Android release. A row is
 * the record of one frame in gfxinfo text. All metrics that are computed from rows use
 * the result. */
#ifndef DEJANK_METRICS_JUDGED_ROWS_H
#define DEJANK_METRICS_JUDGED_ROWS_H

#include "frame/findings.h"
#include "gfxinfo/dump.h"

struct dj_judged_rows {
    struct dj_summary_rules rules; /* The rules for all rows of the app window. */
    /* facts[i] describes frames[i]. Owned by this struct. */
    struct dj_row_facts *facts;
    /* Memory for the computation, one number per row. Owned by this struct. */
    int64_t *scratch;
    /* Bits for dj_frame_findings_mark(). The caller owns them and sets them to zero
     * first. NULL if the caller does not need them. */
    uint32_t *marks;
    /* The frames of the last call of dj_metrics_judged_rows_judge(). */
    const struct dj_frame *frames;
    size_t count;
    struct dj_summary summary;
    struct dj_findings findings;
};

/* Finds the rules of an app window, and allocates memory for all of its rows. *judged
 * must be all zero. Returns false if there is no memory. The caller calls
 * dj_metrics_judged_rows_close() in both cases. */
bool dj_metrics_judged_rows_open(struct dj_judged_rows *judged,
                                 const struct dj_dump *dump,
                                 const struct dj_dump_process *process,
                                 const struct dj_dump_window *window);

/* Judges some or all rows of the app window. The caller owns the frames, which must exist
 * as long as the result is used. */
void dj_metrics_judged_rows_judge(struct dj_judged_rows *judged,
                                  const struct dj_frame *frames, size_t count);

void dj_metrics_judged_rows_close(struct dj_judged_rows *judged);

#endif
