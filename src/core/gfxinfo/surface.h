/* Reads what `dumpsys SurfaceFlinger` prints about layers, and computes figures of each
 * layer. SurfaceFlinger shows the windows of Android (docs/format/surfaceflinger.md). The
 * functions are pure and safe in any thread. */
#ifndef DEJANK_GFXINFO_SURFACE_H
#define DEJANK_GFXINFO_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/text.h"

/* The kind of text that describes a layer. */
enum dj_surface_kind {
    DJ_SURFACE_TIMESTATS,     /* --timestats -dump: counters and histograms. */
    DJ_SURFACE_LATENCY,       /* --latency: times of the last 127 frames. */
    DJ_SURFACE_LIST,          /* Output of --list: only the names of layers. */
    DJ_SURFACE_FRAME_TIMELINE /* --frametimeline: one entry per frame. */
};

/* Returns "timestats", "latency", "list" or "frametimeline". */
const char *dj_gfxinfo_surface_kind_get_name(enum dj_surface_kind kind);

enum {
    DJ_SURFACE_BUCKETS = 85,   /* Number of buckets of a timestats histogram. */
    DJ_SURFACE_JANK_MOST = 32, /* Maximum number of jank counters of a layer. */
    /* Maximum length of a counter's name, including the NUL. */
    DJ_SURFACE_JANK_NAME = 64,
    DJ_SURFACE_PARTS_MOST = 64,   /* Maximum number of parts of a layer. */
    DJ_SURFACE_TIMES_MOST = 65536 /* Maximum number of times stored for a layer. */
};

/* Returns the label of a bucket: 0 to 34, then 36 … 50 by 2, 54 … 150 by 4 and
 * 200 … 1000 by 50. A bucket contains the intervals up to its label. */
uint32_t dj_gfxinfo_surface_get_label_ms(size_t bucket);

/* Finds the bucket with this label. Returns false if there is none. */
bool dj_gfxinfo_surface_find_bucket(uint32_t label_ms, size_t *bucket);

struct dj_surface_histogram {
    bool is_present; /* Whether the text contains the histogram. */
    bool is_broken;  /* Whether the line contains other text than buckets. */
    bool is_printed[DJ_SURFACE_BUCKETS];
    uint64_t count[DJ_SURFACE_BUCKETS];
};

/* Returns whether the histogram lacks no frame. A person may have shortened the line, but
 * if its buckets contain all frames of the layer, the others are empty. total_frames is
 * −1 if unknown. */
bool dj_gfxinfo_surface_is_whole(const struct dj_surface_histogram *histogram,
                                 int64_t total_frames);

/* A counter of jank with its name as printed. The name consists of printable ASCII
 * characters without quotes and backslashes. */
struct dj_surface_jank {
    char name[DJ_SURFACE_JANK_NAME];
    int64_t count;
};

/* The counters of a layer. Since Android 12, timestats print a layer once for each
 * refresh rate, frame rate and game mode. */
struct dj_surface_part {
    /* Refresh rate of the display and frame rate of the layer in Hz, which Android rounds
     * to multiples of 30. −1 if unknown. */
    int64_t display_hz, render_hz;
    char *game_mode;                      /* Game mode as printed, or NULL if unknown. */
    int64_t total_frames, dropped_frames; /* Numbers of frames, or −1 if unknown. */
    /* Average frame rate as printed, or NaN if unknown. */
    double average_fps;
    /* Histogram of the times from one present to the next. NULL if there is none. */
    struct dj_surface_histogram *presents;
    struct dj_surface_jank *jank;
    size_t jank_count;
};

/* Value of a time that is unknown. */
#define DJ_SURFACE_NO_TIME INT64_MIN

struct dj_dump_surface {
    enum dj_surface_kind kind;
    size_t line;        /* Number of the layer's first line in the text, from 1. */
    char *layer;        /* Name as printed, or NULL if unknown. */
    char *package;      /* Package of the app, or NULL if unknown. */
    int64_t uid;        /* User id, or −1 if unknown. */
    int64_t refresh_ns; /* Refresh period of the display, or −1 if unknown. */
    struct dj_surface_part *parts;
    size_t part_count;
    /* Rows of --latency; −1 for other kinds. A complete row has a present time. The
     * frame of a pending row was not yet on the screen. Other rows are unused. */
    int64_t row_count, complete_rows, pending_rows;
    /* Present times in the order of the text. DJ_SURFACE_NO_TIME means that the times
     * before and after it are no neighbours. */
    int64_t *present_ns;
    size_t present_count;
    /* For each present, the time for which the app drew the frame, or DJ_SURFACE_NO_TIME.
     * NULL for other kinds than --frametimeline. */
    int64_t *content_ns;
    size_t content_count; /* Equal to present_count, or 0 if content_ns is NULL. */
};

/* A list of layers. A list that is all zero is empty. */
struct dj_surfaces {
    struct dj_dump_surface *at;
    size_t count;
};

/* Appends a layer whose fields are unknown. Returns NULL if there is no memory. */
struct dj_dump_surface *dj_gfxinfo_surface_add(struct dj_surfaces *surfaces,
                                               enum dj_surface_kind kind);

/* Appends a part whose fields are unknown. Returns NULL if there is no memory or if the
 * layer has DJ_SURFACE_PARTS_MOST parts. */
struct dj_surface_part *dj_gfxinfo_surface_add_part(struct dj_dump_surface *surface);

/* Adds to the counter with this name. Returns false if there is no memory. Does nothing
 * if the name contains unusual characters or if there are too many names. */
bool dj_gfxinfo_surface_add_jank(struct dj_surface_part *part, struct dj_str name,
                                 int64_t count);

/* Removes the layers from index `count` on, or all layers, and frees them. */
void dj_gfxinfo_surface_truncate(struct dj_surfaces *surfaces, size_t count);
void dj_gfxinfo_surface_finish(struct dj_surfaces *surfaces);

/* Returns whether the text shows that the layer presented frames. */
bool dj_gfxinfo_surface_has_frames(const struct dj_dump_surface *surface);

/* The percentiles of struct dj_surface_figures, in this order. */
enum {
    DJ_SURFACE_P50,
    DJ_SURFACE_P90,
    DJ_SURFACE_P95,
    DJ_SURFACE_P99,
    DJ_SURFACE_P_COUNT
};

struct dj_surface_figures {
    int64_t total_frames, dropped_frames; /* Numbers of frames, or −1 if unknown. */
    /* Average frame rate. NaN if unknown. This also applies to all members below. */
    double average_fps;
    /* Percentiles of the time from present to present. For a histogram: the smallest
     * label for which the cumulative count is at least the percentage of the histogram's
     * sum. For a list of times: quantiles of type 7. */
    double percentile_ms[DJ_SURFACE_P_COUNT];
    /* The percentiles of the frame rate as on Google's page for games: 1000 / the
     * smallest label for which the cumulative count is at least 90 % or 99 % of
     * total_frames. */
    double google_p90_fps, google_p99_fps;
    struct dj_surface_histogram presents; /* Sum of the histograms of all parts. */
    struct dj_surface_jank jank[DJ_SURFACE_JANK_MOST];
    size_t jank_count;
};

/* Computes the figures of a layer, or of one part of the layer. A figure is unknown if a
 * part lacks the data for it. The average over several parts is computed from the
 * histogram. Returns false if there is no memory. */
bool dj_gfxinfo_surface_compute(const struct dj_dump_surface *surface,
                                struct dj_surface_figures *figures);
void dj_gfxinfo_surface_compute_part(const struct dj_surface_part *part,
                                     struct dj_surface_figures *figures);

/* Returns 1000 / the mean of a histogram, as SurfaceFlinger prints it, or NaN. */
double
dj_gfxinfo_surface_compute_average_fps(const struct dj_surface_histogram *histogram);

/* Subtracts the counters and histograms of an earlier dump from those of a later one, so
 * that `after` has the frames between the two. Only layers of kind timestats count. A
 * part of a layer that `before` lacks began between the two, so it is unchanged. Returns
 * false if a counter fell or a layer disappeared: another program cleared the counters,
 * and `after` is then incomplete. */
bool dj_gfxinfo_surface_subtract(struct dj_surfaces *after,
                                 const struct dj_surfaces *before);

/* Returns the sum of total_frames of the package's layers of kind timestats. */
int64_t dj_gfxinfo_surface_sum_frames(const struct dj_surfaces *surfaces,
                                      const char *package);

/* Appends the package's layers of kind timestats that presented frames, in the form of
 * Android 13. Only known lines are written. */
void dj_gfxinfo_surface_print_timestats(struct dj_text *text,
                                        const struct dj_surfaces *surfaces,
                                        const char *package);

/* Returns the package of the app to which a layer belongs, or an empty text. The name
 * contains "PACKAGE/ACTIVITY" in all releases, or is the name of a class. */
struct dj_str dj_gfxinfo_surface_find_package(struct dj_str layer);

/* Returns whether the name contains "PACKAGE/ACTIVITY" with a complete class name, so
 * that it is certainly the name of a window. */
bool dj_gfxinfo_surface_has_activity(struct dj_str layer);

/* Returns the name of the layer in a line of --list: the line up to the last "#NUMBER",
 * without "RequestedLayerState{". Returns an empty text if the line is no name. */
struct dj_str dj_gfxinfo_surface_find_list_name(struct dj_str line);

#endif
