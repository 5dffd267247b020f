#include "report/live/lines.h"

#include <stdlib.h>

#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/terminal/lines.h"

void dj_report_live_screen_finish(struct dj_live_screen *screen)
{
    for (size_t i = 0; i < screen->count; i++) {
        dj_text_finish(&screen->lines[i].text);
    }
    free(screen->lines);
    *screen = (struct dj_live_screen){0};
}

struct dj_live_line *dj_lines_add(struct dj_live_screen *screen, enum dj_tone tone)
{
    DJ_XPUSH(screen->lines, screen->count, (struct dj_live_line){.tone = tone});
    return &screen->lines[screen->count - 1];
}

/* Appends words, escaped and shortened to `width` columns. Returns their columns. */
static size_t append_shortened(struct dj_text *text,
                               const struct dj_terminal_style *style, const char *words,
                               size_t width)
{
    struct dj_text safe = {0};
    dj_name_escape(&safe, words, !style->unicode);
    size_t columns = dj_name_count_columns(dj_xtext(&safe));
    if (columns > width && style->unicode) {
        dj_name_shorten(&safe, width);
        columns = dj_name_count_columns(dj_xtext(&safe));
    } else if (columns > width) {
        safe.length = width - 1;
        dj_text_add(&safe, "~");
        columns = width;
    }
    dj_text_append(text, dj_xtext(&safe), safe.length);
    dj_text_finish(&safe);
    return columns;
}

void dj_lines_append_name(struct dj_text *text, const struct dj_terminal_style *style,
                          const char *name, size_t width)
{
    for (size_t used = append_shortened(text, style, name, width); used < width; used++) {
        dj_text_add(text, " ");
    }
}

void dj_lines_add_words(struct dj_live_screen *screen,
                        const struct dj_terminal_style *style, enum dj_tone tone,
                        const char *words)
{
    struct dj_live_line *line = dj_lines_add(screen, tone);
    append_shortened(&line->text, style, words, (size_t)style->width);
}

void dj_lines_append_ms(struct dj_text *text, size_t width, int64_t ns)
{
    if (ns < 0) {
        dj_text_format(text, "%*s", (int)width, "-");
    } else if (ns >= INT64_C(10000000000)) {
        dj_text_format(text, "%*.0f", (int)width, (double)ns / 1e6);
    } else {
        dj_text_format(text, "%*.1f", (int)width, (double)ns / 1e6);
    }
}

/* The height of a sparkline, in frame intervals. */
enum { INTERVALS = 2, WIDTH_MOST = 200 };

/* For each of `width` parts of the last 10 s, computes the length of the longest frame as
 * a share of the chart's height, or −1 if the part has no frame. */
static void find_longest(const struct dj_live *live, size_t width, double *longest)
{
    int64_t part_ns = DJ_LIVE_SPAN_NS / (int64_t)width;
    size_t count = dj_live_frame_count(live);
    int64_t end_ns = dj_live_get_state(live) == DJ_LIVE_RUNNING || count == 0
                         ? dj_live_get_now_ns(live)
                         : dj_live_get_frame(live, count - 1)->start_ns + 1;
    for (size_t i = 0; i < width; i++) {
        longest[i] = -1;
    }
    for (size_t i = count; i-- > 0;) {
        const struct dj_live_frame *frame = dj_live_get_frame(live, i);
        const struct dj_live_window *window = dj_live_find_window(live, frame->window);
        int64_t age_ns = end_ns - frame->start_ns;
        size_t part = age_ns > 0 ? (size_t)(age_ns / part_ns) : 0;
        if (part >= width || frame->frame_time_ns < 0 || window == NULL ||
            window->interval_ns <= 0) {
            continue;
        }
        double share =
            (double)frame->frame_time_ns / (double)window->interval_ns / INTERVALS;
        double *shown = &longest[width - 1 - part];
        *shown = share > *shown ? share : *shown;
    }
}

void dj_lines_append_sparkline(struct dj_text *text,
                               const struct dj_terminal_style *style,
                               const struct dj_live *live, size_t width)
{
    double longest[WIDTH_MOST];
    width = width < WIDTH_MOST ? width : WIDTH_MOST;
    if (width > 0) {
        find_longest(live, width, longest);
        dj_terminal_append_sparkline(text, longest, width, style->unicode);
    }
}
