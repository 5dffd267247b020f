#include "report/triage.h"

#include "base/json.h"
#include "base/units.h"
#include "frame/findings_text.h"
#include "report/triage/kinds.h"

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
                   "%s in %zu janky row%s of framestats. The traces show %zu of these "
                   "frames as janky",
                   dj_frame_finding_get_text(finding->finding)->title, finding->rows,
                   finding->rows == 1 ? "" : "s", finding->frames);
    for (size_t i = 0; i < finding->cause_count; i++) {
        const struct dj_triage_finding_cause *tied = &finding->causes[i];
        const struct dj_triage_cause *cause = &result->causes[tied->cause];
        dj_text_format(text, "%s %zu mostly because of %s in `%s` on thread %s",
                       i == 0 ? ":" : ",", tied->frames,
                       dj_report_get_cause_style(cause->kind)->name, cause->name,
                       cause->thread);
        dj_text_append_name(text, ", caused by ", cause->holder, "");
        dj_text_format(text, " (%.1f" DJ_NBSP "ms)", dj_units_ms(tied->ns));
    }
    if (finding->unexplained > 0) {
        dj_text_format(text, ", %zu without a known cause", finding->unexplained);
    }
    dj_text_add(text, ".");
}
