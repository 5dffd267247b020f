#include <stdio.h>

#include "report/terminal_page.h"

/* Twelve lines: with the deadline at a third or a half of the height it falls on the edge
 * of one. */
enum { CHART_ROWS = 12, AXIS_COLUMNS = 6, MOST_COLUMNS = DJ_TERMINAL_MOST };

static const struct {
    char letter;
    int color;
} looks[DJ_STAGE_COUNT] = {
    [DJ_STAGE_APP] = {'A', 62},    [DJ_STAGE_VSYNC_DELAY] = {'V', 245},
    [DJ_STAGE_INPUT] = {'I', 175}, [DJ_STAGE_ANIMATION] = {'N', 36},
    [DJ_STAGE_LAYOUT] = {'L', 74}, [DJ_STAGE_DRAW] = {'D', 25},
    [DJ_STAGE_WAIT] = {'W', 240},  [DJ_STAGE_SYNC] = {'Y', 221},
    [DJ_STAGE_ISSUE] = {'C', 178}, [DJ_STAGE_SWAP] = {'S', 166},
};

enum { NOTHING = -1 };

struct chart {
    const struct dj_view_frame *column[MOST_COLUMNS];
    size_t columns;
    size_t frames_per_column;
    double top_ns;
    size_t deadline_row; /* from below: the line is the lower edge of this row */
    size_t beyond;
    int64_t longest_ns;
};

/* Adjacent frames share a column where there are more than columns: the slowest of them
 * stands for all. */
static void arrange(const struct dj_view *view, size_t room, struct chart *chart)
{
    *chart = (struct chart){.frames_per_column = (view->frame_count + room - 1) / room};
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_view_frame *frame = &view->frames[i];
        size_t column = i / chart->frames_per_column;
        if (chart->column[column] == NULL ||
            frame->frame_time_ns > chart->column[column]->frame_time_ns) {
            chart->column[column] = frame;
        }
        chart->columns = column + 1;
        if (frame->frame_time_ns > chart->longest_ns) {
            chart->longest_ns = frame->frame_time_ns;
        }
    }
    size_t intervals = chart->longest_ns > 2 * view->interval_ns ? 3 : 2;
    chart->top_ns = (double)intervals * (double)view->interval_ns;
    chart->deadline_row = CHART_ROWS / intervals;
    for (size_t i = 0; i < chart->columns; i++) {
        chart->beyond += (double)chart->column[i]->frame_time_ns > chart->top_ns;
    }
}

/* The stage that a frame's bar shows at a height; the wait for the display is no part of
 * it. */
static int stage_at(const struct dj_view_frame *frame, double height_ns)
{
    double base_ns = 0;
    for (size_t stage = 0; stage < DJ_STAGE_COUNT; stage++) {
        if (stage != DJ_STAGE_WAIT) {
            base_ns += (double)frame->stages.ns[stage];
            if (height_ns < base_ns) {
                return (int)stage;
            }
        }
    }
    return NOTHING;
}

static void print_empty_cell(struct dj_terminal *out, bool on_line)
{
    if (on_line) {
        dj_terminal_color(out, DJ_COLOR_DEADLINE);
        dj_text_string(out->text, dj_terminal_glyph(out, "▁", "_"));
        dj_terminal_color(out, DJ_COLOR_NONE);
    } else {
        dj_text_string(out->text, " ");
    }
}

/* Half a cell each: bars are twice as exact as lines. */
static void print_color_cell(struct dj_terminal *out, int upper, int lower, bool on_line)
{
    if (lower == NOTHING) {
        print_empty_cell(out, on_line);
        return;
    }
    if (upper == lower) {
        dj_terminal_color(out, looks[lower].color);
        dj_text_string(out->text, "█");
    } else if (upper == NOTHING) {
        dj_terminal_color(out, looks[lower].color);
        dj_text_string(out->text, "▄");
    } else {
        dj_terminal_color_pair(out, looks[upper].color, looks[lower].color);
        dj_text_string(out->text, "▀");
    }
    dj_terminal_color(out, DJ_COLOR_NONE);
}

static void print_cell(struct dj_terminal *out, const struct chart *chart, size_t row,
                       size_t column)
{
    const struct dj_view_frame *frame = chart->column[column];
    double cell_ns = chart->top_ns / CHART_ROWS;
    double base_ns = (double)row * cell_ns;
    if (row == CHART_ROWS - 1 && (double)frame->frame_time_ns > chart->top_ns) {
        dj_text_string(out->text, dj_terminal_glyph(out, "▲", "^"));
        return;
    }
    if (out->style.color && out->style.unicode) {
        print_color_cell(out, stage_at(frame, base_ns + 0.75 * cell_ns),
                         stage_at(frame, base_ns + 0.25 * cell_ns),
                         row == chart->deadline_row);
        return;
    }
    int stage = stage_at(frame, base_ns + 0.5 * cell_ns);
    if (stage == NOTHING) {
        print_empty_cell(out, row == chart->deadline_row);
    } else {
        dj_terminal_color(out, looks[stage].color);
        dj_text_append(out->text, &looks[stage].letter, 1);
        dj_terminal_color(out, DJ_COLOR_NONE);
    }
}

/* The value at a row's lower edge: the deadline, its multiples, and nothing else. */
static void print_axis(struct dj_terminal *out, const struct chart *chart, size_t row)
{
    bool on_line = row == chart->deadline_row;
    if (row % chart->deadline_row != 0) {
        dj_terminal_repeat(out, " ", AXIS_COLUMNS);
        return;
    }
    double ms = chart->top_ns * (double)row / CHART_ROWS / 1e6;
    dj_terminal_color(out, on_line ? DJ_COLOR_DEADLINE : DJ_COLOR_MUTED);
    dj_text_format(out->text, ms >= 1000 ? "%5.0f" : ms >= 100 ? "%5.1f" : "%5.2f", ms);
    dj_text_string(out->text, on_line ? dj_terminal_glyph(out, "▁", "_") : " ");
    dj_terminal_color(out, DJ_COLOR_NONE);
}

static void print_legend(struct dj_terminal *out, const struct dj_view *view)
{
    size_t column = 0;
    for (size_t stage = 0; stage < DJ_STAGE_COUNT; stage++) {
        if ((view->stages_known & (1U << stage)) == 0 || stage == DJ_STAGE_WAIT) {
            continue;
        }
        const char *name = dj_stage_name((enum dj_stage)stage);
        size_t columns = (size_t)snprintf(NULL, 0, "%s", name) + 2;
        if (column > 0 && column + 2 + columns > (size_t)out->style.width) {
            dj_text_string(out->text, "\n");
            column = 0;
        }
        dj_text_string(out->text, column > 0 ? "  " : "");
        column += columns + (column > 0 ? 2 : 0);
        dj_terminal_color(out, looks[stage].color);
        if (out->style.color && out->style.unicode) {
            dj_text_string(out->text, "█");
        } else {
            dj_text_append(out->text, &looks[stage].letter, 1);
        }
        dj_terminal_color(out, DJ_COLOR_NONE);
        dj_text_format(out->text, " %s", name);
    }
    dj_text_string(out->text, "\n");
}

static void print_how(struct dj_terminal *out, const struct dj_view *view,
                      const struct chart *chart)
{
    char sentence[240];
    if (chart->frames_per_column > 1) {
        snprintf(sentence, sizeof(sentence),
                 "Each column: the worst of %zu frames in a row (%zu frames).",
                 chart->frames_per_column, view->frame_count);
    } else {
        snprintf(sentence, sizeof(sentence), "Each column: one frame (%zu frames).",
                 view->frame_count);
    }
    dj_terminal_wrap(out, "", "", sentence);
    if (chart->beyond > 0) {
        snprintf(sentence, sizeof(sentence),
                 "%zu %s beyond the top; the longest frame is %.1f ms.", chart->beyond,
                 chart->beyond == 1 ? "column reaches" : "columns reach",
                 (double)chart->longest_ns / 1e6);
        dj_terminal_wrap(out, "", "", sentence);
    }
    if ((view->stages_known & (1U << DJ_STAGE_WAIT)) != 0) {
        dj_terminal_wrap(
            out, "", "",
            "The wait for the display (SyncQueued → SyncStart) is not part of "
            "a frame's time and not drawn.");
    }
}

void dj_terminal_stages(struct dj_terminal *out, const struct dj_view *view)
{
    if (view->frame_count == 0) {
        return;
    }
    struct chart chart;
    arrange(view, (size_t)out->style.width - AXIS_COLUMNS, &chart);
    dj_terminal_heading(out, "Stages of the frames (ms)");
    for (size_t row = CHART_ROWS; row-- > 0;) {
        print_axis(out, &chart, row);
        for (size_t column = 0; column < chart.columns; column++) {
            print_cell(out, &chart, row, column);
        }
        dj_text_string(out->text, "\n");
    }
    print_legend(out, view);
    print_how(out, view, &chart);
}
