#include "metrics/judged_rows.h"

#include <stdlib.h>

#include "base/array.h"

void dj_metrics_judged_rows_judge(struct dj_judged_rows *judged,
                                  const struct dj_frame *frames, size_t count)
{
    judged->frames = frames;
    judged->count = count;
    dj_frame_summarize(frames, count, &judged->rules, judged->facts, judged->scratch,
                       &judged->summary);
    dj_frame_findings_mark(frames, count, judged->facts, judged->rules.interval_ns,
                           &judged->findings, judged->marks);
}

bool dj_metrics_judged_rows_open(struct dj_judged_rows *judged,
                                 const struct dj_dump *dump,
                                 const struct dj_dump_process *process,
                                 const struct dj_dump_window *window)
{
    size_t rows = window->frame_count;
    judged->facts = dj_array_resize(NULL, rows + 1, sizeof(*judged->facts));
    judged->scratch =
        dj_array_resize(NULL, rows + 1, DJ_SUMMARY_SCRATCH * sizeof(*judged->scratch));
    if (judged->facts == NULL || judged->scratch == NULL) {
        return false;
    }
    judged->rules = dj_gfxinfo_dump_rules(dump, process, window, judged->scratch);
    return true;
}

void dj_metrics_judged_rows_close(struct dj_judged_rows *judged)
{
    free(judged->facts);
    free(judged->scratch);
}
