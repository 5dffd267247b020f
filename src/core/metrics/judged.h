/* The rows of one view window of a dump, judged by the rule of their release: what every
 * figure of rows starts from. */
#ifndef DEJANK_METRICS_JUDGED_H
#define DEJANK_METRICS_JUDGED_H

#include "frame/findings.h"
#include "gfxinfo/dump.h"

struct dj_judged_rows {
    struct dj_summary_rules rules; /* of all rows of the view window */
    struct dj_row_facts *facts;    /* facts[i] is of frames[i]; owned */
    int64_t *scratch;              /* owned */
    uint32_t *marks; /* the caller's, cleared: see dj_findings_mark(). NULL: not wanted */
    const struct dj_frame *frames; /* that were judged last */
    size_t count;
    struct dj_summary summary;
    struct dj_findings findings;
};

/* Finds the rules, and allocates for all rows of the view window. False: out of memory.
 * *judged is zeroed, and the caller closes it in every case. */
bool dj_judged_rows_open(struct dj_judged_rows *judged, const struct dj_dump *dump,
                         const struct dj_dump_process *process,
                         const struct dj_dump_window *window);

/* Judges rows of the view window, all or some; they stay the caller's. */
void dj_judged_rows_judge(struct dj_judged_rows *judged, const struct dj_frame *frames,
                          size_t count);

void dj_judged_rows_close(struct dj_judged_rows *judged);

#endif
