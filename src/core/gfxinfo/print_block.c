#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/print.h"
#include "gfxinfo/print_private.h"

void dj_gfxinfo_print_name(struct dj_text *text, const char *name)
{
    const size_t mark = strlen(DJ_BYTE_ORDER_MARK);
    while (*name != '\0') {
        size_t plain = strcspn(name, "\n\r\xEF");
        bool is_mark = strncmp(name + plain, DJ_BYTE_ORDER_MARK, mark) == 0;
        bool is_break = is_mark || name[plain] == '\n' || name[plain] == '\r';
        /* Skips a character of UTF-8 that does not break a line. */
        plain += !is_break && name[plain] != '\0';
        dj_text_append(text, name, plain);
        name += plain;
        if (is_break) {
            dj_text_append(text, " ", 1);
            name += is_mark ? mark : 1;
        }
    }
}

static void append_histogram(struct dj_text *text, const uint32_t *buckets,
                             const uint64_t *missing, size_t count,
                             uint32_t (*label_ms)(size_t bucket))
{
    for (size_t i = 0; i < count; i++) {
        if (!dj_gfxinfo_bucket_is_missing(missing, i)) {
            dj_text_append(text, " ", 1);
            dj_text_append_int(text, label_ms(i));
            dj_text_append(text, "ms=", 3);
            dj_text_append_int(text, buckets[i]);
        }
    }
}

static bool is_whole(const uint64_t *missing, size_t buckets)
{
    for (size_t i = 0; i < buckets; i++) {
        if (dj_gfxinfo_bucket_is_missing(missing, i)) {
            return false;
        }
    }
    return true;
}

/* Returns the percentile to print. If the block was read from text without a complete
 * histogram, this is the percentile in the text. */
static uint32_t get_percentile_ms(const struct dj_stats_block *block,
                                  const struct dj_line *line,
                                  const struct dj_dialect *dialect)
{
    bool gpu = line->kind == DJ_LINE_GPU_PERCENTILE;
    uint32_t histogram =
        dj_gfxinfo_lines_of_kind(gpu ? DJ_LINE_GPU_HISTOGRAM : DJ_LINE_HISTOGRAM);
    bool whole = gpu ? is_whole(block->missing_gpu, DJ_GPU_BUCKETS)
                     : is_whole(block->missing_frame, DJ_FRAME_BUCKETS);
    if ((block->lines & histogram) == 0 || !whole) {
        return gpu ? block->printed_gpu_percentile_ms[line->field]
                   : block->printed_percentile_ms[line->field];
    }
    return gpu ? dj_frame_stats_gpu_percentile_ms(&block->stats,
                                                  dj_gfxinfo_percentiles[line->field])
               : dj_frame_dialect_percentile_ms(dialect, &block->stats,
                                                dj_gfxinfo_percentiles[line->field]);
}

static void append_value(struct dj_text *text, const struct dj_stats_block *block,
                         const struct dj_line *line, const struct dj_dialect *dialect)
{
    const struct dj_stats *stats = &block->stats;
    switch (line->kind) {
    case DJ_LINE_SINCE:
        dj_text_format(text, " %lldns", (long long)stats->since_ns);
        break;
    case DJ_LINE_COUNTER:
        dj_text_format(text, " %u", stats->counter[line->field]);
        break;
    case DJ_LINE_JANKY:
        dj_text_format(
            text, " %u (%.2f%%)", stats->counter[line->field],
            dj_frame_dialect_janky_pct(dialect, stats, (enum dj_counter)line->field));
        break;
    case DJ_LINE_PERCENTILE:
    case DJ_LINE_GPU_PERCENTILE:
        dj_text_format(text, " %ums", get_percentile_ms(block, line, dialect));
        break;
    case DJ_LINE_HISTOGRAM:
        append_histogram(text, stats->frame_histogram, block->missing_frame,
                         DJ_FRAME_BUCKETS, dj_frame_bucket_label_ms);
        break;
    case DJ_LINE_GPU_HISTOGRAM:
        append_histogram(text, stats->gpu_histogram, block->missing_gpu, DJ_GPU_BUCKETS,
                         dj_frame_gpu_bucket_label_ms);
        break;
    }
}

bool dj_gfxinfo_print_block(struct dj_text *text, const struct dj_stats_block *block,
                            const struct dj_dialect *dialect)
{
    uint32_t lines =
        block->present ? block->lines & dj_gfxinfo_lines_of_dialect(dialect) : 0;
    struct dj_stats_block printed = *block;
    dj_frame_dialect_apply_quirks(dialect, &printed.stats);
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if ((lines & (UINT32_C(1) << i)) != 0) {
            dj_text_append(text, "\n", 1);
            dj_text_add(text, dj_gfxinfo_line_at(i)->prefix);
            append_value(text, &printed, dj_gfxinfo_line_at(i), dialect);
        }
    }
    return lines != 0;
}

void dj_gfxinfo_print_stats(struct dj_text *text, const struct dj_stats *stats,
                            const struct dj_dialect *dialect)
{
    struct dj_stats_block block = {
        .present = true, .stats = *stats, .lines = ~UINT32_C(0)};
    dj_gfxinfo_print_block(text, &block, dialect);
}
