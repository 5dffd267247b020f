#include "memory/memory.h"
#include "report/batches_words.h"
#include "report/triage.h"

/* Writes text for a cell of a table: bars and markup are escaped. */
static void put_words(struct dj_text *text, struct dj_text *words)
{
    for (const char *at = dj_xtext(words); *at != '\0'; at++) {
        dj_text_string(text, strchr("|\\`*_<>[]#&~", *at) != NULL ? "\\" : "");
        dj_text_append(text, at, 1);
    }
    dj_text_finish(words);
}

static void put_head(struct dj_text *text, const struct dj_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        dj_batch_words_name(&words, batches, i);
        dj_text_string(text, "**");
        put_words(text, &words);
        dj_text_string(text, "**: ");
        dj_batch_words_of(&words, &batches->batch[i]);
        dj_text_string(&words, "; ");
        dj_batch_words_runs(&words, &batches->batch[i]);
        dj_batch_words_outcomes(&words, "; outcomes: ", &batches->batch[i]);
        put_words(text, &words);
        dj_text_string(text, "\n\n");
    }
}

static void put_spread(struct dj_text *text, const struct dj_batch *batch,
                       const struct dj_batch_figure *figure)
{
    struct dj_center spread = dj_batch_center(batch, figure->metric);
    if (spread.count == 0) {
        dj_text_string(text, " — | — | — |");
        return;
    }
    dj_batch_value(text, " ", figure, spread.median);
    dj_batch_value(text, " | ", figure, spread.mean);
    dj_batch_value(text, " | ", figure, spread.q1);
    dj_batch_value(text, " … ", figure, spread.q3);
    dj_text_string(text, " |");
}

enum { TOLD = 5 }; /* Number of causes of janky frames. */

static void put_causes(struct dj_text *text, const struct dj_batches *batches,
                       size_t index)
{
    const struct dj_triage_result *triage = batches->batch[index].triage;
    struct dj_text words = {0};
    if (triage == NULL) {
        return;
    }
    dj_batch_words_name(&words, batches, index);
    dj_text_string(text, "\nWhat made frames late, by the traces of ");
    put_words(text, &words);
    dj_text_format(text, " (%zu of %zu frames, %.1f ms unexplained):\n\n", triage->janky,
                   triage->frames, dj_ms(triage->unexplained_ns));
    for (size_t i = 0; i < triage->cause_count && i < TOLD; i++) {
        dj_text_format(text, "%zu. ", i + 1);
        dj_report_triage_sentence(&words, triage, &triage->causes[i]);
        put_words(text, &words);
        dj_text_string(text, "\n");
    }
    const struct dj_tie *tie = batches->batch[index].tie;
    for (size_t i = 0; i < tie->finding_count; i++) {
        dj_text_string(text, i == 0 ? "\n- " : "- ");
        dj_report_tie_sentence(&words, triage, &tie->findings[i]);
        put_words(text, &words);
        dj_text_string(text, "\n");
    }
}

void dj_batches_markdown(struct dj_text *text, const struct dj_batches *batches)
{
    const struct dj_batch_figure *figure;
    put_head(text, batches);
    dj_text_string(text, "| over the clean runs |");
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text words = {0};
        dj_batch_words_name(&words, batches, i);
        dj_text_string(text, " ");
        put_words(text, &words);
        dj_text_string(text, ": median | mean | quartiles |");
    }
    dj_text_string(text, "\n|---|");
    for (size_t i = 0; i < batches->count; i++) {
        dj_text_string(text, "--:|--:|--:|");
    }
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (!dj_batches_know(batches, figure->metric) ||
            dj_batches_never(batches, figure)) {
            continue;
        }
        struct dj_text words = {0};
        dj_batch_figure_title(&words, figure);
        dj_text_string(text, "\n| ");
        put_words(text, &words);
        dj_text_string(text, " |");
        for (size_t k = 0; k < batches->count; k++) {
            put_spread(text, &batches->batch[k], figure);
        }
    }
    struct dj_text never = {0};
    dj_batches_words_never(&never, batches);
    dj_text_format(text, never.length > 0 ? "\n\n%s\n" : "\n%s", dj_xtext(&never));
    dj_text_finish(&never);
    for (size_t i = 0; i < batches->count; i++) {
        put_causes(text, batches, i);
    }
}
