#include "gfxinfo/lines.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

#include <math.h>

/* The value behind a prefix: "17ms", "424242ns", "12". */
static bool scan_value(struct dj_slice rest, int64_t least, int64_t most,
                       const char **after, int64_t *value)
{
    const char *at = rest.at;
    const char *end = rest.at + rest.length;
    dj_scan_blanks(&at, end);
    if (!dj_scan_int64(&at, end, value) || *value < least || *value > most) {
        return false;
    }
    *after = at;
    return true;
}

/* " (3.45%)", "(nan%)", "(-nan%)"; 6.0 and 7.x divide by zero frames. */
static double scan_share(const char *at, const char *end)
{
    double share;
    dj_scan_blanks(&at, end);
    if (dj_scan_word(&at, end, "(") && dj_scan_decimal(&at, end, &share)) {
        return share;
    }
    return (double)NAN;
}

/* The bucket with exactly this label; false for labels no bucket has. */
static bool frame_bucket_of(uint32_t label_ms, size_t *bucket)
{
    *bucket = dj_frame_bucket((int64_t)label_ms * 1000000);
    return dj_frame_bucket_label_ms(*bucket) == label_ms;
}

static bool gpu_bucket_of(uint32_t label_ms, size_t *bucket)
{
    *bucket =
        label_ms > 0 && label_ms < DJ_GPU_BUCKETS ? label_ms - 1 : DJ_GPU_BUCKETS - 1;
    return dj_gpu_bucket_label_ms(*bucket) == label_ms;
}

/* "5ms=12"; *at is behind it also where its numbers are of no use. */
static bool scan_pair(const char **at, const char *end, uint32_t *label_ms,
                      uint32_t *count)
{
    return dj_scan_uint32(at, end, label_ms) && dj_scan_word(at, end, "ms=") &&
           dj_scan_uint32(at, end, count) && (*at == end || dj_is_blank(**at));
}

static void read_histogram(struct dj_reader *reader, struct dj_slice rest,
                           uint32_t *buckets,
                           bool (*bucket_of)(uint32_t label_ms, size_t *bucket))
{
    const char *at = rest.at;
    const char *end = rest.at + rest.length;
    for (dj_scan_blanks(&at, end); at < end; dj_scan_blanks(&at, end)) {
        uint32_t label_ms;
        uint32_t count;
        size_t bucket;
        bool pair = scan_pair(&at, end, &label_ms, &count);
        /* The text's last number may have lost digits. */
        if (!pair || (at == end && reader->cut && label_ms != 4950)) {
            dj_reader_warn(
                reader,
                "histogram is cut short or broken here: the rest of the line is lost");
            return;
        }
        if (bucket_of(label_ms, &bucket)) {
            buckets[bucket] = count;
        } else {
            dj_reader_warn(reader, "histogram has a bucket no release has: %ums",
                           label_ms);
        }
    }
}

static bool read_value(struct dj_reader *reader, const struct dj_line *line,
                       struct dj_slice rest, struct dj_stats_block *block)
{
    int64_t value = 0;
    const char *after = rest.at;
    int64_t most = line->kind == DJ_LINE_SINCE ? INT64_MAX : UINT32_MAX;
    bool number = line->kind != DJ_LINE_HISTOGRAM && line->kind != DJ_LINE_GPU_HISTOGRAM;
    if (number && !scan_value(rest, 0, most, &after, &value)) {
        return false;
    }
    switch (line->kind) {
    case DJ_LINE_SINCE:
        block->stats.since_ns = value;
        break;
    case DJ_LINE_JANKY:
        if (line->field == DJ_COUNTER_JANKY) {
            block->printed_janky_pct = scan_share(after, rest.at + rest.length);
        }
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
        read_histogram(reader, rest, block->stats.frame_histogram, frame_bucket_of);
        break;
    case DJ_LINE_GPU_HISTOGRAM:
        read_histogram(reader, rest, block->stats.gpu_histogram, gpu_bucket_of);
        break;
    }
    return true;
}

/* The block a line belongs to: the window's where one is open, else the process's. A line
 * that the block already has begins another: dumps pasted together without their headers.
 */
static struct dj_stats_block *block_for(struct dj_reader *reader, uint32_t bit)
{
    if (reader->window != NULL) {
        bool taken = (reader->window->stats.lines & bit) != 0;
        struct dj_dump_window *window =
            taken ? dj_reader_next_window(reader) : reader->window;
        return window != NULL ? &window->stats : NULL;
    }
    struct dj_dump_process *process = dj_reader_process(reader);
    if (process != NULL && (process->stats.lines & bit) != 0) {
        process = dj_reader_next_process(reader);
    }
    return process != NULL ? &process->stats : NULL;
}

bool dj_reader_stats_line(struct dj_reader *reader, struct dj_slice line)
{
    size_t n = dj_line_find(line.at, line.length);
    if (n == DJ_LINE_COUNT) {
        return false;
    }
    size_t prefix = strlen(dj_line_at(n)->prefix);
    struct dj_slice rest = {line.at + prefix, line.length - prefix};
    struct dj_stats_block *block = block_for(reader, UINT32_C(1) << n);
    if (block == NULL) {
        return true;
    }
    if (!read_value(reader, dj_line_at(n), rest, block)) {
        dj_reader_warn(reader, "expected a number after \"%s\"", dj_line_at(n)->prefix);
        return true;
    }
    block->present = true;
    block->lines |= UINT32_C(1) << n;
    return true;
}
