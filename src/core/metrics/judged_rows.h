/* Judges the rows of one view window of a dump by the rule of their release: the basis
 * of every figure of rows. */
#ifndef DEJANK_METRICS_JUDGED_ROWS_H
#define DEJANK_METRICS_JUDGED_ROWS_H

#include "frame/findings.h"
#include "gfxinfo/dump.h"

struct dj_judged_rows {
    struct dj_summary_rules rules; /* for all rows of the view window */
    struct dj_row_facts *facts;    /* facts[i] describes frames[i]; owned */
    int64_t *scratch;              /* owned */
    uint32_t *marks; /* owned by the caller, cleared: see dj_frame_findings_mark(). NULL:
                        not wanted */
    const struct dj_frame *frames; /* the frames judged last */
    size_t count;
    struct dj_summary summary;
    struct dj_findings findings;
};

/* Finds the rules, and allocates for all rows of the view window. Returns false
 * without memory. Zeroes *judged first, and the caller closes it in every case. */
bool dj_metrics_judged_rows_open(struct dj_judged_rows *judged,
                                 const struct dj_dump *dump,
                                 const struct dj_dump_process *process,
                                 const struct dj_dump_window *window);

/* Judges some or all rows of the view window; the caller owns them. */
void dj_metrics_judged_rows_judge(struct dj_judged_rows *judged,
                                  const struct dj_frame *frames, size_t count);

void dj_metrics_judged_rows_close(struct dj_judged_rows *judged);

#endif
