#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "report/live.h"

static double get_jank(const struct dj_live_row *row)
{
    return dj_live_janky_percent(&row->figures);
}

static double get_fps(const struct dj_live_row *row)
{
    return row->figures.fps;
}

static double get_p50(const struct dj_live_row *row)
{
    return (double)row->figures.p50_ns;
}

static double get_p95(const struct dj_live_row *row)
{
    return (double)row->figures.p95_ns;
}

static double get_p99(const struct dj_live_row *row)
{
    return (double)row->figures.p99_ns;
}

static double get_longest(const struct dj_live_row *row)
{
    return (double)row->figures.longest_ns;
}

static const struct {
    const char *word;
    /* Function that returns the value of the column. NULL for a column of names. */
    double (*get)(const struct dj_live_row *row);
} orders[] = {
    {"jank", get_jank}, {"fps", get_fps}, {"p50", get_p50},         {"p95", get_p95},
    {"p99", get_p99},   {"name", NULL},   {"longest", get_longest},
};

static int compare_names(const struct dj_live_row *a, const struct dj_live_row *b)
{
    int result = strcmp(dj_live_get_app(a->live), dj_live_get_app(b->live));
    return result != 0 ? result
                       : DJ_COMPARE(dj_live_get_pid(a->live), dj_live_get_pid(b->live));
}

/* Compares two numbers. The larger one is first, and an unknown one is last. */
static int compare_numbers(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a) - isnan(b);
    }
    return DJ_COMPARE(b, a);
}

static int compare_rows(const void *left, const void *right, void *user)
{
    const struct dj_live_row *a = left;
    const struct dj_live_row *b = right;
    const char *order = user;
    int result = 0;
    if (strcmp(order, "pid") == 0) {
        return DJ_COMPARE(dj_live_get_pid(a->live), dj_live_get_pid(b->live));
    }
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        if (strcmp(order, orders[i].word) == 0 && orders[i].get != NULL) {
            result = compare_numbers(orders[i].get(a), orders[i].get(b));
        }
    }
    if (result == 0 && strcmp(order, "name") != 0) {
        result = compare_numbers(get_longest(a), get_longest(b));
    }
    return result != 0 ? result : compare_names(a, b);
}

void dj_report_live_sort(struct dj_live_row *rows, size_t count, const char *order)
{
    if (count > 1) {
        qsort_r(rows, count, sizeof(rows[0]), compare_rows, (void *)order);
    }
}

static const struct dj_live_row *get_row(const void *record)
{
    return record;
}

static void show_ns(struct dj_cell *cell, int64_t ns)
{
    if (ns >= 0) {
        dj_cell_set_number(cell, (double)ns / 1e6, 1);
    }
}

static void show_name(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", dj_live_get_app(get_row(record)->live));
}

static void show_pid(struct dj_cell *cell, const void *record)
{
    int64_t pid = dj_live_get_pid(get_row(record)->live);
    if (pid >= 0) {
        dj_cell_format(cell, "%" PRId64, pid);
    }
}

static void show_fps(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_row(record)->figures.fps, 1);
}

static void show_janky(struct dj_cell *cell, const void *record)
{
    const struct dj_live_figures *figures = &get_row(record)->figures;
    dj_cell_set_number(cell, dj_live_janky_percent(figures), 1);
    cell->tone = figures->janky > 0 ? DJ_TONE_BAD : DJ_TONE_PLAIN;
}

static void show_p50(struct dj_cell *cell, const void *record)
{
    show_ns(cell, get_row(record)->figures.p50_ns);
}

static void show_p95(struct dj_cell *cell, const void *record)
{
    show_ns(cell, get_row(record)->figures.p95_ns);
}

static void show_p99(struct dj_cell *cell, const void *record)
{
    show_ns(cell, get_row(record)->figures.p99_ns);
}

static void show_longest(struct dj_cell *cell, const void *record)
{
    show_ns(cell, get_row(record)->figures.longest_ns);
}

static const struct dj_table_column columns[] = {
    {"app", NULL, false, show_name},  {"pid", NULL, true, show_pid},
    {"fps", NULL, true, show_fps},    {"p50", "ms", true, show_p50},
    {"p95", "ms", true, show_p95},    {"p99", "ms", true, show_p99},
    {"janky", "%", true, show_janky}, {"longest", "ms", true, show_longest}};

static void write_verdict(struct dj_text *words, const struct dj_live_row *rows,
                          size_t count, const char *measured, enum dj_tone *tone)
{
    uint64_t frames = 0;
    uint64_t janky = 0;
    size_t apps = 0;
    for (size_t i = 0; i < count; i++) {
        apps += rows[i].figures.frames > 0;
        frames += rows[i].figures.frames;
        janky += rows[i].figures.janky;
    }
    *tone = janky > 0 ? DJ_TONE_BAD : frames > 0 ? DJ_TONE_GOOD : DJ_TONE_PLAIN;
    dj_text_format(words, "%zu app%s drew %" PRIu64 " frame%s in %s, %" PRIu64 " janky",
                   apps, apps == 1 ? "" : "s", frames, frames == 1 ? "" : "s", measured,
                   janky);
}

void dj_report_build_live_table(struct dj_document *document,
                                const struct dj_live_row *rows, size_t count,
                                const char *measured)
{
    struct dj_text words = {0};
    enum dj_tone tone;
    write_verdict(&words, rows, count, measured, &tone);
    dj_document_set_title(document, "running apps — dejank");
    dj_document_add_verdict(document, tone, &words);
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (size_t i = 0; i < count; i++) {
        dj_document_add_row(document, &rows[i]);
    }
    for (size_t i = 0; i < count; i++) {
        struct dj_text note = {0};
        const struct dj_live_figures *figures = &rows[i].figures;
        if (figures->lost_ranges > 0) {
            dj_text_format(&note, "%s: frames were lost before dejank could read them",
                           dj_live_get_app(rows[i].live));
            dj_document_add_note(document, DJ_TONE_WARNING, &note);
        }
    }
}
