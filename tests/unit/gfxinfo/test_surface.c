/* Tests the layers of SurfaceFlinger: figures, names, and the texts of every release. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support.h"

TestSuite(surface, .fini = finish_reading);

/* ---- made texts ---- */

static const char *const jank_names[] = {
    "totalTimelineFrames",         "jankyFrames",
    "sfLongCpuJankyFrames",        "sfLongGpuJankyFrames",
    "sfUnattributedJankyFrames",   "appUnattributedJankyFrames",
    "sfSchedulingJankyFrames",     "sfPredictionErrorJankyFrames",
    "appBufferStuffingJankyFrames"};

/* Labels as the printing code has them, repeated so that the tests do not depend on the
 * product. */
static const unsigned labels[] = {
    0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,  16,
    17,  18,  19,  20,  21,  22,  23,  24,  25,  26,  27,  28,  29,  30,  31,  32,  33,
    34,  36,  38,  40,  42,  44,  46,  48,  50,  54,  58,  62,  66,  70,  74,  78,  82,
    86,  90,  94,  98,  102, 106, 110, 114, 118, 122, 126, 130, 134, 138, 142, 146, 150,
    200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000};

static void append_histogram(struct dj_text *out, const char *name, unsigned at16,
                             unsigned at33, unsigned at54)
{
    dj_text_format(out, "%s histogram is as below:\n", name);
    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        unsigned count = labels[i] == 16   ? at16
                         : labels[i] == 33 ? at33
                         : labels[i] == 54 ? at54
                                           : 0;
        dj_text_format(out, "%s%ums=%u", i > 0 ? " " : "", labels[i], count);
    }
    dj_text_add(out, "\n");
}

struct made {
    unsigned release;
    const char *name;
    unsigned hz, uid;
    unsigned at16, at33, at54;
};

static void append_layer(struct dj_text *out, const struct made *made)
{
    unsigned total = made->at16 + made->at33 + made->at54;
    dj_text_add(out, made->release > 9 ? "\n" : "");
    if (made->release >= 12) {
        dj_text_format(out,
                       "displayRefreshRate = %u fps\nrenderRate = %u fps\nuid = %u\n",
                       made->hz, made->hz, made->uid);
    }
    dj_text_format(out, "layerName = %s\npackageName = %s\n", made->name,
                   made->release > 10 ? "" : "com.printed");
    if (made->release == 9) {
        dj_text_format(out, "statsStart = 1\nstatsEnd = 2\ntotalFrames= %u\n", total);
    } else {
        dj_text_add(out, made->release >= 12 ? "gameMode = Standard\n" : "");
        dj_text_format(out, "totalFrames = %u\ndroppedFrames = 3\n", total);
    }
    if (made->release >= 11) {
        dj_text_add(out, "lateAcquireFrames = 0\nbadDesiredPresentFrames = 0\n");
    }
    if (made->release >= 12) {
        dj_text_add(out, "Jank payload for this layer:\n");
        for (unsigned i = 0; i < COUNT_OF(jank_names); i++) {
            dj_text_format(out, "%s = %u\n", jank_names[i], i);
        }
        dj_text_format(out,
                       "Set%s vote for this layer:\nframeRate = 0.00\n"
                       "frameRateCompatibility = Undefined\nseamlessness = "
                       "Undefined\n",
                       made->release >= 14 ? "FrameRate" : "FrateRate");
    }
    dj_text_add(out, "averageFPS = 51.282\n");
    if (made->release >= 12) {
        append_histogram(out, "latch2present", 1, 0, 0);
    }
    append_histogram(out, "present2present", made->at16, made->at33, made->at54);
    append_histogram(out, "post2acquire", 7, 0, 0);
}

static void append_global(struct dj_text *out, unsigned release)
{
    const char *space = release == 9 ? "" : " ";
    dj_text_add(out, "SurfaceFlinger TimeStats:\n");
    dj_text_add(out, release >= 12 ? "Legacy stats are as follows:\n" : "");
    dj_text_format(out,
                   "statsStart = 1566336030\nstatsEnd = 1566338516\ntotalFrames%s= "
                   "700\nmissedFrames%s= 9\nclientCompositionFrames%s= 12\n",
                   space, space, space);
    if (release == 9) {
        dj_text_add(out, "TimeStats for each layer is as below:\n");
        return;
    }
    dj_text_add(out, "displayOnTime = 61022 ms\ndisplayConfigStats is as below:\n");
    dj_text_add(out,
                release >= 12 ? "60fps = 61000ms\n" : "90fps=3700ms 60fps=297492ms\n");
    dj_text_add(out, "totalP2PTime = 12675 ms\n");
    append_histogram(out, "presentToPresent", 600, 100, 0);
    if (release >= 12) {
        dj_text_add(out, "\nGlobal aggregated jank payload (Timeline stats):\n"
                         "displayRefreshRate = 60 fps\nrenderRate = 60 fps\n");
        for (unsigned i = 0; i < COUNT_OF(jank_names); i++) {
            dj_text_format(out, "%s = %u\n", jank_names[i], 100 + i);
        }
        append_histogram(out, "sfDeadlineMisses", 1, 0, 0);
    }
}

static const struct dj_dump_surface *get_layer(size_t index, size_t count)
{
    cr_assert_eq(dump.surfaces.count, count, "%zu layers", dump.surfaces.count);
    return &dump.surfaces.at[index];
}

static struct dj_surface_figures compute(const struct dj_dump_surface *surface)
{
    struct dj_surface_figures figures;
    cr_assert(dj_gfxinfo_surface_compute(surface, &figures));
    return figures;
}

/* ---- timestats ---- */

Test(surface, labels_are_those_of_the_printing_code)
{
    cr_assert_eq(COUNT_OF(labels), DJ_SURFACE_BUCKETS);
    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        size_t bucket;
        cr_assert_eq(dj_gfxinfo_surface_get_label_ms(i), labels[i]);
        cr_assert(dj_gfxinfo_surface_find_bucket(labels[i], &bucket) && bucket == i);
    }
    size_t bucket;
    cr_assert_not(dj_gfxinfo_surface_find_bucket(35, &bucket));
    cr_assert_not(dj_gfxinfo_surface_find_bucket(1001, &bucket));
}

Test(surface, timestats_of_every_release)
{
    for (unsigned release = 9; release <= 15; release++) {
        struct made made = {
            release, "SurfaceView - com.a.b/com.a.b.Main#0", 60, 10123, 85, 14, 1};
        struct dj_text text = {0};
        append_global(&text, release);
        append_layer(&text, &made);
        dj_text_add(&text, "\n");
        parse_text(&text);
        const struct dj_dump_surface *layer = get_layer(0, 1);
        struct dj_surface_figures figures = compute(layer);
        cr_assert_eq(layer->kind, DJ_SURFACE_TIMESTATS);
        cr_assert_str_eq(layer->layer, made.name);
        cr_assert_str_eq(layer->package, release > 10 ? "com.a.b" : "com.printed");
        cr_assert_eq(layer->uid, release >= 12 ? 10123 : -1);
        cr_assert_eq(figures.total_frames, 100);
        cr_assert_eq(figures.dropped_frames, release > 9 ? 3 : -1);
        cr_assert_float_eq(figures.average_fps, 51.282, 1e-9);
        cr_assert_eq(figures.percentile_ms[DJ_SURFACE_P50], 16);
        cr_assert_eq(figures.percentile_ms[DJ_SURFACE_P90], 33);
        cr_assert_eq(figures.percentile_ms[DJ_SURFACE_P95], 33);
        cr_assert_eq(figures.percentile_ms[DJ_SURFACE_P99], 33);
        cr_assert_float_eq(figures.google_p99_fps, 1000.0 / 33, 1e-9);
        cr_assert_eq(figures.jank_count, release >= 12 ? 9 : 0);
        for (size_t i = 0; i < figures.jank_count; i++) {
            cr_assert_str_eq(figures.jank[i].name, jank_names[i]);
            cr_assert_eq(figures.jank[i].count, (int64_t)i);
        }
        cr_assert_eq(report.warning_count, 0, "%u: %s", release,
                     report.warning[0].message);
        dj_text_finish(&text);
    }
}

Test(surface, googles_figure_counts_all_frames)
{
    struct dj_text text = {0};
    dj_text_add(&text, "layerName = a#1\ntotalFrames = 200\n");
    append_histogram(&text, "presentToPresent", 179, 10, 0);
    parse_text(&text);
    struct dj_surface_figures figures = compute(get_layer(0, 1));
    /* 90 % of the sum are 170.1, but 90 % of all frames are 180. */
    cr_assert_eq(figures.percentile_ms[DJ_SURFACE_P90], 16);
    cr_assert_float_eq(figures.google_p90_fps, 1000.0 / 33, 1e-9);
    cr_assert(isnan(figures.google_p99_fps), "198 frames are not in the histogram");
    dj_text_finish(&text);
}

Test(surface, a_layer_has_one_part_for_each_refresh_rate)
{
    struct made made[] = {{13, "com.a.b/com.a.b.Main#7", 60, 10123, 50, 0, 0},
                          {13, "com.a.b/com.a.b.Main#7", 120, 10123, 40, 8, 2},
                          {13, "com.a.b/com.a.b.Main#7", 60, 999, 1, 0, 0}};
    struct dj_text text = {0};
    append_global(&text, 13);
    for (size_t i = 0; i < COUNT_OF(made); i++) {
        append_layer(&text, &made[i]);
    }
    parse_text(&text);
    const struct dj_dump_surface *layer = get_layer(0, 2);
    struct dj_surface_figures figures = compute(layer);
    cr_assert_eq(layer->part_count, 2);
    cr_assert_eq(layer->parts[1].display_hz, 120);
    cr_assert_eq(figures.total_frames, 100);
    cr_assert_eq(figures.dropped_frames, 6);
    cr_assert_eq(figures.percentile_ms[DJ_SURFACE_P90], 16);
    cr_assert_eq(figures.jank[1].count, 2);
    cr_assert_float_eq(figures.average_fps, 1000 * 100 / (90 * 16 + 8 * 33 + 2 * 54.0),
                       1e-9);
    cr_assert_eq(dump.surfaces.at[1].uid, 999);
    dj_text_finish(&text);
}

Test(surface, the_same_layer_twice_stays_two_layers)
{
    struct made made = {13, "com.a.b/com.a.b.Main#7", 60, 10123, 50, 0, 0};
    struct dj_text text = {0};
    append_layer(&text, &made);
    append_layer(&text, &made);
    parse_text(&text);
    cr_assert_eq(get_layer(0, 2)->part_count, 1);
    made.release = 10;
    dj_text_clear(&text);
    append_layer(&text, &made);
    append_layer(&text, &made);
    parse_text(&text);
    cr_assert_eq(get_layer(0, 2)->part_count, 1);
    dj_text_finish(&text);
}

Test(surface, two_dumps_stay_apart)
{
    struct made made = {13, "com.a.b/com.a.b.Main#7", 60, 10123, 50, 0, 0};
    struct dj_text text = {0};
    append_global(&text, 13);
    append_layer(&text, &made);
    made.hz = 120;
    append_global(&text, 13);
    append_layer(&text, &made);
    parse_text(&text);
    cr_assert_eq(get_layer(0, 2)->part_count, 1);
    dj_text_finish(&text);
}

static void expect_unknown(const char *line, const char *warning)
{
    struct dj_text text = {0};
    dj_text_format(&text, "layerName = a.b/c.d#1\n%s\n", line);
    append_histogram(&text, "present2present", 10, 0, 0);
    parse_text(&text);
    struct dj_surface_figures figures = compute(get_layer(0, 1));
    cr_assert_eq(figures.total_frames, -1, "%s", line);
    cr_assert(isnan(figures.google_p90_fps), "%s", line);
    cr_assert(warned_of(warning), "%s", line);
    cr_assert_eq(warning_of(warning)->line, 2);
    dj_text_finish(&text);
}

Test(surface, impossible_counts_are_unknown)
{
    expect_unknown("totalFrames = -3", "expected a count");
    expect_unknown("totalFrames = 99999999999999999999", "expected a count");
    expect_unknown("totalFrames = 4294967296", "expected a count");
    expect_unknown("totalFrames = 12x", "expected a count");
    expect_unknown("totalFrames = ", "expected a count");
}

Test(surface, a_broken_bucket_makes_percentiles_unknown)
{
    static const char *const buckets[] = {"16ms=-1", "16ms=99999999999", "16ms=", "(...)",
                                          "35ms=1 16ms=5"};
    for (size_t i = 0; i < COUNT_OF(buckets); i++) {
        struct dj_text text = {0};
        dj_text_format(&text,
                       "layerName = a.b/c.d#1\ntotalFrames = 10\npresent2present "
                       "histogram is as below:\n0ms=0 %s 17ms=2 1000ms=0\nx = 1\n",
                       buckets[i]);
        parse_text(&text);
        struct dj_surface_figures figures = compute(get_layer(0, 1));
        cr_assert(isnan(figures.percentile_ms[0]), "%s", buckets[i]);
        cr_assert(warned_of("histogram is truncated or malformed"), "%s", buckets[i]);
        dj_text_finish(&text);
    }
}

Test(surface, a_shortened_histogram_with_all_frames_is_whole)
{
    parse("layerName = a.b/c.d#1\ntotalFrames = 7\n"
          "present2present histogram is as below:\n8ms=7 9ms=0\n");
    struct dj_surface_figures figures = compute(get_layer(0, 1));
    cr_assert_eq(figures.percentile_ms[DJ_SURFACE_P99], 8);
    cr_assert_eq(report.warning_count, 0);
}

Test(surface, a_wrapped_text_has_the_same_figures)
{
    struct made made = {13,
                        "SurfaceView[com.example.game/com.unity3d.player."
                        "UnityPlayerActivity](BLAST)#132833",
                        60,
                        10123,
                        850,
                        140,
                        10};
    struct dj_text text = {0};
    append_global(&text, 13);
    append_layer(&text, &made);
    for (size_t width = 40; width < 120; width++) {
        struct dj_text wrapped = {0};
        wrap(&wrapped, &text, width, false);
        parse_text(&wrapped);
        struct dj_surface_figures figures = compute(get_layer(0, 1));
        cr_assert_str_eq(dump.surfaces.at[0].layer, made.name, "%zu", width);
        cr_assert_str_eq(dump.surfaces.at[0].package, "com.example.game");
        cr_assert_eq(figures.total_frames, 1000);
        for (size_t i = 0; i < COUNT_OF(labels); i++) {
            unsigned count = labels[i] == 16   ? 850
                             : labels[i] == 33 ? 140
                             : labels[i] == 54 ? 10
                                               : 0;
            cr_assert_eq(figures.presents.count[i], count, "%zu: %u", width, labels[i]);
        }
        dj_text_finish(&wrapped);
    }
    dj_text_finish(&text);
}

Test(surface, prefixes_change_nothing)
{
    static const char *const prefixes[] = {"> ",
                                           ">> ",
                                           "| ",
                                           "* ",
                                           "    ",
                                           "I/gfxinfo( 1234): ",
                                           "2031-05-04T09:41:07.142857Z "};
    struct made made = {14, "com.a.b/com.a.b.Main#7", 60, 10123, 50, 0, 0};
    struct dj_text text = {0};
    append_global(&text, 14);
    append_layer(&text, &made);
    dj_text_add(&text, "\n");
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        struct dj_text changed = {0};
        append_with_prefix(&changed, &text, prefixes[i], "\r\n");
        parse_text(&changed);
        cr_assert_eq(compute(get_layer(0, 1)).percentile_ms[0], 16, "%s", prefixes[i]);
        cr_assert_str_eq(dump.surfaces.at[0].layer, made.name);
        dj_text_finish(&changed);
    }
    dj_text_finish(&text);
}

/* No text that ends early has another figure than the whole text. */
Test(surface, a_truncated_text_has_no_wrong_figures)
{
    struct made made = {13, "com.a.b/com.a.b.Main#7", 60, 10123, 850, 140, 10};
    struct dj_text text = {0};
    append_global(&text, 13);
    append_layer(&text, &made);
    for (size_t length = 0; length < text.length; length++) {
        parse_bytes(dj_text_get(&text), length);
        if (dump.surfaces.count == 0) {
            continue;
        }
        struct dj_surface_figures figures = compute(get_layer(0, 1));
        cr_assert(figures.total_frames == -1 || figures.total_frames == 1000, "%zu",
                  length);
        cr_assert(figures.dropped_frames == -1 || figures.dropped_frames == 3);
        cr_assert(isnan(figures.average_fps) ||
                  fabs(figures.average_fps - 51.282) < 1e-9);
        cr_assert(isnan(figures.percentile_ms[0]) ||
                  (figures.percentile_ms[0] == 16 && figures.percentile_ms[3] == 33));
        for (size_t i = 0; i < figures.jank_count; i++) {
            cr_assert_eq(figures.jank[i].count, (int64_t)i, "%zu", length);
        }
    }
    dj_text_finish(&text);
}

/* ---- latency ---- */

static void append_rows(struct dj_text *out, size_t count, const char *blank)
{
    for (size_t i = 0; i < count; i++) {
        long long at = 1000000000000 + (long long)i * 16666667;
        dj_text_format(out, "%lld%s%lld%s%lld\n", at, blank, at + 30000000, blank,
                       at + 20000000);
    }
}

Test(surface, latency_rows)
{
    struct dj_text text = {0};
    dj_text_add(&text, "16666667\n");
    append_rows(&text, 5, "\t");
    dj_text_add(&text, "1000000099999\t9223372036854775807\t1000000088888\n"
                       "1000000099999\t1000100088888\t9223372036854775807\n"
                       "0\t0\t0\n0\t0\t0\n\n");
    parse_text(&text);
    const struct dj_dump_surface *layer = get_layer(0, 1);
    struct dj_surface_figures figures = compute(layer);
    cr_assert_eq(layer->kind, DJ_SURFACE_LATENCY);
    cr_assert_null(layer->layer);
    cr_assert_eq(layer->refresh_ns, 16666667);
    cr_assert_eq(layer->row_count, 9);
    cr_assert_eq(layer->complete_rows, 5);
    cr_assert_eq(layer->pending_rows, 2);
    cr_assert_eq(figures.total_frames, -1);
    cr_assert_float_eq(figures.percentile_ms[DJ_SURFACE_P99], 16.666667, 1e-9);
    cr_assert_eq(report.warning_count, 0);
    dj_text_finish(&text);
}

Test(surface, latency_intervals_are_between_neighbours)
{
    parse("16666667\n1\t1000\t1\n1\t3001000\t1\n0\t0\t0\n1\t9001000\t1\n"
          "1\t10001000\t1\n1\t5\t1\n");
    struct dj_surface_figures figures = compute(get_layer(0, 1));
    /* 3 ms and 1 ms. The time that falls has no interval. */
    cr_assert_float_eq(figures.percentile_ms[DJ_SURFACE_P50], 2, 1e-9);
}

Test(surface, latency_after_a_command_has_its_layer)
{
    static const struct {
        const char *command, *layer, *package;
    } commands[] = {
        {"$ adb shell dumpsys SurfaceFlinger --latency \"'SurfaceView - a.b/c.D#0'\"",
         "SurfaceView - a.b/c.D#0", "a.b"},
        {"> dumpsys SurfaceFlinger --latency SurfaceView\\[a.b/c.D\\]\\(BLAST\\)#1",
         "SurfaceView[a.b/c.D](BLAST)#1", "a.b"},
        {"dumpsys SurfaceFlinger --latency 'StatusBar#0'", "StatusBar#0", NULL},
        {"dumpsys SurfaceFlinger --latency", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "%s\n16666667\n", commands[i].command);
        append_rows(&text, 2, " ");
        dj_text_add(&text, "\n16666667\n\n");
        parse_text(&text);
        const struct dj_dump_surface *layer = get_layer(0, 1);
        cr_assert_eq(layer->row_count, 2);
        cr_assert((layer->layer == NULL) == (commands[i].layer == NULL));
        if (layer->layer != NULL) {
            cr_assert_str_eq(layer->layer, commands[i].layer);
        }
        cr_assert((layer->package == NULL) == (commands[i].package == NULL));
        dj_text_finish(&text);
    }
}

Test(surface, latency_without_its_first_line)
{
    struct dj_text text = {0};
    append_rows(&text, 3, "   ");
    parse_text(&text);
    cr_assert_eq(get_layer(0, 1)->refresh_ns, -1);
    cr_assert_eq(dump.surfaces.at[0].complete_rows, 3);
    dj_text_finish(&text);
}

Test(surface, a_period_alone_is_a_layer_without_rows)
{
    parse("16666667\n\n");
    cr_assert_eq(get_layer(0, 1)->row_count, 0);
    cr_assert_eq(dump.surfaces.at[0].refresh_ns, 16666667);
    parse("Order\n16666667\n");
    cr_assert_eq(dump.surfaces.count, 0, "a number in another text");
}

Test(surface, broken_latency_rows_are_counted)
{
    parse("16666667\n1\t2\n-5\t-6\t-7\n99999999999999999999\t1\t1\n1\t2\t3\t4\n");
    const struct dj_dump_surface *layer = get_layer(0, 1);
    cr_assert_eq(dump.surfaces.count, 1);
    cr_assert_eq(layer->complete_rows, 0);
}

Test(surface, a_truncated_latency_text)
{
    struct dj_text text = {0};
    dj_text_add(&text, "16666667\n");
    append_rows(&text, 4, "\t");
    for (size_t length = 0; length < text.length; length++) {
        parse_bytes(dj_text_get(&text), length);
        for (size_t i = 0; i < dump.surfaces.count; i++) {
            struct dj_surface_figures figures = compute(&dump.surfaces.at[i]);
            cr_assert(isnan(figures.percentile_ms[0]) ||
                          fabs(figures.percentile_ms[0] - 16.666667) < 1e-9,
                      "%zu", length);
        }
    }
    dj_text_finish(&text);
}

Test(surface, a_busy_surfaceflinger_is_reported)
{
    struct dj_text text = {0};
    dj_text_add(&text,
                "Dumping without lock after timeout: Timed out (-110)\n16666667\n");
    append_rows(&text, 2, "\t");
    parse_text(&text);
    cr_assert_eq(get_layer(0, 1)->complete_rows, 2);
    cr_assert(warned_of("did not answer in time"));
    dj_text_finish(&text);
}

/* ---- lists and names ---- */

Test(surface, packages_of_every_release)
{
    static const struct {
        const char *layer, *package;
    } names[] = {
        {"SurfaceView - com.a.b/com.a.b.Main#0", "com.a.b"},
        {"Background for -SurfaceView - com.a.b/com.a.b.Main#0", "com.a.b"},
        {"SurfaceView[com.a.b/com.c.Main](BLAST)#0", "com.a.b"},
        {"SurfaceView[com.a.b/com.c.Main]@0(BLAST)#132833", "com.a.b"},
        {"788924b SurfaceView[com.a_b.c1/com.c.Main](BLAST)#9", "com.a_b.c1"},
        {"56d18fd com.a.b/com.c.Main#0", "com.a.b"},
        {"com.a.b/com.a.b.Main$Inner#0", "com.a.b"},
        {"ActivityRecord{a6723a9 u0 com.a.b/.Launcher t7 d0} 09-02 21:53:30.542#65",
         "com.a.b"},
        {"AppWindowToken{41 token=Token{77 ActivityRecord{a1 u0 com.a.b/c.D t5}}}#0",
         "com.a.b"},
        {"Bounds for - com.a.b/com.a.b.Main#0", "com.a.b"},
        {"Splash Screen com.a.b#12", "com.a.b"},
        {"com.a.b.ImageWallpaper#0", "com.a.b"},
        {"StatusBar#0", ""},
        {"NavigationBar0#0", ""},
        {"Display 0 name=\"…\"#47", ""},
        {"WindowToken{415e45b type=2032 android.os.Binder@17d476a}#12", ""},
        {"Surface(name=Task=14573)/@0xc91da0d_com.a.b_leash#2", ""},
        {"a//b#1", ""},
        {"../x#1", ""},
        {"/", ""},
        {"#", ""},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct dj_str package =
            dj_gfxinfo_surface_find_package(dj_str_of(names[i].layer));
        cr_assert(dj_str_is(package, names[i].package), "%s: %.*s", names[i].layer,
                  (int)package.length, package.at);
    }
}

Test(surface, names_in_lists)
{
    static const struct {
        const char *line, *name;
    } lines[] = {
        {"com.a.b/c.D#0", "com.a.b/c.D#0"},
        {"RequestedLayerState{com.a.b/c.D#12}", "com.a.b/c.D#12"},
        {"RequestedLayerState{a parentId=7 b#12 parentId=7 relativeParentId=8 !handle "
         "z=-1 layerStack=2}",
         "a parentId=7 b#12"},
        {"RequestedLayerState{[BBQ] x} y#51#116 mirrorId=4}", "[BBQ] x} y#51#116"},
        {"RequestedLayerState{x#12 pare", "x#12"},
        {"RequestedLayerState{x", ""},
        {"x#", ""},
        {"x#1a", ""},
        {"x", ""},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct dj_str name = dj_gfxinfo_surface_find_list_name(dj_str_of(lines[i].line));
        cr_assert(dj_str_is(name, lines[i].name), "%s", lines[i].line);
    }
}

Test(surface, a_list_needs_one_certain_name)
{
    parse("Task=24#2450\nSurfaceView[com.a.b/c.D](BLAST)#3\nStatusBar#0\n");
    cr_assert_eq(dump.surfaces.count, 3);
    cr_assert_eq(dump.surfaces.at[1].kind, DJ_SURFACE_LIST);
    parse("Fix the list, see #12\nThis closes #13\n");
    cr_assert_eq(dump.surfaces.count, 0);
    parse("see github.com/owner/name#12\n");
    cr_assert_eq(dump.surfaces.count, 0);
    parse("$ adb shell dumpsys SurfaceFlinger --list\nTask=24#2450\n");
    cr_assert_eq(dump.surfaces.count, 1);
}

Test(surface, hostile_names)
{
    static const char text[] = "layerName = \x1b[31m<script>\"'\\\0\xff/%s%n#1\n"
                               "totalFrames = 3\n";
    parse_bytes(text, sizeof(text) - 1);
    cr_assert_eq(compute(get_layer(0, 1)).total_frames, 3);
    struct dj_text longer = {0};
    dj_text_add(&longer, "layerName = ");
    for (size_t i = 0; i < 100000; i++) {
        dj_text_add(&longer, "a.b/");
    }
    dj_text_add(&longer, "#1\ntotalFrames = 3\nJank payload for this layer:\n");
    for (int i = 0; i < 1000; i++) {
        dj_text_format(&longer, "x%dFrames = 1\n", i);
    }
    parse_text(&longer);
    cr_assert_eq(compute(get_layer(0, 1)).jank_count, DJ_SURFACE_JANK_MOST);
    dj_text_finish(&longer);
}

Test(surface, a_package_without_a_readable_character_is_unknown)
{
    static const char nul[] = "layerName = com.a.b/c.D#1\npackageName = \0\0\n"
                              "totalFrames = 3\n";
    struct dj_text text = {0};
    dj_text_append(&text, nul, sizeof(nul) - 1);
    parse_text(&text);
    cr_expect_str_eq(get_layer(0, 1)->package, "com.a.b", "that of the layer's name");
    dj_text_finish(&text);
}

/* ---- the frame timeline ---- */

static void append_timeline(struct dj_text *out, const char *mark, const char *second)
{
    dj_text_add(out, "Number of display frames : 3\n");
    for (int i = 0; i < 3; i++) {
        dj_text_format(out,
                       "Display Frame %d%s\nPrediction State : Valid\nJank Type : None\n"
                       "Vsync Period:  16.666666\nActual  \t|\t      0.10\t|\t      "
                       "9.80\t|\t     99.99\n\n    Layer - com.a.b/c.D#57%s\n    Token: "
                       "1200\n    Present State : %s\n    Jank Type : Buffer Stuffing, "
                       "App Deadline Missed\n    Expected\t|\t     %s\t|\t      "
                       "6.00\t|\t     16.00\n    Actual  \t|\t      0.00\t|\t      "
                       "6.00\t|\t     %d.50\n",
                       i, mark, mark, i == 1 ? second : "Presented",
                       i == 2 ? "N/A" : "-3.33", 20 + i * 20);
    }
}

Test(surface, frame_timeline)
{
    struct dj_text text = {0};
    append_timeline(&text, "", "Presented");
    parse_text(&text);
    const struct dj_dump_surface *layer = get_layer(0, 1);
    struct dj_surface_figures figures = compute(layer);
    cr_assert_eq(layer->kind, DJ_SURFACE_FRAME_TIMELINE);
    cr_assert_str_eq(layer->layer, "com.a.b/c.D#57");
    cr_assert_eq(layer->refresh_ns, 16666666);
    cr_assert_eq(figures.total_frames, 3);
    cr_assert_eq(figures.dropped_frames, 0);
    cr_assert_float_eq(figures.percentile_ms[0], 20, 1e-6);
    cr_assert_eq(layer->present_count, 3);
    cr_assert_eq(layer->content_count, 3);
    cr_assert_eq(layer->present_ns[2], 60500000);
    cr_assert_eq(layer->content_ns[1], -3330000);
    cr_assert_eq(layer->content_ns[2], DJ_SURFACE_NO_TIME);
    cr_assert_str_eq(figures.jank[1].name, "App Deadline Missed");
    cr_assert_eq(figures.jank[1].count, 3);
    dj_text_finish(&text);
}

Test(surface, frame_timeline_with_a_dropped_frame)
{
    struct dj_text text = {0};
    append_timeline(&text, "", "Dropped");
    parse_text(&text);
    struct dj_surface_figures figures = compute(get_layer(0, 1));
    cr_assert_eq(figures.dropped_frames, 1);
    cr_assert_float_eq(figures.percentile_ms[0], 40, 1e-6);
    dj_text_finish(&text);
}

Test(surface, frame_timeline_with_only_janky_frames_has_no_intervals)
{
    struct dj_text text = {0};
    append_timeline(&text, " [*] ", "Presented");
    parse_text(&text);
    struct dj_surface_figures figures = compute(get_layer(0, 1));
    cr_assert_str_eq(dump.surfaces.at[0].layer, "com.a.b/c.D#57");
    cr_assert(isnan(figures.percentile_ms[0]));
    dj_text_finish(&text);
}

/* ---- other text ---- */

Test(surface, a_bug_report_has_a_part_about_surfaceflinger)
{
    struct dj_text text = {0};
    dj_text_add(&text, "== dumpstate: 2031-05-04\n------ SYSTEM LOG ------\n16666667\n");
    append_rows(&text, 3, "\t");
    dj_text_add(&text, "DUMP OF SERVICE SurfaceFlinger:\n16666667\n");
    append_rows(&text, 2, "\t");
    dj_text_add(&text, "--------- 0.005s was the duration of dumpsys SurfaceFlinger, "
                       "ending at: 2031-05-04\n");
    append_rows(&text, 4, "\t");
    parse_text(&text);
    cr_assert_eq(get_layer(0, 1)->row_count, 2);
    dj_text_finish(&text);
}

Test(surface, a_dump_of_gfxinfo_before_and_after)
{
    static const char gfxinfo[] = "** Graphics info for pid 7 [com.a.b] **\n"
                                  "Total frames rendered: 3\nJanky frames: 1 (33.33%)\n";
    struct made made = {13, "com.a.b/com.a.b.Main#7", 60, 10123, 50, 0, 0};
    struct dj_text text = {0};
    dj_text_add(&text, gfxinfo);
    append_global(&text, 13);
    append_layer(&text, &made);
    dj_text_add(&text, gfxinfo);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(dump.process_count, 2);
    cr_assert_eq(dump.processes[0].section_count, 0);
    cr_assert_eq(compute(get_layer(0, 1)).total_frames, 50);
    dj_text_finish(&text);
}

Test(surface, rows_inside_an_open_process_are_its_own_text)
{
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 7 [com.a.b] **\n16666667\n");
    append_rows(&text, 3, "\t");
    parse_text(&text);
    cr_assert_eq(dump.surfaces.count, 0);
    dj_text_finish(&text);
}

static int count_dump(void *data, struct dj_dump *emitted)
{
    size_t *count = data;
    cr_assert_leq(emitted->surfaces.count, 1U << 14);
    *count += emitted->surfaces.count;
    return 0;
}

Test(surface, very_many_layers_are_emitted_in_parts)
{
    size_t count = 0;
    struct dj_parser *parser = dj_gfxinfo_parser_create(count_dump, &count, &report);
    for (int i = 0; i < 40000; i++) {
        static const char line[] = "layerName = com.a.b/c.D#1\ntotalFrames = 1\n";
        cr_assert_eq(dj_gfxinfo_parser_feed(parser, line, sizeof(line) - 1), 0);
    }
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    dj_gfxinfo_parser_destroy(parser);
    cr_assert_eq(count, 40000);
}

Test(surface, a_dump_of_gfxinfo_ends_a_layer)
{
    cr_assert_eq(parse("SurfaceFlinger TimeStats:\n\nlayerName = com.x/com.x.Main#1\n"
                       "packageName = \ntotalFrames = 5\ndroppedFrames = 0\n"
                       "Applications Graphics Acceleration Info:\n"
                       "Uptime: 12 Realtime: 34\n"),
                 0);
    cr_assert_eq(report.warning_count, 0, "the text does not end within the layer");
}
