/* Tests the layers of an app and the rows of their frames. */
#include <criterion/criterion.h>
#include <string.h>

#include "measure/window/surface_rows.h"

enum { PERIOD_NS = 16666666 };

static struct dj_surface_layers layers;
static struct dj_dump dump;

static void finish(void)
{
    dj_surface_layers_finish(&layers);
    dj_gfxinfo_dump_finish(&dump);
}

TestSuite(surface_rows, .fini = finish);

static void expect_names(const char *list, const char *const *names, size_t count)
{
    cr_assert(dj_surface_layers_list(&layers, list, "com.x"));
    cr_assert_eq(layers.count, count, "%zu layers of %s", layers.count, list);
    for (size_t i = 0; i < count; i++) {
        cr_assert_str_eq(layers.at[i].name, names[i]);
        cr_assert(layers.at[i].is_listed);
    }
    dj_surface_layers_finish(&layers);
}

Test(surface_rows, layers_are_found_by_package_in_the_names_of_every_release)
{
    static const char *const old[] = {"SurfaceView - com.x/com.x.Main#0",
                                      "com.x/com.x.Main#0"};
    static const char *const new[] = {"788924b SurfaceView[com.x/com.x.Main](BLAST)#12",
                                      "788924b SurfaceView[com.x/com.x.Main]#11"};
    expect_names("Background for -SurfaceView - com.x/com.x.Main#0\n"
                 "SurfaceView - com.x/com.x.Main#0\r\ncom.x/com.x.Main#0\n"
                 "com.xy/com.xy.Main#0\nStatusBar#0\n",
                 old, 2);
    expect_names("788924b SurfaceView[com.x/com.x.Main](BLAST)#12\n"
                 "788924b SurfaceView[com.x/com.x.Main]#11\n"
                 "Bounds for - com.x/com.x.Main#3\n"
                 "ActivityRecord{a6723a9 u0 com.x/.Main t7 d0}#65\n",
                 new, 2);
    expect_names("RequestedLayerState{788924b SurfaceView[com.x/com.x.Main](BLAST)#12 "
                 "parentId=11 z=1}\n"
                 "RequestedLayerState{788924b SurfaceView[com.x/com.x.Main]#11}\n"
                 "RequestedLayerState{Leaf:1:1#8 parentId=5 z=1}\n",
                 new, 2);
}

Test(surface_rows, a_layer_that_is_gone_is_listed_no_more)
{
    cr_assert(dj_surface_layers_list(&layers, "com.x/com.x.Main#0\n", "com.x"));
    cr_assert(dj_surface_layers_list(&layers, "com.x/com.x.Main#3\n", "com.x"));
    cr_assert_eq(layers.count, 2);
    cr_assert_not(layers.at[0].is_listed);
    cr_assert(layers.at[1].is_listed);
}

/* Adds the presents first … last, in refreshes, to a new process. */
static struct dj_dump_process *read_rows(int64_t first, int64_t last)
{
    int64_t present_ns[DJ_SURFACE_RING_ROWS + 1];
    struct dj_dump_surface rows = {
        .kind = DJ_SURFACE_LATENCY, .refresh_ns = PERIOD_NS, .present_ns = present_ns};
    for (int64_t i = first; i <= last; i++) {
        present_ns[rows.present_count++] = i * PERIOD_NS;
    }
    rows.complete_rows = (int64_t)rows.present_count;
    /* A pending frame. */
    present_ns[rows.present_count++] = DJ_SURFACE_NO_TIME;
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&dump);
    cr_assert(dj_surface_layers_add_rows(&layers, &layers.at[0], &rows, process));
    return process;
}

Test(surface_rows, rows_have_the_present_and_nothing_else)
{
    cr_assert(dj_surface_layers_list(&layers, "com.x/com.x.Main#0\n", "com.x"));
    struct dj_dump_process *process = read_rows(100, 109);
    cr_assert_eq(process->window_count, 1);
    cr_assert_str_eq(process->windows[0].title, "com.x/com.x.Main#0");
    cr_assert_eq(process->windows[0].frame_count, 10);
    const struct dj_frame *frame = &process->windows[0].frames[3];
    cr_assert(dj_frame_is_present_only(frame));
    cr_assert_eq(dj_frame_get_time(frame, 0), 103 * PERIOD_NS);
    cr_assert_eq(process->not_recorded & frame->known, 0);
    cr_assert_eq(layers.period_ns, PERIOD_NS);
}

Test(surface_rows, overlapping_readings_belong_to_one_window)
{
    cr_assert(dj_surface_layers_list(&layers, "com.x/com.x.Main#0\n", "com.x"));
    read_rows(100, 200);
    cr_assert_str_eq(read_rows(200, 300)->windows[0].title, "com.x/com.x.Main#0");
    cr_assert_eq(layers.at[0].gaps, 0);
}

Test(surface_rows, the_rows_after_a_gap_are_another_window)
{
    cr_assert(dj_surface_layers_list(&layers, "com.x/com.x.Main#0\n", "com.x"));
    read_rows(100, 200);
    cr_assert_str_eq(read_rows(201, 300)->windows[0].title, "com.x/com.x.Main#0 (2)");
    cr_assert_str_eq(read_rows(290, 310)->windows[0].title, "com.x/com.x.Main#0 (2)");
    cr_assert_eq(layers.at[0].gaps, 1);
}

Test(surface_rows, an_idle_layer_has_no_gap)
{
    cr_assert(dj_surface_layers_list(&layers, "com.x/com.x.Main#0\n", "com.x"));
    read_rows(100, 120);
    read_rows(100, 120);
    cr_assert_eq(layers.at[0].gaps, 0);
}

Test(surface_rows, a_layer_without_frames_is_no_window)
{
    struct dj_dump_surface rows = {
        .kind = DJ_SURFACE_LATENCY, .refresh_ns = PERIOD_NS, .row_count = 127};
    cr_assert(dj_surface_layers_list(&layers, "com.x/com.x.Main#0\n", "com.x"));
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&dump);
    cr_assert(dj_surface_layers_add_rows(&layers, &layers.at[0], &rows, process));
    cr_assert_eq(process->window_count, 0);
}
