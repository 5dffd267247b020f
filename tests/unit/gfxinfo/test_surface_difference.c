/* Tests the difference of two dumps of timestats, and its text. */
#include <criterion/criterion.h>
#include <string.h>

#include "gfxinfo/parse.h"

static const char name[] = "SurfaceView[com.x/com.x.Main](BLAST)#12";

struct made {
    const char *layer;
    int hz, total, dropped, at16, at33;
};

static void append_layer(struct dj_text *out, const struct made *made)
{
    dj_text_format(out,
                   "\ndisplayRefreshRate = %d fps\nrenderRate = %d fps\nuid = 10001\n"
                   "layerName = %s\npackageName = \ngameMode = Unsupported\n"
                   "totalFrames = %d\ndroppedFrames = %d\n"
                   "Jank payload for this layer:\njankyFrames = %d\n"
                   "averageFPS = 50.000\npresent2present histogram is as below:\n",
                   made->hz, made->hz, made->layer, made->total, made->dropped,
                   made->dropped);
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        unsigned ms = dj_gfxinfo_surface_get_label_ms(i);
        dj_text_format(out, "%s%ums=%d", i > 0 ? " " : "", ms,
                       ms == 16   ? made->at16
                       : ms == 33 ? made->at33
                                  : 0);
    }
    dj_text_add(out, "\n");
}

/* Reads a text of timestats. */
static struct dj_surfaces read_text(const char *text, size_t length)
{
    struct dj_dump dump = {0};
    struct dj_parse_report *report = calloc(1, sizeof(*report));
    struct dj_error err = {0};
    dj_gfxinfo_parse_dump(text, length, &dump, report, &err);
    struct dj_surfaces surfaces = dump.surfaces;
    dump.surfaces = (struct dj_surfaces){0};
    dj_gfxinfo_dump_finish(&dump);
    free(report);
    return surfaces;
}

static struct dj_surfaces read_layers(const struct made *made, size_t count)
{
    struct dj_text text = {0};
    dj_text_add(&text, "SurfaceFlinger TimeStats:\n");
    for (size_t i = 0; i < count; i++) {
        append_layer(&text, &made[i]);
    }
    struct dj_surfaces surfaces = read_text(dj_text_get(&text), text.length);
    dj_text_finish(&text);
    return surfaces;
}

static struct dj_surfaces before, after;

static void finish(void)
{
    dj_gfxinfo_surface_finish(&before);
    dj_gfxinfo_surface_finish(&after);
}

TestSuite(surface_difference, .fini = finish);

static bool subtract(const struct made *earlier, size_t earlier_count,
                     const struct made *later, size_t later_count)
{
    before = read_layers(earlier, earlier_count);
    after = read_layers(later, later_count);
    return dj_gfxinfo_surface_subtract(&after, &before);
}

Test(surface_difference, counters_and_histograms_are_subtracted)
{
    const struct made earlier = {name, 60, 100, 3, 90, 10};
    const struct made later = {name, 60, 160, 5, 120, 40};
    cr_assert(subtract(&earlier, 1, &later, 1));
    const struct dj_surface_part *part = &after.at[0].parts[0];
    size_t bucket;
    cr_assert_eq(part->total_frames, 60);
    cr_assert_eq(part->dropped_frames, 2);
    cr_assert_eq(part->jank[0].count, 2);
    cr_assert(dj_gfxinfo_surface_find_bucket(33, &bucket));
    cr_assert_eq(part->presents->count[bucket], 30);
    cr_assert_eq(dj_gfxinfo_surface_sum_frames(&after, "com.x"), 60);
    cr_assert_eq(dj_gfxinfo_surface_sum_frames(&after, "com.y"), 0);
}

Test(surface_difference, a_new_layer_and_a_new_rate_count_from_zero)
{
    const struct made earlier = {name, 60, 100, 3, 90, 10};
    const struct made later[] = {{name, 60, 100, 3, 90, 10},
                                 {name, 120, 7, 0, 7, 0},
                                 {"com.x/.B#3", 60, 5, 0, 5, 0}};
    cr_assert(subtract(&earlier, 1, later, 3));
    cr_assert_eq(dj_gfxinfo_surface_sum_frames(&after, "com.x"), 12);
}

Test(surface_difference, a_counter_that_fell_was_cleared)
{
    const struct made earlier = {name, 60, 100, 3, 90, 10};
    const struct made later = {name, 60, 40, 0, 40, 0};
    cr_assert_not(subtract(&earlier, 1, &later, 1));
}

Test(surface_difference, a_bucket_that_fell_was_cleared)
{
    const struct made earlier = {name, 60, 100, 3, 90, 10};
    const struct made later = {name, 60, 130, 3, 125, 5};
    cr_assert_not(subtract(&earlier, 1, &later, 1));
}

Test(surface_difference, a_layer_that_disappeared_was_cleared)
{
    const struct made earlier[] = {{name, 60, 100, 3, 90, 10},
                                   {"com.y/.C#1", 60, 9, 0, 9, 0}};
    const struct made later = {name, 60, 160, 5, 120, 40};
    cr_assert_not(subtract(earlier, 2, &later, 1));
}

Test(surface_difference, the_printed_difference_reads_back)
{
    const struct made earlier = {name, 60, 100, 3, 90, 10};
    const struct made later[] = {{name, 60, 160, 5, 120, 40},
                                 {"com.y/.C#1", 60, 9, 0, 9, 0}};
    struct dj_text text = {0};
    cr_assert(subtract(&earlier, 1, later, 2));
    dj_gfxinfo_surface_print_timestats(&text, &after, "com.x");
    struct dj_surfaces again = read_text(dj_text_get(&text), text.length);
    dj_text_finish(&text);
    struct dj_surface_figures figures, printed;
    cr_assert_eq(again.count, 1, "of this package only");
    cr_assert_str_eq(again.at[0].layer, name);
    cr_assert_eq(again.at[0].uid, 10001);
    cr_assert(dj_gfxinfo_surface_compute(&after.at[0], &figures));
    cr_assert(dj_gfxinfo_surface_compute(&again.at[0], &printed));
    cr_assert_eq(printed.total_frames, 60);
    cr_assert_eq(printed.jank[0].count, 2);
    cr_assert_eq(memcmp(figures.presents.count, printed.presents.count,
                        sizeof(figures.presents.count)),
                 0);
    /* 30 frames of 16 ms and 30 of 33 ms. */
    cr_assert_float_eq(printed.average_fps, 1000 * 60 / (30.0 * 16 + 30 * 33), 0.001);
    cr_assert_float_eq(printed.google_p90_fps, 1000.0 / 33, 1e-9);
    dj_gfxinfo_surface_finish(&again);
}
