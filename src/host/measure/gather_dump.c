#include "gfxinfo/lines.h"
#include "measure/gather.h"

/* Percentiles of releases that print no histogram cannot be told of a difference. */
static uint32_t lines_of_difference(uint32_t lines)
{
    if ((lines & dj_lines_of_kind(DJ_LINE_HISTOGRAM)) == 0) {
        lines &= ~dj_lines_of_kind(DJ_LINE_PERCENTILE);
    }
    if ((lines & dj_lines_of_kind(DJ_LINE_GPU_HISTOGRAM)) == 0) {
        lines &= ~dj_lines_of_kind(DJ_LINE_GPU_PERCENTILE);
    }
    return lines;
}

static void fill_block(struct dj_stats_block *block, const struct dj_tally *tally,
                       uint32_t lines, const struct dj_span *span)
{
    if (!tally->opened) {
        return;
    }
    block->present = true;
    block->lines = lines_of_difference(lines);
    dj_tally_sum(tally, &block->stats);
    block->stats.since_ns = span->start_ns > 0 ? span->start_ns : 0;
}

static int dump_window(struct dj_gather_window *window, const struct dj_span *span,
                       struct dj_dump_process *section, struct dj_error *err)
{
    struct dj_dump_window *to = dj_dump_add_window(section);
    if (to == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    dj_row_store_trim(&window->rows, span->start_ns, span->end_ns);
    to->title = window->title;
    to->stats_title = window->stats_title;
    to->visibility = window->visibility;
    to->columns = window->columns;
    to->has_frames = window->has_frames;
    to->rows_borrowed = true;
    to->frames = window->rows.frames;
    to->frame_count = window->rows.count;
    to->vendor = window->vendor;
    to->vendor_count = window->rows.vendor_count;
    to->vendor_values = window->rows.vendor;
    window->vendor = NULL;
    window->title = NULL;
    window->stats_title = NULL;
    fill_block(&to->stats, &window->tally, window->lines, span);
    return 0;
}

static int dump_process(struct dj_gather_process *process, const struct dj_span *span,
                        struct dj_dump *dump, struct dj_recovery *recovery,
                        struct dj_error *err)
{
    struct dj_dump_process *section = dj_dump_add_process(dump);
    if (section == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    section->pid = process->pid;
    section->name = process->name;
    section->pipeline = process->pipeline;
    section->disabled = process->disabled;
    process->name = process->pipeline = process->disabled = NULL;
    section->interval_ns = process->interval_ns;
    section->interval_assumed = process->interval_assumed;
    section->ended = process->ended;
    section->not_recorded = process->not_recorded;
    section->dropped = process->dropped - process->dropped_before;
    fill_block(&section->stats, &process->tally, process->lines, span);
    struct dj_recovery account = {0};
    for (size_t i = 0; i < process->window_count; i++) {
        struct dj_gather_window *window = &process->windows[i];
        dj_recovery_add_rows(&account, window->rows.frames, window->rows.count, span);
        int code = dump_window(window, span, section, err);
        if (code != 0) {
            return code;
        }
    }
    dj_recovery_settle(&account, section->stats.stats.counter[DJ_COUNTER_TOTAL]);
    section->recovered = account.recovered;
    section->expected = account.expected;
    dj_recovery_merge(recovery, &account);
    return 0;
}

int dj_gather_dump(struct dj_gather *gather, const struct dj_span *span,
                   struct dj_dump *dump, struct dj_recovery *recovery,
                   struct dj_error *err)
{
    *recovery = (struct dj_recovery){0};
    dump->dialect = gather->dialect;
    for (size_t i = 0; i < gather->process_count; i++) {
        if (!gather->processes[i].ignored) {
            int code = dump_process(&gather->processes[i], span, dump, recovery, err);
            if (code != 0) {
                return code;
            }
        }
    }
    return 0;
}
