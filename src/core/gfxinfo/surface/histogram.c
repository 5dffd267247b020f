/* A histogram is one line of 85 pairs such as "16ms=850", after a line with its name. No
 * terminal is so wide, so the line may be wrapped, even inside a pair. */
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

enum { HISTOGRAM_BYTES = 1 << 13 }; /* A real line has at most 1500 bytes. */

/* Parses a bucket such as "16ms=850". */
static bool read_pair(struct dj_str token, uint32_t *label_ms, uint32_t *count)
{
    return dj_scan_uint32(&token, label_ms) && dj_scan_word(&token, "ms=") &&
           dj_scan_uint32(&token, count) && token.length == 0;
}

static bool begins_pair(struct dj_str token)
{
    uint32_t label_ms;
    return dj_scan_uint32(&token, &label_ms) && dj_scan_word(&token, "ms=");
}

/* Returns the text after the last blank. */
static struct dj_str find_last_token(struct dj_str text)
{
    size_t length = 0;
    while (length < text.length && !dj_scan_is_blank(text.at[text.length - length - 1])) {
        length++;
    }
    return dj_str_from(text, text.length - length);
}

/* Returns whether the line is a part of a histogram. Dots or other text may stand for
 * buckets that a person removed. */
static bool is_part(struct dj_str line)
{
    struct dj_str rest = line;
    struct dj_str word = dj_scan_until_blank(&rest);
    uint32_t label_ms;
    uint32_t count;
    if (begins_pair(word)) {
        return true;
    }
    for (size_t i = 0; i < word.length; i++) {
        if (!dj_gfxinfo_is_digit(word.at[i]) && memchr("ms=", word.at[i], 3) == NULL) {
            return false;
        }
    }
    /* The end of a wrapped pair, which another pair or the end of the line follows. */
    struct dj_str next = dj_scan_until_blank(&rest);
    return word.length > 0 &&
           (next.length == 0 || read_pair(next, &label_ms, &count) || begins_pair(next));
}

bool dj_surface_read_histogram(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    struct dj_str before = dj_text_str(&state->histogram);
    uint32_t label_ms;
    uint32_t count;
    bool last = before.length > 0 &&
                read_pair(find_last_token(before), &label_ms, &count) &&
                label_ms == dj_gfxinfo_surface_get_label_ms(DJ_SURFACE_BUCKETS - 1);
    struct dj_str rest = line;
    struct dj_str word = dj_scan_until_blank(&rest);
    /* After the last bucket, only digits of its count may follow. */
    if (!is_part(line) || (last && (begins_pair(word) || rest.length > 0)) ||
        before.length + line.length > HISTOGRAM_BYTES) {
        return false;
    }
    bool whole = before.length > 0 &&
                 read_pair(find_last_token(before), &label_ms, &count) &&
                 begins_pair(word);
    if (whole) {
        dj_text_append(&state->histogram, " ", 1);
    }
    if (before.length == 0) {
        struct dj_place place = dj_reader_get_place(reader);
        state->histogram_line = place.line;
        state->histogram_byte = place.byte;
    }
    state->is_histogram_truncated = reader->truncated;
    dj_reader_append(reader, &state->histogram, line);
    return true;
}

/* Adds the pairs. The last one may lack digits if the text ends after it. */
static void add_pairs(struct dj_surface_histogram *histogram, struct dj_str rest,
                      bool is_truncated)
{
    struct dj_str token = dj_scan_until_blank(&rest);
    while (token.length > 0) {
        struct dj_str next = dj_scan_until_blank(&rest);
        uint32_t label_ms;
        uint32_t count;
        size_t bucket;
        if (!read_pair(token, &label_ms, &count) ||
            !dj_gfxinfo_surface_find_bucket(label_ms, &bucket) ||
            histogram->is_printed[bucket] || (is_truncated && next.length == 0)) {
            histogram->is_broken = true;
        } else {
            histogram->is_printed[bucket] = true;
            histogram->count[bucket] = count;
        }
        token = next;
    }
}

static void store_histogram(struct dj_reader *reader, struct dj_surface_part *part)
{
    struct dj_str pairs = dj_text_str(&reader->surface.histogram);
    /* A line that ends in "1000ms=0" is complete, because this is the last bucket. */
    bool ends = dj_str_ends(pairs, " 1000ms=0");
    part->presents = calloc(1, sizeof(*part->presents));
    if (part->presents == NULL) {
        reader->failed = true;
        return;
    }
    part->presents->is_present = true;
    add_pairs(part->presents, pairs, reader->surface.is_histogram_truncated && !ends);
    size_t printed = 0;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        printed += part->presents->is_printed[i];
    }
    if (!dj_gfxinfo_surface_is_whole(part->presents, part->total_frames)) {
        struct dj_place place = {reader->surface.histogram_line,
                                 reader->surface.histogram_byte};
        dj_reader_warn_at(reader, place,
                          "histogram is truncated or malformed: read %zu of %d buckets",
                          printed, DJ_SURFACE_BUCKETS);
    }
}

void dj_surface_close_histogram(struct dj_reader *reader)
{
    struct dj_surface_state *state = &reader->surface;
    if (state->in_histogram && state->is_presents && state->in_layer &&
        state->histogram.length > 0 && !reader->failed) {
        struct dj_dump_surface *surface = dj_surface_get(reader);
        struct dj_surface_part *part = &surface->parts[surface->part_count - 1];
        if (part->presents == NULL) {
            store_histogram(reader, part);
        }
    }
    state->in_histogram = false;
    dj_text_clear(&state->histogram);
}
