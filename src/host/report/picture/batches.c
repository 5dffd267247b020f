#include <math.h>

#include "memory/memory.h"
#include "report/batches/describe.h"
#include "report/escape/html.h"
#include "report/picture/charts.h"
#include "report/picture/content.h"
#include "report/picture/plot.h"

enum {
    CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN,
    COLUMN_GAP = 40,
    COLUMN = (CONTENT - COLUMN_GAP) / 2,
    ROW = 34, /* Height of a row of points. */
    GAP = 20
};

/* The first batch is blue, the second orange. Both also differ when printed in grey. */
static const enum dj_ink inks[DJ_BATCHES_MAX] = {
    DJ_INK_GOOD,
    DJ_INK_BAD,
    DJ_INK_STAGE + DJ_STAGE_ANIMATION,
    DJ_INK_STAGE + DJ_STAGE_INPUT,
    DJ_INK_STAGE + DJ_STAGE_APP,
    DJ_INK_STAGE + DJ_STAGE_ISSUE,
    DJ_INK_STAGE + DJ_STAGE_LAYOUT,
    DJ_INK_STAGE + DJ_STAGE_WAIT,
};

static const struct dj_canvas_font body = {
    .size = 14, .ink = DJ_INK_TEXT, .max_width = CONTENT};
static const struct dj_canvas_font small = {.size = 12.5, .ink = DJ_INK_MUTED};

static double draw_head(struct dj_canvas *canvas, const struct dj_batches *batches,
                        double y)
{
    const struct dj_canvas_font big = {
        .size = 24, .bold = true, .ink = DJ_INK_TEXT, .max_width = CONTENT - 20};
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        char name[DJ_BATCH_NAME];
        dj_batches_format_name(batches, i, name);
        dj_canvas_fill_rect(
            canvas, &(struct dj_canvas_rect){DJ_CANVAS_MARGIN, y + 9, 12, 12}, inks[i]);
        dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN + 20, y + 23, &big, name);
        y += 30;
        dj_batches_describe_app(&words, &batches->batch[i]);
        y = dj_canvas_draw_and_finish(canvas, DJ_CANVAS_MARGIN, y, &body, &words);
        dj_batches_describe_runs(&words, &batches->batch[i]);
        dj_batches_describe_outcomes(&words, "; outcomes: ", &batches->batch[i]);
        y = dj_canvas_draw_and_finish(canvas, DJ_CANVAS_MARGIN, y, &body, &words) +
            GAP / 2;
    }
    return y + GAP / 2;
}

static void draw_points(struct dj_canvas *canvas, const struct dj_plot *plot,
                        const struct dj_batch *batch,
                        const struct dj_batch_figure *figure, enum dj_ink ink)
{
    struct dj_center spread = dj_batches_compute_center(batch, figure->metric);
    double middle = plot->rect.y + ROW / 2.0;
    if (spread.count == 0) {
        dj_canvas_draw_text(canvas, plot->rect.x, middle + 4, &small, "unknown");
        return;
    }
    double q1 = dj_plot_map_x(plot, spread.q1);
    double median = dj_plot_map_x(plot, spread.median);
    dj_canvas_fill_rect(
        canvas,
        &(struct dj_canvas_rect){q1, middle - 10,
                                 fmax(2, dj_plot_map_x(plot, spread.q3) - q1), 20},
        DJ_INK_GRID);
    for (size_t i = 0; i < batch->run_count; i++) {
        double value = batch->runs[i].metrics.value[figure->metric];
        if (dj_store_run_counts(&batch->runs[i]) && !isnan(value)) {
            double lift = (double)(i % 3) * 5 - 5; /* Keeps equal values visible. */
            dj_canvas_fill_rect(canvas,
                                &(struct dj_canvas_rect){dj_plot_map_x(plot, value) - 3,
                                                         middle + lift - 3, 6, 6},
                                ink);
        }
    }
    dj_canvas_fill_rect(canvas, &(struct dj_canvas_rect){median - 1, middle - 13, 2, 26},
                        DJ_INK_TEXT);
    dj_canvas_draw_tip(canvas, dj_plot_map_x(plot, spread.mean), middle + 10, 4,
                       DJ_INK_TEXT);
}

static void draw_axis(struct dj_canvas *canvas, const struct dj_plot *plot, double y,
                      const struct dj_batch_figure *figure)
{
    double step =
        dj_plot_choose_step((plot->x_last - plot->x_first) / figure->factor, 5, false);
    double from = ceil(plot->x_first / figure->factor / step) * step;
    for (double at = from; at <= plot->x_last / figure->factor; at += step) {
        char label[32];
        double x = dj_plot_map_x(plot, at * figure->factor);
        snprintf(label, sizeof(label), "%.6g", fabs(at) < step / 2 ? 0 : at);
        dj_canvas_draw_line(canvas, x, plot->rect.y, x, y, DJ_INK_GRID);
        struct dj_canvas_font type = small;
        type.align = DJ_ALIGN_CENTER;
        dj_canvas_draw_text(canvas, x, y + 14, &type, label);
    }
}

static double draw_strip(struct dj_canvas *canvas, const struct dj_batches *batches,
                         const struct dj_batch_figure *figure, double x, double y)
{
    struct dj_text title = {0};
    struct dj_bounds range = dj_batches_compute_range(batches, figure->metric);
    double pad = range.high > range.low ? (range.high - range.low) * 0.06
                                        : fmax(fabs(range.high) * 0.1, 1e-9);
    const struct dj_canvas_font bold = {
        .size = 13.5, .bold = true, .ink = DJ_INK_TEXT, .max_width = COLUMN};
    dj_batches_format_figure_title(&title, figure);
    dj_canvas_draw_text(canvas, x, y + 14, &bold, dj_xtext(&title));
    dj_text_finish(&title);
    y += 20;
    double height = (double)batches->count * ROW;
    struct dj_plot plot = {.rect = {x + 6, y, COLUMN - 12, height},
                           .x_first = range.low - pad,
                           .x_last = range.high + pad,
                           .y_last = 1};
    draw_axis(canvas, &plot, y + height, figure);
    for (size_t i = 0; i < batches->count; i++) {
        plot.rect.y = y + (double)i * ROW;
        draw_points(canvas, &plot, &batches->batch[i], figure, inks[i]);
    }
    return y + height + 26;
}

static double draw_strips(struct dj_canvas *canvas, const struct dj_batches *batches,
                          double y)
{
    const struct dj_batch_figure *figure;
    double lower[2] = {0};
    size_t drawn = 0;
    y = dj_picture_draw_title(
        canvas, DJ_CANVAS_MARGIN, y, CONTENT,
        "Each run a point; box: the middle half, line: median, tip: mean");
    lower[0] = lower[1] = y;
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (dj_batches_is_headline(batches, figure) &&
            dj_batches_have_metric(batches, figure->metric)) {
            double x = DJ_CANVAS_MARGIN + (double)(drawn % 2) * (COLUMN + COLUMN_GAP);
            lower[drawn % 2] = draw_strip(canvas, batches, figure, x, lower[drawn % 2]);
            drawn++;
        }
    }
    return fmax(lower[0], lower[1]) + GAP;
}

static double draw_figures(struct dj_canvas *canvas, const struct dj_batches *batches,
                           double y)
{
    const struct dj_batch_figure *figure;
    double width = (CONTENT - 300.0) / (double)batches->count;
    y = dj_picture_draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT,
                              "Figures over the clean runs: median (mean; quartiles)");
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        struct dj_text title = {0};
        if (!dj_batches_have_metric(batches, figure->metric) ||
            dj_batches_is_always_zero(batches, figure)) {
            continue;
        }
        struct dj_canvas_font left = body;
        left.max_width = 290;
        dj_batches_format_figure_title(&title, figure);
        dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN, y + 15, &left, dj_xtext(&title));
        dj_text_finish(&title);
        for (size_t k = 0; k < batches->count; k++) {
            struct dj_center spread =
                dj_batches_compute_center(&batches->batch[k], figure->metric);
            struct dj_text words = {0};
            struct dj_canvas_font right = body;
            right.align = DJ_ALIGN_RIGHT;
            right.max_width = width - 10;
            if (spread.count == 0) {
                dj_text_add(&words, "unknown");
            } else {
                dj_batches_format_value(&words, "", figure, spread.median);
                dj_batches_format_value(&words, " (", figure, spread.mean);
                dj_batches_format_value(&words, "; ", figure, spread.q1);
                dj_batches_format_value(&words, " … ", figure, spread.q3);
                dj_text_add(&words, ")");
            }
            dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN + 300 + width * (double)(k + 1),
                                y + 15, &right, dj_xtext(&words));
            dj_text_finish(&words);
        }
        y += 22;
        dj_canvas_draw_line(canvas, DJ_CANVAS_MARGIN, y,
                            DJ_CANVAS_WIDTH - DJ_CANVAS_MARGIN, y, DJ_INK_GRID);
    }
    struct dj_text words = {0};
    dj_batches_describe_zero_counts(&words, batches);
    if (words.length > 0) {
        y = dj_canvas_draw_and_finish(canvas, DJ_CANVAS_MARGIN, y + 4, &body, &words);
    }
    return y + GAP;
}

static double draw_batches(struct dj_canvas *canvas, const void *what, double most)
{
    const struct dj_batches *batches = what;
    (void)most; /* Eight batches need less. */
    double y = draw_head(canvas, batches, DJ_CANVAS_MARGIN - 12);
    y = draw_strips(canvas, batches, y);
    for (size_t i = 0; i < batches->count; i++) {
        y = dj_picture_draw_batch_histogram(canvas, batches, i, y);
    }
    y = dj_picture_draw_batch_stages(canvas, batches, y);
    y = draw_figures(canvas, batches, y);
    y = dj_picture_draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT, "Conditions");
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        dj_batches_describe_conditions(&words, batches, i);
        y = dj_canvas_draw_and_finish(canvas, DJ_CANVAS_MARGIN, y, &body, &words) + 4;
    }
    return dj_picture_draw_foot(canvas, y + GAP);
}

static void write_title(struct dj_text *text, const void *what)
{
    const struct dj_batches *batches = what;
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        dj_batches_write_name(&words, batches, i);
        dj_text_add(&words, ": ");
        dj_batches_describe_runs(&words, &batches->batch[i]);
        dj_text_add(text, i > 0 ? "\n" : "");
        dj_html_escape_and_finish(text, &words);
    }
}

int dj_report_write_batches_svg(struct dj_text *text, const struct dj_batches *batches,
                                struct dj_error *err)
{
    struct dj_picture_content content = {draw_batches, write_title, batches};
    return dj_picture_write_svg(text, &content, err);
}

int dj_report_write_batches_png(struct dj_text *text, const struct dj_batches *batches,
                                struct dj_error *err)
{
    struct dj_picture_content content = {draw_batches, write_title, batches};
    return dj_picture_write_png(text, &content, err);
}
