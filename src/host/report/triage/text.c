/* The result of triage as text: sentences, table, bars, limits, within the width of a
 * terminal. */
#include <string.h>

#include "base/units.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/triage.h"
#include "report/triage/frame_bars.h"
#include "report/triage/lines.h"
#include "report/triage/sentences.h"

enum { CAUSES_SHOWN = 5 }; /* Number of causes with a sentence. */
/* Minimum columns for a table and for its long heading; narrower terminals get words and
 * a short heading. */
enum { TABLE_MIN_WIDTH = 72, LONG_HEAD_MIN_WIDTH = 83 };

static void write_frames(struct dj_terminal *out, const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%zu of %zu frame%s %s late, by %.1f ms in all (frames: %s",
                   result->janky, result->frames, result->frames == 1 ? "" : "s",
                   result->janky == 1 ? "was" : "were", dj_units_ms(result->late_ns),
                   result->frames_from);
    if (result->budget_ns > 0) {
        dj_text_format(&words, "; budget: %.3f ms", dj_units_ms(result->budget_ns));
        if (result->rate_count > 0) {
            dj_text_format(&words, ", %.1f Hz, from ", 1e9 / (double)result->budget_ns);
            dj_text_append_escaped_name(&words, result->rates[0].source);
        } else if (strcmp(result->budget_from, "assumed") == 0) {
            dj_text_add(&words, ", assumed: 60 Hz");
        }
    }
    dj_text_add(&words, ").");
    dj_report_write_triage_lines(out, "", "", &words);
    if (result->janky > 0 && result->cause_count == 0) {
        dj_text_format(&words, "%s took notably more of them than %s.",
                       result->machine_count > 0 ? "Nothing but other programs"
                                                 : "Nothing",
                       result->against_base ? "in the base" : "is usual");
        dj_report_write_triage_lines(out, "", "", &words);
    }
}

static void write_causes(struct dj_terminal *out, const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    for (size_t i = 0; i < result->cause_count && i < CAUSES_SHOWN; i++) {
        const struct dj_triage_cause *cause = &result->causes[i];
        char first[8];
        snprintf(first, sizeof(first), "%zu. ", i + 1);
        dj_text_add(out->text, "\n");
        dj_report_describe_cause(&words, result, cause);
        dj_report_write_triage_lines(out, first, "   ", &words);
        if (cause->evidence_count > 0) {
            dj_report_describe_evidence(&words, &cause->evidence[0]);
            dj_report_write_triage_lines(out, "   ", "   ", &words);
        }
    }
}

static bool is_wide(const struct dj_terminal *out)
{
    return out->style.width == 0 || out->style.width >= TABLE_MIN_WIDTH;
}

static void write_row(struct dj_terminal *out, const struct dj_triage_cause *cause,
                      size_t rank)
{
    char first[96], rest[96];
    struct dj_text words = {0};
    const char *kind = dj_triage_cause_kind_name(cause->kind);
    if (is_wide(out)) {
        int columns =
            snprintf(first, sizeof(first), "%4zu  %-9s %6zu %10.1f %6zu %10.1f  ", rank,
                     kind, cause->frames, dj_units_ms(cause->ns), cause->saved_frames,
                     dj_units_ms(cause->saved_ns));
        snprintf(rest, sizeof(rest), "%*s", columns, "");
    } else {
        snprintf(first, sizeof(first), "%zu. ", rank);
        snprintf(rest, sizeof(rest), "   ");
        dj_text_format(&words, "%s, %zu frame%s, %.1f ms; saved: %zu, %.1f ms; ", kind,
                       cause->frames, cause->frames == 1 ? "" : "s",
                       dj_units_ms(cause->ns), cause->saved_frames,
                       dj_units_ms(cause->saved_ns));
    }
    dj_name_format(&words, "%s [%s]", cause->name, cause->thread);
    dj_text_append_name(&words, " < ", cause->holder, "");
    dj_report_write_triage_lines(out, first, rest, &words);
}

static void write_table(struct dj_terminal *out, const struct dj_triage_cause *causes,
                        size_t count)
{
    if (is_wide(out)) {
        dj_text_format(out->text, "%4s  %-9s %6s %10s %6s %10s  %s\n", "rank", "kind",
                       "frames", "ms", "saved", "saved ms",
                       out->style.width == 0 || out->style.width >= LONG_HEAD_MIN_WIDTH
                           ? "section [thread] < who kept it"
                           : "section [thread]");
    }
    for (size_t i = 0; i < count; i++) {
        write_row(out, &causes[i], i + 1);
    }
}

static void write_tables(struct dj_terminal *out, const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    dj_text_add(out->text, "\n");
    if (result->cause_count > 0) {
        write_table(out, result->causes, result->cause_count);
    }
    if (is_wide(out)) {
        dj_text_format(out->text, "      %-9s %6s %10.1f\n", "unexplained", "",
                       dj_units_ms(result->unexplained_ns));
    } else {
        dj_text_format(&words, "unexplained: %.1f ms",
                       dj_units_ms(result->unexplained_ns));
        dj_report_write_triage_lines(out, "   ", "   ", &words);
    }
    if (result->machine_count > 0) {
        dj_text_add(out->text, "\n");
        dj_report_write_triage_sentence(
            out, "Apart from these, what the machine did to all (other programs):");
        write_table(out, result->machine, result->machine_count);
    }
}

void dj_report_write_triage_text(struct dj_text *text,
                                 const struct dj_triage_result *result,
                                 const struct dj_terminal_style *style)
{
    struct dj_terminal out = dj_report_init_triage_lines(text, style);
    struct dj_text words = {0};
    write_frames(&out, result);
    write_causes(&out, result);
    if (result->janky > 0) {
        write_tables(&out, result);
        dj_report_draw_worst_frames(&out, result);
    }
    for (size_t i = 0; i < result->limit_count; i++) {
        if (i == 0) {
            dj_text_add(text, "\n");
            dj_report_write_triage_sentence(&out, "What this trace cannot show:");
        }
        dj_text_append_escaped(&words, result->limits[i].text,
                               strlen(result->limits[i].text));
        dj_report_write_triage_lines(&out, "- ", "  ", &words);
    }
}
