#include "report/view/bins.h"

#include <math.h>

struct dj_bins dj_bins_divide_intervals(double interval_ms, int per_interval)
{
    struct dj_bins bins = {.interval_ms = interval_ms};
    double width = 1.0 / per_interval;
    bins.count = (size_t)(DJ_BINS_INTERVALS * per_interval) + 1;
    for (size_t i = 0; i < bins.count; i++) {
        bins.bin[i].from_ms = (double)i * width * interval_ms;
        bins.bin[i].to_ms =
            i + 1 == bins.count ? 0 : (double)(i + 1) * width * interval_ms;
    }
    return bins;
}

struct dj_bin *dj_bins_find(struct dj_bins *bins, double intervals)
{
    size_t last = bins->count - 1;
    double per_interval = (double)last / DJ_BINS_INTERVALS;
    return &bins->bin[intervals > DJ_BINS_INTERVALS
                          ? last
                          : (size_t)fmax(0, ceil(intervals * per_interval) - 1)];
}

void dj_bins_add(struct dj_bins *bins, struct dj_bin *bin, enum dj_bin_kind kind,
                 double count)
{
    bin->count += count;
    bin->of_kind[kind] += count;
    bins->frames += count;
    bins->late += kind == DJ_BIN_LATE ? count : 0;
}

struct dj_bins dj_bins_count_hwui(double interval_ms,
                                  const double counts[DJ_FRAME_BUCKETS], size_t most)
{
    struct dj_bins bins = {.interval_ms = interval_ms};
    uint32_t edges_ms[DJ_FRAME_BUCKETS];
    bool open = false;
    dj_view_get_bucket_edges(edges_ms);
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        double from_ms = edges_ms[i];
        double to_ms = i + 1 < DJ_FRAME_BUCKETS ? edges_ms[i + 1] : 0;
        if (!open) {
            open = to_ms == 0 || to_ms > DJ_BINS_INTERVALS * interval_ms ||
                   bins.count == most - 1;
            bins.bin[bins.count++] =
                (struct dj_bin){.from_ms = from_ms, .to_ms = open ? 0 : to_ms};
        }
        enum dj_bin_kind kind = to_ms > 0 && to_ms <= interval_ms ? DJ_BIN_IN_TIME
                                : from_ms >= interval_ms          ? DJ_BIN_LATE
                                                                  : DJ_BIN_AROUND;
        dj_bins_add(&bins, &bins.bin[bins.count - 1], kind, counts[i]);
    }
    dj_bins_trim(&bins);
    return bins;
}

void dj_bins_trim(struct dj_bins *bins)
{
    struct dj_bin *last = &bins->bin[bins->count - 1];
    bins->has_overflow = last->to_ms == 0 && last->count > 0;
    last -= last->to_ms == 0 && !bins->has_overflow;
    while (last > bins->bin && last->count == 0 &&
           last->from_ms >= bins->interval_ms * 1.25) {
        last--;
    }
    bins->count = (size_t)(last - bins->bin) + 1;
    bins->end_ms = bins->has_overflow ? last->from_ms : last->to_ms;
}
