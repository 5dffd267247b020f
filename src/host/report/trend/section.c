/* Builds the section of a segment, and the section with the frame times of a history. */
#include <math.h>
#include <stdio.h>

#include "memory/memory.h"
#include "report/trend.h"
#include "stats/exponential.h"

struct version_row {
    const struct dj_trend_segment *segment;
    struct dj_trend_row row;
    bool has_links;
};

static const struct dj_trend_point *get_first(const struct version_row *version)
{
    return &version->segment->points[version->row.first];
}

static void get_version(struct dj_cell *cell, const void *record)
{
    const struct version_row *version = record;
    const char *batch = get_first(version)->id;
    dj_report_describe_trend_point(&cell->text, get_first(version));
    if (version->has_links && batch != NULL) {
        dj_text_format(&cell->target, "/batches/%s", batch);
    }
}

static void get_day(struct dj_cell *cell, const void *record)
{
    const struct version_row *version = record;
    dj_report_format_trend_day(&cell->text, get_first(version)->at_unix_ms);
}

static void get_runs(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", ((const struct version_row *)record)->row.runs);
}

static void get_value(struct dj_cell *cell, const void *record)
{
    const struct version_row *version = record;
    dj_report_format_trend_value(&cell->text, version->segment, version->row.value);
}

static void get_interval(struct dj_cell *cell, const void *record)
{
    const struct version_row *version = record;
    dj_report_format_trend_interval(&cell->text, version->segment, &version->row.ci);
}

static void get_change(struct dj_cell *cell, const void *record)
{
    const struct version_row *version = record;
    const struct dj_trend_change *change = dj_report_find_trend_change(
        version->segment, version->row.first, version->row.count);
    if (change != NULL) {
        enum dj_trend_state state = dj_report_get_trend_state(version->segment, change);
        cell->tone = dj_report_get_trend_state_tone(state);
        dj_report_format_trend_size(&cell->text, change);
        dj_cell_format(cell, " (%s)", dj_report_get_trend_state_name(state));
    } else {
        dj_cell_format(cell, " ");
    }
}

static void add_versions(struct dj_document *document,
                         const struct dj_trend_segment *segment,
                         const struct dj_trend_section *section)
{
    struct dj_text escaped = {0};
    dj_text_append_escaped_name(&escaped, segment->unit);
    const char *unit = escaped.length > 0 ? dj_xtext(&escaped) : NULL;
    const struct dj_table_column columns[] = {
        {"version", NULL, false, get_version},
        {"since", NULL, false, get_day},
        {"runs", NULL, true, get_runs},
        {unit != NULL ? "" : "value", unit, true, get_value},
        {"95 % interval", NULL, true, get_interval},
        {"change", NULL, false, get_change},
    };
    struct version_row version = {.segment = segment, .has_links = section->has_links};
    size_t first = dj_report_find_trend_row(segment, section->rows);
    struct dj_text words = {0};
    dj_text_format(&words, "values of %s", first > 0 ? "the last versions" : "versions");
    dj_document_begin_details(document, dj_xtext(&words), true);
    if (first > 0) {
        dj_text_clear(&words);
        dj_text_format(&words, "%zu older point%s not in this table.", first,
                       first == 1 ? " is" : "s are");
        dj_document_add_paragraph(document, &words);
    }
    dj_text_finish(&words);
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    dj_text_finish(&escaped);
    for (size_t at = first; dj_report_read_trend_row(segment, at, &version.row);
         at += version.row.count) {
        dj_document_add_row(document, &version);
    }
    dj_document_end_details(document);
}

/* Adds a note about a change. If the batches before and after the change are both known,
 * the note ends with a command or a link to compare them. */
static void add_change(struct dj_document *document,
                       const struct dj_trend_segment *segment,
                       const struct dj_trend_change *change, bool has_links)
{
    const char *older = segment->points[change->index - 1].id;
    const char *newer = segment->points[change->index].id;
    bool has_batches = older != NULL && newer != NULL;
    struct dj_text words = {0};
    dj_text_format(&words, "%s: ", change->id);
    dj_report_describe_trend_change(&words, segment, change);
    dj_text_add(&words, "; ");
    dj_report_describe_trend_reason(&words, segment, change);
    if (has_batches && !has_links) {
        dj_text_format(&words, ". Compare: dejank compare %s %s", older, newer);
    }
    dj_document_add_note(
        document,
        dj_report_get_trend_state_tone(dj_report_get_trend_state(segment, change)),
        &words);
    if (has_batches && has_links) {
        struct dj_text path = {0};
        dj_text_format(&path, "/compare/%s..%s", older, newer);
        dj_text_add(&words, "Compare the batches before and after this change");
        dj_document_add_link(document, dj_xtext(&path), dj_xtext(&words));
        dj_text_finish(&path);
        dj_text_finish(&words);
    }
}

static void add_changes(struct dj_document *document,
                        const struct dj_trend_segment *segment, bool has_links)
{
    for (size_t i = 0; i < segment->change_count; i++) {
        add_change(document, segment, &segment->changes[i], has_links);
    }
    if (segment->change_count == 0 && segment->gap == DJ_TREND_WHOLE) {
        struct dj_text words = {0};
        dj_text_add(&words, "no change");
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
}

static void add_notes(struct dj_document *document,
                      const struct dj_trend_segment *segment)
{
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        struct dj_text words = {0};
        dj_report_describe_trend_note(&words, segment, i);
        if (words.length > 0) {
            dj_document_add_note(document, DJ_TONE_MUTED, &words);
        }
    }
}

/* Links each point of the chart to its batch. */
static void link_points(struct dj_chart *chart, const struct dj_trend_segment *segment)
{
    struct dj_text path = {0};
    struct dj_chart_series *series = NULL;
    for (size_t i = 0; i < chart->series_count; i++) {
        series = chart->series[i].mark == DJ_MARK_INTERVAL ? &chart->series[i] : series;
    }
    for (size_t i = 0; series != NULL && i < series->point_count; i++) {
        const char *batch = segment->points[(size_t)series->points[i].x].id;
        if (batch != NULL) {
            dj_text_format(&path, "/batches/%s", batch);
            dj_chart_set_target(&series->points[i], dj_xtext(&path));
            dj_text_clear(&path);
        }
    }
    dj_text_finish(&path);
}

void dj_report_add_trend_segment(struct dj_document *document,
                                 const struct dj_trend_segment *segment,
                                 const struct dj_trend_section *section)
{
    struct dj_text words = {0};
    char id[32];
    if (section->names_history) {
        dj_report_describe_trend_segment(&words, segment);
        dj_document_add_section(document, 2, NULL, &words);
    }
    dj_text_append_escaped_name(&words, segment->words);
    dj_text_append_name(&words, ", ", segment->unit, "");
    snprintf(id, sizeof(id), "trend-%zu", section->number);
    dj_document_add_section(document, 3, id, &words);
    struct dj_chart *chart = dj_report_create_trend_chart(segment);
    if (section->has_links) {
        link_points(chart, segment);
    }
    dj_document_add_chart(document, chart);
    add_changes(document, segment, section->has_links);
    add_notes(document, segment);
    if (section->rows > 0) {
        add_versions(document, segment, section);
    }
}

static const double DEADLINE_MS = 1000.0 / 60;

/* The frame times of a version in ms. */
struct times_row {
    const char *name;
    double p5, p50, p95;
    double late_percent; /* Frames that took longer than DEADLINE_MS. */
};

static double compute_late_percent(const struct dj_histogram *times)
{
    double frames = 0;
    double late = 0;
    for (size_t i = 0; i < times->count; i++) {
        double ms =
            dj_exponential_value(times->buckets[i].key, DJ_EXPONENTIAL_SCALE) / 1e6;
        frames += (double)times->buckets[i].count;
        late += ms > DEADLINE_MS ? (double)times->buckets[i].count : 0;
    }
    return frames > 0 ? 100 * late / frames : NAN;
}

static double compute_quantile_ms(const struct dj_histogram *times, double p)
{
    return dj_exponential_quantile(times, DJ_EXPONENTIAL_SCALE, p) / 1e6;
}

static struct times_row compute_times(const struct dj_trend_stack *stack, size_t version)
{
    const struct dj_histogram *times = &stack->version[version].times;
    return (struct times_row){.name = stack->version[version].name,
                              .p5 = compute_quantile_ms(times, 0.05),
                              .p50 = compute_quantile_ms(times, 0.5),
                              .p95 = compute_quantile_ms(times, 0.95),
                              .late_percent = compute_late_percent(times)};
}

static void get_times_version(struct dj_cell *cell, const void *record)
{
    dj_text_append_escaped_name(&cell->text, ((const struct times_row *)record)->name);
}

static void get_p5(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, ((const struct times_row *)record)->p5, 2);
}

static void get_p50(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, ((const struct times_row *)record)->p50, 2);
}

static void get_p95(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, ((const struct times_row *)record)->p95, 2);
}

static void get_late(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, ((const struct times_row *)record)->late_percent, 1);
}

static const struct dj_table_column times_columns[] = {
    {"version", NULL, false, get_times_version},
    {"p5", "ms", true, get_p5},
    {"median", "ms", true, get_p50},
    {"p95", "ms", true, get_p95},
    {"longer than 16.67 ms", "%", true, get_late},
};

static void add_times_chart(struct dj_document *document,
                            const struct dj_trend_stack *stack)
{
    struct dj_chart *chart = dj_chart_create("Frame times by version");
    struct dj_text label = {0};
    dj_chart_set_x(chart, "version", "");
    dj_chart_set_y(chart, "frame time: median, and 5 to 95 % of the frames", "ms", true);
    dj_chart_add_series(chart, "", DJ_MARK_INTERVAL, DJ_ROLE_FIRST);
    dj_chart_add_threshold(chart, false, DEADLINE_MS, DJ_ROLE_DEADLINE,
                           "16.67 ms, a frame at 60 Hz");
    for (size_t i = 0; i < stack->count; i++) {
        struct times_row times = compute_times(stack, i);
        dj_text_append_escaped_name(&label, times.name);
        dj_chart_add_tick(chart, (double)i, dj_xtext(&label));
        dj_text_format(&label,
                       ": median %.2f ms, 5 to 95 %% of the frames %.2f–%.2f ms, %.1f %% "
                       "longer than 16.67 ms",
                       times.p50, times.p5, times.p95, times.late_percent);
        dj_chart_add_interval(chart, (double)i, times.p50, times.p5, times.p95,
                              dj_xtext(&label));
        dj_text_clear(&label);
    }
    dj_text_finish(&label);
    dj_document_add_chart(document, chart);
}

void dj_report_add_trend_stack(struct dj_document *document,
                               const struct dj_trend_stack *stack)
{
    if (stack->count == 0) {
        return;
    }
    dj_document_add_heading(document, 3, "frame times, ms");
    add_times_chart(document, stack);
    dj_document_begin_details(document, "frame times of versions", true);
    dj_document_begin_table(document, times_columns, COUNT_OF(times_columns));
    for (size_t i = 0; i < stack->count; i++) {
        struct times_row times = compute_times(stack, i);
        dj_document_add_row(document, &times);
    }
    dj_document_end_details(document);
}
