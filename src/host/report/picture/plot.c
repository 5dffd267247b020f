#include <math.h>

#include "report/picture/plot.h"

#define SMALL 12.5

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
