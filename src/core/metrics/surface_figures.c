#include "metrics/surface_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The first buckets of frames that are slow by Google's recipe for games: below 20 FPS,
 * and below 30 FPS. A frame of 50 ms is in the bucket before. */
enum { SLOW_20FPS_MS = 54, SLOW_30FPS_MS = 34 };

/* Returns the length of the name without its number, such as "#12". */
static size_t measure_name(const char *name)
{
    const char *number = strrchr(name, '#');
    return number != NULL ? (size_t)(number - name) : strlen(name);
}

static struct dj_surface_total *find_or_add(struct dj_surface_totals *totals,
                                            const char *name)
{
    size_t length = measure_name(name);
    for (size_t i = 0; i < totals->count; i++) {
        if (strlen(totals->layers[i].name) == length &&
            memcmp(totals->layers[i].name, name, length) == 0) {
            return &totals->layers[i];
        }
    }
    struct dj_surface_total total = {.name = strndup(name, length), .is_whole = true};
    if (total.name == NULL || !DJ_ARRAY_PUSH(totals->layers, totals->count, total)) {
        free(total.name);
        return NULL;
    }
    return &totals->layers[totals->count - 1];
}

static int64_t add_known(int64_t sum, int64_t count)
{
    return sum < 0 || count < 0 ? -1 : sum + count;
}

static bool add_layer(struct dj_surface_totals *totals,
                      const struct dj_dump_surface *layer)
{
    struct dj_surface_figures figures;
    struct dj_surface_total *total = find_or_add(totals, layer->layer);
    if (total == NULL || !dj_gfxinfo_surface_compute(layer, &figures)) {
        return false;
    }
    total->frames = add_known(total->frames, figures.total_frames);
    total->dropped = add_known(total->dropped, figures.dropped_frames);
    total->is_whole = total->is_whole && !isnan(figures.percentile_ms[DJ_SURFACE_P50]);
    total->presents.is_present = true;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        total->presents.is_printed[i] = true;
        total->presents.count[i] += figures.presents.count[i];
    }
    return true;
}

bool dj_surface_totals_add(struct dj_surface_totals *totals, const struct dj_dump *dump)
{
    bool added = true;
    for (size_t i = 0; i < dump->process_count; i++) {
        totals->is_collected =
            totals->is_collected || dj_gfxinfo_is_of_surface(&dump->processes[i]);
    }
    for (size_t i = 0; i < dump->surfaces.count && added; i++) {
        const struct dj_dump_surface *layer = &dump->surfaces.at[i];
        if (layer->kind == DJ_SURFACE_TIMESTATS && layer->layer != NULL) {
            added = add_layer(totals, layer);
        }
    }
    return added;
}

static double compute_slow_pct(const struct dj_surface_total *total, uint32_t from_ms)
{
    uint64_t slow = 0;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        slow +=
            dj_gfxinfo_surface_get_label_ms(i) >= from_ms ? total->presents.count[i] : 0;
    }
    return 100 * (double)slow / (double)total->frames;
}

/* Sets the metrics that need the histogram. */
static void fill_times(const struct dj_surface_total *total, double *value)
{
    struct dj_surface_histogram presents = total->presents;
    const struct dj_surface_part part = {.display_hz = -1,
                                         .render_hz = -1,
                                         .total_frames = total->frames,
                                         .dropped_frames = total->dropped,
                                         .average_fps = (double)NAN,
                                         .presents = &presents};
    struct dj_surface_figures figures;
    dj_gfxinfo_surface_compute_part(&part, &figures);
    value[DJ_METRIC_AVERAGE_FPS] = dj_gfxinfo_surface_compute_average_fps(&presents);
    value[DJ_METRIC_P90_FPS] = figures.google_p90_fps;
    value[DJ_METRIC_P99_FPS] = figures.google_p99_fps;
    value[DJ_METRIC_BELOW_20FPS_PCT] = compute_slow_pct(total, SLOW_20FPS_MS);
    value[DJ_METRIC_BELOW_30FPS_PCT] = compute_slow_pct(total, SLOW_30FPS_MS);
}

void dj_surface_totals_fill(const struct dj_surface_totals *totals,
                            struct dj_metrics *metrics)
{
    const struct dj_surface_total *most = NULL;
    for (size_t i = 0; i < totals->count && totals->is_collected; i++) {
        if (most == NULL || totals->layers[i].frames > most->frames) {
            most = &totals->layers[i];
        }
    }
    if (most == NULL || most->frames <= 0) {
        return;
    }
    metrics->value[DJ_METRIC_SURFACE_FRAMES] = (double)most->frames;
    if (most->dropped >= 0) {
        metrics->value[DJ_METRIC_SURFACE_DROPPED] = (double)most->dropped;
    }
    if (most->is_whole) {
        fill_times(most, metrics->value);
    }
}

void dj_surface_totals_finish(struct dj_surface_totals *totals)
{
    for (size_t i = 0; i < totals->count; i++) {
        free(totals->layers[i].name);
    }
    free(totals->layers);
    *totals = (struct dj_surface_totals){0};
}
