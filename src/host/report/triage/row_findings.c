#include "report/triage.h"

#include "base/json.h"
#include "base/units.h"
#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/triage/lines.h"

static void write_cause(struct dj_text *text, const struct dj_triage_result *result,
                        const struct dj_triage_finding_cause *cause)
{
    bool machine = cause->cause >= result->cause_count;
    size_t place = cause->cause - (machine ? result->cause_count : 0);
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "rank", (int64_t)place + 1);
    dj_json_add_bool(text, "machine", machine);
    dj_json_add_int(text, "frames", (int64_t)cause->frames);
    dj_json_add_real(text, "ms", dj_units_ms(cause->ns));
    dj_json_close(text, "}");
}

static void write_finding(struct dj_text *text, const struct dj_triage_result *result,
                          const struct dj_triage_finding *finding)
{
    struct dj_text sentence = {0};
    dj_json_open_object(text, NULL);
    dj_report_describe_tied_finding(&sentence, result, finding);
    dj_json_add_text(text, "sentence", &sentence);
    dj_json_add_string(text, "finding", dj_frame_finding_rule(finding->finding)->id);
    dj_json_add_int(text, "rows", (int64_t)finding->rows);
    dj_json_add_int(text, "frames", (int64_t)finding->frames);
    dj_json_add_int(text, "unexplained", (int64_t)finding->unexplained);
    dj_json_open_array(text, "causes");
    for (size_t i = 0; i < finding->cause_count; i++) {
        write_cause(text, result, &finding->causes[i]);
    }
    dj_json_close(text, "]}");
}

void dj_report_write_tied_members(struct dj_text *text,
                                  const struct dj_triage_result *result,
                                  const struct dj_triage_findings *tie)
{
    dj_json_open_object(text, "rows");
    dj_json_add_int(text, "janky", (int64_t)tie->janky);
    dj_json_add_int(text, "shown", (int64_t)tie->shown);
    dj_json_add_int(text, "traces_without_clock", (int64_t)tie->without_clock);
    dj_json_close(text, "}");
    dj_json_open_array(text, "findings");
    for (size_t i = 0; i < tie->finding_count; i++) {
        write_finding(text, result, &tie->findings[i]);
    }
    dj_json_close(text, "]");
}

void dj_report_describe_tied_finding(struct dj_text *text,
                                     const struct dj_triage_result *result,
                                     const struct dj_triage_finding *finding)
{
    dj_text_format(text,
                   "%s: in %zu janky row%s of framestats; the traces show %zu of "
                   "these frames late",
                   dj_frame_finding_get_text(finding->finding)->title, finding->rows,
                   finding->rows == 1 ? "" : "s", finding->frames);
    for (size_t i = 0; i < finding->cause_count; i++) {
        const struct dj_triage_finding_cause *tied = &finding->causes[i];
        const struct dj_triage_cause *cause = &result->causes[tied->cause];
        dj_text_format(text, "%s in %zu of them mostly %s", i == 0 ? "," : ";",
                       tied->frames, dj_triage_cause_kind_name(cause->kind));
        dj_name_format(text, " \"%s\" of %s", cause->name, cause->thread);
        dj_text_append_name(text, ", kept by ", cause->holder, "");
        dj_text_format(text, " (%.1f ms)", dj_units_ms(tied->ns));
    }
    if (finding->unexplained > 0) {
        dj_text_format(text, "; %zu of them have no cause", finding->unexplained);
    }
    dj_text_add(text, ".");
}

void dj_report_write_tied_text(struct dj_text *text,
                               const struct dj_triage_result *result,
                               const struct dj_triage_findings *tie,
                               const struct dj_terminal_style *style)
{
    struct dj_terminal out = dj_report_init_triage_lines(text, style);
    struct dj_text words = {0};
    for (size_t i = 0; i < tie->finding_count; i++) {
        if (i == 0) {
            dj_text_add(text, "\n");
            dj_report_write_triage_sentence(
                &out, "What the columns of framestats say of the same frames:");
        }
        dj_report_describe_tied_finding(&words, result, &tie->findings[i]);
        dj_report_write_triage_lines(&out, "- ", "  ", &words);
    }
    if (tie->finding_count > 0 && tie->without_clock > 0) {
        dj_text_format(&words,
                       "(How the clock of %zu trace%s stands to theirs is not known: it "
                       "was taken for the same.)",
                       tie->without_clock, tie->without_clock == 1 ? "" : "s");
        dj_report_write_triage_lines(&out, "", "", &words);
    }
}
