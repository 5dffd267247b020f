/* The lines of a statistics block, in the order they are printed: what the printer prints
 * from, the reader reads by. */
#ifndef DEJANK_GFXINFO_LINES_H
#define DEJANK_GFXINFO_LINES_H

#include "frame/dialect.h"

/* What follows a line's prefix. */
enum dj_line_kind {
    DJ_LINE_SINCE,      /* " 424242ns": dj_stats.since_ns */
    DJ_LINE_COUNTER,    /* " 12": counter[field] */
    DJ_LINE_JANKY,      /* " 12 (3.45%)": counter[field] and its share of all frames */
    DJ_LINE_PERCENTILE, /* " 17ms": dj_percentiles[field] of the frame times */
    DJ_LINE_GPU_PERCENTILE, /* the same of the GPU times */
    DJ_LINE_HISTOGRAM,      /* " 5ms=1 6ms=0 …": frame_histogram */
    DJ_LINE_GPU_HISTOGRAM   /* " 1ms=1 2ms=0 …": gpu_histogram */
};

struct dj_line {
    const char *prefix; /* with its colon; no prefix begins another */
    enum dj_line_kind kind;
    uint8_t field;
    int first_api, last_api; /* releases that print it */
};

enum { DJ_LINE_COUNT = 22, DJ_PERCENTILE_COUNT = 4 };

/* The percentiles a block has: 50, 90, 95, 99. */
extern const unsigned dj_percentiles[DJ_PERCENTILE_COUNT];

/* Line n of the table; n < DJ_LINE_COUNT. */
const struct dj_line *dj_line_at(size_t n);

/* The lines this release prints: bit n is line n. */
uint32_t dj_lines_of(const struct dj_dialect *dialect);

/* The bits of all lines of a kind. */
uint32_t dj_lines_of_kind(enum dj_line_kind kind);

/* The bits of the lines that count by the rule before 12 again. No release has them in
 * graphicsstats. */
uint32_t dj_lines_of_old_rule(void);

/* Whether the text is a line's prefix that was cut. */
bool dj_line_begun(const char *text, size_t length);

/* Finds the line that text begins with; DJ_LINE_COUNT where none does. */
size_t dj_line_find(const char *text, size_t length);

#endif
