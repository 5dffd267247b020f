#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/live/lines.h"

enum {
    NAME_LEAST = 9,
    NAME_MOST = 32,
    SPARKLINE_LEAST = 8,
    GAP = 1 /* Columns between two columns. */
};

enum column_id { NAME, PID, FPS, P50, P95, P99, JANKY, LONGEST, COLUMNS };

/* The columns of numbers. Narrow screens leave out the columns with the highest
 * `rank`. */
static const struct {
    const char *label;
    size_t width;
    int rank;
} columns[COLUMNS] = {
    [NAME] = {"app", NAME_LEAST, 0}, [PID] = {"pid", 7, 6},
    [FPS] = {"fps", 6, 3},           [P50] = {"p50 ms", 6, 7},
    [P95] = {"p95 ms", 6, 2},        [P99] = {"p99 ms", 6, 5},
    [JANKY] = {"janky", 6, 1},       [LONGEST] = {"longest", 7, 4},
};

struct layout {
    bool is_shown[COLUMNS];
    size_t name_width, sparkline_width;
};

static void choose_columns(struct layout *layout, size_t width)
{
    size_t left = width - NAME_LEAST;
    layout->is_shown[NAME] = true;
    for (int rank = 1; rank < COLUMNS; rank++) {
        for (size_t i = 0; i < COLUMNS; i++) {
            if (columns[i].rank == rank && columns[i].width + GAP <= left) {
                layout->is_shown[i] = true;
                left -= columns[i].width + GAP;
            }
        }
    }
    size_t more = left < NAME_MOST - NAME_LEAST ? left : NAME_MOST - NAME_LEAST;
    bool has_sparkline = left > SPARKLINE_LEAST + GAP;
    if (has_sparkline && left - more < SPARKLINE_LEAST + GAP) {
        more = left - SPARKLINE_LEAST - GAP;
    }
    layout->name_width = NAME_LEAST + more;
    layout->sparkline_width = has_sparkline ? left - more - GAP : 0;
}

static void add_heading(struct dj_live_screen *screen,
                        const struct dj_terminal_style *style,
                        const struct layout *layout)
{
    struct dj_live_line *line = dj_lines_add(screen, DJ_TONE_MUTED);
    line->is_heading = true;
    dj_lines_append_name(&line->text, style, columns[NAME].label, layout->name_width);
    for (size_t i = NAME + 1; i < COLUMNS; i++) {
        if (layout->is_shown[i]) {
            dj_text_format(&line->text, " %*s", (int)columns[i].width, columns[i].label);
        }
    }
    if (layout->sparkline_width > 0) {
        dj_text_add(&line->text, " ");
        dj_lines_append_name(&line->text, style, "last 10 s", layout->sparkline_width);
    }
}

static void append_real(struct dj_text *text, size_t width, double value,
                        const char *unit)
{
    if (isnan(value)) {
        dj_text_format(text, "%*s", (int)width, "-");
    } else {
        dj_text_format(text, "%*.*f%s", (int)(width - strlen(unit)), value < 1000 ? 1 : 0,
                       value, unit);
    }
}

static void append_cell(struct dj_text *text, const struct dj_live_row *row,
                        enum column_id id)
{
    const struct dj_live_figures *figures = &row->figures;
    int64_t pid = dj_live_get_pid(row->live);
    const size_t width = columns[id].width;
    dj_text_add(text, " ");
    switch (id) {
    case PID:
        if (pid >= 0) {
            dj_text_format(text, "%*" PRId64, (int)width, pid);
        } else {
            dj_text_format(text, "%*s", (int)width, "-");
        }
        return;
    case FPS:
        append_real(text, width, figures->fps, "");
        return;
    case JANKY:
        append_real(text, width, dj_live_janky_percent(figures), "%");
        return;
    case P50:
        dj_lines_append_ms(text, width, figures->p50_ns);
        return;
    case P95:
        dj_lines_append_ms(text, width, figures->p95_ns);
        return;
    case P99:
        dj_lines_append_ms(text, width, figures->p99_ns);
        return;
    default:
        dj_lines_append_ms(text, width, figures->longest_ns);
    }
}

static void add_row(struct dj_live_screen *screen, const struct dj_terminal_style *style,
                    const struct layout *layout, const struct dj_live_row *row)
{
    bool is_running = dj_live_get_state(row->live) == DJ_LIVE_RUNNING;
    struct dj_live_line *line =
        dj_lines_add(screen, !is_running              ? DJ_TONE_MUTED
                             : row->figures.janky > 0 ? DJ_TONE_BAD
                                                      : DJ_TONE_PLAIN);
    line->is_row = true;
    dj_lines_append_name(&line->text, style, dj_live_get_app(row->live),
                         layout->name_width);
    for (size_t i = NAME + 1; i < COLUMNS; i++) {
        if (layout->is_shown[i]) {
            append_cell(&line->text, row, (enum column_id)i);
        }
    }
    if (layout->sparkline_width > 0) {
        dj_text_add(&line->text, " ");
        dj_lines_append_sparkline(&line->text, style, row->live, layout->sparkline_width);
    }
}

void dj_report_live_add_waiting(struct dj_live_screen *screen,
                                const struct dj_terminal_style *style,
                                const struct dj_live *live)
{
    struct dj_text words = {0};
    bool is_local = strcmp(dj_live_get_device(live), "local:") == 0;
    dj_text_format(&words, "Waiting for %s%s", dj_live_get_app(live),
                   is_local ? ". Start it:" : "");
    dj_lines_add_words(screen, style, DJ_TONE_PLAIN, dj_xtext(&words));
    if (is_local) {
        dj_lines_add_words(screen, style, DJ_TONE_PLAIN, "  dejank record -- CMD");
    }
    dj_text_finish(&words);
}

void dj_report_live_add_no_app(struct dj_live_screen *screen,
                               const struct dj_terminal_style *style, bool is_local)
{
    dj_lines_add_words(screen, style, DJ_TONE_PLAIN,
                       is_local ? "No app is recorded. Start one:"
                                : "No app of the device has drawn a frame yet.");
    if (is_local) {
        dj_lines_add_words(screen, style, DJ_TONE_PLAIN, "  dejank record -- CMD");
    }
}

void dj_report_live_add_table(struct dj_live_screen *screen,
                              const struct dj_terminal_style *style,
                              const struct dj_live_row *rows, size_t count)
{
    struct layout layout = {.name_width = 0};
    choose_columns(&layout, (size_t)style->width);
    add_heading(screen, style, &layout);
    for (size_t i = 0; i < count; i++) {
        add_row(screen, style, &layout, &rows[i]);
    }
}
