/* The lines of a statistics block, in printed order. Printer and reader use the same
 * table. */
#ifndef DEJANK_GFXINFO_LINES_H
#define DEJANK_GFXINFO_LINES_H

#include "frame/dialect.h"

/* The kind of value after a line's prefix. */
enum dj_line_kind {
    DJ_LINE_SINCE,      /* " 424242ns": dj_stats.since_ns */
    DJ_LINE_COUNTER,    /* " 12": counter[field] */
    DJ_LINE_JANKY,      /* " 12 (3.45%)": counter[field] and its share of all frames */
    DJ_LINE_PERCENTILE, /* " 17ms": dj_gfxinfo_percentiles[field] of the frame times */
    DJ_LINE_GPU_PERCENTILE, /* the same for GPU times */
    DJ_LINE_HISTOGRAM,      /* " 5ms=1 6ms=0 …": frame_histogram */
    DJ_LINE_GPU_HISTOGRAM   /* " 1ms=1 2ms=0 …": gpu_histogram */
};

struct dj_line {
    const char *prefix; /* with its colon; no prefix is the beginning of another */
    enum dj_line_kind kind;
    uint8_t field;
    int first_api, last_api; /* releases that print it */
};

enum { DJ_LINE_COUNT = 22, DJ_PERCENTILE_COUNT = 4 };

/* The percentiles of a block: 50, 90, 95, 99. */
extern const unsigned dj_gfxinfo_percentiles[DJ_PERCENTILE_COUNT];

/* Returns line n of the table; n < DJ_LINE_COUNT. */
const struct dj_line *dj_gfxinfo_line_at(size_t n);

/* Returns the lines that this release prints: bit n is line n. */
uint32_t dj_gfxinfo_lines_of_dialect(const struct dj_dialect *dialect);

/* Returns the bits of all lines of a kind. */
uint32_t dj_gfxinfo_lines_of_kind(enum dj_line_kind kind);

/* Returns the bits of the lines that count again by the rule of releases before 12. No
 * release prints them in graphicsstats. */
uint32_t dj_lines_of_legacy_rule(void);

/* Returns whether the text is a truncated prefix of a line. */
bool dj_lines_is_truncated_prefix(const char *text, size_t length);

/* Returns the line that the text begins with, or DJ_LINE_COUNT if there is none. */
size_t dj_lines_find(const char *text, size_t length);

#endif
