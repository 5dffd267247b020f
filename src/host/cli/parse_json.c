#include <math.h>

#include "cli/parse_output.h"
#include "gfxinfo/lines.h"
#include "report/json.h"

static void open_object(struct dj_text *text, const char *key)
{
    if (key != NULL) {
        dj_json_key(text, key);
    }
    dj_json_comma(text);
    dj_text_append(text, "{", 1);
}

static void open_array(struct dj_text *text, const char *key)
{
    if (key != NULL) {
        dj_json_key(text, key);
    }
    dj_json_comma(text);
    dj_text_append(text, "[", 1);
}

static void put_int(struct dj_text *text, const char *key, int64_t value)
{
    dj_json_key(text, key);
    dj_json_int(text, value);
}

/* −1 and other negative numbers stand for unknown. */
static void put_known(struct dj_text *text, const char *key, int64_t value)
{
    dj_json_key(text, key);
    if (value < 0) {
        dj_json_null(text);
    } else {
        dj_json_int(text, value);
    }
}

static void put_string(struct dj_text *text, const char *key, const char *string)
{
    dj_json_key(text, key);
    dj_json_string(text, string);
}

static void put_bool(struct dj_text *text, const char *key, bool value)
{
    dj_json_key(text, key);
    dj_json_bool(text, value);
}

/* Not a number is null: JSON has no NaN. */
static void put_real(struct dj_text *text, const char *key, double value)
{
    dj_json_key(text, key);
    if (isfinite(value)) {
        dj_text_format(text, "%.10g", value);
    } else {
        dj_json_null(text);
    }
}

/* ---- statistics blocks ---- */

/* Names of the counters, a contract. JANKY's is followed by its percentage. */
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

static void put_counters(struct dj_text *text, const struct dj_stats_block *block)
{
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_line_at(i);
        if ((block->lines & (UINT32_C(1) << i)) == 0 ||
            (line->kind != DJ_LINE_COUNTER && line->kind != DJ_LINE_JANKY)) {
            continue;
        }
        bool slow_draw =
            line->last_api == 22 && line->field == DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS;
        put_int(text, slow_draw ? "slow_draw" : counter_keys[line->field],
                block->stats.counter[line->field]);
        if (line->kind == DJ_LINE_JANKY && line->field == DJ_COUNTER_JANKY) {
            put_real(text, "janky_percent", block->printed_janky_pct);
        }
    }
}

static void put_percentiles(struct dj_text *text, const char *key,
                            const struct dj_stats_block *block, enum dj_line_kind kind,
                            const uint32_t *printed_ms)
{
    if ((block->lines & dj_lines_of_kind(kind)) == 0) {
        return;
    }
    open_object(text, key);
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if ((block->lines & (UINT32_C(1) << i)) != 0 && dj_line_at(i)->kind == kind) {
            char percent[16];
            snprintf(percent, sizeof(percent), "%u",
                     dj_percentiles[dj_line_at(i)->field]);
            put_int(text, percent, printed_ms[dj_line_at(i)->field]);
        }
    }
    dj_text_append(text, "}", 1);
}

static void put_histogram(struct dj_text *text, const char *key, const uint32_t *buckets,
                          size_t count, uint32_t (*label_ms)(size_t bucket))
{
    open_array(text, key);
    for (size_t i = 0; i < count; i++) {
        open_array(text, NULL);
        dj_json_int(text, label_ms(i));
        dj_json_int(text, buckets[i]);
        dj_text_append(text, "]", 1);
    }
    dj_text_append(text, "]", 1);
}

static void put_stats(struct dj_text *text, const struct dj_stats_block *block)
{
    dj_json_key(text, "stats");
    if (!block->present) {
        dj_json_null(text);
        return;
    }
    open_object(text, NULL);
    if ((block->lines & dj_lines_of_kind(DJ_LINE_SINCE)) != 0) {
        put_int(text, "since_ns", block->stats.since_ns);
    }
    put_counters(text, block);
    put_percentiles(text, "percentiles_ms", block, DJ_LINE_PERCENTILE,
                    block->printed_percentile_ms);
    if ((block->lines & dj_lines_of_kind(DJ_LINE_HISTOGRAM)) != 0) {
        put_histogram(text, "histogram", block->stats.frame_histogram, DJ_FRAME_BUCKETS,
                      dj_frame_bucket_label_ms);
    }
    put_percentiles(text, "gpu_percentiles_ms", block, DJ_LINE_GPU_PERCENTILE,
                    block->printed_gpu_percentile_ms);
    if ((block->lines & dj_lines_of_kind(DJ_LINE_GPU_HISTOGRAM)) != 0) {
        put_histogram(text, "gpu_histogram", block->stats.gpu_histogram, DJ_GPU_BUCKETS,
                      dj_gpu_bucket_label_ms);
    }
    dj_text_append(text, "}", 1);
}

/* ---- exact figures ---- */

static void put_spread(struct dj_text *text, const struct dj_spread *spread)
{
    put_int(text, "frames", (int64_t)spread->count);
    if (spread->count == 0) {
        return;
    }
    open_object(text, "percentiles_ns");
    put_real(text, "50", spread->p50_ns);
    put_real(text, "90", spread->p90_ns);
    put_real(text, "95", spread->p95_ns);
    put_real(text, "99", spread->p99_ns);
    dj_text_append(text, "}", 1);
    put_int(text, "total_ns_sum", spread->total_ns);
    put_real(text, "mean_ns", spread->mean_ns);
    put_int(text, "min_ns", spread->min_ns);
    put_int(text, "max_ns", spread->max_ns);
}

static void put_stages(struct dj_text *text, const struct dj_summary *summary)
{
    open_array(text, "stages");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if (summary->stage[i].count > 0) {
            open_object(text, NULL);
            put_string(text, "name", dj_stage_name((enum dj_stage)i));
            put_spread(text, &summary->stage[i]);
            dj_text_append(text, "}", 1);
        }
    }
    dj_text_append(text, "]", 1);
}

static void put_computed(struct dj_text *text, const struct dj_parsed *parsed,
                         const struct dj_window_facts *facts)
{
    const struct dj_summary *summary = &facts->summary;
    open_object(text, "computed");
    put_string(text, "rule", parsed->dialect->name);
    put_int(text, "interval_ns", facts->interval_ns);
    put_bool(text, "interval_assumed", facts->interval_assumed);
    put_int(text, "janky", (int64_t)summary->janky);
    put_int(text, "deadline_missed", (int64_t)summary->deadline_missed);
    put_spread(text, &summary->frame_time);
    open_object(text, "guide_total");
    put_spread(text, &summary->guide_total);
    dj_text_append(text, "}", 1);
    put_stages(text, summary);
    put_real(text, "rate_hz", dj_summary_rate_hz(summary));
    open_object(text, "replayed");
    put_int(text, "total_frames", summary->replayed.counter[DJ_COUNTER_TOTAL]);
    put_int(text, "janky_frames", summary->replayed.counter[DJ_COUNTER_JANKY]);
    put_int(text, "frame_deadline_missed",
            summary->replayed.counter[DJ_COUNTER_DEADLINE_MISSED]);
    dj_text_append(text, "}}", 2);
}

/* ---- windows ---- */

static void put_frame_rows(struct dj_text *text, const struct dj_dump_window *window)
{
    open_array(text, "rows");
    for (size_t i = 0; i < window->frame_count; i++) {
        open_array(text, NULL);
        for (size_t k = 0; k < window->columns.count; k++) {
            enum dj_column column = (enum dj_column)window->columns.column[k];
            if (dj_frame_has(&window->frames[i], column)) {
                dj_json_int(text, window->frames[i].value[column]);
            } else {
                dj_json_null(text);
            }
        }
        dj_text_append(text, "]", 1);
    }
    dj_text_append(text, "]", 1);
}

static void put_framestats(struct dj_text *text, const struct dj_parsed *parsed,
                           const struct dj_dump_window *window,
                           const struct dj_window_facts *facts, bool rows)
{
    dj_json_key(text, "framestats");
    if (!window->has_frames) {
        dj_json_null(text);
        return;
    }
    open_object(text, NULL);
    put_int(text, "row_count", (int64_t)window->frame_count);
    open_array(text, "columns");
    for (size_t i = 0; i < window->columns.count; i++) {
        dj_json_string(text, dj_column_name((enum dj_column)window->columns.column[i]));
    }
    dj_text_append(text, "]", 1);
    put_bool(text, "header_inferred", window->columns_inferred);
    put_int(text, "usable_row_count", (int64_t)facts->summary.usable);
    open_object(text, "excluded");
    for (size_t i = 0; i < DJ_USABILITY_COUNT; i++) {
        if (facts->summary.excluded[i] > 0) {
            put_int(text, dj_usability_name((enum dj_usability)i),
                    (int64_t)facts->summary.excluded[i]);
        }
    }
    dj_text_append(text, "}", 1);
    put_computed(text, parsed, facts);
    if (rows) {
        put_frame_rows(text, window);
    }
    dj_text_append(text, "}", 1);
}

static void put_profile(struct dj_text *text, const struct dj_dump_window *window,
                        bool rows)
{
    dj_json_key(text, "profile");
    if (!window->has_profile) {
        dj_json_null(text);
        return;
    }
    bool prepare = window->profile_count == 0 || window->profile[0].prepare_ms >= 0;
    open_object(text, NULL);
    put_int(text, "row_count", (int64_t)window->profile_count);
    dj_json_key(text, "columns");
    dj_text_string(text, prepare ? "[\"Draw\",\"Prepare\",\"Process\",\"Execute\"]"
                                 : "[\"Draw\",\"Process\",\"Execute\"]");
    if (rows) {
        open_array(text, "rows");
        for (size_t i = 0; i < window->profile_count; i++) {
            const struct dj_profile_row *row = &window->profile[i];
            dj_json_comma(text);
            dj_text_format(text, "[%.2f,", (double)row->draw_ms);
            if (prepare) {
                dj_text_format(text, "%.2f,", (double)row->prepare_ms);
            }
            dj_text_format(text, "%.2f,%.2f]", (double)row->process_ms,
                           (double)row->execute_ms);
        }
        dj_text_append(text, "]", 1);
    }
    dj_text_append(text, "}", 1);
}

static void put_window(struct dj_text *text, const struct dj_parsed *parsed,
                       const struct dj_dump_window *window,
                       const struct dj_window_facts *facts, bool rows)
{
    open_object(text, NULL);
    put_string(text, "title",
               window->title != NULL ? window->title : window->stats_title);
    put_known(text, "visibility", window->visibility);
    put_stats(text, &window->stats);
    put_profile(text, window, rows);
    put_framestats(text, parsed, window, facts, rows);
    dj_text_append(text, "}", 1);
}

/* ---- processes and the input ---- */

static void put_notes(struct dj_text *text, const struct dj_dump_process *process)
{
    put_known(text, "frame_interval_ns",
              process->interval_ns > 0 ? process->interval_ns : -1);
    put_bool(text, "frame_interval_assumed", process->interval_assumed);
    open_array(text, "not_recorded");
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if ((process->not_recorded & DJ_COLUMN_BIT(i)) != 0) {
            dj_json_string(text, dj_column_name((enum dj_column)i));
        }
    }
    dj_text_append(text, "]", 1);
    put_int(text, "dropped_frames", (int64_t)process->dropped);
    put_known(text, "recovered_frames", process->expected >= 0 ? process->recovered : -1);
    put_known(text, "expected_frames", process->expected);
    put_string(text, "recording_stopped", process->disabled);
    put_string(text, "collection_stopped", process->cut_short);
    put_bool(text, "ended", process->ended);
}

static void put_process(struct dj_text *text, const struct dj_parsed *parsed,
                        size_t index, bool rows)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    open_object(text, NULL);
    put_known(text, "pid", process->pid);
    put_string(text, "name", process->name);
    put_known(text, "uptime_ms", parsed->dump.uptime_ms);
    put_known(text, "realtime_ms", parsed->dump.realtime_ms);
    put_string(text, "pipeline", process->pipeline);
    put_notes(text, process);
    put_stats(text, &process->stats);
    open_array(text, "windows");
    for (size_t i = 0; i < process->window_count; i++) {
        put_window(text, parsed, &process->windows[i],
                   &parsed->processes[index].windows[i], rows);
    }
    dj_text_append(text, "]}", 2);
}

static void put_diagnostic(struct dj_text *text, int64_t line, int64_t byte,
                           const char *severity, const char *message)
{
    open_object(text, NULL);
    put_known(text, "line", line);
    put_known(text, "byte", byte);
    put_string(text, "severity", severity);
    put_string(text, "message", message);
    dj_text_append(text, "}", 1);
}

static void put_diagnostics(struct dj_text *text, const struct dj_parsed *parsed)
{
    const struct dj_parse_report *report = &parsed->report;
    open_array(text, "diagnostics");
    for (size_t i = 0; i < report->warning_count && i < DJ_PARSE_WARNINGS; i++) {
        put_diagnostic(text, (int64_t)report->warning[i].line,
                       (int64_t)report->warning[i].byte, "warning",
                       report->warning[i].message);
    }
    if (parsed->outcome != DJ_OUTCOME_OK) {
        put_diagnostic(text, -1, -1, "error", parsed->error.message);
    }
    dj_text_append(text, "]", 1);
}

void dj_parse_json(struct dj_text *text, const struct dj_parsed *parsed, bool rows)
{
    const struct dj_dump *dump = &parsed->dump;
    open_object(text, NULL);
    put_string(text, "source", parsed->source);
    put_string(text, "release", dump->dialect != NULL ? dump->dialect->name : NULL);
    put_bool(text, "release_inferred", dump->dialect_inferred);
    put_string(text, "outcome", dj_outcome_name(parsed->outcome));
    put_diagnostics(text, parsed);
    open_array(text, "processes");
    for (size_t i = 0; i < dump->process_count; i++) {
        put_process(text, parsed, i, rows);
    }
    dj_text_append(text, "]}", 2);
}
