#include "report/view/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "report/verdict/assessment.h"

static const char *const column_names[DJ_FIGURE_COLUMNS] = {
    [DJ_FIGURE_HWUI] = "as printed",
    [DJ_FIGURE_EXACT] = "exact",
    [DJ_FIGURE_GUIDE_TOTAL] = "guide_total",
};

const char *dj_figures_get_column_name(enum dj_figure_column column)
{
    return column_names[column];
}

/* The sources differ in which frames they call janky, so each has its rule here. */
#define EXPLAINED_ROWS                                                                     \
    "exact: frame times of the rows without waits, janky by the release's rule. "          \
    "guide_total: FrameCompleted − IntendedVsync of rows with Flags 0, janky if longer " \
    "than one interval."

const char *dj_figures_explain(const struct dj_view *view)
{
    if (view->frame_count == 0) {
        return "as printed: hwui's counters since their last reset.";
    }
    if (view->hwui == NULL) {
        return EXPLAINED_ROWS;
    }
    return view->hwui_of_window
               ? "as printed: hwui's counters of this window. " EXPLAINED_ROWS
               : "as printed: hwui's counters of the whole process. " EXPLAINED_ROWS;
}

static void set_cell(struct dj_figure *row, enum dj_figure_column column,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));

static void set_cell(struct dj_figure *row, enum dj_figure_column column,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->cell[column], DJ_FIGURE_TEXT, format, arguments);
    va_end(arguments);
}

static void write_counter(const struct dj_view *view, const struct dj_line *line,
                          struct dj_figure *row)
{
    if (view->hwui != NULL) {
        set_cell(row, DJ_FIGURE_HWUI, "%" PRIu32, view->hwui->stats.counter[line->field]);
    }
    if (view->frame_count > 0) {
        set_cell(row, DJ_FIGURE_EXACT, "%" PRIu32,
                 view->summary.exact.counter[line->field]);
    }
    if (line->field == DJ_COUNTER_TOTAL && view->summary.guide.count > 0) {
        set_cell(row, DJ_FIGURE_GUIDE_TOTAL, "%zu", view->summary.guide.count);
    }
    row->is_headline = line->field == DJ_COUNTER_TOTAL;
}

static void write_janky(const struct dj_view *view, const struct dj_line *line,
                        struct dj_figure *row)
{
    const struct dj_stats_block *hwui = view->hwui;
    enum dj_counter counter = (enum dj_counter)line->field;
    if (dj_view_count_hwui_frames(view) > 0 && counter == DJ_COUNTER_JANKY &&
        !dj_assessment_has_jank_count(hwui)) {
        set_cell(row, DJ_FIGURE_HWUI, "truncated");
    } else if (dj_view_count_hwui_frames(view) > 0) {
        set_cell(row, DJ_FIGURE_HWUI, "%" PRIu32 " (%.2f%%)",
                 hwui->stats.counter[counter], dj_gfxinfo_block_janky_pct(hwui, counter));
    }
    if (view->frame_count > 0) {
        set_cell(row, DJ_FIGURE_EXACT, "%" PRIu32 " (%.2f%%)",
                 view->summary.exact.counter[counter],
                 dj_frame_stats_janky_pct(&view->summary.exact, counter));
    }
    const struct dj_summary *summary = &view->summary;
    if (counter == DJ_COUNTER_JANKY && summary->guide.count > 0) {
        set_cell(row, DJ_FIGURE_GUIDE_TOTAL, "%zu (%.2f%%)", summary->guide_over,
                 100.0 * (double)summary->guide_over / (double)summary->guide.count);
    }
    row->is_headline = counter == DJ_COUNTER_JANKY;
}

/* Returns a percentile. `which` is its index in dj_gfxinfo_percentiles. */
static double get_percentile_ns(const struct dj_spread *spread, uint8_t which)
{
    const double percentiles_ns[DJ_PERCENTILE_COUNT] = {spread->p50_ns, spread->p90_ns,
                                                        spread->p95_ns, spread->p99_ns};
    return percentiles_ns[which];
}

/* Returns whether the dump contains the line, or the statistics are computed. */
static bool is_printed(const struct dj_stats_block *hwui, const struct dj_line *line)
{
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if (dj_gfxinfo_line_at(i) == line) {
            return hwui->lines == UINT32_MAX || (hwui->lines & (UINT32_C(1) << i)) != 0;
        }
    }
    return false;
}

static void write_percentile(const struct dj_view *view, const struct dj_line *line,
                             struct dj_figure *row)
{
    unsigned percent = dj_gfxinfo_percentiles[line->field];
    const struct dj_stats_block *hwui = view->hwui;
    if (dj_view_count_hwui_frames(view) > 0 && is_printed(hwui, line)) {
        set_cell(row, DJ_FIGURE_HWUI, "%" PRIu32 " ms",
                 hwui->lines == UINT32_MAX
                     ? dj_frame_stats_percentile_ms(&hwui->stats, percent)
                     : hwui->printed_percentile_ms[line->field]);
    }
    if (view->frame_count > 0) {
        set_cell(row, DJ_FIGURE_EXACT, "%.2f ms",
                 get_percentile_ns(&view->summary.frame_time, line->field) / 1e6);
        set_cell(row, DJ_FIGURE_GUIDE_TOTAL, "%.2f ms",
                 get_percentile_ns(&view->summary.guide_total, line->field) / 1e6);
    }
    row->is_headline = true;
}

static void write_gpu_percentile(const struct dj_view *view, const struct dj_line *line,
                                 struct dj_figure *row)
{
    const struct dj_stats_block *hwui = view->hwui;
    if (dj_view_count_hwui_frames(view) > 0 && dj_gfxinfo_block_has_gpu_times(hwui)) {
        set_cell(row, DJ_FIGURE_HWUI, "%" PRIu32 " ms",
                 hwui->lines == UINT32_MAX
                     ? dj_frame_stats_gpu_percentile_ms(
                           &hwui->stats, dj_gfxinfo_percentiles[line->field])
                     : hwui->printed_gpu_percentile_ms[line->field]);
    }
}

static void write_since(const struct dj_view *view, const struct dj_line *line,
                        struct dj_figure *row)
{
    (void)line;
    if (view->hwui != NULL) {
        set_cell(row, DJ_FIGURE_HWUI, "%.3f s", (double)view->hwui->stats.since_ns / 1e9);
    }
}

/* The writers for the kinds of lines. Histograms have no writer, because they are drawn
 * and not listed. */
static void (*const writers[])(const struct dj_view *view, const struct dj_line *line,
                               struct dj_figure *row) = {
    [DJ_LINE_SINCE] = write_since,
    [DJ_LINE_COUNTER] = write_counter,
    [DJ_LINE_JANKY] = write_janky,
    [DJ_LINE_PERCENTILE] = write_percentile,
    [DJ_LINE_GPU_PERCENTILE] = write_gpu_percentile,
    [DJ_LINE_HISTOGRAM] = NULL,
    [DJ_LINE_GPU_HISTOGRAM] = NULL,
};

/* Keeps the last row if it has a cell. */
static void end_row(struct dj_figures *figures)
{
    const struct dj_figure *row = &figures->row[figures->count];
    bool filled = false;
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        figures->has[i] = figures->has[i] || row->cell[i][0] != '\0';
        filled = filled || row->cell[i][0] != '\0';
    }
    figures->count += filled;
}

/* Ends the last row and begins another one. The new row's name is `name` up to a colon.
 */
static struct dj_figure *begin_row(struct dj_figures *figures, const char *name)
{
    end_row(figures);
    struct dj_figure *row = &figures->row[figures->count];
    *row = (struct dj_figure){0};
    snprintf(row->name, sizeof(row->name), "%.*s", (int)strcspn(name, ":"), name);
    return row;
}

/* Adds times that hwui does not print. */
static void add_times(const struct dj_view *view, const char *name, double exact_ns,
                      double guide_total_ns, struct dj_figures *figures)
{
    struct dj_figure *row = begin_row(figures, name);
    if (view->frame_count > 0) {
        set_cell(row, DJ_FIGURE_EXACT, "%.2f ms", exact_ns / 1e6);
        set_cell(row, DJ_FIGURE_GUIDE_TOTAL, "%.2f ms", guide_total_ns / 1e6);
    }
}

/* Adds the numbers of frames and of janky frames. Android's guide excludes rows with any
 * flag, and compares FrameCompleted − IntendedVsync with the interval. */
static void add_counts(const struct dj_summary *summary, struct dj_figures *figures)
{
    double rate_hz = dj_frame_summary_rate_hz(summary);
    struct dj_figure *row = begin_row(figures, "Frames per second without pauses");
    if (isfinite(rate_hz)) {
        set_cell(row, DJ_FIGURE_EXACT, "%.1f", rate_hz);
    }
    row = begin_row(figures, "Intervals without a new frame");
    if (summary->making_frames > 0) {
        set_cell(row, DJ_FIGURE_EXACT, "%zu", summary->dropped_intervals);
    }
    row = begin_row(figures, "Janky by the guide, Flags 0");
    if (summary->guide.count > 0) {
        set_cell(row, DJ_FIGURE_GUIDE_TOTAL, "%zu of %zu", summary->guide_over,
                 summary->guide.count);
    }
}

struct dj_figures dj_figures_compute(const struct dj_view *view)
{
    struct dj_figures figures = {0};
    if (view->frame_count == 0 && dj_view_count_hwui_frames(view) == 0) {
        return figures;
    }
    bool printed = view->hwui != NULL && view->hwui->lines != UINT32_MAX;
    uint32_t lines =
        printed ? view->hwui->lines : dj_gfxinfo_lines_of_dialect(view->dialect);
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_gfxinfo_line_at(i);
        bool wanted = (lines & (UINT32_C(1) << i)) != 0 ||
                      (line->kind == DJ_LINE_PERCENTILE && view->frame_count > 0);
        if (wanted && writers[line->kind] != NULL) {
            writers[line->kind](view, line, begin_row(&figures, line->prefix));
        }
    }
    const struct dj_spread *exact = &view->summary.frame_time;
    const struct dj_spread *guide_total = &view->summary.guide_total;
    add_times(view, "Mean frame", exact->mean_ns, guide_total->mean_ns, &figures);
    add_times(view, "Longest frame", (double)exact->max_ns, (double)guide_total->max_ns,
              &figures);
    add_counts(&view->summary, &figures);
    end_row(&figures);
    return figures;
}
