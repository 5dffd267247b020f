#include "gfxinfo/lines.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

#include <math.h>

/* Reads " (3.45%)", "(nan%)" or "(-nan%)". Android 6.0 and 7 print nan because they
 * divide by zero if there are no frames. */
static double scan_percentage(struct dj_str rest)
{
    double percentage;
    dj_scan_blanks(&rest);
    return dj_scan_word(&rest, "(") && dj_scan_decimal(&rest, &percentage) ? percentage
                                                                           : (double)NAN;
}

static int64_t get_maximum(const struct dj_line *line)
{
    return line->kind == DJ_LINE_SINCE ? INT64_MAX : UINT32_MAX;
}

/* Returns whether the number in the last line of the text must be ignored because it may
 * lack digits. In most kinds of lines, text after the number shows that the number is
 * complete. A counter has no such text. Of the counters, only the total is ignored,
 * because a wrong total would make all percentiles of the block wrong. */
static bool is_number_truncated(const struct dj_line *line, struct dj_str after)
{
    switch (line->kind) {
    case DJ_LINE_SINCE:
        return !dj_str_begins(after, "ns");
    case DJ_LINE_PERCENTILE:
    case DJ_LINE_GPU_PERCENTILE:
        return !dj_str_begins(after, "ms");
    case DJ_LINE_JANKY:
        return memchr(after.at, ')', after.length) == NULL;
    case DJ_LINE_COUNTER:
        return line->field == DJ_COUNTER_TOTAL;
    case DJ_LINE_HISTOGRAM:
    case DJ_LINE_GPU_HISTOGRAM:
        break;
    }
    return false;
}

static bool read_value(struct dj_reader *reader, size_t table_line, struct dj_str rest,
                       struct dj_stats_block *block)
{
    const struct dj_line *line = dj_gfxinfo_line_at(table_line);
    if (line->kind == DJ_LINE_HISTOGRAM || line->kind == DJ_LINE_GPU_HISTOGRAM) {
        dj_reader_begin_histogram(reader, table_line, rest, block);
        return true;
    }
    int64_t value;
    dj_scan_blanks(&rest);
    if (!dj_scan_count(&rest, &value) || value > get_maximum(line) ||
        (reader->truncated && is_number_truncated(line, rest))) {
        return false;
    }
    switch (line->kind) {
    case DJ_LINE_SINCE:
        block->stats.since_ns = value;
        break;
    case DJ_LINE_JANKY:
        *(line->field == DJ_COUNTER_JANKY ? &block->printed_janky_pct
                                          : &block->printed_legacy_pct) =
            scan_percentage(rest);
        block->stats.counter[line->field] = (uint32_t)value;
        break;
    case DJ_LINE_COUNTER:
        block->stats.counter[line->field] = (uint32_t)value;
        break;
    case DJ_LINE_PERCENTILE:
        block->printed_percentile_ms[line->field] = (uint32_t)value;
        break;
    case DJ_LINE_GPU_PERCENTILE:
        block->printed_gpu_percentile_ms[line->field] = (uint32_t)value;
        break;
    case DJ_LINE_HISTOGRAM:
    case DJ_LINE_GPU_HISTOGRAM:
        break;
    }
    return true;
}

/* Returns the statistics to which a line belongs: those of the graphicsstats entry, of
 * the window, or of the process. If these statistics already have such a line, a new
 * window or process begins, because dumps may be joined without their headers. `bit` is
 * the bit of the line in dj_stats_block.lines. */
static struct dj_stats_block *find_block(struct dj_reader *reader, uint32_t bit)
{
    if (reader->entry != NULL && (reader->entry->stats.lines & bit) == 0) {
        return &reader->entry->stats;
    }
    dj_reader_close_entry(reader);
    if (reader->window != NULL) {
        bool is_next_window = (reader->window->stats.lines & bit) != 0;
        struct dj_dump_window *window =
            is_next_window ? dj_reader_next_window(reader) : reader->window;
        return window != NULL ? &window->stats : NULL;
    }
    struct dj_dump_process *process = dj_reader_process(reader);
    if (process != NULL && (process->stats.lines & bit) != 0) {
        process = dj_reader_next_process(reader);
    }
    return process != NULL ? &process->stats : NULL;
}

/* Warns that the number of a known statistics line cannot be read. */
static void warn_of_number(struct dj_reader *reader, const struct dj_line *line,
                           struct dj_str rest)
{
    dj_scan_blanks(&rest);
    dj_scan_word(&rest, "-");
    if (reader->truncated) {
        dj_reader_warn(reader, "the text is truncated in \"%s\": ignored its number",
                       line->prefix);
    } else if (rest.length > 0 && dj_gfxinfo_is_digit(rest.at[0])) {
        dj_reader_warn(reader, "the number after \"%s\" is not in 0 … %lld", line->prefix,
                       (long long)get_maximum(line));
    } else {
        dj_reader_warn(reader, "expected a number after \"%s\"", line->prefix);
    }
}

bool dj_reader_read_stats_line(struct dj_reader *reader, struct dj_str line)
{
    size_t n = dj_lines_find(line.at, line.length);
    if (n == DJ_LINE_COUNT) {
        return false;
    }
    struct dj_str rest = dj_str_from(line, strlen(dj_gfxinfo_line_at(n)->prefix));
    struct dj_stats_block *block = find_block(reader, UINT32_C(1) << n);
    reader->counting = true;
    if (block == NULL) {
        return true;
    }
    if (!read_value(reader, n, rest, block)) {
        warn_of_number(reader, dj_gfxinfo_line_at(n), rest);
        return true;
    }
    block->present = true;
    block->lines |= UINT32_C(1) << n;
    return true;
}
