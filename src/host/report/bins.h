/* Bins of frame times, as the page's histogram has them (web/histogram.js): parts of the
 * frame interval, or hwui's buckets. All beyond four intervals is in one bin. */
#ifndef DEJANK_REPORT_BINS_H
#define DEJANK_REPORT_BINS_H

#include "report/view.h"

enum { DJ_BINS_INTERVALS = 4, DJ_BINS_MOST = DJ_FRAME_BUCKETS };

/* Of a bucket that holds the deadline hwui does not tell how many frames were late. */
enum dj_bin_kind { DJ_BIN_IN_TIME, DJ_BIN_AROUND, DJ_BIN_LATE, DJ_BIN_KINDS };

struct dj_bin {
    double from_ms, to_ms; /* to_ms 0: no end */
    double count, of_kind[DJ_BIN_KINDS];
};

struct dj_bins {
    struct dj_bin bin[DJ_BINS_MOST];
    size_t count;
    double interval_ms;
    double frames, late; /* in all bins */
    bool beyond;         /* the last bin has no end, and frames; set by dj_bins_trim() */
    double end_ms;       /* where it starts, or else where the last bin ends; the same */
};

/* Empty bins of an interval's `per_interval`th part, at most 16th. */
struct dj_bins dj_bins_of_parts(double interval_ms, int per_interval);
/* The one of these that holds a time of so many intervals. */
struct dj_bin *dj_bins_at(struct dj_bins *bins, double intervals);
void dj_bins_add(struct dj_bins *bins, struct dj_bin *bin, enum dj_bin_kind kind,
                 double count);

/* hwui's buckets with these counts, in at most `most` bins. */
struct dj_bins dj_bins_of_hwui(double interval_ms, const double counts[DJ_FRAME_BUCKETS],
                               size_t most);

/* Removes empty bins past the slowest frame, but some after the deadline always stay. */
void dj_bins_trim(struct dj_bins *bins);

#endif
