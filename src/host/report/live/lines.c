#include "report/live/lines.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/utf8.h"
#include "memory/memory.h"

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

/* Returns the columns of a character, which is 1 if the locale does not know it. */
static size_t measure(int32_t code)
{
    int columns = wcwidth((wchar_t)code);
    return columns >= 0 ? (size_t)columns : 1;
}

/* Appends at most `width` columns of a string, and returns their number. */
static size_t append_columns(struct dj_text *text, const struct dj_terminal_style *style,
                             struct dj_str words, size_t width)
{
    size_t used = 0;
    for (size_t i = 0; i < words.length;) {
        struct dj_utf8 one = dj_utf8_at(words.at + i, words.length - i);
        bool is_shown = style->unicode || one.code < 0x80;
        size_t columns = is_shown ? measure(one.code) : 1;
        if (used + columns > width) {
            break;
        }
        dj_text_append(text, is_shown ? words.at + i : "?", is_shown ? one.bytes : 1);
        used += columns;
        i += one.bytes;
    }
    return used;
}

static size_t count_columns(struct dj_str words)
{
    size_t columns = 0;
    for (size_t i = 0; i < words.length;) {
        struct dj_utf8 one = dj_utf8_at(words.at + i, words.length - i);
        columns += measure(one.code);
        i += one.bytes;
    }
    return columns;
}

void dj_lines_append_name(struct dj_text *text, const struct dj_terminal_style *style,
                          const char *name, size_t width)
{
    struct dj_text safe = {0};
    dj_text_append_escaped_name(&safe, name);
    struct dj_str words = dj_text_str(&safe);
    bool is_cut = count_columns(words) > width;
    size_t used = append_columns(text, style, words, is_cut ? width - 1 : width);
    if (is_cut) {
        dj_text_add(text, style->unicode ? "…" : "~");
        used++;
    }
    for (; used < width; used++) {
        dj_text_add(text, " ");
    }
    dj_text_finish(&safe);
}

void dj_lines_add_words(struct dj_live_screen *screen,
                        const struct dj_terminal_style *style, enum dj_tone tone,
                        const char *words)
{
    struct dj_live_line *line = dj_lines_add(screen, tone);
    append_columns(&line->text, style, dj_str_of(words), (size_t)style->width);
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

/* Returns the longest frame in each of `width` parts of the last 10 s, in halves of the
 * frame interval, or −1 for a part without frames. */
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
        double halves = (double)frame->frame_time_ns / (double)window->interval_ns * 4;
        double *shown = &longest[width - 1 - part];
        *shown = halves > *shown ? halves : *shown;
    }
}

void dj_lines_append_sparkline(struct dj_text *text,
                               const struct dj_terminal_style *style,
                               const struct dj_live *live, size_t width)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {"_", ".", "-", "=", "+", "*", "#", "@"};
    enum { HEIGHTS = 8, WIDTH_MOST = 200 };
    double longest[WIDTH_MOST];
    width = width < WIDTH_MOST ? width : WIDTH_MOST;
    if (width == 0) {
        return;
    }
    find_longest(live, width, longest);
    for (size_t i = 0; i < width; i++) {
        size_t height = longest[i] < 0          ? 0
                        : longest[i] >= HEIGHTS ? HEIGHTS - 1
                                                : (size_t)longest[i];
        const char *glyph = style->unicode ? blocks[height] : ascii[height];
        dj_text_add(text, longest[i] < 0 ? " " : glyph);
    }
}
