#include <string.h>

#include "report/terminal/sections.h"

/* Twelve lines: with heights of 2, 3, 4, 6 and 12 intervals the deadline is on the edge
 * of a line. */
enum { CHART_ROWS = 12, AXIS_COLUMNS = 6, MAX_COLUMNS = DJ_TERMINAL_MAX_WIDTH };

enum { NOTHING = -1 };

enum { PARTS = DJ_STAGE_COUNT };

/* One bar: the length of each part, and the total that is judged. */
struct bar {
    int64_t part_ns[PARTS];
    int64_t total_ns;
};

struct part_style {
    char letter; /* Used without colours. */
    int color;   /* Of the 256 colours. */
    const char *name;
};

struct bars {
    const char *title;
    const char *bar_noun; /* The noun for one bar: "frame". */
    const struct dj_view *view;
    size_t count; /* > 0 */
    struct bar (*bar)(const struct dj_view *view, size_t index);
    const struct part_style *styles;
    uint32_t known; /* Bit n: part n occurs. */
};

struct chart {
    const struct bars *bars;
    struct bar column[MAX_COLUMNS];
    size_t columns;
    size_t bars_per_column;
    double top_ns;
    size_t deadline_row; /* From below: the line is the lower edge of this row. */
    size_t beyond;
    int64_t longest_ns;
};

/* Chooses the least height, in frame intervals, that at most a tenth of the columns
 * exceeds: a few long frames must not flatten all others. */
static void choose_scale(struct chart *chart, int64_t interval_ns)
{
    static const size_t heights[] = {2, 3, 4, 6, CHART_ROWS};
    for (size_t i = 0; i < COUNT_OF(heights); i++) {
        chart->top_ns = (double)heights[i] * (double)interval_ns;
        chart->deadline_row = CHART_ROWS / heights[i];
        chart->beyond = 0;
        for (size_t k = 0; k < chart->columns; k++) {
            chart->beyond += (double)chart->column[k].total_ns > chart->top_ns;
        }
        if (chart->beyond * 10 <= chart->columns) {
            return;
        }
    }
}

/* Adjacent bars share a column if there are more bars than columns. The longest of them
 * represents the column. */
static void arrange_columns(const struct bars *bars, size_t available,
                            int64_t interval_ns, struct chart *chart)
{
    *chart = (struct chart){.bars = bars,
                            .bars_per_column = (bars->count + available - 1) / available};
    for (size_t i = 0; i < bars->count; i++) {
        struct bar bar = bars->bar(bars->view, i);
        size_t column = i / chart->bars_per_column;
        if (column == chart->columns || bar.total_ns > chart->column[column].total_ns) {
            chart->column[column] = bar;
        }
        chart->columns = column + 1;
        chart->longest_ns =
            bar.total_ns > chart->longest_ns ? bar.total_ns : chart->longest_ns;
    }
    choose_scale(chart, interval_ns);
}

/* The part that a bar shows at a height. */
static int find_part(const struct bar *bar, double height_ns)
{
    double base_ns = 0;
    for (size_t part = 0; part < PARTS; part++) {
        base_ns += (double)bar->part_ns[part];
        if (height_ns < base_ns) {
            return (int)part;
        }
    }
    return NOTHING;
}

/* Prints the letter of a part, or a block in its colour. */
static void print_part(struct dj_terminal *out, const struct part_style *part_style)
{
    const char letter[] = {part_style->letter, '\0'};
    dj_terminal_write_colored(out, part_style->color,
                              out->style.color && out->style.unicode ? "█" : letter);
}

/* In colour a cell has two halves, so bars are twice as exact as lines. */
static void print_cell(struct dj_terminal *out, const struct chart *chart, size_t row,
                       size_t column)
{
    const struct bar *bar = &chart->column[column];
    const struct part_style *styles = chart->bars->styles;
    bool halves = out->style.color && out->style.unicode;
    double cell_ns = chart->top_ns / CHART_ROWS;
    double base_ns = (double)row * cell_ns;
    int upper = find_part(bar, base_ns + (halves ? 0.75 : 0.5) * cell_ns);
    int lower = halves ? find_part(bar, base_ns + 0.25 * cell_ns) : upper;
    if (row == CHART_ROWS - 1 && (double)bar->total_ns > chart->top_ns) {
        dj_text_add(out->text, dj_terminal_choose_glyph(out, "▲", "^"));
    } else if (lower == NOTHING && row == chart->deadline_row) {
        dj_terminal_write_colored(out, DJ_COLOR_DEADLINE,
                                  dj_terminal_choose_glyph(out, "▁", "_"));
    } else if (lower == NOTHING) {
        dj_text_add(out->text, " ");
    } else if (upper == lower) {
        print_part(out, &styles[lower]);
    } else if (upper == NOTHING) {
        dj_terminal_write_colored(out, styles[lower].color, "▄");
    } else {
        dj_terminal_set_color(out, styles[upper].color);
        dj_text_format(out->text, "\033[48;5;%dm▀", styles[lower].color);
        dj_terminal_set_color(out, DJ_COLOR_NONE);
    }
}

/* Prints the value at a row's lower edge: only the deadline and its multiples. */
static void print_axis(struct dj_terminal *out, const struct chart *chart, size_t row)
{
    bool on_line = row == chart->deadline_row;
    if (row % chart->deadline_row != 0) {
        dj_terminal_write_repeated(out, " ", AXIS_COLUMNS);
        return;
    }
    double ms = chart->top_ns * (double)row / CHART_ROWS / 1e6;
    dj_terminal_set_color(out, on_line ? DJ_COLOR_DEADLINE : DJ_COLOR_MUTED);
    dj_text_format(out->text, ms >= 1000 ? "%5.0f" : ms >= 100 ? "%5.1f" : "%5.2f", ms);
    dj_text_add(out->text, on_line ? dj_terminal_choose_glyph(out, "▁", "_") : " ");
    dj_terminal_set_color(out, DJ_COLOR_NONE);
}

static void print_legend(struct dj_terminal *out, const struct bars *bars)
{
    size_t column = 0;
    for (size_t part = 0; part < PARTS; part++) {
        if ((bars->known & (1U << part)) == 0) {
            continue;
        }
        size_t columns = strlen(bars->styles[part].name) + 2;
        if (column > 0 && column + 2 + columns > (size_t)out->style.width) {
            dj_text_add(out->text, "\n");
            column = 0;
        }
        dj_text_add(out->text, column > 0 ? "  " : "");
        column += columns + (column > 0 ? 2 : 0);
        print_part(out, &bars->styles[part]);
        dj_text_format(out->text, " %s", bars->styles[part].name);
    }
    dj_text_add(out->text, "\n");
}

static void print_how(struct dj_terminal *out, const struct chart *chart)
{
    const struct bars *bars = chart->bars;
    struct dj_text words = {0};
    if (chart->bars_per_column > 1) {
        dj_text_format(&words, "Each column: the worst of %zu %ss in a row",
                       chart->bars_per_column, bars->bar_noun);
    } else {
        dj_text_format(&words, "Each column: one %s", bars->bar_noun);
    }
    dj_text_format(&words, " (%zu %ss).", bars->count, bars->bar_noun);
    dj_terminal_wrap_and_finish(out, "", "", &words);
    if (chart->beyond > 0) {
        dj_text_format(&words, "%zu %s beyond the top; the longest %s is %.1f ms.",
                       chart->beyond,
                       chart->beyond == 1 ? "column reaches" : "columns reach",
                       bars->bar_noun, dj_units_ms(chart->longest_ns));
        dj_terminal_wrap_and_finish(out, "", "", &words);
    }
}

/* Prints a heading, the chart, its legend, and how the bars were fitted to the width. */
static void print_bars(struct dj_terminal *out, const struct bars *bars)
{
    struct chart chart;
    arrange_columns(bars, (size_t)out->style.width - AXIS_COLUMNS,
                    bars->view->interval_ns, &chart);
    dj_terminal_write_heading(out, bars->title);
    for (size_t row = CHART_ROWS; row-- > 0;) {
        print_axis(out, &chart, row);
        for (size_t column = 0; column < chart.columns; column++) {
            print_cell(out, &chart, row, column);
        }
        dj_text_add(out->text, "\n");
    }
    print_legend(out, bars);
    print_how(out, &chart);
}

static const struct {
    char letter;
    int color;
} stage_styles[DJ_STAGE_COUNT] = {
    [DJ_STAGE_APP] = {'A', 62},    [DJ_STAGE_VSYNC_DELAY] = {'V', 245},
    [DJ_STAGE_INPUT] = {'I', 175}, [DJ_STAGE_ANIMATION] = {'N', 36},
    [DJ_STAGE_LAYOUT] = {'L', 74}, [DJ_STAGE_DRAW] = {'D', 25},
    [DJ_STAGE_WAIT] = {'W', 240},  [DJ_STAGE_SYNC] = {'Y', 221},
    [DJ_STAGE_ISSUE] = {'C', 178}, [DJ_STAGE_SWAP] = {'S', 166},
};

/* A frame's own time excludes the wait for the display. */
static struct bar compute_stages_bar(const struct dj_view *view, size_t index)
{
    const struct dj_view_frame *frame = &view->frames[index];
    struct bar bar = {.total_ns = frame->frame_time_ns};
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        bar.part_ns[i] = i == DJ_STAGE_WAIT ? 0 : frame->stages.ns[i];
    }
    return bar;
}

void dj_terminal_write_stages(struct dj_terminal *out, const struct dj_view *view)
{
    struct part_style styles[PARTS];
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        styles[i] = (struct part_style){stage_styles[i].letter, stage_styles[i].color,
                                        dj_frame_stage_name((enum dj_stage)i)};
    }
    if (view->frame_count == 0) {
        return;
    }
    print_bars(out, &(struct bars){
                        .title = "Stages of the frames (ms)",
                        .bar_noun = "frame",
                        .view = view,
                        .count = view->frame_count,
                        .bar = compute_stages_bar,
                        .styles = styles,
                        .known = view->stages_known & ~(1U << DJ_STAGE_WAIT),
                    });
    if ((view->stages_known & (1U << DJ_STAGE_WAIT)) != 0) {
        dj_terminal_wrap(
            out, "", "",
            "The wait for the display (SyncQueued → SyncStart) is not part of "
            "a frame's time and not drawn.");
    }
}

/* Columns that a release lacks are negative. */
static struct bar compute_profile_bar(const struct dj_view *view, size_t index)
{
    const struct dj_profile_row *row = &view->window->profile[index];
    const float values_ms[] = {row->draw_ms, row->prepare_ms, row->process_ms,
                               row->execute_ms};
    struct bar bar = {0};
    for (size_t i = 0; i < COUNT_OF(values_ms); i++) {
        bar.part_ns[i] = values_ms[i] > 0 ? (int64_t)((double)values_ms[i] * 1e6) : 0;
        bar.total_ns += bar.part_ns[i];
    }
    return bar;
}

void dj_terminal_write_profile(struct dj_terminal *out, const struct dj_view *view)
{
    static const struct part_style styles[PARTS] = {{'D', 25, "Draw"},
                                                    {'R', 221, "Prepare"},
                                                    {'P', 178, "Process"},
                                                    {'E', 166, "Execute"}};
    enum { ALL = 0xf, PREPARE = 0x2 };
    if (!dj_view_has_profile(view)) {
        return;
    }
    print_bars(
        out, &(struct bars){
                 .title = "Simple timing dump (ms)",
                 .bar_noun = "row",
                 .view = view,
                 .count = view->window->profile_count,
                 .bar = compute_profile_bar,
                 .styles = styles,
                 .known = view->window->profile[0].prepare_ms < 0 ? ALL & ~PREPARE : ALL,
             });
}
