#include "memory/memory.h"
#include "report/batches/describe.h"
#include "report/triage.h"

/* Writes text for a cell of a table: bars and markup are escaped. */
static void write_words(struct dj_text *text, struct dj_text *words)
{
    for (const char *at = dj_xtext(words); *at != '\0'; at++) {
        dj_text_add(text, strchr("|\\`*_<>[]#&~", *at) != NULL ? "\\" : "");
        dj_text_append(text, at, 1);
    }
    dj_text_finish(words);
}

static void write_head(struct dj_text *text, const struct dj_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        dj_batches_write_name(&words, batches, i);
        dj_text_add(text, "**");
        write_words(text, &words);
        dj_text_add(text, "**: ");
        dj_batches_describe_app(&words, &batches->batch[i]);
        dj_text_add(&words, "; ");
        dj_batches_describe_runs(&words, &batches->batch[i]);
        dj_batches_describe_outcomes(&words, "; outcomes: ", &batches->batch[i]);
        write_words(text, &words);
        dj_text_add(text, "\n\n");
    }
}

static void write_spread(struct dj_text *text, const struct dj_batch *batch,
                         const struct dj_batch_figure *figure)
{
    struct dj_center spread = dj_batches_compute_center(batch, figure->metric);
    if (spread.count == 0) {
        dj_text_add(text, " — | — | — |");
        return;
    }
    dj_batches_format_value(text, " ", figure, spread.median);
    dj_batches_format_value(text, " | ", figure, spread.mean);
    dj_batches_format_value(text, " | ", figure, spread.q1);
    dj_batches_format_value(text, " … ", figure, spread.q3);
    dj_text_add(text, " |");
}

enum { CAUSES_SHOWN = 5 }; /* Number of causes of janky frames. */

static void write_causes(struct dj_text *text, const struct dj_batches *batches,
                         size_t index)
{
    const struct dj_triage_result *triage = batches->batch[index].triage;
    struct dj_text words = {0};
    if (triage == NULL) {
        return;
    }
    dj_batches_write_name(&words, batches, index);
    dj_text_add(text, "\nWhat made frames late, by the traces of ");
    write_words(text, &words);
    dj_text_format(text, " (%zu of %zu frames, %.1f ms unexplained):\n\n", triage->janky,
                   triage->frames, dj_units_ms(triage->unexplained_ns));
    for (size_t i = 0; i < triage->cause_count && i < CAUSES_SHOWN; i++) {
        dj_text_format(text, "%zu. ", i + 1);
        dj_report_describe_cause(&words, triage, &triage->causes[i]);
        write_words(text, &words);
        dj_text_add(text, "\n");
    }
    const struct dj_triage_findings *tie = batches->batch[index].tie;
    for (size_t i = 0; i < tie->finding_count; i++) {
        dj_text_add(text, i == 0 ? "\n- " : "- ");
        dj_report_describe_tied_finding(&words, triage, &tie->findings[i]);
        write_words(text, &words);
        dj_text_add(text, "\n");
    }
}

void dj_report_write_batches_markdown(struct dj_text *text,
                                      const struct dj_batches *batches)
{
    const struct dj_batch_figure *figure;
    write_head(text, batches);
    dj_text_add(text, "| over the clean runs |");
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        dj_batches_write_name(&words, batches, i);
        dj_text_add(text, " ");
        write_words(text, &words);
        dj_text_add(text, ": median | mean | quartiles |");
    }
    dj_text_add(text, "\n|---|");
    for (size_t i = 0; i < batches->count; i++) {
        dj_text_add(text, "--:|--:|--:|");
    }
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (!dj_batches_have_metric(batches, figure->metric) ||
            dj_batches_is_always_zero(batches, figure)) {
            continue;
        }
        struct dj_text words = {0};
        dj_batches_format_figure_title(&words, figure);
        dj_text_add(text, "\n| ");
        write_words(text, &words);
        dj_text_add(text, " |");
        for (size_t k = 0; k < batches->count; k++) {
            write_spread(text, &batches->batch[k], figure);
        }
    }
    struct dj_text never = {0};
    dj_batches_describe_zero_counts(&never, batches);
    dj_text_format(text, never.length > 0 ? "\n\n%s\n" : "\n%s", dj_xtext(&never));
    dj_text_finish(&never);
    for (size_t i = 0; i < batches->count; i++) {
        write_causes(text, batches, i);
    }
}
