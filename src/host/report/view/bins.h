/* Bins of frame times for a histogram. They are parts of the frame interval, or hwui's
 * buckets, as on the HTML page (web/histogram.js). All times of more than four intervals
 * share one bin. */
#ifndef DEJANK_REPORT_VIEW_BINS_H
#define DEJANK_REPORT_VIEW_BINS_H

#include "report/view/view.h"

enum { DJ_BINS_INTERVALS = 4, DJ_BINS_MAX = DJ_FRAME_BUCKETS };

/* DJ_BIN_AROUND: hwui does not report how many frames in the bucket that contains the
 * deadline were late. */
enum dj_bin_kind { DJ_BIN_IN_TIME, DJ_BIN_AROUND, DJ_BIN_LATE, DJ_BIN_KINDS };

struct dj_bin {
    /* Bounds of the bin in ms. to_ms is 0 if the bin has no upper bound. */
    double from_ms, to_ms;
    double count, of_kind[DJ_BIN_KINDS];
};

struct dj_bins {
    struct dj_bin bin[DJ_BINS_MAX];
    size_t count;
    double interval_ms;
    double frames, late; /* Sums over all bins. */
    /* The last bin has no end and contains frames. Set by dj_bins_trim(). */
    bool has_overflow;
    /* The start of the last bin if it has no end, or otherwise its end. Set by
     * dj_bins_trim(). */
    double end_ms;
};

/* Returns empty bins, each 1/`per_interval` of an interval wide (at most 1/16). */
struct dj_bins dj_bins_divide_intervals(double interval_ms, int per_interval);
/* Returns the bin that contains a time, given in frame intervals. */
struct dj_bin *dj_bins_find(struct dj_bins *bins, double intervals);

/* Adds frames of a kind to a bin, and to the sums over all bins. */
void dj_bins_add(struct dj_bins *bins, struct dj_bin *bin, enum dj_bin_kind kind,
                 double count);

/* Returns bins of hwui's buckets with these counts, at most `most` bins. */
struct dj_bins dj_bins_count_hwui(double interval_ms,
                                  const double counts[DJ_FRAME_BUCKETS], size_t most);

/* Removes the empty bins after the slowest frame, but keeps some after the deadline. */
void dj_bins_trim(struct dj_bins *bins);

#endif
