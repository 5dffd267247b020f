/* The lines of a statistics block, in printed order. The printer and the reader use the
 * same table. */
#ifndef DEJANK_GFXINFO_LINES_H
#define DEJANK_GFXINFO_LINES_H

#include "frame/dialect.h"

/* The kind of text after the prefix of a line. */
enum dj_line_kind {
    DJ_LINE_SINCE,   /* Text " 424242ns": the value of since_ns. */
    DJ_LINE_COUNTER, /* Text " 12": the value of counter[field]. */
    /* Text " 12 (3.45%)": the value of counter[field] and its percentage of all
     * frames. */
    DJ_LINE_JANKY,
    /* Text " 17ms": percentile dj_gfxinfo_percentiles[field] of the frame times. */
    DJ_LINE_PERCENTILE,
    /* Text " 17ms": percentile dj_gfxinfo_percentiles[field] of the GPU times. */
    DJ_LINE_GPU_PERCENTILE,
    DJ_LINE_HISTOGRAM,    /* Text " 5ms=1 6ms=0 …": the buckets of frame_histogram. */
    DJ_LINE_GPU_HISTOGRAM /* Text " 1ms=1 2ms=0 …": the buckets of gpu_histogram. */
};

struct dj_line {
    /* Prefix including the colon. No prefix is the beginning of another prefix. */
    const char *prefix;
    enum dj_line_kind kind;
    uint8_t field;
    /* First and last API level of the releases that print this line. */
    int first_api, last_api;
};

enum { DJ_LINE_COUNT = 22, DJ_PERCENTILE_COUNT = 4 };

/* The percentiles that hwui prints: 50, 90, 95, 99. */
extern const unsigned dj_gfxinfo_percentiles[DJ_PERCENTILE_COUNT];

/* Returns line n of the table. n must be less than DJ_LINE_COUNT. */
const struct dj_line *dj_gfxinfo_line_at(size_t n);

/* Returns the lines that this release prints, as a bit mask: bit n is line n. */
uint32_t dj_gfxinfo_lines_of_dialect(const struct dj_dialect *dialect);

/* Returns the bit mask of all lines of a kind. */
uint32_t dj_gfxinfo_lines_of_kind(enum dj_line_kind kind);

/* Returns the bit mask of the "(legacy)" lines, which Android 12 and later count by the
 * rule of Android 11. graphicsstats does not print these lines. */
uint32_t dj_lines_of_legacy_rule(void);

/* Returns the bit mask of the lines that are known if no frame time is: "Stats since" and
 * the number of frames. */
uint32_t dj_gfxinfo_lines_without_frame_times(void);

/* Returns whether the text is the beginning of a prefix, but not a whole prefix. */
bool dj_lines_is_truncated_prefix(const char *text, size_t length);

/* Finds the line whose prefix is at the beginning of the text. Returns its number in the
 * table, or DJ_LINE_COUNT if there is none. */
size_t dj_lines_find(const char *text, size_t length);

#endif
