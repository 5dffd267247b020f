/* Builds the document of a triage: the verdict, and the causes sorted by the time that
 * fixing them saves. The details are the worst frames, all evidence and the noise of the
 * machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/triage.h"
#include "report/triage/flame.h"
#include "report/triage/functions.h"
#include "report/triage/kinds.h"
#include "report/triage/presents.h"
#include "report/triage/sentences.h"
#include "report/triage/waits.h"

enum {
    CAUSES_SHOWN = 5, /* Maximum number of causes that are described in sentences. */
    /* Maximum width of the main cause's name in the verdict, in columns. */
    NAME_SHOWN = 28
};

static void describe_main_cause(struct dj_text *text, const struct dj_triage_cause *cause)
{
    struct dj_text name = {0};
    size_t length = strlen(cause->name);
    size_t end = 0;
    for (int columns = 0; end < length && columns < NAME_SHOWN;) {
        struct dj_character one = dj_name_read_character(cause->name + end, length - end);
        columns += one.columns;
        end += one.bytes;
    }
    dj_text_append(&name, cause->name, end);
    dj_text_add(&name, end < length ? "…" : "");
    dj_text_format(text, dj_report_get_cause_style(cause->kind)->clause, dj_xtext(&name));
    dj_text_finish(&name);
}

static void add_verdict(struct dj_document *document,
                        const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%zu of %zu frames janky", result->janky, result->frames);
    if (result->cause_count > 0) {
        const struct dj_triage_cause *cause = &result->causes[0];
        dj_text_add(&words, "; main cause: ");
        describe_main_cause(&words, cause);
        dj_text_format(&words, " (%zu frame%s)", cause->frames,
                       cause->frames == 1 ? "" : "s");
    }
    dj_document_add_verdict(document, result->janky > 0 ? DJ_TONE_BAD : DJ_TONE_GOOD,
                            &words);
}

static void add_basis(struct dj_document *document, const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%.1f" DJ_NBSP "ms late in total",
                   dj_units_ms(result->late_ns));
    dj_document_add_field(document, "delay", &words);
    dj_text_add(&words, result->frames_from);
    dj_document_add_field(document, "frames from", &words);
    if (result->budget_ns > 0) {
        dj_text_format(&words, "%.3f" DJ_NBSP "ms", dj_units_ms(result->budget_ns));
        if (result->rate_count > 0) {
            dj_text_format(&words, " (%.1f" DJ_NBSP "Hz, from %s)",
                           1e9 / (double)result->budget_ns, result->rates[0].source);
        } else if (strcmp(result->budget_from, "assumed") == 0) {
            dj_text_add(&words, " (assumed: 60" DJ_NBSP "Hz)");
        }
        dj_document_add_field(document, "deadline", &words);
    }
}

struct cause_row {
    const struct dj_triage_cause *cause;
    size_t rank;
};

static const struct dj_triage_cause *get_cause(const void *record)
{
    return ((const struct cause_row *)record)->cause;
}

static void get_rank(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", ((const struct cause_row *)record)->rank);
}

static void get_kind(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", dj_report_get_cause_style(get_cause(record)->kind)->name);
}

static void get_ms(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, dj_units_ms(get_cause(record)->ns), 1);
}

static void get_saved_frames(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu of %zu", get_cause(record)->saved_frames,
                   get_cause(record)->frames);
}

static void get_saved_ms(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, dj_units_ms(get_cause(record)->saved_ns), 1);
}

static void get_where(struct dj_cell *cell, const void *record)
{
    const struct dj_triage_cause *cause = get_cause(record);
    dj_cell_format(cell, "%s [%s]%s%s", cause->name, cause->thread,
                   cause->holder[0] != '\0' ? ", because of " : "", cause->holder);
}

static const struct dj_table_column cause_columns[] = {
    {"#", NULL, true, get_rank},
    {"cause", NULL, false, get_kind},
    {"frames saved", NULL, true, get_saved_frames},
    {"time", "ms", true, get_ms},
    {"saved", "ms", true, get_saved_ms},
    {"section [thread]", NULL, false, get_where},
};

static void add_table(struct dj_document *document, const struct dj_triage_cause *causes,
                      size_t count)
{
    dj_document_begin_table(document, cause_columns, COUNT_OF(cause_columns));
    for (size_t i = 0; i < count; i++) {
        dj_document_add_row(document, &(struct cause_row){&causes[i], i + 1});
    }
}

/* Adds sentences on the first causes, each with an example. */
static void add_sentences(struct dj_document *document,
                          const struct dj_triage_result *result)
{
    for (size_t i = 0; i < result->cause_count && i < CAUSES_SHOWN; i++) {
        struct dj_text words = {0};
        dj_text_format(&words, "%zu. ", i + 1);
        dj_report_describe_cause(&words, result, &result->causes[i]);
        if (result->causes[i].evidence_count > 0) {
            dj_text_add(&words, " Example: ");
            dj_report_describe_evidence(&words, &result->causes[i].evidence[0]);
            dj_text_add(&words, ".");
        }
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
}

static void add_causes(struct dj_document *document,
                       const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    if (result->cause_count == 0) {
        dj_text_format(&words, "%s took notably longer in the janky frames than %s.",
                       result->machine_count > 0 ? "Only other programs" : "Nothing",
                       result->against_base ? "in the baseline" : "in other frames");
        dj_document_add_paragraph(document, &words);
        return;
    }
    add_table(document, result->causes, result->cause_count);
    dj_text_format(
        &words,
        "frames saved: how many of the janky frames with this cause would have met the "
        "deadline without the cause. time: how long the cause lasted in the janky "
        "frames. saved, ms: how much earlier these frames would have ended without the "
        "cause. A cause can save more than its time, because it also lets threads wait "
        "for a CPU. No cause is known for %.1f" DJ_NBSP "ms of the janky frames.",
        dj_units_ms(result->unexplained_ns));
    dj_document_add_paragraph(document, &words);
    add_sentences(document, result);
    dj_report_add_functions(document, result);
    dj_report_add_waits(document, result);
}

/* Appends the name of the frame and its duration. If another frame has the same name,
 * appends the time at which the frame started instead of the name. */
static void describe_worst(struct dj_text *words, const struct dj_triage_result *result,
                           size_t index)
{
    const struct dj_triage_worst *frame = &result->worst[index];
    bool unique = true;
    for (size_t i = 0; i < result->worst_count; i++) {
        unique =
            unique && (i == index || strcmp(result->worst[i].frame, frame->frame) != 0);
    }
    if (unique) {
        dj_text_add(words, frame->frame);
    } else {
        dj_text_format(words, "at %.3f s",
                       (double)(frame->start_ns - frame->trace_start_ns) / 1e9);
    }
    dj_text_format(words, ", %.1f ms", dj_units_ms(frame->end_ns - frame->start_ns));
}

static void add_parts(struct dj_chart *chart, const struct dj_triage_worst *frame,
                      size_t row, enum dj_cause_kind kind)
{
    for (size_t i = 0; i < frame->part_count; i++) {
        const struct dj_triage_part *part = &frame->parts[i];
        if (part->kind == kind) {
            struct dj_text label = {0};
            dj_text_format(&label, "%s in %s [%s]", dj_report_get_cause_style(kind)->name,
                           part->name, part->thread);
            dj_chart_add_span(chart, dj_units_ms(part->start_ns - frame->start_ns),
                              dj_units_ms(part->end_ns - frame->start_ns), row,
                              dj_xtext(&label));
            dj_text_finish(&label);
        }
    }
}

static bool has_kind(const struct dj_triage_result *result, enum dj_cause_kind kind)
{
    for (size_t i = 0; i < result->worst_count; i++) {
        for (size_t k = 0; k < result->worst[i].part_count; k++) {
            if (result->worst[i].parts[k].kind == kind) {
                return true;
            }
        }
    }
    return false;
}

static void add_timeline(struct dj_document *document,
                         const struct dj_triage_result *result)
{
    struct dj_chart *chart = dj_chart_create("The worst frames from start to end");
    dj_chart_set_x(chart, "time in the frame", "ms");
    dj_chart_set_y(chart, "frame", "", true);
    for (int i = 0; i < DJ_CAUSE_KINDS; i++) {
        enum dj_cause_kind kind = (enum dj_cause_kind)i;
        const struct dj_cause_style *look = dj_report_get_cause_style(kind);
        if (!has_kind(result, kind)) {
            continue;
        }
        dj_chart_add_series(chart, look->name, DJ_MARK_SPAN, look->role);
        dj_chart_set_letter(chart, look->letter);
        for (size_t k = 0; k < result->worst_count; k++) {
            add_parts(chart, &result->worst[k], k, kind);
        }
    }
    for (size_t i = 0; i < result->worst_count; i++) {
        const struct dj_triage_worst *frame = &result->worst[i];
        struct dj_text name = {0};
        describe_worst(&name, result, i);
        dj_chart_add_tick(chart, (double)i, dj_xtext(&name));
        dj_text_finish(&name);
        dj_chart_add_row_threshold(chart, i,
                                   dj_units_ms(frame->deadline_ns - frame->start_ns),
                                   DJ_ROLE_DEADLINE, "deadline");
    }
    dj_document_add_chart(document, chart);
}

static void add_evidence(struct dj_document *document,
                         const struct dj_triage_result *result)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        const struct dj_triage_cause *cause = &result->causes[i];
        for (size_t k = 0; k < cause->evidence_count; k++) {
            struct dj_text words = {0};
            dj_text_format(&words, "cause %zu: ", i + 1);
            dj_report_describe_evidence(&words, &cause->evidence[k]);
            dj_document_add_note(document, DJ_TONE_PLAIN, &words);
        }
    }
}

static void add_findings(struct dj_document *document,
                         const struct dj_triage_result *result,
                         const struct dj_triage_findings *tie)
{
    struct dj_text words = {0};
    for (size_t i = 0; tie != NULL && i < tie->finding_count; i++) {
        dj_report_describe_tied_finding(&words, result, &tie->findings[i]);
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
    if (tie != NULL && tie->finding_count > 0 && tie->without_clock > 0) {
        dj_text_format(&words,
                       "%zu trace%s not state its clock. dejank assumes the clock of the "
                       "dump.",
                       tie->without_clock, tie->without_clock == 1 ? " does" : "s do");
        dj_document_add_note(document, DJ_TONE_MUTED, &words);
    }
}

static void add_details(struct dj_document *document,
                        const struct dj_triage_result *result,
                        const struct dj_triage_findings *tie)
{
    add_timeline(document, result);
    dj_document_begin_details(document, "functions in janky and smooth frames", false);
    dj_report_add_flame_graph(document, result);
    dj_report_add_function_details(document, result);
    dj_document_end_details(document);
    dj_document_begin_details(document, "call stacks of the worst frames", true);
    dj_report_add_frame_stacks(document, result, describe_worst);
    dj_document_end_details(document);
    dj_document_begin_details(document, "findings in framestats for the same frames",
                              false);
    add_findings(document, result, tie);
    dj_document_end_details(document);
    dj_document_begin_details(document, "time taken by other programs", true);
    add_table(document, result->machine, result->machine_count);
    dj_document_end_details(document);
    dj_document_begin_details(document, "all evidence", true);
    add_evidence(document, result);
    dj_document_end_details(document);
}

/* Returns true if a described cause is the app's own work and no stacks were sampled, so
 * that the functions of this work are unknown. */
static bool needs_stacks(const struct dj_triage_result *result)
{
    bool is_own_work = false;
    for (size_t i = 0; i < result->cause_count && i < CAUSES_SHOWN; i++) {
        is_own_work = is_own_work || result->causes[i].kind == DJ_CAUSE_OWN_WORK;
    }
    return is_own_work && result->functions == NULL;
}

/* Adds the commands that name the functions of the app's own work. dejank samples stacks
 * only on this machine, so Android traces get no command. */
static void add_next(struct dj_document *document, const struct dj_triage_result *result)
{
    if (!result->from_android && needs_stacks(result)) {
        dj_document_add_command(document,
                                "dejank trace capture --stacks -o stacks.pftrace -- CMD",
                                "run the app again as CMD, and sample its functions");
        dj_document_add_command(document, "dejank trace triage stacks.pftrace",
                                "name the functions that ran long");
    }
}

void dj_report_add_triage(struct dj_document *document,
                          const struct dj_triage_result *result,
                          const struct dj_triage_findings *tie)
{
    add_verdict(document, result);
    add_basis(document, result);
    if (result->janky > 0) {
        add_causes(document, result);
        add_details(document, result, tie);
    }
    dj_report_add_presents(document, result);
    if (result->limit_count > 0) {
        dj_document_add_heading(document, 3, "What these traces do not show");
    }
    for (size_t i = 0; i < result->limit_count; i++) {
        struct dj_text words = {0};
        dj_text_add(&words, result->limits[i].text);
        dj_document_add_note(document, DJ_TONE_MUTED, &words);
    }
    add_next(document, result);
}
