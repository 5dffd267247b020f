#include "store/figures/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "memory/memory.h"
#include "store/blob.h"
#include "store/browse.h"
#include "store/sql/schema.h"

#define PARAMETER(symbol, name, sense, about) "?, "

static int insert_metrics(struct dj_store *store, int64_t window,
                          const struct dj_metrics *metrics, struct dj_error *err)
{
    static const char sql[] = "INSERT INTO metrics (" DJ_METRIC_COLUMNS
                              ") VALUES (" DJ_METRIC_MAP(PARAMETER) "?)";
    return dj_sql_run(store, err, sql, "Di", metrics->value, (size_t)DJ_METRIC_COUNT,
                      window);
}

/* Writes the counts of a histogram as JSON: {"5":3,"6":10}. The keys are in ascending
 * order. */
static void write_counts(struct dj_text *text, const struct dj_histogram *histogram)
{
    dj_json_open_object(text, NULL);
    for (size_t i = 0; i < histogram->count; i++) {
        char key[16];
        snprintf(key, sizeof(key), "%" PRId32, histogram->buckets[i].key);
        dj_json_add_int(text, key, (int64_t)histogram->buckets[i].count);
    }
    dj_json_close(text, "}");
}

static int insert_histogram(struct dj_store *store, int64_t window,
                            enum dj_histogram_kind kind,
                            const struct dj_histogram *histogram, struct dj_error *err)
{
    struct dj_text counts = {0};
    write_counts(&counts, histogram);
    int code = dj_sql_run(
        store, err, "INSERT INTO histograms (window_id, kind, counts) VALUES (?, ?, ?)",
        "itt", window, dj_metrics_histogram_kind_name(kind), dj_xtext(&counts));
    dj_text_finish(&counts);
    return code;
}

int dj_figures_insert(struct dj_store *store, int64_t window,
                      const struct dj_window_figures *figures, struct dj_error *err)
{
    int code = insert_metrics(store, window, &figures->metrics, err);
    for (size_t i = 0; i < DJ_HISTOGRAM_KINDS && code == 0; i++) {
        if (figures->histogram[i].count > 0) {
            code = insert_histogram(store, window, (enum dj_histogram_kind)i,
                                    &figures->histogram[i], err);
        }
    }
    return code;
}

int dj_store_read_histogram(struct dj_store *store, int64_t window,
                            enum dj_histogram_kind kind, struct dj_histogram *histogram,
                            struct dj_error *err)
{
    struct dj_statement *row;
    *histogram = (struct dj_histogram){0};
    int code = dj_sql_prepare(
        store, &row, err,
        "SELECT CAST(bucket.key AS INTEGER), CAST(bucket.value AS INTEGER) FROM "
        "histograms h,"
        " json_each(h.counts) bucket WHERE h.window_id = ? AND h.kind = ? ORDER BY 1",
        "it", window, dj_metrics_histogram_kind_name(kind));
    while (dj_sql_next_row(row, &code, err)) {
        DJ_XPUSH(histogram->buckets, histogram->count,
                 (struct dj_histogram_bucket){
                     .key = (int32_t)dj_sql_int64(row, 0),
                     .count = (uint64_t)dj_sql_int64(row, 1),
                 });
    }
    return code;
}

static int read_spans(struct dj_store *store, int64_t run,
                      struct dj_figures_source *stored, struct dj_error *err)
{
    struct dj_statement *row;
    size_t spans = 0;
    stored->whole = SIZE_MAX;
    int code = dj_sql_prepare(store, &row, err,
                              "SELECT id, start_dev_ns, end_dev_ns, ordinal FROM windows"
                              " WHERE run_id = ? ORDER BY ordinal",
                              "i", run);
    while (dj_sql_next_row(row, &code, err)) {
        if (dj_sql_int64(row, 3) == 0) {
            stored->whole = stored->count;
        }
        DJ_XPUSH(stored->windows, stored->count, dj_sql_int64(row, 0));
        DJ_XPUSH(stored->spans, spans,
                 (struct dj_span){dj_sql_int64(row, 1), dj_sql_int64(row, 2)});
    }
    stored->figures = dj_xcalloc(stored->count, sizeof(*stored->figures));
    return code;
}

static int read_release(struct dj_store *store, int64_t run,
                        struct dj_figures_source *stored, struct dj_error *err)
{
    struct dj_statement *statement;
    int code = dj_sql_prepare(store, &statement, err,
                              "SELECT release FROM runs WHERE id = ?", "i", run);
    while (dj_sql_next_row(statement, &code, err)) {
        const char *release = dj_sql_text(statement, 0);
        stored->release = release != NULL ? dj_frame_dialect_find(release) : NULL;
    }
    return code;
}

int dj_store_read_gfxinfo(struct dj_store *store, int64_t run, struct dj_text *text,
                          struct dj_error *err)
{
    struct dj_statement *statement;
    int code = dj_sql_prepare(store, &statement, err,
                              "SELECT blob_id FROM evidence WHERE run_id = ?"
                              " AND kind = ? ORDER BY ordinal",
                              "it", run, DJ_EVIDENCE_GFXINFO);
    while (dj_sql_next_row(statement, &code, err)) {
        code = dj_blob_read(store, dj_sql_int64(statement, 0), text, err);
    }
    return code;
}

int dj_figures_source_read(struct dj_store *store, int64_t run,
                           struct dj_figures_source *stored, struct dj_error *err)
{
    int code = read_spans(store, run, stored, err);
    code = code == 0 ? read_release(store, run, stored, err) : code;
    code = code == 0 ? dj_store_read_gfxinfo(store, run, &stored->text, err) : code;
    struct dj_figure_rules rules = {.release = stored->release};
    return code == 0
               ? dj_xcode(dj_metrics_compute(
                     dj_text_get(&stored->text), stored->text.length, &rules,
                     stored->spans, stored->count, stored->whole, stored->figures, err))
               : code;
}

void dj_figures_source_finish(struct dj_figures_source *stored)
{
    for (size_t i = 0; i < stored->count; i++) {
        dj_metrics_window_figures_finish(&stored->figures[i]);
    }
    free(stored->figures);
    free(stored->spans);
    free(stored->windows);
    dj_text_finish(&stored->text);
    *stored = (struct dj_figures_source){0};
}

/* Compares two values bit by bit. All NaN values are equal. */
static bool is_same_value(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof(a)) == 0;
}

static int compare_metrics(struct dj_store *store, int64_t window,
                           const struct dj_metrics *metrics, bool *same,
                           struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_format(&sql, "SELECT %s FROM metrics WHERE window_id = ?",
                   dj_schema_metric_columns(store->version));
    int code = dj_sql_prepare(store, &row, err, dj_xtext(&sql), "i", window);
    dj_text_finish(&sql);
    *same = false;
    while (dj_sql_next_row(row, &code, err)) {
        *same = true;
        for (int i = 0; i < DJ_METRIC_COUNT && *same; i++) {
            *same = is_same_value(dj_sql_double(row, i), metrics->value[i]);
        }
    }
    return code;
}

static int compare_histogram(struct dj_store *store, int64_t window,
                             enum dj_histogram_kind kind,
                             const struct dj_histogram *histogram, bool *same,
                             struct dj_error *err)
{
    struct dj_histogram stored;
    int code = dj_store_read_histogram(store, window, kind, &stored, err);
    *same = code == 0 && stored.count == histogram->count;
    for (size_t i = 0; *same && i < stored.count; i++) {
        *same = stored.buckets[i].key == histogram->buckets[i].key &&
                stored.buckets[i].count == histogram->buckets[i].count;
    }
    dj_exponential_finish(&stored);
    return code;
}

int dj_figures_compare(struct dj_store *store, int64_t window,
                       const struct dj_window_figures *figures, bool *same,
                       struct dj_error *err)
{
    int code = compare_metrics(store, window, &figures->metrics, same, err);
    for (size_t i = 0; i < DJ_HISTOGRAM_KINDS && code == 0 && *same; i++) {
        code = compare_histogram(store, window, (enum dj_histogram_kind)i,
                                 &figures->histogram[i], same, err);
    }
    return code;
}
