#include <math.h>
#include <string.h>

#include "cli/parse_output.h"
#include "gfxinfo/lines.h"

static void put_spread(struct dj_text *text, const char *name,
                       const struct dj_spread *spread)
{
    if (spread->count == 0) {
        return;
    }
    dj_text_format(
        text,
        "      %-14s p50 %8.2f   p90 %8.2f   p95 %8.2f   p99 %8.2f   max %8.2f   "
        "mean %8.2f   sum %10.2f ms\n",
        name, spread->p50_ns / 1e6, spread->p90_ns / 1e6, spread->p95_ns / 1e6,
        spread->p99_ns / 1e6, (double)spread->max_ns / 1e6, spread->mean_ns / 1e6,
        (double)spread->total_ns / 1e6);
}

/* ---- as printed ---- */

static void put_printed_line(struct dj_text *text, const struct dj_stats_block *block,
                             const struct dj_line *line)
{
    uint32_t value = block->stats.counter[line->field];
    int name = (int)strcspn(line->prefix, ":");
    switch (line->kind) {
    case DJ_LINE_JANKY:
        dj_text_format(text, "      %-36.*s %u", name, line->prefix, value);
        if (line->field == DJ_COUNTER_JANKY && isfinite(block->printed_janky_pct)) {
            dj_text_format(text, " (%.2f %%)", block->printed_janky_pct);
        }
        dj_text_append(text, "\n", 1);
        break;
    case DJ_LINE_COUNTER:
        dj_text_format(text, "      %-36.*s %u\n", name, line->prefix, value);
        break;
    case DJ_LINE_PERCENTILE:
        dj_text_format(text, "      %-36.*s %u ms\n", name, line->prefix,
                       block->printed_percentile_ms[line->field]);
        break;
    case DJ_LINE_GPU_PERCENTILE:
        dj_text_format(text, "      %-36.*s %u ms\n", name, line->prefix,
                       block->printed_gpu_percentile_ms[line->field]);
        break;
    case DJ_LINE_SINCE:
    case DJ_LINE_HISTOGRAM:
    case DJ_LINE_GPU_HISTOGRAM:
        break;
    }
}

/* 4950 ms is hwui's percentile of nothing. */
static bool counts_something(const struct dj_stats_block *block,
                             const struct dj_line *line)
{
    const uint32_t *buckets = line->kind == DJ_LINE_GPU_PERCENTILE
                                  ? block->stats.gpu_histogram
                                  : block->stats.frame_histogram;
    size_t count =
        line->kind == DJ_LINE_GPU_PERCENTILE ? DJ_GPU_BUCKETS : DJ_FRAME_BUCKETS;
    uint32_t histogram = dj_lines_of_kind(
        line->kind == DJ_LINE_GPU_PERCENTILE ? DJ_LINE_GPU_HISTOGRAM : DJ_LINE_HISTOGRAM);
    if (line->kind != DJ_LINE_PERCENTILE && line->kind != DJ_LINE_GPU_PERCENTILE) {
        return true;
    }
    if ((block->lines & histogram) == 0) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (buckets[i] > 0) {
            return true;
        }
    }
    return false;
}

static void put_printed(struct dj_text *text, const struct dj_stats_block *block)
{
    if (!block->present) {
        return;
    }
    dj_text_string(text, "    as printed (hwui's sums since the last reset)\n");
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if ((block->lines & (UINT32_C(1) << i)) != 0 &&
            counts_something(block, dj_line_at(i))) {
            put_printed_line(text, block, dj_line_at(i));
        }
    }
}

/* ---- exact ---- */

static void put_excluded(struct dj_text *text, const struct dj_summary *summary)
{
    const char *separator = ": ";
    if (summary->usable == summary->rows) {
        return;
    }
    dj_text_format(text, "; %zu left out", summary->rows - summary->usable);
    for (size_t i = 0; i < DJ_USABILITY_COUNT; i++) {
        if (summary->excluded[i] > 0) {
            dj_text_format(text, "%s%zu %s", separator, summary->excluded[i],
                           dj_usability_name((enum dj_usability)i));
            separator = ", ";
        }
    }
}

static void put_jank(struct dj_text *text, const struct dj_parsed *parsed,
                     const struct dj_window_facts *facts)
{
    const struct dj_summary *summary = &facts->summary;
    if (summary->judged > 0) {
        dj_text_format(
            text,
            "      janky          %zu of %zu (%.2f %%), %zu missed the deadline; rule of "
            "Android %s%s, interval %.3f ms%s\n",
            summary->janky, summary->judged,
            100.0 * (double)summary->janky / (double)summary->judged,
            summary->deadline_missed, parsed->dialect->name,
            parsed->dump.dialect == NULL ? ", not this dump's own" : "",
            (double)facts->interval_ns / 1e6,
            facts->interval_assumed ? " (assumed)" : "");
    }
    double rate_hz = dj_summary_rate_hz(summary);
    if (isfinite(rate_hz)) {
        dj_text_format(
            text,
            "      rate           %.2f frames/s while frames were being made (%.2f s)\n",
            rate_hz, (double)summary->making_ns / 1e9);
    }
}

static void put_exact(struct dj_text *text, const struct dj_parsed *parsed,
                      const struct dj_dump_window *window,
                      const struct dj_window_facts *facts)
{
    const struct dj_summary *summary = &facts->summary;
    if (!window->has_frames) {
        return;
    }
    if (summary->rows == 0) {
        dj_text_string(text, "    framestats without a row\n");
        return;
    }
    dj_text_format(text, "    exact, from %zu of %zu rows", summary->usable,
                   summary->rows);
    put_excluded(text, summary);
    dj_text_string(text, "\n");
    if (window->columns_inferred) {
        dj_text_format(text,
                       "      columns        inferred from their number, %u: no header\n",
                       window->columns.count);
    }
    put_spread(text, "frame time", &summary->frame_time);
    put_spread(text, "guide_total", &summary->guide_total);
    put_jank(text, parsed, facts);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        put_spread(text, dj_stage_name((enum dj_stage)i), &summary->stage[i]);
    }
}

/* ---- notes ---- */

static void put_not_recorded(struct dj_text *text, uint64_t mask)
{
    const char *separator = "  note: not recorded: ";
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if ((mask & DJ_COLUMN_BIT(i)) != 0) {
            dj_text_string(text, separator);
            dj_text_string(text, dj_column_name((enum dj_column)i));
            separator = ", ";
        }
    }
    dj_text_string(text, mask != 0 ? "\n" : "");
}

static void put_notes(struct dj_text *text, const struct dj_dump_process *process)
{
    if (process->interval_assumed) {
        dj_text_format(text,
                       "  note: nobody knew the refresh rate: a frame interval of %.3f "
                       "ms is assumed\n",
                       (double)process->interval_ns / 1e6);
    }
    put_not_recorded(text, process->not_recorded);
    if (process->dropped > 0) {
        dj_text_format(text, "  note: %llu frames were not recorded\n",
                       (unsigned long long)process->dropped);
    }
    if (process->expected > 0) {
        bool beyond = process->stats.stats.counter[DJ_COUNTER_TOTAL] > process->expected;
        dj_text_format(text, "  note: recovered %lld of %lld frames (%.1f %%)%s\n",
                       (long long)process->recovered, (long long)process->expected,
                       100.0 * (double)process->recovered / (double)process->expected,
                       beyond ? "; the counters cover the readings' own time, too" : "");
    }
    if (process->disabled != NULL) {
        dj_text_format(text, "  note: recording stopped: %s\n", process->disabled);
    }
    if (process->cut_short != NULL) {
        dj_text_format(text, "  note: collection stopped: %s\n", process->cut_short);
    }
    if (process->ended) {
        dj_text_string(text, "  note: the process has ended\n");
    }
}

/* ---- the page ---- */

/* One line first: the largest sample there is decides what is said. */
static void put_verdict(struct dj_text *text, const struct dj_parsed *parsed,
                        size_t index)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    const struct dj_stats_block *block = process->stats.present ? &process->stats : NULL;
    size_t rows = 0;
    size_t janky = 0;
    size_t simple = 0;
    for (size_t i = 0; i < process->window_count; i++) {
        rows += parsed->processes[index].windows[i].summary.judged;
        janky += parsed->processes[index].windows[i].summary.janky;
        simple += process->windows[i].profile_count;
        if (block == NULL && process->windows[i].stats.present) {
            block = &process->windows[i].stats;
        }
    }
    uint32_t total = block != NULL ? block->stats.counter[DJ_COUNTER_TOTAL] : 0;
    if (total > 0) {
        uint32_t counted = block->stats.counter[DJ_COUNTER_JANKY];
        dj_text_format(text, ": %u of %u counted frames janky (%.2f %%)\n", counted,
                       total, 100.0 * (double)counted / (double)total);
    } else if (rows > 0) {
        dj_text_format(text, ": %zu of %zu rows janky (%.2f %%)\n", janky, rows,
                       100.0 * (double)janky / (double)rows);
    } else if (simple > 0) {
        dj_text_format(text, ": %zu rows of the simple dump alone, which tell no jank\n",
                       simple);
    } else {
        dj_text_string(text, ": no frame was drawn\n");
    }
}

static void put_window(struct dj_text *text, const struct dj_parsed *parsed,
                       const struct dj_dump_window *window,
                       const struct dj_window_facts *facts)
{
    static const char *const seen[] = {[0] = "visible", [4] = "invisible", [8] = "gone"};
    const char *title = window->title != NULL ? window->title : window->stats_title;
    dj_text_format(text, "  window %s", title != NULL ? title : "(no title)");
    if (window->visibility >= 0 && window->visibility <= 8 &&
        seen[window->visibility] != NULL) {
        dj_text_format(text, " (%s)", seen[window->visibility]);
    }
    dj_text_string(text, "\n");
    put_printed(text, &window->stats);
    put_exact(text, parsed, window, facts);
    if (window->has_profile) {
        dj_text_format(text, "    simple dump    %zu rows\n", window->profile_count);
    }
}

static void put_release(struct dj_text *text, const struct dj_parsed *parsed)
{
    dj_text_string(text, parsed->source);
    if (parsed->dump.dialect == NULL) {
        dj_text_format(
            text, ": release not recognised; rows are judged by the rule of Android %s\n",
            parsed->dialect->name);
    } else {
        dj_text_format(text, ": in the form of Android %s%s\n", parsed->dialect->name,
                       parsed->dump.dialect_inferred
                           ? " (inferred from its lines and columns)"
                           : "");
    }
}

void dj_parse_page(struct dj_text *text, const struct dj_parsed *parsed)
{
    if (parsed->dump.process_count > 0) {
        put_release(text, parsed);
    }
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        const struct dj_dump_process *process = &parsed->dump.processes[i];
        dj_text_string(text, "\n");
        dj_text_string(text,
                       process->name != NULL ? process->name : "process without a name");
        if (process->pid >= 0) {
            dj_text_format(text, " (pid %lld)", (long long)process->pid);
        }
        put_verdict(text, parsed, i);
        put_notes(text, process);
        put_printed(text, &process->stats);
        for (size_t k = 0; k < process->window_count; k++) {
            put_window(text, parsed, &process->windows[k],
                       &parsed->processes[i].windows[k]);
        }
    }
}
