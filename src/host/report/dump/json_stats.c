#include <stdio.h>

#include "base/json.h"
#include "gfxinfo/lines.h"
#include "report/dump/dump.h"

/* Names of the counters in the JSON. A percentage follows the counter JANKY. */
static const char *const counter_keys[DJ_COUNTER_COUNT] = {
    [DJ_COUNTER_TOTAL] = "total_frames",
    [DJ_COUNTER_JANKY] = "janky_frames",
    [DJ_COUNTER_JANKY_LEGACY] = "janky_legacy",
    [DJ_COUNTER_MISSED_VSYNC] = "missed_vsync",
    [DJ_COUNTER_HIGH_INPUT_LATENCY] = "high_input_latency",
    [DJ_COUNTER_SLOW_UI_THREAD] = "slow_ui_thread",
    [DJ_COUNTER_SLOW_BITMAP_UPLOADS] = "slow_bitmap_uploads",
    [DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS] = "slow_issue_draw_commands",
    [DJ_COUNTER_DEADLINE_MISSED] = "frame_deadline_missed",
    [DJ_COUNTER_DEADLINE_MISSED_LEGACY] = "frame_deadline_missed_legacy",
};

static void write_counters(struct dj_text *text, const struct dj_stats_block *block)
{
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_gfxinfo_line_at(i);
        if ((block->lines & (UINT32_C(1) << i)) == 0 ||
            (line->kind != DJ_LINE_COUNTER && line->kind != DJ_LINE_JANKY)) {
            continue;
        }
        bool slow_draw =
            line->last_api == 22 && line->field == DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS;
        dj_json_add_int(text, slow_draw ? "slow_draw" : counter_keys[line->field],
                        block->stats.counter[line->field]);
        if (line->kind == DJ_LINE_JANKY) {
            bool legacy = line->field == DJ_COUNTER_JANKY_LEGACY;
            dj_json_add_real(text, legacy ? "janky_legacy_percent" : "janky_percent",
                             legacy ? block->printed_legacy_pct
                                    : block->printed_janky_pct);
        }
    }
}

static void write_percentiles(struct dj_text *text, const char *key,
                              const struct dj_stats_block *block, enum dj_line_kind kind,
                              const uint32_t *printed_ms)
{
    if ((block->lines & dj_gfxinfo_lines_of_kind(kind)) == 0) {
        return;
    }
    dj_json_open_object(text, key);
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if ((block->lines & (UINT32_C(1) << i)) != 0 &&
            dj_gfxinfo_line_at(i)->kind == kind) {
            char percent[16];
            snprintf(percent, sizeof(percent), "%u",
                     dj_gfxinfo_percentiles[dj_gfxinfo_line_at(i)->field]);
            dj_json_add_int(text, percent, printed_ms[dj_gfxinfo_line_at(i)->field]);
        }
    }
    dj_json_close(text, "}");
}

/* Appends the buckets that the dump contains. */
static void write_histogram(struct dj_text *text, const char *key,
                            const uint32_t *buckets, const uint64_t *missing,
                            size_t count, uint32_t (*label_ms)(size_t bucket))
{
    dj_json_open_array(text, key);
    for (size_t i = 0; i < count; i++) {
        if (!dj_gfxinfo_bucket_is_missing(missing, i)) {
            dj_json_open_array(text, NULL);
            dj_json_append_int(text, label_ms(i));
            dj_json_append_int(text, buckets[i]);
            dj_json_close(text, "]");
        }
    }
    dj_json_close(text, "]");
}

void dj_report_write_json_stats(struct dj_text *text, const struct dj_stats_block *block)
{
    if (!block->present) {
        dj_json_add_null(text, "stats");
        return;
    }
    dj_json_open_object(text, "stats");
    if ((block->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_SINCE)) != 0) {
        dj_json_add_int(text, "since_ns", block->stats.since_ns);
    }
    write_counters(text, block);
    write_percentiles(text, "percentiles_ms", block, DJ_LINE_PERCENTILE,
                      block->printed_percentile_ms);
    if ((block->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM)) != 0) {
        write_histogram(text, "histogram", block->stats.frame_histogram,
                        block->missing_frame, DJ_FRAME_BUCKETS, dj_frame_bucket_label_ms);
    }
    write_percentiles(text, "gpu_percentiles_ms", block, DJ_LINE_GPU_PERCENTILE,
                      block->printed_gpu_percentile_ms);
    if ((block->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_HISTOGRAM)) != 0) {
        write_histogram(text, "gpu_histogram", block->stats.gpu_histogram,
                        block->missing_gpu, DJ_GPU_BUCKETS, dj_frame_gpu_bucket_label_ms);
    }
    dj_json_close(text, "}");
}
