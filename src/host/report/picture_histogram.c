#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "report/picture_parts.h"

/* As the page's histogram (web/histogram.js): bins of an eighth of the frame interval,
 * with many frames of a sixteenth; beyond four intervals all stand in one bar. */
enum {
    INTERVALS = 4,
    COARSE = 8,
    FINE = 16,
    FINE_FRAMES = 300,
    MOST_BINS = INTERVALS * FINE > DJ_FRAME_BUCKETS ? INTERVALS *FINE : DJ_FRAME_BUCKETS
};

enum { PLOT_HEIGHT = 190, LEFT = 56, ABOVE = 34, BELOW = 50, PAD = 20 };

/* What a part of a bar says. */
enum kind { IN_TIME, AROUND, LATE, KINDS };

struct bin {
    double from_ms, to_ms; /* to_ms 0: no end */
    uint64_t count[KINDS];
};

struct bins {
    struct bin bin[MOST_BINS + 1];
    size_t count;
    bool beyond; /* the last has no end */
    double end_ms, interval_ms;
};

static uint64_t all_of(const struct bin *bin)
{
    return bin->count[IN_TIME] + bin->count[AROUND] + bin->count[LATE];
}

/* Nothing is drawn for empty space past the slowest frame, but some after the deadline
 * always is. */
static void trim(struct bins *bins)
{
    struct bin *last = &bins->bin[bins->count - 1];
    bins->beyond = last->to_ms == 0 && all_of(last) > 0;
    bins->count -= last->to_ms == 0 && !bins->beyond;
    while (!bins->beyond && bins->count > 1 && all_of(&bins->bin[bins->count - 1]) == 0 &&
           bins->bin[bins->count - 1].from_ms >= bins->interval_ms * 1.25) {
        bins->count--;
    }
    last = &bins->bin[bins->count - 1];
    bins->end_ms = bins->beyond ? last->from_ms : last->to_ms;
}

/* Janky is what the release's rule says, which for some is not the interval alone. */
static void count_exact(const struct dj_view *view, struct bins *bins)
{
    int per_interval = view->frame_count > FINE_FRAMES ? FINE : COARSE;
    double width = 1.0 / per_interval;
    *bins = (struct bins){.interval_ms = (double)view->interval_ns / 1e6,
                          .count = (size_t)(INTERVALS * per_interval) + 1};
    for (size_t i = 0; i < bins->count; i++) {
        bins->bin[i].from_ms = (double)i * width * bins->interval_ms;
        bins->bin[i].to_ms =
            i + 1 == bins->count ? 0 : (double)(i + 1) * width * bins->interval_ms;
    }
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_view_frame *frame = &view->frames[i];
        double part = (double)frame->frame_time_ns / (double)view->interval_ns;
        size_t bin = part > INTERVALS ? bins->count - 1
                                      : (size_t)fmax(0, ceil(part * per_interval) - 1);
        bins->bin[bin].count[frame->janky ? LATE : IN_TIME]++;
    }
    trim(bins);
}

/* hwui's own buckets; it does not tell how many frames of the one around the deadline
 * were late. */
static void count_hwui(const struct dj_view *view, struct bins *bins)
{
    uint32_t edges_ms[DJ_FRAME_BUCKETS];
    dj_view_bucket_edges(edges_ms);
    *bins = (struct bins){.interval_ms = (double)view->interval_ns / 1e6};
    bool open = false;
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        double from_ms = edges_ms[i];
        double to_ms = i + 1 < DJ_FRAME_BUCKETS ? edges_ms[i + 1] : 0;
        bool beyond = to_ms == 0 || to_ms > INTERVALS * bins->interval_ms;
        if (!open) {
            bins->bin[bins->count++] =
                (struct bin){.from_ms = from_ms, .to_ms = beyond ? 0 : to_ms};
        }
        open = beyond;
        enum kind kind = to_ms > 0 && to_ms <= bins->interval_ms ? IN_TIME
                         : from_ms >= bins->interval_ms          ? LATE
                                                                 : AROUND;
        bins->bin[bins->count - 1].count[kind] += view->hwui->stats.frame_histogram[i];
    }
    trim(bins);
}

static uint64_t most_of(const struct bins *bins)
{
    uint64_t most = 1;
    for (size_t i = 0; i < bins->count; i++) {
        uint64_t count = all_of(&bins->bin[i]);
        most = count > most ? count : most;
    }
    return most;
}

/* The bar of what lies beyond stands apart, as wide as a third of an interval. */
static struct dj_plot plot_of(const struct bins *bins, const struct dj_rect *rect)
{
    double most = (double)most_of(bins);
    double step = dj_plot_step(most, 5, true);
    return (struct dj_plot){
        .rect = *rect,
        .x_last = bins->end_ms + (bins->beyond ? bins->interval_ms * 0.65 : 0),
        .y_last = ceil(most / step) * step,
    };
}

static void draw_bar(struct dj_canvas *canvas, const struct dj_plot *plot,
                     const struct bin *bin, double left_ms, double right_ms)
{
    static const enum dj_ink inks[KINDS] = {
        [IN_TIME] = DJ_INK_GOOD, [AROUND] = DJ_INK_MUTED, [LATE] = DJ_INK_BAD};
    double left = dj_plot_x(plot, left_ms);
    double width = dj_plot_x(plot, right_ms) - left;
    double gap = fmin(2, width * 0.15);
    double bottom = plot->rect.y + plot->rect.height;
    for (size_t kind = 0; kind < KINDS; kind++) {
        double height = (double)bin->count[kind] / plot->y_last * plot->rect.height;
        if (bin->count[kind] > 0) {
            height = fmax(height, 2); /* one frame among thousands must be seen */
            dj_canvas_fill(
                canvas,
                &(struct dj_rect){left + gap / 2, bottom - height, width - gap, height},
                inks[kind]);
            bottom -= height;
        }
    }
}

static void draw_bars(struct dj_canvas *canvas, const struct dj_plot *plot,
                      const struct bins *bins)
{
    for (size_t i = 0; i < bins->count; i++) {
        const struct bin *bin = &bins->bin[i];
        if (bin->to_ms > 0) {
            draw_bar(canvas, plot, bin, bin->from_ms, bin->to_ms);
        } else {
            draw_bar(canvas, plot, bin, bins->end_ms + bins->interval_ms * 0.15,
                     bins->end_ms + bins->interval_ms * 0.5);
        }
    }
}

static void draw_x_axis(struct dj_canvas *canvas, const struct dj_plot *plot,
                        const struct bins *bins)
{
    double step = dj_plot_step(bins->end_ms, 12, false);
    char label[32];
    for (int i = 0; i * step <= bins->end_ms * (1 + 1e-9); i++) {
        /* The last numbers would run into the one of what lies beyond. */
        if (!bins->beyond || i * step < bins->end_ms - bins->interval_ms * 0.2) {
            snprintf(label, sizeof(label), "%.*f", step < 1 ? 1 : 0, i * step);
            dj_plot_x_label(canvas, plot, dj_plot_x(plot, i * step), label);
        }
    }
    if (bins->beyond) {
        snprintf(label, sizeof(label), "> %.0f", bins->end_ms);
        dj_plot_x_label(canvas, plot,
                        dj_plot_x(plot, bins->end_ms + bins->interval_ms * 0.325), label);
    }
    dj_plot_x_name(canvas, plot, "Frame time (ms)");
}

/* The line, and above the plot what it is; on the side of it that has room. */
static void draw_deadline(struct dj_canvas *canvas, const struct dj_plot *plot,
                          const struct dj_view *view)
{
    char label[80];
    double x = dj_plot_x(plot, (double)view->interval_ns / 1e6);
    snprintf(label, sizeof(label), "%.2f ms%s", (double)view->interval_ns / 1e6,
             view->interval_assumed ? " (60 Hz, assumed)" : ": one frame interval");
    struct dj_type type = {.size = 13, .bold = true, .ink = DJ_INK_DEADLINE};
    double width = dj_canvas_text_width(canvas, &type, label);
    if (x + 6 + width > plot->rect.x + plot->rect.width) {
        type.align = DJ_ALIGN_RIGHT;
        x -= 6;
    } else {
        x += 6;
    }
    dj_canvas_text(canvas, x, plot->rect.y - 8, &type, label);
    x = dj_plot_x(plot, (double)view->interval_ns / 1e6);
    dj_canvas_dashes(canvas, x, plot->rect.y - 18, x, plot->rect.y + plot->rect.height,
                     DJ_INK_DEADLINE);
}

struct histogram {
    const struct dj_view *view;
    const char *title;
    void (*count)(const struct dj_view *view, struct bins *bins);
    struct dj_key keys[KINDS];
    size_t key_count;
};

static double draw_histogram(struct dj_canvas *canvas, const struct histogram *histogram,
                             const struct dj_rect *place)
{
    struct bins bins;
    histogram->count(histogram->view, &bins);
    double inside = place->width - 2 * PAD;
    double y = dj_picture_title(canvas, place->x + PAD, place->y + PAD, inside,
                                histogram->title);
    y = dj_picture_legend(canvas, place->x + PAD, y, inside, histogram->keys,
                          histogram->key_count);
    struct dj_plot plot =
        plot_of(&bins, &(struct dj_rect){place->x + PAD + LEFT, y + ABOVE,
                                         inside - LEFT - 8, PLOT_HEIGHT});
    dj_plot_y_axis(canvas, &plot, dj_plot_step(plot.y_last, 5, true), "Frames");
    draw_bars(canvas, &plot, &bins);
    draw_x_axis(canvas, &plot, &bins);
    draw_deadline(canvas, &plot, histogram->view);
    return plot.rect.y + PLOT_HEIGHT + BELOW;
}

static bool has_hwui_buckets(const struct dj_view *view)
{
    for (size_t i = 0; view->hwui != NULL && i < DJ_FRAME_BUCKETS; i++) {
        if (view->hwui->stats.frame_histogram[i] > 0) {
            return true;
        }
    }
    return false;
}

static size_t choose(const struct dj_view *view, char title[2][96], char rule[64],
                     struct histogram histograms[2])
{
    size_t count = 0;
    if (view->frame_count > 0) {
        snprintf(title[count], sizeof(title[count]), "Frame times, exact: %zu row%s",
                 view->frame_count, view->frame_count == 1 ? "" : "s");
        snprintf(rule, 64, "janky by the rule of Android %s", view->dialect->name);
        histograms[count] =
            (struct histogram){view,
                               title[count],
                               count_exact,
                               {{DJ_INK_GOOD, "not janky"}, {DJ_INK_BAD, rule}},
                               2};
        count++;
    }
    if (has_hwui_buckets(view) && dj_view_hwui_frames(view) > view->frame_count) {
        snprintf(title[count], sizeof(title[count]),
                 "Frame times in hwui's buckets: all %" PRIu32 " counted",
                 dj_view_hwui_frames(view));
        histograms[count] = (struct histogram){view,
                                               title[count],
                                               count_hwui,
                                               {{DJ_INK_GOOD, "within the interval"},
                                                {DJ_INK_MUTED, "around it"},
                                                {DJ_INK_BAD, "over it"}},
                                               3};
        count++;
    }
    return count;
}

double dj_picture_histograms(struct dj_canvas *canvas, const struct dj_view *view,
                             double y)
{
    enum { GAP = 16, HEIGHT = PAD + 25 + 20 + ABOVE + PLOT_HEIGHT + BELOW };
    struct histogram histograms[2];
    char title[2][96];
    char rule[64];
    size_t count = choose(view, title, rule, histograms);
    double width = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN;
    width = count == 2 ? (width - GAP) / 2 : width;
    for (size_t i = 0; i < count; i++) {
        struct dj_rect place = {DJ_CANVAS_MARGIN + (double)i * (width + GAP), y, width,
                                HEIGHT};
        dj_canvas_card(canvas, &place, DJ_INK_EDGE);
        draw_histogram(canvas, &histograms[i], &place);
    }
    return count > 0 ? y + HEIGHT + GAP : y;
}
