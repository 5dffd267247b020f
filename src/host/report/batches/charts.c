#include "report/batches/charts.h"

#include <math.h>

#include "memory/memory.h"
#include "report/batches/describe.h"

/* The colours of the batches in their order. The first two, blue and orange, also differ
 * when printed in grey. */
static const enum dj_color_role roles[DJ_BATCHES_MAX] = {
    DJ_ROLE_FIRST, DJ_ROLE_SECOND,    DJ_ROLE_THIRD,     DJ_ROLE_FOURTH,
    DJ_ROLE_STAGE, DJ_ROLE_STAGE + 8, DJ_ROLE_STAGE + 4, DJ_ROLE_STAGE + 6,
};

static void add_runs(struct dj_chart *chart, const struct dj_batch *batch,
                     const struct dj_batch_figure *figure)
{
    for (size_t i = 0; i < batch->run_count; i++) {
        const struct dj_run_row *run = &batch->runs[i];
        if (dj_store_run_counts(run)) {
            dj_chart_add_point(chart, (double)run->number,
                               run->metrics.value[figure->metric] / figure->factor, NULL);
        }
    }
}

void dj_batches_add_run_chart(struct dj_document *document,
                              const struct dj_batches *batches,
                              const struct dj_batch_figure *figure)
{
    struct dj_text title = {0};
    dj_text_format(&title, "%s of each run", figure->name);
    struct dj_chart *chart = dj_chart_create(dj_xtext(&title));
    dj_text_finish(&title);
    dj_chart_set_x(chart, "run", "");
    dj_chart_set_y(chart, figure->name, figure->unit, false);
    for (size_t i = 0; i < batches->count; i++) {
        char name[DJ_BATCH_NAME];
        dj_batches_format_name(batches, i, name);
        dj_chart_add_series(chart, name, DJ_MARK_POINT, roles[i]);
        add_runs(chart, &batches->batch[i], figure);
    }
    for (size_t i = 0; i < batches->count; i++) {
        char name[DJ_BATCH_NAME + 16] = "median";
        if (batches->count > 1) {
            char batch[DJ_BATCH_NAME];
            dj_batches_format_name(batches, i, batch);
            snprintf(name, sizeof(name), "median of %s", batch);
        }
        double median =
            dj_batches_compute_center(&batches->batch[i], figure->metric).median;
        dj_chart_add_threshold(chart, false, median / figure->factor, roles[i], name);
    }
    dj_document_add_chart(document, chart);
}

void dj_batches_add_run_charts(struct dj_document *document,
                               const struct dj_batches *batches)
{
    const struct dj_batch_figure *figure;
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (dj_batches_is_headline(batches, figure) &&
            dj_batches_have_metric(batches, figure->metric)) {
            dj_batches_add_run_chart(document, batches, figure);
        }
    }
}

static enum dj_bin_kind get_kind(const struct dj_bin *bin)
{
    return bin->of_kind[DJ_BIN_AROUND] > 0 ? DJ_BIN_AROUND
           : bin->of_kind[DJ_BIN_LATE] > 0 ? DJ_BIN_LATE
                                           : DJ_BIN_IN_TIME;
}

static void add_bins(struct dj_chart *chart, const struct dj_bins *bins,
                     enum dj_bin_kind kind)
{
    static const struct {
        const char *name;
        enum dj_color_role role;
    } kinds[DJ_BIN_KINDS] = {[DJ_BIN_IN_TIME] = {"in time", DJ_ROLE_GOOD},
                             [DJ_BIN_AROUND] = {"around the deadline", DJ_ROLE_MUTED},
                             [DJ_BIN_LATE] = {"over the interval", DJ_ROLE_BAD}};
    dj_chart_add_series(chart, kinds[kind].name, DJ_MARK_BAR, kinds[kind].role);
    bool started = false;
    for (size_t i = 0; i < bins->count; i++) {
        const struct dj_bin *bin = &bins->bin[i];
        started = started || bin->count > 0;
        if (started && get_kind(bin) == kind) {
            dj_chart_add_bar(chart, bin->from_ms, bin->to_ms > 0 ? bin->to_ms : NAN,
                             bin->count, NULL);
        }
    }
}

void dj_batches_add_histogram(struct dj_document *document,
                              const struct dj_batches *batches, size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    struct dj_bins bins = dj_batches_compute_bins(batch);
    struct dj_text words = {0};
    if (bins.count == 0) {
        return;
    }
    dj_text_add(&words, "Frame times of ");
    dj_batches_write_name(&words, batches, index);
    dj_text_format(&words, ": %.0f frames, %.2f" DJ_NBSP "%% over the interval (%s)",
                   bins.frames, 100 * bins.late / bins.frames,
                   dj_batches_get_times_name(batch));
    struct dj_chart *chart = dj_chart_create(dj_xtext(&words));
    dj_chart_set_x(chart, "frame time", "ms");
    dj_chart_set_y(chart, "frames", "", true);
    for (int i = 0; i < DJ_BIN_KINDS; i++) {
        add_bins(chart, &bins, (enum dj_bin_kind)i);
    }
    dj_text_clear(&words);
    dj_text_format(&words, "frame interval %.2f ms%s", batch->interval_ns / 1e6,
                   batch->interval_assumed ? " (assumed)" : "");
    dj_chart_add_threshold(chart, true, batch->interval_ns / 1e6, DJ_ROLE_DEADLINE,
                           dj_xtext(&words));
    dj_text_finish(&words);
    dj_document_add_chart(document, chart);
}
