#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/trend.h"

/* As many cells as fit; a cell is the mean of its points. */
static void write_sparkline(struct dj_text *text, const struct dj_trend_segment *segment,
                            const struct dj_terminal_style *style)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const plain[] = {"_", ".", "-", "=", "+", "*", "%", "#"};
    double least = INFINITY;
    double most = -INFINITY;
    for (size_t i = 0; i < segment->point_count; i++) {
        least = fmin(least, segment->points[i].value);
        most = fmax(most, segment->points[i].value);
    }
    size_t room = style->width > 4 ? (size_t)style->width - 2 : 2;
    size_t cells = segment->point_count < room ? segment->point_count : room;
    dj_text_add(text, "  ");
    for (size_t i = 0; i < cells; i++) {
        size_t from = i * segment->point_count / cells;
        size_t to = (i + 1) * segment->point_count / cells;
        double sum = 0;
        for (size_t k = from; k < to; k++) {
            sum += segment->points[k].value / (double)(to - from);
        }
        double part = most > least ? (sum - least) / (most - least) : 0;
        size_t level = (size_t)(part * 7.999);
        dj_text_add(text, (style->unicode ? blocks : plain)[level < 8 ? level : 7]);
    }
    dj_text_add(text, "\n");
}

/* A column of plain characters: names are escaped and truncated. */
static void write_padded(struct dj_text *text, const struct dj_text *cell, size_t width)
{
    const char *at = dj_xtext(cell);
    size_t columns = 0;
    for (; *at != '\0' && columns < width; at++) {
        if (((unsigned char)*at & 0xC0) != 0x80) {
            columns++;
        }
        dj_text_append(text, at, 1);
    }
    while (((unsigned char)*at & 0xC0) == 0x80) {
        dj_text_append(text, at++, 1);
    }
    for (; columns < width + 2; columns++) {
        dj_text_add(text, " ");
    }
}

static void write_row(struct dj_text *text, const struct dj_trend_segment *segment,
                      const struct dj_trend_row *row)
{
    enum { NAME = 20, DAY = 10, RUNS = 5 };
    struct dj_text cell = {0};
    const struct dj_trend_change *change =
        dj_report_find_trend_change(segment, row->first, row->count);
    dj_text_add(text, "  ");
    dj_report_describe_trend_point(&cell, &segment->points[row->first]);
    write_padded(text, &cell, NAME);
    dj_text_clear(&cell);
    dj_report_format_trend_day(&cell, segment->points[row->first].at_unix_ms);
    write_padded(text, &cell, DAY);
    dj_text_format(text, "%*zu  ", RUNS, row->runs);
    dj_report_format_trend_value(text, segment, row->value);
    dj_report_format_trend_interval(text, segment, &row->ci,
                                    (const char *const[]){" [", ", ", "]"});
    if (change != NULL) {
        dj_text_format(text, "  <- %s", change->id);
    }
    dj_text_add(text, "\n");
    dj_text_finish(&cell);
}

static void write_table(struct dj_text *text, const struct dj_trend_segment *segment,
                        size_t rows)
{
    struct dj_trend_row row;
    size_t from = dj_report_find_trend_row(segment, rows);
    if (from > 0) {
        dj_text_format(text, "  … %zu older points (--rows 0 shows all)\n", from);
    }
    for (size_t at = from; dj_report_read_trend_row(segment, at, &row); at += row.count) {
        write_row(text, segment, &row);
    }
}

static void write_changes(struct dj_text *text, const struct dj_trend_segment *segment)
{
    for (size_t i = 0; i < segment->change_count; i++) {
        const struct dj_trend_change *change = &segment->changes[i];
        dj_text_format(text, "  %s  ", change->id);
        dj_report_describe_trend_change(text, segment, change);
        dj_text_add(text, "\n            ");
        dj_report_describe_trend_reason(text, segment, change);
        dj_text_add(text, "\n");
    }
    if (segment->change_count == 0 && segment->gap == DJ_TREND_WHOLE) {
        dj_text_add(text, "  no change of its level\n");
    }
}

static void write_notes(struct dj_text *text, const struct dj_trend_segment *segment)
{
    struct dj_text words = {0};
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        dj_report_describe_trend_note(&words, segment, i);
        dj_text_format(text, words.length > 0 ? "  %s\n" : "%s", dj_xtext(&words));
        dj_text_clear(&words);
    }
    dj_text_finish(&words);
    if (segment->objective.known) {
        dj_text_format(text, "  objective: %s ", segment->objective.at_least ? "≥" : "≤");
        dj_report_format_trend_value(text, segment, segment->objective.bound);
        dj_text_format(text, " %s\n", segment->unit);
    }
    if (segment->backwards > 0) {
        dj_text_format(text,
                       "  %zu batch%s put in before an older one (a clock that was set, "
                       "or stores put together): by their times here\n",
                       segment->backwards, segment->backwards == 1 ? " was" : "es were");
    }
}

static void write_part(struct dj_text *text, struct dj_trend_page *page)
{
    for (size_t i = 0; i < page->trend->segment_count; i++) {
        const struct dj_trend_segment *segment = &page->trend->segments[i];
        if (strcmp(page->last, segment->key) != 0) {
            dj_text_add(text, page->before + i > 0 ? "\n" : "");
            dj_report_describe_trend_segment(text, segment);
            dj_text_add(text, "\n");
            memcpy(page->last, segment->key, sizeof(page->last));
        }
        dj_name_format(text, "\n  %s", segment->words);
        dj_text_append_name(text, ", ", segment->unit, "");
        dj_text_add(text, "\n");
        write_sparkline(text, segment, page->style);
        write_table(text, segment, page->rows);
        write_changes(text, segment);
        write_notes(text, segment);
    }
}

const struct dj_trend_form dj_report_trend_text = {.suffix = "", .part = write_part};
