/* Tests the metrics of texts that were collected from SurfaceFlinger. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/text.h"
#include "gfxinfo/surface.h"
#include "metrics/window.h"

struct made_layer {
    const char *name;
    int total, dropped, at16, at33, at54;
};

static void append_layer(struct dj_text *out, const struct made_layer *layer)
{
    dj_text_format(out,
                   "\nlayerName = %s\npackageName = com.x\ntotalFrames = %d\n"
                   "droppedFrames = %d\npresent2present histogram is as below:\n",
                   layer->name, layer->total, layer->dropped);
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        unsigned ms = dj_gfxinfo_surface_get_label_ms(i);
        int count = ms == 16   ? layer->at16
                    : ms == 33 ? layer->at33
                    : ms == 54 ? layer->at54
                               : 0;
        dj_text_format(out, "%s%ums=%d", i > 0 ? " " : "", ms, count);
    }
    dj_text_add(out, "\n");
}

static struct dj_metrics compute(const char *pipeline, const struct made_layer *layers,
                                 size_t count)
{
    static const struct dj_figure_rules rules = {.release = NULL};
    static const struct dj_span everything = {0, 0};
    struct dj_window_figures figures;
    struct dj_text text = {0};
    struct dj_error err = {0};
    dj_text_format(&text,
                   "\n** Graphics info for pid 7 [com.x] **\n\nTotal frames rendered: 5\n"
                   "\nPipeline=%s\n\nSurfaceFlinger TimeStats:\n",
                   pipeline);
    for (size_t i = 0; i < count; i++) {
        append_layer(&text, &layers[i]);
    }
    cr_assert_eq(dj_metrics_compute(dj_text_get(&text), text.length, &rules, &everything,
                                    1, 0, &figures, &err),
                 0, "%s", err.message);
    struct dj_metrics metrics = figures.metrics;
    dj_metrics_window_figures_finish(&figures);
    dj_text_finish(&text);
    return metrics;
}

Test(surface_figures, google_s_recipe)
{
    const struct made_layer layer = {"com.x/com.x.Main#4", 100, 6, 70, 18, 12};
    struct dj_metrics metrics = compute("SurfaceFlinger", &layer, 1);
    const double *value = metrics.value;
    cr_assert_eq(value[DJ_METRIC_SURFACE_FRAMES], 100);
    cr_assert_eq(value[DJ_METRIC_SURFACE_DROPPED], 6);
    cr_assert_float_eq(value[DJ_METRIC_AVERAGE_FPS],
                       1000 * 100 / (70.0 * 16 + 18 * 33 + 12 * 54), 1e-9);
    cr_assert_float_eq(value[DJ_METRIC_P90_FPS], 1000.0 / 54, 1e-9);
    cr_assert_float_eq(value[DJ_METRIC_BELOW_20FPS_PCT], 12, 1e-9);
    cr_assert_float_eq(value[DJ_METRIC_BELOW_30FPS_PCT], 12, 1e-9);
}

Test(surface_figures, the_layer_with_the_most_frames_counts_over_its_renaming)
{
    const struct made_layer layers[] = {{"com.x/com.x.Main#4", 60, 1, 60, 0, 0},
                                        {"com.x/com.x.Ad#5", 70, 9, 0, 0, 70},
                                        {"com.x/com.x.Main#9", 40, 2, 40, 0, 0}};
    struct dj_metrics metrics = compute("SurfaceFlinger", layers, 3);
    cr_assert_eq(metrics.value[DJ_METRIC_SURFACE_FRAMES], 100);
    cr_assert_eq(metrics.value[DJ_METRIC_SURFACE_DROPPED], 3);
    cr_assert_float_eq(metrics.value[DJ_METRIC_P99_FPS], 1000.0 / 16, 1e-9);
    cr_assert_eq(metrics.value[DJ_METRIC_BELOW_20FPS_PCT], 0);
}

Test(surface_figures, counters_of_another_time_do_not_count)
{
    const struct made_layer layer = {"com.x/com.x.Main#4", 100, 6, 70, 18, 12};
    struct dj_metrics metrics = compute("Skia (OpenGL)", &layer, 1);
    cr_assert(isnan(metrics.value[DJ_METRIC_SURFACE_FRAMES]));
    cr_assert(isnan(metrics.value[DJ_METRIC_P90_FPS]));
}

Test(surface_figures, a_histogram_that_lacks_frames_gives_no_times)
{
    const struct made_layer layer = {"com.x/com.x.Main#4", 0, 6, 0, 0, 0};
    struct dj_metrics metrics = compute("SurfaceFlinger", &layer, 1);
    cr_assert(isnan(metrics.value[DJ_METRIC_SURFACE_FRAMES]));
    cr_assert(isnan(metrics.value[DJ_METRIC_AVERAGE_FPS]));
}
