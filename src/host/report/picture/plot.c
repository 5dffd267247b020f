#include <math.h>
#include <stdio.h>

#include "report/picture/plot.h"

#define SMALL 12.5
static const struct dj_canvas_font centered = {
    .size = SMALL, .ink = DJ_INK_MUTED, .align = DJ_ALIGN_CENTER};

double dj_plot_map_x(const struct dj_plot *plot, double value)
{
    double part = (value - plot->x_first) / (plot->x_last - plot->x_first);
    return plot->rect.x + part * plot->rect.width;
}

double dj_plot_map_y(const struct dj_plot *plot, double value)
{
    return plot->rect.y + plot->rect.height * (1 - value / plot->y_last);
}

double dj_plot_choose_step(double range, int most, bool whole)
{
    static const double steps[] = {1, 2, 5, 10};
    double wanted = range / most;
    if (whole && wanted <= 1) {
        return 1;
    }
    double power = pow(10, floor(log10(wanted)));
    size_t i = 0;
    while (steps[i] * power < wanted * (1 - 1e-9)) {
        i++;
    }
    return steps[i] * power;
}

void dj_plot_draw_y_axis(struct dj_canvas *canvas, const struct dj_plot *plot,
                         double step, const char *name)
{
    const struct dj_canvas_font number = {
        .size = SMALL, .ink = DJ_INK_MUTED, .align = DJ_ALIGN_RIGHT};
    const struct dj_canvas_font title = {.size = SMALL, .ink = DJ_INK_MUTED};
    double right = plot->rect.x + plot->rect.width;
    for (int i = 0; i * step <= plot->y_last * (1 + 1e-9); i++) {
        char label[32];
        double y = dj_plot_map_y(plot, i * step);
        snprintf(label, sizeof(label), "%.*f", step < 1 ? 1 : 0, i * step);
        dj_canvas_draw_line(canvas, plot->rect.x, y, right, y,
                            i == 0 ? DJ_INK_MUTED : DJ_INK_GRID);
        dj_canvas_draw_text(canvas, plot->rect.x - 8, y + 4.5, &number, label);
    }
    dj_canvas_draw_text(canvas, plot->rect.x - 44, plot->rect.y - 12, &title, name);
}

void dj_plot_draw_x_label(struct dj_canvas *canvas, const struct dj_plot *plot, double x,
                          const char *label)
{
    dj_canvas_draw_text(canvas, x, plot->rect.y + plot->rect.height + 20, &centered,
                        label);
}

void dj_plot_draw_x_name(struct dj_canvas *canvas, const struct dj_plot *plot,
                         const char *name)
{
    struct dj_canvas_font title = centered;
    title.max_width = plot->rect.width;
    dj_canvas_draw_text(canvas, plot->rect.x + plot->rect.width / 2,
                        plot->rect.y + plot->rect.height + 39, &title, name);
}

double dj_picture_draw_legend(struct dj_canvas *canvas, double x, double y, double width,
                              const struct dj_legend_key *keys, size_t count)
{
    enum { SAMPLE = 12, GAP = 7, BETWEEN = 18, LINE = 20 };
    const struct dj_canvas_font type = {
        .size = 13.5, .ink = DJ_INK_TEXT, .max_width = width - SAMPLE - GAP};
    double at = x;
    for (size_t i = 0; i < count; i++) {
        double key =
            SAMPLE + GAP + dj_canvas_measure_text(canvas, &type, keys[i].name) + BETWEEN;
        if (at > x && at + key - BETWEEN > x + width) {
            at = x;
            y += LINE;
        }
        dj_canvas_fill_rect(canvas, &(struct dj_canvas_rect){at, y + 3, SAMPLE, SAMPLE},
                            keys[i].ink);
        dj_canvas_draw_text(canvas, at + SAMPLE + GAP, y + 14, &type, keys[i].name);
        at += key;
    }
    return y + LINE;
}

double dj_picture_draw_title(struct dj_canvas *canvas, double x, double y, double width,
                             const char *title)
{
    const struct dj_canvas_font type = {
        .size = 17, .bold = true, .ink = DJ_INK_TEXT, .max_width = width};
    dj_canvas_draw_text(canvas, x, y + 17, &type, title);
    return y + 25;
}

double dj_picture_draw_foot(struct dj_canvas *canvas, double y)
{
    const struct dj_canvas_font type = {
        .size = SMALL, .ink = DJ_INK_MUTED, .align = DJ_ALIGN_RIGHT};
    dj_canvas_draw_text(canvas, DJ_CANVAS_WIDTH - DJ_CANVAS_MARGIN, y + 10, &type,
                        "Made by dejank " DEJANK_VERSION);
    return ceil(y + 28);
}
