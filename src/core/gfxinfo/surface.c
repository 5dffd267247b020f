#include "gfxinfo/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stats/quantile.h"

static const unsigned percents[DJ_SURFACE_P_COUNT] = {50, 90, 95, 99};

const char *dj_gfxinfo_surface_kind_get_name(enum dj_surface_kind kind)
{
    static const char *const names[] = {
        [DJ_SURFACE_TIMESTATS] = "timestats",
        [DJ_SURFACE_LATENCY] = "latency",
        [DJ_SURFACE_LIST] = "list",
        [DJ_SURFACE_FRAME_TIMELINE] = "frametimeline",
    };
    return names[kind];
}

/* The labels are those of TimeStatsHelper.cpp, which are the same in Android 9 to 15. */
uint32_t dj_gfxinfo_surface_get_label_ms(size_t bucket)
{
    uint32_t n = (uint32_t)bucket;
    return n <= 34   ? n
           : n <= 42 ? 34 + (n - 34) * 2
           : n <= 67 ? 50 + (n - 42) * 4
                     : 150 + (n - 67) * 50;
}

bool dj_gfxinfo_surface_find_bucket(uint32_t label_ms, size_t *bucket)
{
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        if (dj_gfxinfo_surface_get_label_ms(i) == label_ms) {
            *bucket = i;
            return true;
        }
    }
    return false;
}

struct dj_dump_surface *dj_gfxinfo_surface_add(struct dj_surfaces *surfaces,
                                               enum dj_surface_kind kind)
{
    struct dj_dump_surface surface = {.kind = kind,
                                      .uid = -1,
                                      .refresh_ns = -1,
                                      .row_count = -1,
                                      .complete_rows = -1,
                                      .pending_rows = -1};
    return DJ_ARRAY_PUSH(surfaces->at, surfaces->count, surface)
               ? &surfaces->at[surfaces->count - 1]
               : NULL;
}

struct dj_surface_part *dj_gfxinfo_surface_add_part(struct dj_dump_surface *surface)
{
    struct dj_surface_part part = {.display_hz = -1,
                                   .render_hz = -1,
                                   .total_frames = -1,
                                   .dropped_frames = -1,
                                   .average_fps = (double)NAN};
    return surface->part_count < DJ_SURFACE_PARTS_MOST &&
                   DJ_ARRAY_PUSH(surface->parts, surface->part_count, part)
               ? &surface->parts[surface->part_count - 1]
               : NULL;
}

static bool is_jank_name(struct dj_str name)
{
    for (size_t i = 0; i < name.length; i++) {
        char c = name.at[i];
        if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' ||
            c == '&') {
            return false;
        }
    }
    return name.length > 0 && name.length < DJ_SURFACE_JANK_NAME;
}

/* Returns the index of the counter, or `count` if there is none. */
static size_t find_jank(const struct dj_surface_jank *jank, size_t count,
                        struct dj_str name)
{
    size_t i = 0;
    while (i < count && !dj_str_is(name, jank[i].name)) {
        i++;
    }
    return i;
}

bool dj_gfxinfo_surface_add_jank(struct dj_surface_part *part, struct dj_str name,
                                 int64_t count)
{
    size_t i = find_jank(part->jank, part->jank_count, name);
    if (!is_jank_name(name) || i == DJ_SURFACE_JANK_MOST) {
        return true;
    }
    if (i == part->jank_count) {
        struct dj_surface_jank jank = {.count = 0};
        memcpy(jank.name, name.at, name.length);
        if (!DJ_ARRAY_PUSH(part->jank, part->jank_count, jank)) {
            return false;
        }
    }
    part->jank[i].count += count;
    return true;
}

static void finish_surface(struct dj_dump_surface *surface)
{
    for (size_t i = 0; i < surface->part_count; i++) {
        free(surface->parts[i].game_mode);
        free(surface->parts[i].presents);
        free(surface->parts[i].jank);
    }
    free(surface->parts);
    free(surface->layer);
    free(surface->package);
    free(surface->present_ns);
    free(surface->content_ns);
}

void dj_gfxinfo_surface_truncate(struct dj_surfaces *surfaces, size_t count)
{
    for (size_t i = count; i < surfaces->count; i++) {
        finish_surface(&surfaces->at[i]);
    }
    surfaces->count = count < surfaces->count ? count : surfaces->count;
    if (surfaces->count == 0) {
        free(surfaces->at);
        surfaces->at = NULL;
    }
}

void dj_gfxinfo_surface_finish(struct dj_surfaces *surfaces)
{
    dj_gfxinfo_surface_truncate(surfaces, 0);
}

static uint64_t sum_counts(const struct dj_surface_histogram *histogram)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        sum += histogram->count[i];
    }
    return sum;
}

bool dj_gfxinfo_surface_has_frames(const struct dj_dump_surface *surface)
{
    for (size_t i = 0; i < surface->part_count; i++) {
        const struct dj_surface_part *part = &surface->parts[i];
        if (part->total_frames > 0 ||
            (part->presents != NULL && sum_counts(part->presents) > 0)) {
            return true;
        }
    }
    return surface->complete_rows > 0;
}

bool dj_gfxinfo_surface_is_whole(const struct dj_surface_histogram *histogram,
                                 int64_t total_frames)
{
    bool all = !histogram->is_broken && histogram->is_printed[DJ_SURFACE_BUCKETS - 1];
    return histogram->is_present &&
           (all ||
            (total_frames >= 0 && sum_counts(histogram) >= (uint64_t)total_frames));
}

/* Returns the smallest label for which the cumulative count is at least `percent` of
 * `count`, which is above 0. Returns NaN if there is none. */
static double find_label(const struct dj_surface_histogram *histogram, unsigned percent,
                         uint64_t count)
{
    uint64_t cumulative = 0;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS && count > 0; i++) {
        cumulative += histogram->count[i];
        if (cumulative * 100 >= count * percent) {
            return dj_gfxinfo_surface_get_label_ms(i);
        }
    }
    return (double)NAN;
}

static double compute_fps(double ms)
{
    return ms > 0 ? 1000 / ms : (double)NAN;
}

/* The formula is that of averageFPS in TimeStatsHelper.cpp. */
double
dj_gfxinfo_surface_compute_average_fps(const struct dj_surface_histogram *histogram)
{
    double sum_ms = 0;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        sum_ms += (double)histogram->count[i] * dj_gfxinfo_surface_get_label_ms(i);
    }
    return sum_ms > 0 ? 1000 * (double)sum_counts(histogram) / sum_ms : (double)NAN;
}

static void init_figures(struct dj_surface_figures *figures)
{
    *figures = (struct dj_surface_figures){.total_frames = -1,
                                           .dropped_frames = -1,
                                           .average_fps = (double)NAN,
                                           .google_p90_fps = (double)NAN,
                                           .google_p99_fps = (double)NAN};
    for (size_t i = 0; i < DJ_SURFACE_P_COUNT; i++) {
        figures->percentile_ms[i] = (double)NAN;
    }
}

static void compute_percentiles(struct dj_surface_figures *figures)
{
    uint64_t total = (uint64_t)figures->total_frames;
    uint64_t sum = sum_counts(&figures->presents);
    for (size_t i = 0; i < DJ_SURFACE_P_COUNT; i++) {
        figures->percentile_ms[i] = find_label(&figures->presents, percents[i], sum);
    }
    if (figures->total_frames >= 0) {
        figures->google_p90_fps = compute_fps(find_label(&figures->presents, 90, total));
        figures->google_p99_fps = compute_fps(find_label(&figures->presents, 99, total));
    }
}

static int64_t add_known(int64_t sum, int64_t value)
{
    return sum < 0 || value < 0 ? -1 : sum + value;
}

static void add_histogram(struct dj_surface_histogram *sum,
                          const struct dj_surface_histogram *histogram)
{
    if (histogram == NULL) {
        return;
    }
    sum->is_present = true;
    sum->is_broken = sum->is_broken || histogram->is_broken;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        sum->is_printed[i] = sum->is_printed[i] || histogram->is_printed[i];
        sum->count[i] += histogram->count[i];
    }
}

static void add_jank(struct dj_surface_figures *figures,
                     const struct dj_surface_part *part)
{
    for (size_t i = 0; i < part->jank_count; i++) {
        size_t k =
            find_jank(figures->jank, figures->jank_count, dj_str_of(part->jank[i].name));
        if (k == figures->jank_count && k < DJ_SURFACE_JANK_MOST) {
            figures->jank[figures->jank_count++] = part->jank[i];
        } else if (k < figures->jank_count) {
            figures->jank[k].count += part->jank[i].count;
        }
    }
}

static void compute_parts(const struct dj_surface_part *parts, size_t count,
                          struct dj_surface_figures *figures)
{
    bool whole = count > 0;
    init_figures(figures);
    figures->total_frames = count > 0 ? 0 : -1;
    figures->dropped_frames = figures->total_frames;
    for (size_t i = 0; i < count; i++) {
        const struct dj_surface_part *part = &parts[i];
        figures->total_frames = add_known(figures->total_frames, part->total_frames);
        figures->dropped_frames =
            add_known(figures->dropped_frames, part->dropped_frames);
        add_histogram(&figures->presents, part->presents);
        add_jank(figures, part);
        /* A part without frames has no histogram. */
        whole = whole &&
                (part->presents != NULL
                     ? dj_gfxinfo_surface_is_whole(part->presents, part->total_frames)
                     : part->total_frames == 0);
    }
    if (whole && figures->presents.is_present) {
        compute_percentiles(figures);
    }
    figures->average_fps =
        count == 1 ? parts->average_fps
        : whole    ? dj_gfxinfo_surface_compute_average_fps(&figures->presents)
                   : (double)NAN;
}

void dj_gfxinfo_surface_compute_part(const struct dj_surface_part *part,
                                     struct dj_surface_figures *figures)
{
    compute_parts(part, 1, figures);
}

/* Writes the time between each two neighbouring presents, except unknown times and times
 * ≤ 0. Returns the number of the intervals. */
static size_t find_intervals(const struct dj_dump_surface *surface, int64_t *intervals)
{
    size_t count = 0;
    for (size_t i = 1; i < surface->present_count; i++) {
        int64_t from = surface->present_ns[i - 1];
        int64_t to = surface->present_ns[i];
        int64_t interval;
        if (from != DJ_SURFACE_NO_TIME && to != DJ_SURFACE_NO_TIME &&
            !__builtin_sub_overflow(to, from, &interval) && interval > 0) {
            intervals[count++] = interval;
        }
    }
    return count;
}

bool dj_gfxinfo_surface_compute(const struct dj_dump_surface *surface,
                                struct dj_surface_figures *figures)
{
    compute_parts(surface->parts, surface->part_count, figures);
    if (surface->present_count < 2) {
        return true;
    }
    int64_t *intervals = calloc(surface->present_count, sizeof(*intervals));
    if (intervals == NULL) {
        return false;
    }
    size_t count = find_intervals(surface, intervals);
    dj_quantile_sort_int64(intervals, count);
    for (size_t i = 0; i < DJ_SURFACE_P_COUNT; i++) {
        figures->percentile_ms[i] =
            dj_quantile_compute_int64(intervals, count, percents[i] / 100.0) / 1e6;
    }
    free(intervals);
    return true;
}
