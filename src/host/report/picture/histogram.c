#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "report/picture/charts.h"
#include "report/picture/plot.h"
#include "report/view/bins.h"

/* With many frames, bins are a sixteenth of the frame interval, else an eighth. */
enum { COARSE = 8, FINE = 16, FINE_FRAMES = 300 };

enum { PLOT_HEIGHT = 190, LEFT = 56, ABOVE = 34, BELOW = 50, PAD = 20 };

/* A frame is janky by the release's rule, which for some releases does not depend on the
 * interval alone. */
static struct dj_bins count_exact(const struct dj_view *view)
{
    struct dj_bins bins = dj_bins_divide_intervals(
        dj_units_ms(view->interval_ns), view->frame_count > FINE_FRAMES ? FINE : COARSE);
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_view_frame *frame = &view->frames[i];
        double intervals = (double)frame->frame_time_ns / (double)view->interval_ns;
        dj_bins_add(&bins, dj_bins_find(&bins, intervals),
                    frame->janky ? DJ_BIN_LATE : DJ_BIN_IN_TIME, 1);
    }
    dj_bins_trim(&bins);
    return bins;
}

static struct dj_bins count_hwui(const struct dj_view *view)
{
    double counts[DJ_FRAME_BUCKETS];
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        counts[i] = view->hwui->stats.frame_histogram[i];
    }
    return dj_bins_count_hwui(dj_units_ms(view->interval_ns), counts, DJ_BINS_MAX);
}

/* The bar of the times past the end is separate, and a third of an interval wide. */
static struct dj_plot choose_plot(const struct dj_bins *bins,
                                  const struct dj_canvas_rect *rect)
{
    double most = 1;
    for (size_t i = 0; i < bins->count; i++) {
        most = fmax(most, bins->bin[i].count);
    }
    double step = dj_plot_choose_step(most, 5, true);
    return (struct dj_plot){
        .rect = *rect,
        .x_last = bins->end_ms + (bins->has_overflow ? bins->interval_ms * 0.65 : 0),
        .y_last = ceil(most / step) * step,
    };
}

static void draw_bars(struct dj_canvas *canvas, const struct dj_plot *plot,
                      const struct dj_bins *bins)
{
    static const enum dj_ink inks[DJ_BIN_KINDS] = {
        [DJ_BIN_IN_TIME] = DJ_INK_GOOD,
        [DJ_BIN_AROUND] = DJ_INK_MUTED,
        [DJ_BIN_LATE] = DJ_INK_BAD,
    };
    for (size_t i = 0; i < bins->count; i++) {
        const struct dj_bin *bin = &bins->bin[i];
        bool open = bin->to_ms == 0;
        double left = dj_plot_map_x(plot, open ? bins->end_ms + bins->interval_ms * 0.15
                                               : bin->from_ms);
        double right = dj_plot_map_x(plot, open ? bins->end_ms + bins->interval_ms * 0.5
                                                : bin->to_ms);
        double width = right - left;
        double gap = fmin(2, width * 0.15);
        double bottom = plot->rect.y + plot->rect.height;
        for (size_t kind = 0; kind < DJ_BIN_KINDS; kind++) {
            double height = bin->of_kind[kind] / plot->y_last * plot->rect.height;
            if (bin->of_kind[kind] > 0) {
                /* A single frame among thousands must be visible. */
                height = fmax(height, 2);
                bottom -= height;
                dj_canvas_fill_rect(
                    canvas,
                    &(struct dj_canvas_rect){left + gap / 2, bottom, width - gap, height},
                    inks[kind]);
            }
        }
    }
}

static void draw_x_axis(struct dj_canvas *canvas, const struct dj_plot *plot,
                        const struct dj_bins *bins)
{
    double step = dj_plot_choose_step(bins->end_ms, 12, false);
    char label[32];
    for (int i = 0; i * step <= bins->end_ms * (1 + 1e-9); i++) {
        /* The last numbers would overlap the label of the times past the end. */
        if (!bins->has_overflow || i * step < bins->end_ms - bins->interval_ms * 0.2) {
            snprintf(label, sizeof(label), "%.*f", step < 1 ? 1 : 0, i * step);
            dj_plot_draw_x_label(canvas, plot, dj_plot_map_x(plot, i * step), label);
        }
    }
    if (bins->has_overflow) {
        snprintf(label, sizeof(label), "> %.0f", bins->end_ms);
        dj_plot_draw_x_label(
            canvas, plot, dj_plot_map_x(plot, bins->end_ms + bins->interval_ms * 0.325),
            label);
    }
    dj_plot_draw_x_name(canvas, plot, "Frame time (ms)");
}

/* Draws the line and, above the plot, its label on the side with enough space. */
static void draw_deadline(struct dj_canvas *canvas, const struct dj_plot *plot,
                          const struct dj_view *view)
{
    char label[80];
    double at = dj_plot_map_x(plot, dj_units_ms(view->interval_ns));
    snprintf(label, sizeof(label), "%.2f ms%s", dj_units_ms(view->interval_ns),
             view->interval_assumed ? " (60 Hz, assumed)" : ": one frame interval");
    struct dj_canvas_font type = {.size = 13, .bold = true, .ink = DJ_INK_DEADLINE};
    double width = dj_canvas_measure_text(canvas, &type, label);
    bool left = at + 6 + width > plot->rect.x + plot->rect.width;
    type.align = left ? DJ_ALIGN_RIGHT : DJ_ALIGN_LEFT;
    dj_canvas_draw_text(canvas, left ? at - 6 : at + 6, plot->rect.y - 8, &type, label);
    dj_canvas_draw_dashes(canvas, at, plot->rect.y - 18, at,
                          plot->rect.y + plot->rect.height, DJ_INK_DEADLINE);
}

struct histogram {
    const struct dj_view *view;
    struct dj_bins bins;
    struct dj_canvas_rect place;
    char title[96];
    struct dj_legend_key keys[DJ_BIN_KINDS];
    size_t key_count;
};

static void draw_histogram(struct dj_canvas *canvas, const struct histogram *histogram)
{
    const struct dj_bins *bins = &histogram->bins;
    double x = histogram->place.x + PAD;
    double inside = histogram->place.width - 2 * PAD;
    dj_canvas_draw_card(canvas, &histogram->place, DJ_INK_EDGE);
    double y = dj_picture_draw_title(canvas, x, histogram->place.y + PAD, inside,
                                     histogram->title);
    y = dj_picture_draw_legend(canvas, x, y, inside, histogram->keys,
                               histogram->key_count);
    struct dj_plot plot =
        choose_plot(bins, &(struct dj_canvas_rect){x + LEFT, y + ABOVE, inside - LEFT - 8,
                                                   PLOT_HEIGHT});
    dj_plot_draw_y_axis(canvas, &plot, dj_plot_choose_step(plot.y_last, 5, true),
                        "Frames");
    draw_bars(canvas, &plot, bins);
    draw_x_axis(canvas, &plot, bins);
    draw_deadline(canvas, &plot, histogram->view);
}

double dj_picture_draw_histograms(struct dj_canvas *canvas, const struct dj_view *view,
                                  double y)
{
    enum { GAP = 16, HEIGHT = PAD + 25 + 20 + ABOVE + PLOT_HEIGHT + BELOW };
    bool exact = view->frame_count > 0;
    struct dj_bins of_hwui = {0};
    if (dj_view_count_hwui_frames(view) > view->frame_count) {
        of_hwui = count_hwui(view);
    }
    bool hwui = of_hwui.frames > 0;
    double width = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN;
    width = exact && hwui ? (width - GAP) / 2 : width;
    struct histogram histogram = {.view = view,
                                  .place = {DJ_CANVAS_MARGIN, y, width, HEIGHT}};
    if (exact) {
        char rule[64];
        histogram.bins = count_exact(view);
        snprintf(histogram.title, sizeof(histogram.title),
                 "Frame times, exact: %zu row%s", view->frame_count,
                 view->frame_count == 1 ? "" : "s");
        snprintf(rule, sizeof(rule), "janky by the rule of Android %s",
                 view->dialect->name);
        histogram.keys[0] = (struct dj_legend_key){DJ_INK_GOOD, "not janky"};
        histogram.keys[1] = (struct dj_legend_key){DJ_INK_BAD, rule};
        histogram.key_count = 2;
        draw_histogram(canvas, &histogram);
        histogram.place.x += width + GAP;
    }
    if (hwui) {
        histogram.bins = of_hwui;
        snprintf(histogram.title, sizeof(histogram.title),
                 "Frame times in hwui's buckets: all %" PRIu32 " counted",
                 dj_view_count_hwui_frames(view));
        histogram.keys[0] = (struct dj_legend_key){DJ_INK_GOOD, "within the interval"};
        histogram.keys[1] = (struct dj_legend_key){DJ_INK_MUTED, "around it"};
        histogram.keys[2] = (struct dj_legend_key){DJ_INK_BAD, "over it"};
        histogram.key_count = 3;
        draw_histogram(canvas, &histogram);
    }
    return exact || hwui ? y + HEIGHT + GAP : y;
}
