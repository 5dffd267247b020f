/* Draws trends: each history as a plot of its points with intervals, levels, changes and
 * the objective, and below it the frame times of its versions. Writes the SVG itself, so
 * the page needs no library and uses the colour scheme of its reader. */
#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/html.h"
#include "report/trend.h"
#include "stats/exponential.h"

enum {
    WIDTH = 1100,
    LEFT = 80,
    RIGHT = 20,
    PLOT = 190,
    TOP = 10,
    HEAD = 56,
    FOOT = 44,
    DRAWN = 4000, /* Maximum number of points; more are thinned out. */
    STACK_HEAD = 44,
    BAND = 34 /* Height of the frame times of a version. */
};

static const char style[] =
    "<style>.t{fill:#222}.m{fill:#666}.g{stroke:#8883}.p{fill:#0072b2}.i{stroke:#0072b2;"
    "stroke-opacity:.35}.l{stroke:#222;stroke-width:1.5}.w{stroke:#d55e00;stroke-width:2}"
    ".h{stroke:#888;stroke-dasharray:2 "
    "3}.b{stroke:#009e73;stroke-width:2}.n{stroke:#666;stroke-width:2}.o{stroke:#cc79a7;"
    "stroke-dasharray:6 4;stroke-width:1.5}.late{fill:#d55e00}.early{fill:#0072b2}"
    "@media(prefers-color-scheme:dark){.t{fill:#eee}.m{fill:#aaa}.l{stroke:#eee}}"
    "text{font:13px system-ui,sans-serif}</style>\n";

struct frame {
    /* y of its upper edge; the values at its lower and upper edge. */
    double top, least, most;
    size_t points;
};

static double map_x(const struct frame *frame, double index)
{
    double last = frame->points > 1 ? (double)frame->points - 1 : 1;
    return LEFT + (WIDTH - LEFT - RIGHT) * (frame->points > 1 ? index / last : 0.5);
}

/* A value beyond an edge is drawn at the edge. */
static double map_y(const struct frame *frame, double value)
{
    double within = fmin(frame->most, fmax(frame->least, value));
    return frame->top + PLOT * ((frame->most - within) / (frame->most - frame->least));
}

static void write_line(struct dj_text *text, const char *class, double x0, double y0,
                       double x1, double y1)
{
    dj_text_format(text,
                   "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
                   "y2=\"%.1f\"/>\n",
                   class, x0, y0, x1, y1);
}

static void write_text(struct dj_text *text, const char *class, double x, double y,
                       const char *anchor, struct dj_text *words)
{
    dj_text_format(text, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
                   class, x, y, anchor);
    dj_html_escape_and_finish(text, words);
    dj_text_add(text, "</text>\n");
}

/* Ignores an end that an interval lacks, and limits values so large that their
 * differences would be infinite. */
static void extend_range(double value, double *least, double *most)
{
    static const double LARGEST = 7e307;
    if (isfinite(value)) {
        double within = fmin(LARGEST, fmax(-LARGEST, value));
        *least = fmin(*least, within);
        *most = fmax(*most, within);
    }
}

static void find_range(const struct dj_trend_segment *segment, struct frame *frame)
{
    double least = INFINITY;
    double most = -INFINITY;
    for (size_t i = 0; i < segment->point_count; i++) {
        const struct dj_trend_point *point = &segment->points[i];
        extend_range(point->value, &least, &most);
        extend_range(point->ci.low, &least, &most);
        extend_range(point->ci.high, &least, &most);
    }
    if (segment->objective.known) {
        extend_range(segment->objective.bound, &least, &most);
    }
    double pad = most > least ? (most - least) * 0.08 : fmax(fabs(most) * 0.1, 1e-9);
    frame->least = least - pad;
    frame->most = most + pad;
    if (least >= 0 && frame->least < 0) {
        frame->least = 0;
    }
}

static void write_axis(struct dj_text *text, const struct dj_trend_segment *segment,
                       const struct frame *frame)
{
    double range = frame->most - frame->least;
    double power = pow(10, floor(log10(range / 4)));
    double step = range / 4 / power < 1.5   ? power
                  : range / 4 / power < 3.5 ? 2 * power
                  : range / 4 / power < 7.5 ? 5 * power
                                            : 10 * power;
    int drawn = 0;
    for (double at = ceil(frame->least / step) * step; at <= frame->most && drawn < 20;
         at += step, drawn++) {
        struct dj_text words = {0};
        dj_text_format(&words, "%.6g", fabs(at) < step / 2 ? 0 : at);
        write_line(text, "g", LEFT, map_y(frame, at), WIDTH - RIGHT, map_y(frame, at));
        write_text(text, "m", LEFT - 8, map_y(frame, at) + 4, "end", &words);
    }
    const size_t ends[] = {0, segment->point_count - 1};
    for (size_t i = 0; i < 2 && (i == 0 || segment->point_count > 1); i++) {
        struct dj_text words = {0};
        dj_report_describe_trend_point(&words, &segment->points[ends[i]]);
        write_text(text, "m", map_x(frame, (double)ends[i]), frame->top + PLOT + 18,
                   segment->point_count == 1 ? "middle"
                   : i == 0                  ? "start"
                                             : "end",
                   &words);
    }
}

static void write_points(struct dj_text *text, const struct dj_trend_segment *segment,
                         const struct frame *frame)
{
    size_t step = (segment->point_count + DRAWN - 1) / DRAWN;
    for (size_t i = 0; i < segment->point_count; i += step) {
        const struct dj_trend_point *point = &segment->points[i];
        double x = map_x(frame, (double)i);
        if (isfinite(point->ci.low) && isfinite(point->ci.high)) {
            write_line(text, "i", x, map_y(frame, point->ci.low), x,
                       map_y(frame, point->ci.high));
        }
        dj_text_format(text,
                       "<circle class=\"p\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"><title>", x,
                       map_y(frame, point->value));
        struct dj_text words = {0};
        dj_report_describe_trend_point(&words, point);
        dj_text_add(&words, " ");
        dj_report_format_trend_day(&words, point->at_unix_ms);
        dj_text_add(&words, ": ");
        dj_report_format_trend_value(&words, segment, point->value);
        dj_html_escape_and_finish(text, &words);
        dj_text_add(text, "</title></circle>\n");
    }
}

static void write_changes(struct dj_text *text, const struct dj_trend_segment *segment,
                          const struct frame *frame)
{
    for (size_t i = 0; i < segment->hint_count; i++) {
        double x = map_x(frame, (double)segment->hints[i].index - 0.5);
        write_line(text, "h", x, frame->top, x, frame->top + PLOT);
    }
    for (size_t i = 0; i < segment->change_count; i++) {
        const struct dj_trend_change *change = &segment->changes[i];
        double x = map_x(frame, (double)change->index - 0.5);
        struct dj_text words = {0};
        const char *class = change->worse && change->blessing == NULL ? "w"
                            : change->better                          ? "b"
                                                                      : "n";
        write_line(text, class, x, frame->top, x, frame->top + PLOT);
        bool accepted = change->blessing != NULL && !isnan(change->ratio);
        dj_report_format_trend_size(&words, change);
        dj_text_add(&words, accepted ? ", accepted" : "");
        write_text(text, "t", x + 4, frame->top + 12, "start", &words);
        write_line(text, "l", map_x(frame, (double)change->from),
                   map_y(frame, change->before), x, map_y(frame, change->before));
        write_line(text, "l", x, map_y(frame, change->after),
                   map_x(frame, (double)change->to - 1), map_y(frame, change->after));
    }
}

static void write_objective(struct dj_text *text, const struct dj_trend_segment *segment,
                            const struct frame *frame)
{
    if (!segment->objective.known) {
        return;
    }
    struct dj_text words = {0};
    double y = map_y(frame, segment->objective.bound);
    write_line(text, "o", LEFT, y, WIDTH - RIGHT, y);
    dj_text_format(&words, "objective %s ", segment->objective.at_least ? "≥" : "≤");
    dj_report_format_trend_value(&words, segment, segment->objective.bound);
    write_text(text, "m", WIDTH - RIGHT, y - 4, "end", &words);
}

static void write_title(struct dj_text *text, const struct dj_trend_segment *segment,
                        double y)
{
    struct dj_text words = {0};
    dj_text_append_escaped_name(&words, segment->words);
    dj_text_append_name(&words, ", ", segment->unit, "");
    dj_text_add(text, "<g font-weight=\"bold\">");
    write_text(text, "t", LEFT, y + 18, "start", &words);
    dj_text_add(text, "</g>");
    dj_report_describe_trend_segment(&words, segment);
    write_text(text, "m", LEFT, y + 36, "start", &words);
}

enum { BINS = 48 };

struct bins {
    double share[BINS]; /* Of the version's frames. */
    double most;
};

/* From 0 to 48 ms and more, 1 ms per bin: the deadline of 60 Hz is in the middle. The
 * middle of a bucket decides its bin. */
static void count_bins(const struct dj_histogram *times, struct bins *bins)
{
    double frames = 0;
    *bins = (struct bins){0};
    for (size_t i = 0; i < times->count; i++) {
        double ms =
            dj_exponential_value(times->buckets[i].key, DJ_EXPONENTIAL_SCALE) / 1e6;
        size_t bin = ms < BINS ? (size_t)ms : BINS - 1;
        bins->share[bin] += (double)times->buckets[i].count;
        frames += (double)times->buckets[i].count;
    }
    for (size_t i = 0; i < BINS && frames > 0; i++) {
        bins->share[i] /= frames;
        bins->most = fmax(bins->most, bins->share[i]);
    }
}

static double write_stack(struct dj_text *text, const struct dj_trend_stack *stack,
                          double y)
{
    const double wide = (double)(WIDTH - LEFT - RIGHT - 80) / BINS;
    struct dj_text words = {0};
    dj_text_add(&words, "Frame times by version, ms; right: share beyond 16.67 ms");
    write_text(text, "m", LEFT, y + 18, "start", &words);
    y += STACK_HEAD - 14;
    for (size_t i = 0; i < stack->count; i++, y += BAND) {
        struct bins bins;
        double late = 0;
        count_bins(&stack->version[i].times, &bins);
        dj_text_append_escaped_name(&words, stack->version[i].name);
        write_text(text, "t", LEFT + 72, y + BAND - 8, "end", &words);
        for (size_t k = 0; k < BINS; k++) {
            double height = bins.most > 0 ? bins.share[k] / bins.most * (BAND - 4) : 0;
            late += k >= 17 ? bins.share[k] : 0;
            if (height > 0.05) {
                dj_text_format(text,
                               "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                               "height=\"%.1f\"/>\n",
                               k >= 17 ? "late" : "early", LEFT + 80 + wide * (double)k,
                               y + BAND - 2 - height, wide - 1, height);
            }
        }
        dj_text_format(&words, "%.1f %%", late * 100);
        write_text(text, "m", WIDTH - RIGHT, y + BAND - 8, "end", &words);
    }
    return y + FOOT / 2;
}

static const struct dj_trend_stack *find_stack(const struct dj_trend_page *page,
                                               size_t index)
{
    const struct dj_trend_segment *segments = page->trend->segments;
    bool last = index + 1 == page->trend->segment_count ||
                strcmp(segments[index].key, segments[index + 1].key) != 0;
    for (size_t i = 0; i < page->stack_count && last; i++) {
        if (strcmp(page->stacks[i].segment->key, segments[index].key) == 0 &&
            page->stacks[i].count > 0) {
            return &page->stacks[i];
        }
    }
    return NULL;
}

/* Also draws the frame times of the history after its last segment. Returns the lower
 * end. */
static double draw_segment(struct dj_text *text, const struct dj_trend_page *page,
                           size_t index, double y)
{
    const struct dj_trend_segment *segment = &page->trend->segments[index];
    const struct dj_trend_stack *stack = find_stack(page, index);
    struct frame frame = {.top = y + HEAD, .points = segment->point_count};
    find_range(segment, &frame);
    write_title(text, segment, y);
    write_axis(text, segment, &frame);
    write_objective(text, segment, &frame);
    write_points(text, segment, &frame);
    write_changes(text, segment, &frame);
    y += HEAD + PLOT + FOOT;
    return stack != NULL ? write_stack(text, stack, y) : y;
}

void dj_report_draw_trend_svg(struct dj_text *text, struct dj_trend_page *page)
{
    page->y = page->before == 0 ? TOP : page->y;
    for (size_t i = 0; i < page->trend->segment_count; i++) {
        page->y = draw_segment(text, page, i, page->y);
    }
}

void dj_report_write_trend_svg_head(struct dj_text *text,
                                    const struct dj_trend_page *page,
                                    const struct dj_trend_totals *told)
{
    (void)told;
    dj_text_format(text,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" "
                   "width=\"%d\" height=\"%.0f\" role=\"img\">\n"
                   "<title>Trends by dejank " DEJANK_VERSION "</title>\n%s",
                   WIDTH, ceil(page->y), WIDTH, ceil(page->y), style);
}

const struct dj_trend_form dj_report_trend_svg = {.suffix = ".svg",
                                                  .stacks = true,
                                                  .draw = dj_report_draw_trend_svg,
                                                  .head = dj_report_write_trend_svg_head,
                                                  .tail = "</svg>\n"};
