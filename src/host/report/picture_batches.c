#include <math.h>

#include "report/batches_words.h"
#include "report/html.h"
#include "report/picture_parts.h"

enum {
    CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN,
    COLUMN_GAP = 40,
    COLUMN = (CONTENT - COLUMN_GAP) / 2,
    ROW = 34, /* of points */
    GAP = 20,
    PLOT_HEIGHT = 170,
    LABELS = 150 /* room for a batch's name before its bar */
};

/* The first is the palette's blue, the second its orange: told apart in grey, too. */
static const enum dj_ink inks[DJ_BATCHES_MOST] = {
    DJ_INK_GOOD,
    DJ_INK_BAD,
    DJ_INK_STAGE + DJ_STAGE_ANIMATION,
    DJ_INK_STAGE + DJ_STAGE_INPUT,
    DJ_INK_STAGE + DJ_STAGE_APP,
    DJ_INK_STAGE + DJ_STAGE_ISSUE,
    DJ_INK_STAGE + DJ_STAGE_LAYOUT,
    DJ_INK_STAGE + DJ_STAGE_WAIT,
};

static const struct dj_type body = {.size = 14, .ink = DJ_INK_TEXT, .room = CONTENT};
static const struct dj_type small = {.size = 12.5, .ink = DJ_INK_MUTED};

static double draw_title(struct dj_canvas *canvas, double x, double y, double width,
                         const char *title)
{
    return dj_picture_title(canvas, x, y, width, title) + 2;
}

/* ---- the head ---- */

static double draw_head(struct dj_canvas *canvas, const struct dj_batches *batches,
                        double y)
{
    const struct dj_type big = {
        .size = 24, .bold = true, .ink = DJ_INK_TEXT, .room = CONTENT - 20};
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        char name[DJ_BATCH_NAME];
        dj_batch_name(batches, i, name);
        dj_canvas_fill(canvas, &(struct dj_rect){DJ_CANVAS_MARGIN, y + 9, 12, 12},
                       inks[i]);
        dj_canvas_text(canvas, DJ_CANVAS_MARGIN + 20, y + 23, &big, name);
        y += 30;
        dj_batch_words_of(&words, &batches->batch[i]);
        y = dj_canvas_paragraph(canvas, DJ_CANVAS_MARGIN, y, &body, dj_text_get(&words));
        dj_text_clear(&words);
        dj_batch_words_runs(&words, &batches->batch[i]);
        dj_text_string(&words, "; outcomes: ");
        dj_batch_words_outcomes(&words, &batches->batch[i]);
        y = dj_canvas_paragraph(canvas, DJ_CANVAS_MARGIN, y, &body, dj_text_get(&words)) +
            GAP / 2;
        dj_text_finish(&words);
    }
    return y + GAP / 2;
}

/* ---- each run a point ---- */

static void draw_points(struct dj_canvas *canvas, const struct dj_plot *plot,
                        const struct dj_batch *batch,
                        const struct dj_batch_figure *figure, enum dj_ink ink)
{
    struct dj_batch_spread spread;
    double middle = plot->rect.y + ROW / 2.0;
    dj_batch_spread_of(batch, figure->metric, &spread);
    if (spread.runs == 0) {
        dj_canvas_text(canvas, plot->rect.x, middle + 4, &small, "unknown");
        return;
    }
    double q1 = dj_plot_x(plot, spread.q1);
    double median = dj_plot_x(plot, spread.median);
    dj_canvas_fill(
        canvas,
        &(struct dj_rect){q1, middle - 10, fmax(2, dj_plot_x(plot, spread.q3) - q1), 20},
        DJ_INK_GRID);
    for (size_t i = 0; i < batch->run_count; i++) {
        double value = batch->runs[i].metrics.value[figure->metric];
        if (batch->runs[i].counts && !isnan(value)) {
            double lift = (double)(i % 3) * 5 - 5; /* so that equal ones are seen */
            dj_canvas_fill(
                canvas,
                &(struct dj_rect){dj_plot_x(plot, value) - 3, middle + lift - 3, 6, 6},
                ink);
        }
    }
    dj_canvas_fill(canvas, &(struct dj_rect){median - 1, middle - 13, 2, 26},
                   DJ_INK_TEXT);
    dj_canvas_tip(canvas, dj_plot_x(plot, spread.mean), middle + 10, 4, DJ_INK_TEXT);
}

static void draw_ends(struct dj_canvas *canvas, const struct dj_plot *plot, double y,
                      const struct dj_batch_figure *figure)
{
    double step = dj_plot_step((plot->x_last - plot->x_first) / figure->factor, 5, false);
    double from = ceil(plot->x_first / figure->factor / step) * step;
    for (double at = from; at <= plot->x_last / figure->factor; at += step) {
        char label[32];
        double x = dj_plot_x(plot, at * figure->factor);
        snprintf(label, sizeof(label), "%.6g", fabs(at) < step / 2 ? 0 : at);
        dj_canvas_line(canvas, x, plot->rect.y, x, y, DJ_INK_GRID);
        struct dj_type type = small;
        type.align = DJ_ALIGN_CENTER;
        dj_canvas_text(canvas, x, y + 14, &type, label);
    }
}

static double draw_strip(struct dj_canvas *canvas, const struct dj_batches *batches,
                         const struct dj_batch_figure *figure, double x, double y)
{
    char title[96];
    double least = 0;
    double most = 0;
    dj_batches_range(batches, figure->metric, &least, &most);
    double pad = most > least ? (most - least) * 0.06 : fmax(fabs(most) * 0.1, 1e-9);
    const struct dj_type bold = {
        .size = 13.5, .bold = true, .ink = DJ_INK_TEXT, .room = COLUMN};
    snprintf(title, sizeof(title), "%s%s%s", figure->name,
             figure->unit[0] != '\0' ? ", " : "", figure->unit);
    dj_canvas_text(canvas, x, y + 14, &bold, title);
    y += 20;
    double height = (double)batches->count * ROW;
    struct dj_plot plot = {.rect = {x + 6, y, COLUMN - 12, height},
                           .x_first = least - pad,
                           .x_last = most + pad,
                           .y_last = 1};
    draw_ends(canvas, &plot, y + height, figure);
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
    y = draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT,
                   "Each run a point; box: the middle half, line: median, tip: mean");
    lower[0] = lower[1] = y;
    for (size_t i = 0; (figure = dj_batch_figure(i)) != NULL; i++) {
        if (dj_batches_headline(batches, figure) &&
            dj_batches_know(batches, figure->metric)) {
            double x = DJ_CANVAS_MARGIN + (double)(drawn % 2) * (COLUMN + COLUMN_GAP);
            lower[drawn % 2] = draw_strip(canvas, batches, figure, x, lower[drawn % 2]);
            drawn++;
        }
    }
    return fmax(lower[0], lower[1]) + GAP;
}

/* ---- figures ---- */

static double draw_figures(struct dj_canvas *canvas, const struct dj_batches *batches,
                           double y)
{
    const struct dj_batch_figure *figure;
    double width = (CONTENT - 300.0) / (double)batches->count;
    y = draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT,
                   "Figures over the clean runs: median (mean; quartiles)");
    for (size_t i = 0; (figure = dj_batch_figure(i)) != NULL; i++) {
        char name[96];
        if (!dj_batches_know(batches, figure->metric) ||
            dj_batches_never(batches, figure)) {
            continue;
        }
        struct dj_type left = body;
        left.room = 290;
        snprintf(name, sizeof(name), "%s%s%s", figure->name,
                 figure->unit[0] != '\0' ? ", " : "", figure->unit);
        dj_canvas_text(canvas, DJ_CANVAS_MARGIN, y + 15, &left, name);
        for (size_t k = 0; k < batches->count; k++) {
            struct dj_batch_spread spread;
            struct dj_text words = {0};
            struct dj_type right = body;
            right.align = DJ_ALIGN_RIGHT;
            right.room = width - 10;
            dj_batch_spread_of(&batches->batch[k], figure->metric, &spread);
            if (spread.runs == 0) {
                dj_text_string(&words, "unknown");
            } else {
                dj_batch_value(&words, figure, spread.median);
                dj_text_string(&words, " (");
                dj_batch_value(&words, figure, spread.mean);
                dj_text_string(&words, "; ");
                dj_batch_value(&words, figure, spread.q1);
                dj_text_string(&words, " … ");
                dj_batch_value(&words, figure, spread.q3);
                dj_text_string(&words, ")");
            }
            dj_canvas_text(canvas, DJ_CANVAS_MARGIN + 300 + width * (double)(k + 1),
                           y + 15, &right, dj_text_get(&words));
            dj_text_finish(&words);
        }
        y += 22;
        dj_canvas_line(canvas, DJ_CANVAS_MARGIN, y, DJ_CANVAS_WIDTH - DJ_CANVAS_MARGIN, y,
                       DJ_INK_GRID);
    }
    struct dj_text words = {0};
    dj_batches_words_never(&words, batches);
    if (words.length > 0) {
        y = dj_canvas_paragraph(canvas, DJ_CANVAS_MARGIN, y + 4, &body,
                                dj_text_get(&words));
    }
    dj_text_finish(&words);
    return y + GAP;
}

/* ---- frame times ---- */

/* Batches side by side are drawn to one scale. */
static void choose_scale(const struct dj_batches *batches, struct dj_plot *plot)
{
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_batch_bins bins;
        dj_batch_bins_of(&batches->batch[i], &bins);
        for (size_t k = 0; k < bins.count; k++) {
            const struct dj_batch_bin *bin = &bins.bin[k];
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
                      const struct dj_batch_bins *bins)
{
    for (size_t i = 0; i < bins->count; i++) {
        const struct dj_batch_bin *bin = &bins->bin[i];
        double x = dj_plot_x(plot, bin->from_ms);
        double open_end = fmin(plot->x_last, bin->from_ms * 1.08);
        double end = dj_plot_x(plot, bin->to_ms > 0 ? bin->to_ms : open_end);
        double top = dj_plot_y(plot, bin->count);
        double bottom = dj_plot_y(plot, 0);
        if (bin->count > 0) {
            top = fmin(top, bottom - 1.5);
            dj_canvas_fill(canvas,
                           &(struct dj_rect){x + 1, top, end - x - 2, bottom - top},
                           bin->around ? DJ_INK_MUTED
                           : bin->late ? DJ_INK_BAD
                                       : DJ_INK_GOOD);
        }
    }
}

static double draw_histogram(struct dj_canvas *canvas, const struct dj_batches *batches,
                             size_t index, double y)
{
    const struct dj_batch *batch = &batches->batch[index];
    struct dj_batch_bins bins;
    char title[320];
    char name[DJ_BATCH_NAME];
    double interval_ms = batch->interval_ns / 1e6;
    dj_batch_bins_of(batch, &bins);
    if (bins.count == 0) {
        return y;
    }
    dj_batch_name(batches, index, name);
    snprintf(title, sizeof(title),
             "Frame times, %s: %.0f frames of all clean runs, %.2f %% over %.2f ms%s",
             name, bins.frames, 100 * bins.late / bins.frames, interval_ms,
             batch->interval_assumed ? " (assumed)" : "");
    y = draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT, title);
    struct dj_plot plot = {
        .rect = {DJ_CANVAS_MARGIN + 56, y + 30, CONTENT - 76, PLOT_HEIGHT}};
    choose_scale(batches, &plot);
    dj_plot_y_axis(canvas, &plot, dj_plot_step(plot.y_last, 5, true), "Frames");
    draw_bars(canvas, &plot, &bins);
    double step = dj_plot_step(plot.x_last, 10, false);
    for (double at = 0; at <= plot.x_last; at += step) {
        char label[32];
        snprintf(label, sizeof(label), "%.6g", at);
        dj_plot_x_label(canvas, &plot, dj_plot_x(&plot, at), label);
    }
    dj_plot_x_name(canvas, &plot, "Frame time (ms)");
    double line = dj_plot_x(&plot, interval_ms);
    dj_canvas_dashes(canvas, line, plot.rect.y - 4, line, plot.rect.y + PLOT_HEIGHT,
                     DJ_INK_DEADLINE);
    return y + 30 + PLOT_HEIGHT + 56 + GAP;
}

/* ---- a typical frame ---- */

static double total_ns(const struct dj_batch *batch)
{
    double total = 0;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        double ns = dj_batch_stage_ns(batch, (enum dj_stage)i);
        total += i != DJ_STAGE_WAIT && !isnan(ns) ? ns : 0;
    }
    return total;
}

static void draw_stages_of(struct dj_canvas *canvas, const struct dj_batch *batch,
                           const struct dj_plot *plot, double y, uint32_t *known)
{
    double at = 0;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        double ns = dj_batch_stage_ns(batch, (enum dj_stage)i);
        if (i != DJ_STAGE_WAIT && !isnan(ns)) {
            double x = dj_plot_x(plot, at);
            at += ns;
            dj_canvas_fill(
                canvas, &(struct dj_rect){x, y, fmax(0.5, dj_plot_x(plot, at) - x), 26},
                DJ_INK_STAGE + (enum dj_ink)i);
            *known |= 1U << i;
        }
    }
    double line = dj_plot_x(plot, batch->interval_ns);
    dj_canvas_dashes(canvas, line, y - 4, line, y + 30, DJ_INK_DEADLINE);
}

static double draw_stages(struct dj_canvas *canvas, const struct dj_batches *batches,
                          double y)
{
    double most = 0;
    uint32_t known = 0;
    struct dj_key keys[DJ_STAGE_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < batches->count; i++) {
        most = fmax(most, total_ns(&batches->batch[i]));
    }
    if (most == 0) {
        return y;
    }
    for (size_t i = 0; i < batches->count; i++) {
        most = fmax(most, batches->batch[i].interval_ns);
    }
    y = draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT,
                   "Stages of a typical frame: medians over the runs; dashed: the "
                   "deadline");
    struct dj_plot plot = {.rect = {DJ_CANVAS_MARGIN + LABELS, y, CONTENT - LABELS, 26},
                           .x_last = most * 1.04};
    for (size_t i = 0; i < batches->count; i++) {
        char name[DJ_BATCH_NAME];
        struct dj_type type = body;
        type.room = LABELS - 10;
        dj_batch_name(batches, i, name);
        dj_canvas_text(canvas, DJ_CANVAS_MARGIN, y + 24, &type, name);
        draw_stages_of(canvas, &batches->batch[i], &plot, y + 6, &known);
        y += 42;
    }
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((known & (1U << i)) != 0) {
            keys[count++] = (struct dj_key){DJ_INK_STAGE + (enum dj_ink)i,
                                            dj_stage_name((enum dj_stage)i)};
        }
    }
    return dj_picture_legend(canvas, DJ_CANVAS_MARGIN, y, CONTENT, keys, count) + GAP;
}

static double draw_conditions(struct dj_canvas *canvas, const struct dj_batches *batches,
                              double y)
{
    y = draw_title(canvas, DJ_CANVAS_MARGIN, y, CONTENT, "Conditions");
    for (size_t i = 0; i < batches->count; i++) {
        const struct dj_batch *batch = &batches->batch[i];
        struct dj_text words = {0};
        char name[DJ_BATCH_NAME];
        dj_batch_name(batches, i, name);
        dj_text_escaped_name(&words, name);
        dj_text_string(&words, batch->condition_count == 0 ? ": none noted" : ": ");
        for (size_t k = 0; k < batch->condition_count; k++) {
            dj_text_string(&words, k > 0 ? ", " : "");
            dj_batch_words_condition(&words, &batch->conditions[k]);
        }
        y = dj_canvas_paragraph(canvas, DJ_CANVAS_MARGIN, y, &body, dj_text_get(&words)) +
            4;
        dj_text_finish(&words);
    }
    return y + GAP;
}

static double draw(struct dj_canvas *canvas, const void *what, double most)
{
    const struct dj_batches *batches = what;
    const struct dj_type made = {
        .size = 12.5, .ink = DJ_INK_MUTED, .align = DJ_ALIGN_RIGHT};
    (void)most; /* eight batches take less */
    double y = draw_head(canvas, batches, DJ_CANVAS_MARGIN - 12);
    y = draw_strips(canvas, batches, y);
    for (size_t i = 0; i < batches->count; i++) {
        y = draw_histogram(canvas, batches, i, y);
    }
    y = draw_stages(canvas, batches, y);
    y = draw_figures(canvas, batches, y);
    y = draw_conditions(canvas, batches, y);
    dj_canvas_text(canvas, DJ_CANVAS_WIDTH - DJ_CANVAS_MARGIN, y + 10, &made,
                   "Made by dejank " DEJANK_VERSION);
    return ceil(y + 28);
}

static void title(struct dj_text *text, const void *what)
{
    const struct dj_batches *batches = what;
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        char name[DJ_BATCH_NAME];
        dj_batch_name(batches, i, name);
        dj_text_escaped_name(&words, name);
        dj_text_string(&words, ": ");
        dj_batch_words_runs(&words, &batches->batch[i]);
        dj_text_string(text, i > 0 ? "\n" : "");
        dj_html_escape(text, dj_text_get(&words));
        dj_text_finish(&words);
    }
}

int dj_batches_svg(struct dj_text *text, const struct dj_batches *batches,
                   struct dj_error *err)
{
    struct dj_picture_content content = {draw, title, batches};
    return dj_picture_svg(text, &content, err);
}

int dj_batches_png(struct dj_text *text, const struct dj_batches *batches,
                   struct dj_error *err)
{
    struct dj_picture_content content = {draw, title, batches};
    return dj_picture_png(text, &content, err);
}
