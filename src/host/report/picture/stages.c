#include <math.h>
#include <stdio.h>

#include "memory/memory.h"
#include "report/picture/charts.h"
#include "report/picture/plot.h"
#include "stats/order.h"

/* Maximum number of bars in a chart: the size of hwui's ring. */
enum { NEWEST = 120 };

enum { PLOT_HEIGHT = 240, LEFT = 56, RIGHT = 74, ABOVE = 28, BELOW = 58, PAD = 20 };
enum { BAR_MAX_WIDTH = 40, GAP = 16 };

/* One bar: its parts from below, in ms. */
struct bar {
    double part_ms[DJ_STAGE_COUNT];
    double total_ms;
    size_t row; /* Of the dump, from 1. */
    bool janky;
};

struct chart {
    const struct dj_view *view;
    const char *title, *bar_noun; /* `bar_noun`: the noun for one bar. */
    struct bar (*bar)(const struct dj_view *view, size_t index);
    /* The number of bars; the first one drawn and the number drawn. */
    size_t total, first, count;
    struct dj_legend_key keys[DJ_STAGE_COUNT + 1];
    size_t parts[DJ_STAGE_COUNT]; /* The part that key i represents. */
    size_t key_count;             /* Number of parts. */
    bool has_jank;
    const char *caption; /* "": none of its own. */
};

/* One frozen frame must not flatten all others: bars beyond three intervals may be cut,
 * and the caption says so (as in web/stack.js). */
static double choose_top(const struct chart *chart, size_t *cut, double *longest_ms)
{
    double sorted_ms[NEWEST];
    for (size_t i = 0; i < chart->count; i++) {
        sorted_ms[i] = chart->bar(chart->view, chart->first + i).total_ms;
    }
    dj_order_sort(sorted_ms, chart->count);
    double interval_ms = dj_units_ms(chart->view->interval_ns);
    *longest_ms = sorted_ms[chart->count - 1];
    double all = fmax(*longest_ms, interval_ms * 1.15) * 1.06;
    double most = sorted_ms[(chart->count - 1) * 98 / 100] * 1.15;
    double top = fmin(all, fmax(interval_ms * 3, most));
    *cut = 0;
    for (size_t i = 0; i < chart->count; i++) {
        *cut += sorted_ms[i] > top;
    }
    return top;
}

static void draw_bar(struct dj_canvas *canvas, const struct dj_plot *plot,
                     const struct chart *chart, size_t index)
{
    struct bar bar = chart->bar(chart->view, chart->first + index);
    double left = dj_plot_map_x(plot, (double)index);
    double slot = dj_plot_map_x(plot, (double)index + 1) - left;
    double width = fmin(slot - fmax(1, slot * 0.14), BAR_MAX_WIDTH);
    double x = left + (slot - width) / 2;
    double base_ms = 0;
    for (size_t i = 0; i < chart->key_count; i++) {
        double upper_ms = fmin(base_ms + bar.part_ms[chart->parts[i]], plot->y_last);
        if (upper_ms > base_ms) {
            double y = dj_plot_map_y(plot, upper_ms);
            dj_canvas_fill_rect(
                canvas,
                &(struct dj_canvas_rect){x, y, width, dj_plot_map_y(plot, base_ms) - y},
                chart->keys[i].ink);
            base_ms = upper_ms;
        }
    }
    if (bar.total_ms > plot->y_last) {
        dj_canvas_draw_tip(canvas, x + width / 2, plot->rect.y, fmax(width / 2, 4),
                           DJ_INK_TEXT);
    }
    if (chart->has_jank && bar.janky) {
        dj_canvas_fill_rect(
            canvas,
            &(struct dj_canvas_rect){x, plot->rect.y + plot->rect.height + 3, width, 4},
            DJ_INK_DEADLINE);
    }
}

/* Draws a number under every bar that is a multiple of the step; the first and the last
 * are treated separately. */
static void draw_x_axis(struct dj_canvas *canvas, const struct dj_plot *plot,
                        const struct chart *chart)
{
    char text[96];
    size_t step = (size_t)dj_plot_choose_step((double)chart->count, 12, true);
    for (size_t i = 0; i < chart->count; i++) {
        size_t number = chart->bar(chart->view, chart->first + i).row;
        if (number % step == 0 || chart->count == 1) {
            snprintf(text, sizeof(text), "%zu", number);
            dj_plot_draw_x_label(canvas, plot, dj_plot_map_x(plot, (double)i + 0.5),
                                 text);
        }
    }
    if (chart->count < chart->total) {
        snprintf(text, sizeof(text), "%s: the newest %zu of %zu", chart->bar_noun,
                 chart->count, chart->total);
    } else {
        snprintf(text, sizeof(text), "%s%s", chart->bar_noun,
                 chart->count > 1 ? ", oldest first" : "");
    }
    dj_plot_draw_x_name(canvas, plot, text);
}

/* Right of the plot, where there are no bars. */
static void draw_deadline(struct dj_canvas *canvas, const struct dj_plot *plot,
                          const struct dj_view *view)
{
    const struct dj_canvas_font type = {.size = 13, .bold = true, .ink = DJ_INK_DEADLINE};
    double interval_ms = dj_units_ms(view->interval_ns);
    double y = dj_plot_map_y(plot, interval_ms);
    double right = plot->rect.x + plot->rect.width;
    char label[32];
    snprintf(label, sizeof(label), "%.2f ms", interval_ms);
    dj_canvas_draw_dashes(canvas, plot->rect.x, y, right + 4, y, DJ_INK_DEADLINE);
    dj_canvas_draw_text(canvas, right + 8, y + 4.5, &type, label);
}

static double draw_captions(struct dj_canvas *canvas, const struct chart *chart, double y,
                            size_t cut, double longest_ms)
{
    const double x = DJ_CANVAS_MARGIN + PAD;
    const struct dj_canvas_font type = {
        .size = 13, .ink = DJ_INK_MUTED, .max_width = DJ_CANVAS_WIDTH - 2 * x};
    struct dj_text text = {0};
    dj_text_add(&text, chart->caption);
    if (cut > 0) {
        dj_text_format(&text,
                       "%s%zu bar%s marked ▲ %s cut at the top; the longest is %.1f ms.",
                       text.length > 0 ? " " : "", cut, cut == 1 ? "" : "s",
                       cut == 1 ? "is" : "are", longest_ms);
    }
    return text.length == 0 ? y : dj_canvas_draw_and_finish(canvas, x, y, &type, &text);
}

static double draw_inside(struct dj_canvas *canvas, const struct chart *chart, double y)
{
    size_t cut;
    double longest_ms;
    double x = DJ_CANVAS_MARGIN + PAD;
    double width = DJ_CANVAS_WIDTH - 2.0 * x;
    double top_ms = choose_top(chart, &cut, &longest_ms);
    double step = dj_plot_choose_step(top_ms, 6, false);
    y = dj_picture_draw_title(canvas, x, y + PAD, width, chart->title);
    y = dj_picture_draw_legend(canvas, x, y, width, chart->keys,
                               chart->key_count + chart->has_jank);
    struct dj_plot plot = {
        .rect = {x + LEFT, y + ABOVE, width - LEFT - RIGHT, PLOT_HEIGHT},
        .x_last = (double)chart->count,
        .y_last = top_ms,
    };
    dj_plot_draw_y_axis(canvas, &plot, step, "Time (ms)");
    for (size_t i = 0; i < chart->count; i++) {
        draw_bar(canvas, &plot, chart, i);
    }
    draw_x_axis(canvas, &plot, chart);
    draw_deadline(canvas, &plot, chart->view);
    y = plot.rect.y + PLOT_HEIGHT + BELOW;
    return draw_captions(canvas, chart, y - 10, cut, longest_ms) + PAD - 4;
}

static double draw_chart(struct dj_canvas *canvas, struct chart *chart, double y)
{
    chart->count = chart->total < NEWEST ? chart->total : NEWEST;
    chart->first = chart->total - chart->count;
    dj_canvas_hide(canvas);
    double end = draw_inside(canvas, chart, y);
    dj_canvas_show(canvas);
    dj_canvas_draw_card(canvas,
                        &(struct dj_canvas_rect){DJ_CANVAS_MARGIN, y,
                                                 DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN,
                                                 end - y},
                        DJ_INK_EDGE);
    return draw_inside(canvas, chart, y) + GAP;
}

static void add_part(struct chart *chart, size_t part, enum dj_ink ink, const char *name)
{
    chart->parts[chart->key_count] = part;
    chart->keys[chart->key_count++] = (struct dj_legend_key){ink, name};
}

/* A frame's own time excludes the wait for the display. */
static struct bar compute_stages_bar(const struct dj_view *view, size_t index)
{
    const struct dj_view_frame *frame = &view->frames[index];
    struct bar bar = {.total_ms = dj_units_ms(frame->frame_time_ns),
                      .row = frame->row,
                      .janky = frame->janky};
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        bar.part_ms[i] = dj_units_ms(frame->stages.ns[i]);
    }
    return bar;
}

double dj_picture_draw_stages(struct dj_canvas *canvas, const struct dj_view *view,
                              double y)
{
    struct chart chart = {
        .view = view,
        .title = "Stages of each frame",
        .bar_noun = "Row of the dump",
        .bar = compute_stages_bar,
        .total = view->frame_count,
        .has_jank = true,
        .caption = "",
    };
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if (i != DJ_STAGE_WAIT && (view->stages_known >> i & 1) != 0) {
            add_part(&chart, i, (enum dj_ink)(DJ_INK_STAGE + i),
                     dj_frame_stage_name((enum dj_stage)i));
        }
    }
    chart.keys[chart.key_count] =
        (struct dj_legend_key){DJ_INK_DEADLINE, "below a bar: janky"};
    if ((view->stages_known >> DJ_STAGE_WAIT & 1) != 0) {
        chart.caption =
            "The wait for the display (SyncQueued → SyncStart) is not part of a "
            "frame's time and not drawn.";
    }
    return chart.total > 0 ? draw_chart(canvas, &chart, y) : y;
}

/* Columns that a release lacks are negative. */
static struct bar compute_profile_bar(const struct dj_view *view, size_t index)
{
    const struct dj_profile_row *row = &view->window->profile[index];
    const float values_ms[] = {row->draw_ms, row->prepare_ms, row->process_ms,
                               row->execute_ms};
    struct bar bar = {.row = index + 1};
    for (size_t i = 0; i < COUNT_OF(values_ms); i++) {
        bar.part_ms[i] = fmax(0, (double)values_ms[i]);
        bar.total_ms += bar.part_ms[i];
    }
    return bar;
}

double dj_picture_draw_profile(struct dj_canvas *canvas, const struct dj_view *view,
                               double y)
{
    struct chart chart = {
        .view = view,
        .title = "Simple timing dump (Profile GPU rendering)",
        .bar_noun = "Row of the dump",
        .bar = compute_profile_bar,
        .caption =
            "What the dump printed with \"Profile GPU rendering\" on; hwui cuts each "
            "value at 50 ms. It tells no jank.",
    };
    if (!dj_view_has_profile(view)) {
        return y;
    }
    chart.total = view->window->profile_count;
    add_part(&chart, 0, DJ_INK_STAGE + DJ_STAGE_DRAW, "Draw");
    if (view->window->profile[0].prepare_ms >= 0) {
        add_part(&chart, 1, DJ_INK_STAGE + DJ_STAGE_SYNC, "Prepare");
    }
    add_part(&chart, 2, DJ_INK_STAGE + DJ_STAGE_ISSUE, "Process");
    add_part(&chart, 3, DJ_INK_STAGE + DJ_STAGE_SWAP, "Execute");
    return draw_chart(canvas, &chart, y);
}
