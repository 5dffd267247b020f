#include "report/terminal/sections.h"

#include <inttypes.h>
#include <stdio.h>

/*
 * Rows are parts of the frame interval, so the deadline falls between two of them:
 * eighths up to two intervals, where most frames are, then wider ones. A row contains the
 * times above its lower edge, up to and including its upper edge.
 */
static const double edges[] = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875,
                               1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
                               2, 3,     4,    6,     9,   15,    30,   60};
enum {
    EDGE_COUNT = COUNT_OF(edges),
    DEADLINE_EDGE = 8,
    LABEL_COLUMNS = 11,
    SHOWN_EMPTY_ROWS = 2
};

struct rows {
    /* Row i ends at from_ms[i + 1]; the last has no end. */
    double from_ms[DJ_FRAME_BUCKETS + 1];
    uint64_t frames[DJ_FRAME_BUCKETS];
    size_t count;
    size_t deadline; /* The line is before this row. */
};

static void count_exact(const struct dj_view *view, struct rows *rows)
{
    double interval_ms = dj_units_ms(view->interval_ns);
    *rows = (struct rows){.count = EDGE_COUNT, .deadline = DEADLINE_EDGE};
    for (size_t i = 0; i < EDGE_COUNT; i++) {
        rows->from_ms[i] = edges[i] * interval_ms;
    }
    for (size_t i = 0; i < view->frame_count; i++) {
        double part = (double)view->frames[i].frame_time_ns / (double)view->interval_ns;
        size_t row = 0;
        while (row + 1 < EDGE_COUNT && part > edges[row + 1]) {
            row++;
        }
        rows->frames[row]++;
    }
}

/* hwui's buckets; two neighbours of 1 ms share a row. The line is after the row that
 * contains the deadline. */
static void count_hwui(const struct dj_view *view, struct rows *rows)
{
    uint32_t edges_ms[DJ_FRAME_BUCKETS];
    dj_view_get_bucket_edges(edges_ms);
    *rows = (struct rows){0};
    for (size_t bucket = 0; bucket < DJ_FRAME_BUCKETS; bucket++) {
        uint32_t from_ms = edges_ms[bucket];
        bool joins = rows->count > 0 && bucket > 1 && from_ms <= 32 && from_ms % 2 == 1;
        if (!joins) {
            rows->from_ms[rows->count++] = from_ms;
        }
        rows->frames[rows->count - 1] += view->hwui->stats.frame_histogram[bucket];
    }
    while (rows->deadline < rows->count &&
           rows->from_ms[rows->deadline] * 1e6 < (double)view->interval_ns) {
        rows->deadline++;
    }
}

static uint64_t find_largest(const struct rows *rows, size_t *first, size_t *last)
{
    uint64_t most = 0;
    *first = rows->deadline;
    *last = rows->deadline > 0 ? rows->deadline - 1 : 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->frames[i] > 0) {
            *first = i < *first ? i : *first;
            *last = i > *last ? i : *last;
        }
        most = rows->frames[i] > most ? rows->frames[i] : most;
    }
    return most;
}

static void print_deadline(struct dj_terminal *out, const struct dj_view *view)
{
    char label[48];
    double ms = dj_units_ms(view->interval_ns);
    bool wide =
        out->style.width - 2 - snprintf(label, sizeof(label), " %.2f ms ", ms) > 10;
    snprintf(label, sizeof(label), " %.2f ms %s", ms, wide ? "deadline " : "");
    dj_terminal_write_rule(out, label);
}

static void print_row(struct dj_terminal *out, const struct rows *rows, size_t row,
                      uint64_t most)
{
    char label[32];
    double from_ms = rows->from_ms[row];
    if (row + 1 == rows->count) {
        snprintf(label, sizeof(label), ">%.0f", from_ms);
    } else {
        double to_ms = rows->from_ms[row + 1];
        snprintf(label, sizeof(label), "%.*f-%.*f", from_ms < 99.95, from_ms,
                 to_ms < 99.95, to_ms);
    }
    size_t count_columns = (size_t)snprintf(NULL, 0, "%" PRIu64, most);
    size_t used = LABEL_COLUMNS + 1 + count_columns + 1;
    size_t available =
        (size_t)out->style.width > used ? (size_t)out->style.width - used : 1;
    dj_text_format(out->text, "%*s %*" PRIu64 " ", LABEL_COLUMNS, label,
                   (int)count_columns, rows->frames[row]);
    if (rows->frames[row] > 0) {
        dj_terminal_set_color(out, row < rows->deadline ? DJ_COLOR_GOOD : DJ_COLOR_BAD);
        dj_terminal_write_bar(out, (double)rows->frames[row], (double)most, available);
        dj_terminal_set_color(out, DJ_COLOR_NONE);
    }
    dj_text_add(out->text, "\n");
}

/* Number of empty rows from `row` on, up to the deadline or `last`. */
static size_t count_empty_rows(const struct rows *rows, size_t row, size_t last)
{
    size_t end = row < rows->deadline ? rows->deadline : last + 1;
    size_t at = row;
    while (at < end && rows->frames[at] == 0) {
        at++;
    }
    return at - row;
}

static void print_rows(struct dj_terminal *out, const struct dj_view *view,
                       const struct rows *rows)
{
    size_t first;
    size_t last;
    uint64_t most = find_largest(rows, &first, &last);
    for (size_t i = first; i <= last;) {
        size_t run = count_empty_rows(rows, i, last);
        if (i == rows->deadline) {
            print_deadline(out, view);
        }
        if (run > SHOWN_EMPTY_ROWS) {
            dj_text_format(out->text, "%*s\n", LABEL_COLUMNS,
                           dj_terminal_choose_glyph(out, "  ⋮", ":"));
            i += run;
        } else if (run > 0 && i + run > last) {
            break;
        } else {
            print_row(out, rows, i, most);
            i++;
        }
    }
    if (last < rows->deadline) {
        print_deadline(out, view);
    }
}

void dj_terminal_write_exact_histogram(struct dj_terminal *out,
                                       const struct dj_view *view)
{
    struct rows rows;
    if (view->frame_count > 0) {
        count_exact(view, &rows);
        dj_terminal_write_heading(out, "Frame times (ms, frames)");
        print_rows(out, view, &rows);
    }
}

void dj_terminal_write_hwui_histogram(struct dj_terminal *out, const struct dj_view *view)
{
    struct rows rows;
    if (dj_view_count_hwui_frames(view) > view->frame_count) {
        count_hwui(view, &rows);
        dj_terminal_write_heading(
            out, "Frame times of all frames counted, in hwui's buckets (ms, frames)");
        print_rows(out, view, &rows);
        dj_terminal_wrap(out, "", "", "The deadline lies within the row above its line.");
    }
}
