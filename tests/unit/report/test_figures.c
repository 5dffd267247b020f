#include <criterion/criterion.h>
#include <string.h>

#include "report/view/figures.h"
#include "support.h"

static const struct dj_figure *find_row(const struct dj_figures *figures,
                                        const char *name)
{
    for (size_t i = 0; i < figures->count; i++) {
        if (strcmp(figures->row[i].name, name) == 0) {
            return &figures->row[i];
        }
    }
    return NULL;
}

static void expect_row(const struct dj_figures *figures, const char *name,
                       const char *hwui, const char *exact, const char *guide_total)
{
    const struct dj_figure *row = find_row(figures, name);
    cr_assert_not_null(row, "no row '%s'", name);
    cr_expect_str_eq(row->cell[DJ_FIGURE_HWUI], hwui);
    cr_expect_str_eq(row->cell[DJ_FIGURE_EXACT], exact);
    cr_expect_str_eq(row->cell[DJ_FIGURE_GUIDE_TOTAL], guide_total);
}

static void compute_figures(const struct dj_dump *dump, struct dj_figures *figures)
{
    struct dj_views views = create_views(dump);
    *figures = dj_figures_compute(&views.view[0]);
    dj_report_finish_views(&views);
}

static struct dj_dump create_dump(size_t frames)
{
    return make_dump(&(struct made_dump){
        .frames = frames, .freeze = SIZE_MAX, .process = "p", .window = "w"});
}

Test(figures, hwui_and_exact_figures_share_rows)
{
    struct dj_dump dump = create_dump(90);
    struct dj_figures figures;
    compute_figures(&dump, &figures);
    expect_row(&figures, "Total frames rendered", "90", "90", "90");
    expect_row(&figures, "Janky frames", "10 (11.11%)", "10 (11.11%)", "10 (11.11%)");
    expect_row(&figures, "50th percentile", "9 ms", "9.00 ms", "9.10 ms");
    expect_row(&figures, "Stats since", "4.000 s", "", "");
    expect_row(&figures, "Longest frame", "", "29.70 ms", "29.80 ms");
    expect_row(&figures, "Frames per second without pauses", "", "60.0", "");
    cr_expect_null(find_row(&figures, "HISTOGRAM"));
    cr_expect_null(find_row(&figures, "50th gpu percentile"),
                   "no GPU times, no GPU percentile");
    cr_expect(find_row(&figures, "Janky frames")->is_headline);
    dj_gfxinfo_dump_finish(&dump);
}

Test(figures, printed_figures_are_shown_unchanged)
{
    struct dj_dump dump = create_dump(90);
    struct dj_figures figures;
    struct dj_stats_block *block = &dump.processes[0].windows[0].stats;
    block->lines =
        1U << 1 | 1U << 5; /* Total and 90th percentile: M Preview had no 50th. */
    block->printed_percentile_ms[1] = 34;
    compute_figures(&dump, &figures);
    expect_row(&figures, "90th percentile", "34 ms", "28.02 ms", "28.12 ms");
    expect_row(&figures, "50th percentile", "", "9.00 ms", "9.10 ms");
    dj_gfxinfo_dump_finish(&dump);
}

Test(figures, no_frames_give_no_percentage)
{
    struct dj_dump dump = create_dump(0);
    struct dj_figures figures;
    compute_figures(&dump, &figures);
    cr_expect_eq(figures.count, 0);
    dj_gfxinfo_dump_finish(&dump);
}

Test(figures, counters_without_rows_have_no_exact_side)
{
    struct dj_dump dump = create_dump(30);
    struct dj_figures figures;
    dump.processes[0].windows[0].frame_count = 0;
    compute_figures(&dump, &figures);
    expect_row(&figures, "Total frames rendered", "30", "", "");
    cr_expect(!figures.has[DJ_FIGURE_EXACT]);
    cr_expect(!figures.has[DJ_FIGURE_GUIDE_TOTAL]);
    dj_gfxinfo_dump_finish(&dump);
}

Test(figures, rows_without_a_block_have_no_hwui_side)
{
    struct dj_dump dump = create_dump(30);
    struct dj_figures figures;
    dump.processes[0].windows[0].stats.present = false;
    dump.processes[0].stats.present = false;
    compute_figures(&dump, &figures);
    expect_row(&figures, "Total frames rendered", "", "30", "30");
    cr_expect(!figures.has[DJ_FIGURE_HWUI]);
    dj_gfxinfo_dump_finish(&dump);
}
