#include <math.h>

#include "report/batches.h"
#include "report/picture/charts.h"
#include "report/picture/plot.h"

enum {
    CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN,
    GAP = 20,
    PLOT_HEIGHT = 170,
    LABELS = 150 /* Columns for a batch's name before its bar, in px. */
};

static const struct dj_canvas_font body = {
    .size = 14, .ink = DJ_INK_TEXT, .max_width = CONTENT};

/* All batches share one scale. */
static void choose_scale(const struct dj_batches *batches, struct dj_plot *plot)
{
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_bins bins = dj_batches_compute_bins(&batches->batch[i]);
        for (size_t k = 0; k < bins.count; k++) {
            const struct dj_bin *bin = &bins.bin[k];
            double end = bin->to_ms > 0
                             ? bin->to_ms
                             : bin->from_ms + batches->batch[i].interval_ns / 3e6;
            plot->x_last = fmax(plot->x_last, end);
            plot->y_last = fmax(plot->y_last, bin->count);
        }
    }
    plot->y_last *= 1.05;
}

static void draw_bars(struct dj_canvas *canvas, const struct dj_plot *plot,
                      const struct dj_bins *bins)
{
    for (size_t i = 0; i < bins->count; i++) {
        const struct dj_bin *bin = &bins->bin[i];
        double x = dj_plot_map_x(plot, bin->from_ms);
        double open_end = fmin(plot->x_last, bin->from_ms * 1.08);
        double end = dj_plot_map_x(plot, bin->to_ms > 0 ? bin->to_ms : open_end);
        double top = dj_plot_map_y(plot, bin->count);
        double bottom = dj_plot_map_y(plot, 0);
        if (bin->count > 0) {
            top = fmin(top, bottom - 1.5);
            dj_canvas_fill_rect(
                canvas, &(struct dj_canvas_rect){x + 1, top, end - x - 2, bottom - top},
                bin->of_kind[DJ_BIN_AROUND] > 0 ? DJ_INK_MUTED
                : bin->of_kind[DJ_BIN_LATE] > 0 ? DJ_INK_BAD
                                                : DJ_INK_GOOD);
        }
    }
}

double dj_picture_draw_batch_histogram(struct dj_canvas *canvas,
                                       const struct dj_batches *batches, size_t index,
                                       double y)
{
    const struct dj_batch *batch = &batches->batch[index];
    struct dj_bins bins = dj_batches_compute_bins(batch);
    char title[320];
    char name[DJ_BATCH_NAME];
    double interval_ms = batch->interval_ns / 1e6;
    if (bins.count == 0) {
        return y;
    }
    dj_batches_format_name(batches, index, name);
    snprintf(title, sizeof(title),
             "Frame times, %s: %.0f frames of all clean runs, %.2f %% over %.2f ms%s",
             name, bins.frames, 100 * bins.late / bins.frames, interval_ms,
             batch->interval_assumed ? " (assumed)" : "");
    y = dj_picture_draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT, title);
    struct dj_plot plot = {
        .rect = {DJ_CANVAS_MARGIN + 56, y + 30, CONTENT - 76, PLOT_HEIGHT}};
    choose_scale(batches, &plot);
    dj_plot_draw_y_axis(canvas, &plot, dj_plot_choose_step(plot.y_last, 5, true),
                        "Frames");
    draw_bars(canvas, &plot, &bins);
    double step = dj_plot_choose_step(plot.x_last, 10, false);
    for (double at = 0; at <= plot.x_last; at += step) {
        char label[32];
        snprintf(label, sizeof(label), "%.6g", at);
        dj_plot_draw_x_label(canvas, &plot, dj_plot_map_x(&plot, at), label);
    }
    dj_plot_draw_x_name(canvas, &plot, "Frame time (ms)");
    double line = dj_plot_map_x(&plot, interval_ms);
    dj_canvas_draw_dashes(canvas, line, plot.rect.y - 4, line, plot.rect.y + PLOT_HEIGHT,
                          DJ_INK_DEADLINE);
    return y + 30 + PLOT_HEIGHT + 56 + GAP;
}

static void draw_stages_bar(struct dj_canvas *canvas, const struct dj_batch *batch,
                            const struct dj_plot *plot, double y, uint32_t *known)
{
    double at = 0;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        double ns = dj_batches_compute_stage_ns(batch, (enum dj_stage)i);
        if (i != DJ_STAGE_WAIT && !isnan(ns)) {
            double x = dj_plot_map_x(plot, at);
            at += ns;
            dj_canvas_fill_rect(canvas,
                                &(struct dj_canvas_rect){
                                    x, y, fmax(0.5, dj_plot_map_x(plot, at) - x), 26},
                                DJ_INK_STAGE + (enum dj_ink)i);
            *known |= 1U << i;
        }
    }
    double line = dj_plot_map_x(plot, batch->interval_ns);
    dj_canvas_draw_dashes(canvas, line, y - 4, line, y + 30, DJ_INK_DEADLINE);
}

double dj_picture_draw_batch_stages(struct dj_canvas *canvas,
                                    const struct dj_batches *batches, double y)
{
    double most = 0;
    uint32_t known = 0;
    struct dj_legend_key keys[DJ_STAGE_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < batches->count; i++) {
        double total = 0;
        for (size_t k = 0; k < DJ_STAGE_COUNT; k++) {
            double ns = dj_batches_compute_stage_ns(&batches->batch[i], (enum dj_stage)k);
            total += k != DJ_STAGE_WAIT && !isnan(ns) ? ns : 0;
        }
        most = fmax(most, total);
    }
    if (most == 0) {
        return y;
    }
    for (size_t i = 0; i < batches->count; i++) {
        most = fmax(most, batches->batch[i].interval_ns);
    }
    y = dj_picture_draw_title(
        canvas, DJ_CANVAS_MARGIN, y, CONTENT,
        "Stages of a typical frame: medians over the runs; dashed: the "
        "deadline");
    struct dj_plot plot = {.rect = {DJ_CANVAS_MARGIN + LABELS, y, CONTENT - LABELS, 26},
                           .x_last = most * 1.04};
    for (size_t i = 0; i < batches->count; i++) {
        char name[DJ_BATCH_NAME];
        struct dj_canvas_font type = body;
        type.max_width = LABELS - 10;
        dj_batches_format_name(batches, i, name);
        dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN, y + 24, &type, name);
        draw_stages_bar(canvas, &batches->batch[i], &plot, y + 6, &known);
        y += 42;
    }
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((known & (1U << i)) != 0) {
            keys[count++] = (struct dj_legend_key){DJ_INK_STAGE + (enum dj_ink)i,
                                                   dj_frame_stage_name((enum dj_stage)i)};
        }
    }
    return dj_picture_draw_legend(canvas, DJ_CANVAS_MARGIN, y, CONTENT, keys, count) +
           GAP;
}
