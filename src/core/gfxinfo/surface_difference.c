/* The frames of layers between two dumps of timestats. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "gfxinfo/surface.h"

static bool is_same_text(const char *one, const char *other)
{
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static const struct dj_dump_surface *find_layer(const struct dj_surfaces *surfaces,
                                                const struct dj_dump_surface *layer)
{
    for (size_t i = 0; i < surfaces->count; i++) {
        const struct dj_dump_surface *other = &surfaces->at[i];
        if (other->kind == DJ_SURFACE_TIMESTATS && layer->kind == other->kind &&
            other->uid == layer->uid && is_same_text(other->layer, layer->layer)) {
            return other;
        }
    }
    return NULL;
}

static const struct dj_surface_part *find_part(const struct dj_dump_surface *layer,
                                               const struct dj_surface_part *part)
{
    for (size_t i = 0; i < layer->part_count; i++) {
        const struct dj_surface_part *other = &layer->parts[i];
        if (other->display_hz == part->display_hz &&
            other->render_hz == part->render_hz &&
            is_same_text(other->game_mode, part->game_mode)) {
            return other;
        }
    }
    return NULL;
}

/* Subtracts a counter. The result is unknown if one of the two numbers is unknown. */
static bool subtract_count(int64_t *count, int64_t before)
{
    *count = *count < 0 || before < 0 ? -1 : *count - before;
    return *count >= -1;
}

static bool subtract_histogram(struct dj_surface_histogram *histogram,
                               const struct dj_surface_histogram *before)
{
    bool rose = true;
    histogram->is_broken = histogram->is_broken || before->is_broken;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        rose = rose && histogram->count[i] >= before->count[i];
        histogram->count[i] -= rose ? before->count[i] : 0;
    }
    return rose;
}

static bool subtract_jank(struct dj_surface_part *part,
                          const struct dj_surface_part *before)
{
    bool rose = true;
    for (size_t i = 0; i < part->jank_count; i++) {
        for (size_t k = 0; k < before->jank_count; k++) {
            if (strcmp(part->jank[i].name, before->jank[k].name) == 0) {
                part->jank[i].count -= before->jank[k].count;
                rose = rose && part->jank[i].count >= 0;
                break;
            }
        }
    }
    return rose;
}

static bool has_fallen(int64_t after, int64_t before)
{
    return after >= 0 && before >= 0 && after < before;
}

static bool subtract_part(struct dj_surface_part *part,
                          const struct dj_surface_part *before)
{
    bool rose = !has_fallen(part->total_frames, before->total_frames) &&
                !has_fallen(part->dropped_frames, before->dropped_frames);
    rose = subtract_count(&part->total_frames, before->total_frames) && rose;
    rose = subtract_count(&part->dropped_frames, before->dropped_frames) && rose;
    if (part->presents != NULL && before->presents != NULL) {
        rose = subtract_histogram(part->presents, before->presents) && rose;
    }
    /* The printed average cannot be used, because it includes earlier frames. */
    part->average_fps = (double)NAN;
    return subtract_jank(part, before) && rose;
}

bool dj_gfxinfo_surface_subtract(struct dj_surfaces *after,
                                 const struct dj_surfaces *before)
{
    bool rose = true;
    for (size_t i = 0; i < before->count; i++) {
        rose = rose && (before->at[i].kind != DJ_SURFACE_TIMESTATS ||
                        find_layer(after, &before->at[i]) != NULL);
    }
    for (size_t i = 0; i < after->count; i++) {
        struct dj_dump_surface *layer = &after->at[i];
        const struct dj_dump_surface *earlier = find_layer(before, layer);
        for (size_t k = 0; k < layer->part_count && earlier != NULL; k++) {
            const struct dj_surface_part *part = find_part(earlier, &layer->parts[k]);
            rose = (part == NULL || subtract_part(&layer->parts[k], part)) && rose;
        }
    }
    return rose;
}

static void print_known(struct dj_text *text, const char *key, int64_t value)
{
    if (value >= 0) {
        dj_text_format(text, "%s = %" PRId64 "\n", key, value);
    }
}

static void print_histogram(struct dj_text *text,
                            const struct dj_surface_histogram *histogram)
{
    dj_text_add(text, "present2present histogram is as below:\n");
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        dj_text_format(text, "%s%" PRIu32 "ms=%" PRIu64, i > 0 ? " " : "",
                       dj_gfxinfo_surface_get_label_ms(i), histogram->count[i]);
    }
    dj_text_add(text, "\n");
}

static void print_part(struct dj_text *text, const struct dj_dump_surface *layer,
                       const struct dj_surface_part *part)
{
    struct dj_surface_figures figures;
    dj_text_add(text, "\n");
    if (part->display_hz >= 0) {
        dj_text_format(text,
                       "displayRefreshRate = %" PRId64 " fps\nrenderRate = %" PRId64
                       " fps\nuid = %" PRId64 "\n",
                       part->display_hz, part->render_hz, layer->uid);
    }
    dj_text_format(text, "layerName = %s\npackageName = %s\n",
                   layer->layer != NULL ? layer->layer : "",
                   layer->package != NULL ? layer->package : "");
    if (part->game_mode != NULL) {
        dj_text_format(text, "gameMode = %s\n", part->game_mode);
    }
    print_known(text, "totalFrames", part->total_frames);
    print_known(text, "droppedFrames", part->dropped_frames);
    dj_text_add(text, part->jank_count > 0 ? "Jank payload for this layer:\n" : "");
    for (size_t i = 0; i < part->jank_count; i++) {
        print_known(text, part->jank[i].name, part->jank[i].count);
    }
    dj_gfxinfo_surface_compute_part(part, &figures);
    double fps = isnan(part->average_fps)
                     ? dj_gfxinfo_surface_compute_average_fps(&figures.presents)
                     : part->average_fps;
    if (isfinite(fps)) {
        dj_text_format(text, "averageFPS = %.3f\n", fps);
    }
    if (part->presents != NULL && !part->presents->is_broken) {
        print_histogram(text, part->presents);
    }
}

/* Returns whether the layer belongs to the app and has counters. */
static bool is_wanted(const struct dj_dump_surface *layer, const char *package)
{
    return layer->kind == DJ_SURFACE_TIMESTATS && layer->package != NULL &&
           strcmp(layer->package, package) == 0;
}

int64_t dj_gfxinfo_surface_sum_frames(const struct dj_surfaces *surfaces,
                                      const char *package)
{
    int64_t sum = 0;
    for (size_t i = 0; i < surfaces->count; i++) {
        const struct dj_dump_surface *layer = &surfaces->at[i];
        for (size_t k = 0; k < layer->part_count && is_wanted(layer, package); k++) {
            int64_t frames = layer->parts[k].total_frames;
            sum = frames < 0 || sum > INT64_MAX - frames ? sum : sum + frames;
        }
    }
    return sum;
}

void dj_gfxinfo_surface_print_timestats(struct dj_text *text,
                                        const struct dj_surfaces *surfaces,
                                        const char *package)
{
    dj_text_add(text, "SurfaceFlinger TimeStats:\n");
    for (size_t i = 0; i < surfaces->count; i++) {
        const struct dj_dump_surface *layer = &surfaces->at[i];
        for (size_t k = 0; k < layer->part_count; k++) {
            if (is_wanted(layer, package) && layer->parts[k].total_frames > 0) {
                print_part(text, layer, &layer->parts[k]);
            }
        }
    }
    dj_text_add(text, "\n");
}
