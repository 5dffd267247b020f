#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "report/batches/describe.h"
#include "report/terminal/lines.h"
#include "report/triage.h"

enum { LABEL_COLUMNS = 16, EDGE_COLUMNS = 9, NARROW = 40 };

static void print_name(struct dj_terminal *out, struct dj_text *name)
{
    dj_terminal_set_bold(out, true);
    dj_terminal_wrap_and_finish(out, "", "  ", name);
    dj_terminal_set_bold(out, false);
}

static void print_batch(struct dj_terminal *out, const struct dj_batches *batches,
                        size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    struct dj_text words = {0};
    dj_batches_write_name(&words, batches, index);
    dj_terminal_write_heading(out, dj_xtext(&words));
    dj_text_clear(&words);
    dj_batches_describe_app(&words, batch);
    dj_terminal_wrap_and_finish(out, "", "  ", &words);
    dj_batches_describe_runs(&words, batch);
    dj_batches_describe_outcomes(&words, ". Outcomes: ", batch);
    dj_text_add(&words, ".");
    dj_terminal_wrap_and_finish(out, "", "  ", &words);
    for (size_t i = 0; i < batch->run_count; i++) {
        const struct dj_run_row *run = &batch->runs[i];
        const char *why = run->excluded != NULL ? run->excluded : run->reason;
        if (dj_store_run_counts(run) || run->warmup || why == NULL) {
            continue;
        }
        dj_text_format(&words, "run %lld%s: %s: ", (long long)run->number,
                       run->attempt > 1 ? " again" : "",
                       run->excluded != NULL ? "left out"
                                             : dj_facts_outcome_name(run->outcome));
        dj_text_append_escaped_name(&words, why);
        dj_terminal_wrap_and_finish(out, dj_terminal_choose_glyph(out, "• ", "* "), "  ",
                                    &words);
    }
}

/* Each run is a point between the least and the largest value of all batches; a bar marks
 * the median. */
static void print_strip(struct dj_terminal *out, const struct dj_batch *batch,
                        enum dj_metric metric, const struct dj_bounds *range)
{
    double *values = dj_xcalloc(batch->run_count, sizeof(*values));
    for (size_t i = 0; i < batch->run_count; i++) {
        const struct dj_run_row *run = &batch->runs[i];
        values[i] = dj_store_run_counts(run) ? run->metrics.value[metric] : NAN;
    }
    dj_text_add(out->text, "    ");
    dj_terminal_write_strip(out, values, batch->run_count, range,
                            dj_batches_compute_center(batch, metric).median);
    free(values);
}

static void print_spread(struct dj_terminal *out, const struct dj_batches *batches,
                         size_t index, const struct dj_batch_figure *figure)
{
    struct dj_center spread =
        dj_batches_compute_center(&batches->batch[index], figure->metric);
    struct dj_text words = {0};
    if (batches->count > 1) {
        dj_batches_write_name(&words, batches, index);
        dj_text_add(&words, ": ");
    }
    if (spread.count == 0) {
        dj_text_add(&words, "unknown");
    } else {
        dj_batches_format_value(&words, "median" DJ_GLUE, figure, spread.median);
        dj_batches_format_value(&words, ", mean" DJ_GLUE, figure, spread.mean);
        dj_batches_format_value(&words, ", quartiles" DJ_GLUE, figure, spread.q1);
        dj_batches_format_value(&words, DJ_GLUE "…" DJ_GLUE, figure, spread.q3);
        dj_batches_format_value(&words, ", all" DJ_GLUE, figure, spread.min);
        dj_batches_format_value(&words, DJ_GLUE "…" DJ_GLUE, figure, spread.max);
    }
    dj_terminal_wrap_and_finish(out, "  ", "    ", &words);
}

static void print_figures(struct dj_terminal *out, const struct dj_batches *batches)
{
    const struct dj_batch_figure *figure;
    dj_terminal_write_heading(out, "Figures over the clean runs");
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        struct dj_bounds range = dj_batches_compute_range(batches, figure->metric);
        struct dj_text title = {0};
        if (isnan(range.low) || dj_batches_is_always_zero(batches, figure)) {
            continue;
        }
        dj_batches_format_figure_title(&title, figure);
        print_name(out, &title);
        for (size_t k = 0; k < batches->count; k++) {
            const struct dj_batch *batch = &batches->batch[k];
            print_spread(out, batches, k, figure);
            if (dj_batches_is_headline(batches, figure) && range.high > range.low &&
                dj_batches_compute_center(batch, figure->metric).count > 0) {
                print_strip(out, batch, figure->metric, &range);
            }
        }
    }
    struct dj_text words = {0};
    dj_batches_describe_zero_counts(&words, batches);
    dj_terminal_wrap_and_finish(out, "", "  ", &words);
}

static void print_bin(struct dj_terminal *out, const struct dj_bin *bin, double largest)
{
    char label[64];
    bool narrow = out->style.width < NARROW;
    int columns = out->style.width - (narrow ? 0 : LABEL_COLUMNS) - EDGE_COLUMNS - 4;
    if (narrow || bin->to_ms == 0) {
        snprintf(label, sizeof(label), "%5.1f-", bin->from_ms);
    } else {
        snprintf(label, sizeof(label), "%5.1f-%.1f", bin->from_ms, bin->to_ms);
    }
    dj_text_format(out->text, "%-*s%5.0f ", narrow ? 6 : LABEL_COLUMNS, label,
                   bin->count);
    if (columns > 0 && bin->count > 0) {
        dj_terminal_set_color(out, bin->of_kind[DJ_BIN_AROUND] > 0 ? DJ_COLOR_MUTED
                                   : bin->of_kind[DJ_BIN_LATE] > 0 ? DJ_COLOR_BAD
                                                                   : DJ_COLOR_GOOD);
        dj_terminal_write_bar(out, bin->count, largest, (size_t)columns);
        dj_terminal_set_color(out, DJ_COLOR_NONE);
    }
    dj_text_add(out->text, "\n");
}

static void print_deadline(struct dj_terminal *out, const struct dj_batch *batch)
{
    char label[64];
    snprintf(label, sizeof(label), " %.2f ms%s ", batch->interval_ns / 1e6,
             batch->interval_assumed && out->style.width >= NARROW ? ", assumed" : "");
    dj_terminal_write_rule(out, label);
}

static void print_histogram(struct dj_terminal *out, const struct dj_batches *batches,
                            size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    struct dj_bins bins = dj_batches_compute_bins(batch);
    struct dj_text words = {0};
    if (bins.count == 0) {
        return;
    }
    dj_batches_write_name(&words, batches, index);
    dj_text_format(
        &words, ": %.0f frames of all clean runs, %.2f %% over the interval (%s)",
        bins.frames, 100 * bins.late / bins.frames, dj_batches_get_times_name(batch));
    print_name(out, &words);
    double largest = 1;
    size_t first = bins.count;
    for (size_t i = 0; i < bins.count; i++) {
        largest = fmax(largest, bins.bin[i].count);
        first = first == bins.count && bins.bin[i].count > 0 ? i : first;
    }
    bool line = false;
    for (size_t i = first; i < bins.count; i++) {
        if (!line && bins.bin[i].from_ms >= batch->interval_ns / 1e6 * (1 - 1e-9)) {
            print_deadline(out, batch);
            line = true;
        }
        print_bin(out, &bins.bin[i], largest);
    }
    if (!line) {
        print_deadline(out, batch);
    }
}

static void print_stages(struct dj_terminal *out, const struct dj_batches *batches)
{
    bool titled = false;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        struct dj_text words = {0};
        bool any = false;
        dj_text_format(&words, "%s%s:", dj_frame_stage_name((enum dj_stage)i),
                       i == DJ_STAGE_WAIT ? " (not counted)" : "");
        for (size_t k = 0; k < batches->count; k++) {
            double ns = dj_batches_compute_stage_ns(&batches->batch[k], (enum dj_stage)i);
            any = any || !isnan(ns);
            dj_text_add(&words, k > 0 ? ", " : " ");
            if (isnan(ns)) {
                dj_text_add(&words, "unknown");
            } else {
                dj_text_format(&words, "%.2f" DJ_GLUE "ms", ns / 1e6);
            }
        }
        if (any && !titled) {
            dj_terminal_write_heading(
                out, "Stages of a typical frame (median over runs of their medians)");
            titled = true;
        }
        if (any) {
            dj_terminal_wrap_and_finish(out, "  ", "    ", &words);
        } else {
            dj_text_finish(&words);
        }
    }
}

static void print_causes(struct dj_terminal *out, const struct dj_batches *batches,
                         size_t index)
{
    const struct dj_triage_result *triage = batches->batch[index].triage;
    struct dj_text title = {0};
    if (triage == NULL) {
        return;
    }
    dj_text_add(&title, "What made frames late, by the traces");
    if (batches->count > 1) {
        dj_text_add(&title, " of ");
        dj_batches_write_name(&title, batches, index);
    }
    dj_terminal_write_heading(out, dj_xtext(&title));
    dj_text_finish(&title);
    struct dj_document document = {0};
    dj_report_add_triage(&document, triage, batches->batch[index].tie);
    dj_document_write_terminal(out->text, &document, &out->style, true);
    dj_document_finish(&document);
}

void dj_report_write_batches_text(struct dj_text *text, const struct dj_batches *batches,
                                  const struct dj_terminal_style *style)
{
    struct dj_terminal out = dj_terminal_init(text, style);
    size_t start = text->length;
    for (size_t i = 0; i < batches->count; i++) {
        print_batch(&out, batches, i);
    }
    print_figures(&out, batches);
    dj_terminal_write_heading(&out, "Frame times (ms, frames)");
    for (size_t i = 0; i < batches->count; i++) {
        print_histogram(&out, batches, i);
    }
    print_stages(&out, batches);
    for (size_t i = 0; i < batches->count; i++) {
        print_causes(&out, batches, i);
    }
    dj_terminal_write_heading(&out, "Conditions");
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        dj_batches_describe_conditions(&words, batches, i);
        dj_terminal_wrap_and_finish(&out, "  ", "    ", &words);
    }
    dj_terminal_remove_blanks(text, start);
}
