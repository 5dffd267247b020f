#include "gfxinfo/lines.h"
#include "measure/gather.h"

/* Clears the bits of the percentile lines in `lines` if there is no histogram. A
 * window's dump is the difference of two dumps, and percentiles of a difference can
 * only be computed from a histogram. */
static uint32_t mask_lines(uint32_t lines)
{
    if ((lines & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM)) == 0) {
        lines &= ~dj_gfxinfo_lines_of_kind(DJ_LINE_PERCENTILE);
    }
    if ((lines & dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_HISTOGRAM)) == 0) {
        lines &= ~dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_PERCENTILE);
    }
    return lines;
}

static void fill_block(struct dj_stats_block *block,
                       const struct dj_stats_accumulator *tally, uint32_t lines,
                       const struct dj_span *span)
{
    if (!tally->started) {
        return;
    }
    block->present = true;
    block->lines = mask_lines(lines);
    dj_frame_accumulator_sum(tally, &block->stats);
    block->stats.since_ns = span->start_ns > 0 ? span->start_ns : 0;
}

static void finish_window(struct dj_gather_window *window, const struct dj_span *span,
                          struct dj_dump_window *to)
{
    dj_row_store_trim(&window->rows, span->start_ns, span->end_ns);
    to->rows_borrowed = true;
    to->frames = window->rows.frames;
    to->frame_count = window->rows.count;
    to->vendor_values = window->rows.vendor;
    fill_block(&to->stats, &window->tally, window->lines, span);
}

static void finish_process(struct dj_gather_process *process, const struct dj_span *span,
                           struct dj_dump_process *to, struct dj_recovery *recovery)
{
    struct dj_recovery account = {0};
    to->dropped -= process->dropped_before;
    fill_block(&to->stats, &process->tally, process->lines, span);
    for (size_t i = 0; i < process->window_count; i++) {
        struct dj_gather_window *window = &process->windows[i];
        dj_frame_recovery_add_rows(&account, window->rows.frames, window->rows.count,
                                   span);
        finish_window(window, span, &to->windows[i]);
    }
    dj_frame_recovery_set_counted(&account, to->stats.stats.counter[DJ_COUNTER_TOTAL]);
    to->recovered = account.recovered;
    to->expected = account.expected;
    dj_frame_recovery_merge(recovery, &account);
}

void dj_measure_gather_get_dump(struct dj_gather *gather, const struct dj_span *span,
                                struct dj_dump *dump, struct dj_recovery *recovery)
{
    struct dj_dump_process *all = gather->dump.processes;
    size_t count = 0;
    *recovery = (struct dj_recovery){0};
    for (size_t i = 0; i < gather->process_count; i++) {
        if (!gather->processes[i].ignored) {
            finish_process(&gather->processes[i], span, &all[i], recovery);
            all[count++] = all[i];
        }
    }
    dump->dialect = gather->dump.dialect;
    dump->processes = all;
    dump->process_count = count;
    gather->dump = (struct dj_dump){0};
}
