#include <string.h>

#include "gfxinfo/buckets.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

enum {
    LAST_LABEL_MS = 4950, /* Label of the last bucket of both histograms. */
    PAIR_MOST = 64 /* Maximum length of a pair in bytes. Real pairs have at most 25. */
};

/* In a statistics block, only a line such as "HISTOGRAM: 5ms=1 6ms=0 … 4950ms=0" is
 * longer than a terminal is wide. So this line may be wrapped, even inside a pair such as
 * "5ms=1". The last pair of a line is buffered until the next line shows whether the pair
 * continues. */

/* Parses "5ms=12". Returns false if the token is anything else. */
static bool is_pair(struct dj_str token, uint32_t *label_ms, uint32_t *count)
{
    return dj_scan_uint32(&token, label_ms) && dj_scan_word(&token, "ms=") &&
           dj_scan_uint32(&token, count) && token.length == 0;
}

static bool is_gpu(const struct dj_reader *reader)
{
    return dj_gfxinfo_line_at(reader->histogram_line)->kind == DJ_LINE_GPU_HISTOGRAM;
}

static size_t get_bucket_count(const struct dj_reader *reader)
{
    return is_gpu(reader) ? DJ_GPU_BUCKETS : DJ_FRAME_BUCKETS;
}

static uint64_t *get_missing_mask(struct dj_reader *reader)
{
    return is_gpu(reader) ? reader->histogram_block->missing_gpu
                          : reader->histogram_block->missing_frame;
}

/* Marks all buckets of the histogram as missing. Reading a bucket removes the mark. */
static void mark_all_missing(struct dj_reader *reader)
{
    for (size_t i = 0; i < get_bucket_count(reader); i++) {
        get_missing_mask(reader)[i / 64] |= UINT64_C(1) << i % 64;
    }
}

static size_t count_buckets_read(struct dj_reader *reader)
{
    size_t read = 0;
    for (size_t i = 0; i < get_bucket_count(reader); i++) {
        read += !dj_gfxinfo_bucket_is_missing(get_missing_mask(reader), i);
    }
    return read;
}

static void end_histogram(struct dj_reader *reader)
{
    if (reader->histogram_broken) {
        dj_reader_warn_at(reader, reader->histogram_place,
                          "histogram is truncated or malformed: read %zu of %zu buckets",
                          count_buckets_read(reader), get_bucket_count(reader));
    }
    reader->histogram_block = NULL;
    dj_text_clear(&reader->pair);
}

/* Parses a pair and stores the count. Returns false if the token is not a pair. */
static bool read_pair(struct dj_reader *reader, struct dj_str token)
{
    struct dj_stats *stats = &reader->histogram_block->stats;
    uint32_t label_ms;
    uint32_t count;
    size_t bucket;
    if (!is_pair(token, &label_ms, &count)) {
        return false;
    }
    if (!dj_buckets_find(is_gpu(reader), label_ms, &bucket)) {
        dj_reader_warn(reader,
                       "ignored histogram bucket %ums, which no known release has",
                       label_ms);
        return true;
    }
    *(is_gpu(reader) ? &stats->gpu_histogram[bucket] : &stats->frame_histogram[bucket]) =
        count;
    get_missing_mask(reader)[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    return true;
}

/* Reads the pairs of a line except the last one, which may continue in the next line.
 * Other tokens are skipped, because a person may have replaced a part of the line with
 * dots. */
static void read_pairs(struct dj_reader *reader, struct dj_str rest)
{
    struct dj_str token = dj_scan_until_blank(&rest);
    while (token.length > 0) {
        struct dj_str next = dj_scan_until_blank(&rest);
        if (next.length == 0) {
            reader->is_pair_truncated = reader->truncated;
            dj_reader_append(reader, &reader->pair, token);
        } else if (!read_pair(reader, token)) {
            reader->histogram_broken = true;
        }
        token = next;
    }
}

void dj_reader_begin_histogram(struct dj_reader *reader, size_t table_line,
                               struct dj_str rest, struct dj_stats_block *block)
{
    reader->histogram_block = block;
    reader->histogram_line = table_line;
    reader->histogram_broken = false;
    reader->histogram_wrapped = false;
    reader->histogram_width =
        strlen(dj_gfxinfo_line_at(table_line)->prefix) + rest.length;
    reader->histogram_place = dj_reader_get_place(reader);
    dj_text_clear(&reader->pair);
    mark_all_missing(reader);
    read_pairs(reader, rest);
    /* Nothing is buffered, because the line has no pair. */
    if (reader->pair.length == 0) {
        reader->histogram_broken = true;
        end_histogram(reader);
    }
}

/* Reads the buffered pair. If `truncated` is true, the text ended after the pair, so the
 * count may lack digits. */
static void complete_pair(struct dj_reader *reader, bool truncated)
{
    uint32_t label_ms = 0;
    uint32_t count;
    bool whole = is_pair(dj_text_str(&reader->pair), &label_ms, &count) &&
                 (!truncated || label_ms == LAST_LABEL_MS);
    if (!whole || !read_pair(reader, dj_text_str(&reader->pair))) {
        reader->histogram_broken = true;
    }
    dj_text_clear(&reader->pair);
}

void dj_reader_close_histogram(struct dj_reader *reader)
{
    if (reader->histogram_block != NULL && !reader->failed) {
        complete_pair(reader, reader->is_pair_truncated);
        end_histogram(reader);
    }
}

/* Returns whether the token begins another pair. If so, the buffered pair is complete. */
static bool begins_pair(const struct dj_reader *reader, struct dj_str token)
{
    uint32_t label_ms;
    uint32_t count;
    return is_pair(dj_text_str(&reader->pair), &label_ms, &count) &&
           dj_scan_uint32(&token, &label_ms) && dj_scan_word(&token, "ms=");
}

/* Returns whether the next line may continue the histogram. A histogram ends with the
 * pair of the last bucket. But if the current line has the full width, the count in this
 * pair may continue in the next line. */
static bool may_continue(const struct dj_reader *reader)
{
    uint32_t label_ms = 0;
    uint32_t count;
    bool last = is_pair(dj_text_str(&reader->pair), &label_ms, &count) &&
                label_ms == LAST_LABEL_MS;
    return reader->pair.length < PAIR_MOST && (!last || reader->histogram_wrapped);
}

/* Returns whether the line consists only of characters that occur in pairs. */
static bool is_pairs(struct dj_str line)
{
    for (size_t i = 0; i < line.length; i++) {
        if (!dj_gfxinfo_is_digit(line.at[i]) && !dj_scan_is_blank(line.at[i]) &&
            memchr("ms=", line.at[i], 3) == NULL) {
            return false;
        }
    }
    return line.length > 0;
}

bool dj_reader_continue_histogram(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str rest = line;
    if (reader->histogram_block == NULL || reader->failed || !is_pairs(line) ||
        !may_continue(reader)) {
        return false;
    }
    struct dj_str first = dj_scan_until_blank(&rest);
    struct dj_str after_first = rest;
    if (begins_pair(reader, first)) {
        complete_pair(reader, false);
        read_pairs(reader, line);
    } else {
        dj_reader_append(reader, &reader->pair, first);
        reader->is_pair_truncated = reader->truncated;
        if (dj_scan_until_blank(&after_first).length > 0 && !reader->failed) {
            complete_pair(reader, false);
            read_pairs(reader, rest);
        }
    }
    reader->histogram_wrapped = line.length >= reader->histogram_width;
    reader->counting = true;
    return true;
}
