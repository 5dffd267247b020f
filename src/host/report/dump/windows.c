#include "report/dump/windows.h"

#include "report/dump/other_dumps.h"

static size_t visit_dump(const struct dj_parsed *parsed, dj_window_visitor *visit,
                         void *context)
{
    size_t rows = 0;
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        const struct dj_dump_process *process = &parsed->dump.processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            rows += visit(context, parsed, process, &process->windows[k],
                          &parsed->processes[i].windows[k]);
        }
    }
    return rows;
}

size_t dj_parsed_visit_windows(const struct dj_parsed *parsed, dj_window_visitor *visit,
                               void *context)
{
    size_t rows = visit_dump(parsed, visit, context);
    struct dj_parsed daveys;
    dj_other_dumps_from_daveys(parsed, &daveys);
    rows += visit_dump(&daveys, visit, context);
    dj_import_finish_dump(&daveys);
    return rows;
}

const char *dj_parsed_get_window_title(const struct dj_dump_window *window)
{
    return window->title != NULL ? window->title : window->stats_title;
}

bool dj_parsed_compute_guide_total(const struct dj_frame *frame, int64_t *total_ns)
{
    return dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                       DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED)) &&
           !__builtin_sub_overflow(frame->value[DJ_COLUMN_FRAME_COMPLETED],
                                   frame->value[DJ_COLUMN_INTENDED_VSYNC], total_ns);
}
