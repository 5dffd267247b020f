#include <math.h>

#include "base/json.h"
#include "base/units.h"
#include "memory/memory.h"
#include "report/triage.h"
#include "report/triage/functions.h"
#include "report/triage/presents.h"
#include "report/triage/waits.h"

static void write_evidence(struct dj_text *text,
                           const struct dj_triage_evidence *evidence)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "frame", evidence->frame);
    dj_json_add_name(text, "trace", evidence->trace);
    dj_json_add_int(text, "frame_start_ns", evidence->frame_start_ns);
    dj_json_add_int(text, "start_ns", evidence->start_ns);
    dj_json_add_int(text, "end_ns", evidence->end_ns);
    dj_json_add_real(text, "ms", dj_units_ms(evidence->ns));
    dj_json_add_real(text, "late_ms", dj_units_ms(evidence->late_ns));
    dj_json_add_string(text, "thread", evidence->thread);
    dj_json_add_int(text, "tid", evidence->tid);
    dj_json_open_array(text, "sections");
    for (size_t i = 0; i < evidence->stack_count; i++) {
        dj_json_append_string(text, evidence->stack[i]);
    }
    dj_json_close(text, "]");
    dj_json_add_name(text, "waker", evidence->waker);
    dj_json_add_bool(text, "interrupt", evidence->interrupted);
    if (evidence->reason_unknown) {
        dj_json_add_bool(text, "untold", true);
    }
    dj_json_add_name(text, "holder", evidence->holder);
    dj_json_add_name(text, "holder_section", evidence->holder_section);
    dj_json_add_name(text, "holder_process", evidence->holder_process);
    dj_json_add_name(text, "asked", evidence->called);
    dj_json_add_name(text, "detail", evidence->detail);
    if (evidence->expected_khz > 0) {
        dj_json_add_int(text, "cpu", evidence->cpu);
        dj_json_add_int(text, "khz", evidence->khz);
        dj_json_add_int(text, "ought_khz", evidence->expected_khz);
        dj_json_add_bool(text, "limited", evidence->is_limited);
    }
    if (evidence->core_khz > 0) {
        dj_json_add_int(text, "core_khz", evidence->core_khz);
        dj_json_add_int(text, "highest_khz", evidence->highest_khz);
    }
    dj_json_close(text, "}");
}

static void write_cause(struct dj_text *text, const struct dj_triage_result *result,
                        const struct dj_triage_cause *cause, size_t rank)
{
    struct dj_text sentence = {0};
    dj_json_open_object(text, NULL);
    dj_report_describe_cause(&sentence, result, cause);
    dj_json_add_text(text, "sentence", &sentence);
    dj_json_add_int(text, "rank", (int64_t)rank);
    dj_json_add_string(text, "kind", dj_triage_cause_kind_name(cause->kind));
    dj_json_add_string(text, "name", cause->name);
    dj_json_add_string(text, "thread", cause->thread);
    dj_json_add_name(text, "holder", cause->holder);
    dj_json_add_int(text, "frames", (int64_t)cause->frames);
    dj_json_add_real(text, "ms", dj_units_ms(cause->ns));
    dj_json_add_int(text, "saved_frames", (int64_t)cause->saved_frames);
    dj_json_add_real(text, "saved_ms", dj_units_ms(cause->saved_ns));
    if (cause->kind == DJ_CAUSE_OWN_WORK) {
        dj_json_add_real(text, "usual_ms", dj_units_ms(cause->usual_ns));
    }
    if (cause->cpu_wait_ns > 0) {
        dj_json_add_real(text, "along_ms", dj_units_ms(cause->cpu_wait_ns));
    }
    bool shown = cause->kind == DJ_CAUSE_GC || cause->kind == DJ_CAUSE_GPU ||
                 cause->kind == DJ_CAUSE_DISPLAY;
    if (cause->kind == DJ_CAUSE_LOCK || cause->kind == DJ_CAUSE_IPC ||
        (shown && cause->holder[0] != '\0')) {
        dj_json_open_object(text, "holder_did");
        dj_json_add_real(text, "ran_ms", dj_units_ms(cause->holder_ran_ns));
        dj_json_add_real(text, "ready_ms", dj_units_ms(cause->holder_ready_ns));
        dj_json_add_real(text, "io_ms", dj_units_ms(cause->holder_io_ns));
        dj_json_add_real(text, "slept_ms", dj_units_ms(cause->holder_slept_ns));
        dj_json_add_real(text, "unknown_ms", dj_units_ms(cause->holder_unknown_ns));
        dj_json_close(text, "}");
    }
    dj_report_write_functions(text, result->calls, cause->functions);
    dj_report_write_waits(text, result->calls, cause->waiters);
    dj_json_open_array(text, "evidence");
    for (size_t i = 0; i < cause->evidence_count; i++) {
        write_evidence(text, &cause->evidence[i]);
    }
    dj_json_close(text, "]}");
}

static void write_causes(struct dj_text *text, const char *key,
                         const struct dj_triage_result *result,
                         const struct dj_triage_cause *causes, size_t count)
{
    dj_json_open_array(text, key);
    for (size_t i = 0; i < count; i++) {
        write_cause(text, result, &causes[i], i + 1);
    }
    dj_json_close(text, "]");
}

/* Writes the refresh rates of the display. Omits the member if the budget of no frame
 * comes from a refresh rate. */
static void write_rates(struct dj_text *text, const struct dj_triage_result *result)
{
    if (result->rate_count == 0) {
        return;
    }
    dj_json_open_array(text, "refresh");
    for (size_t i = 0; i < result->rate_count; i++) {
        const struct dj_triage_shown_rate *rate = &result->rates[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "trace", rate->trace);
        dj_json_add_string(text, "source", rate->source);
        dj_json_add_int(text, "from_ns", rate->from_ns);
        dj_json_add_real(text, "period_ms", dj_units_ms(rate->period_ns));
        dj_json_add_real(text, "hz", 1e9 / (double)rate->period_ns);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

void dj_report_write_triage_members(struct dj_text *text,
                                    const struct dj_triage_result *result,
                                    const struct dj_triage_findings *tie)
{
    dj_json_add_string(text, "schema", "dejank.triage/1");
    dj_json_open_object(text, "frames");
    dj_json_add_int(text, "total", (int64_t)result->frames);
    dj_json_add_int(text, "janky", (int64_t)result->janky);
    dj_json_add_int(text, "incomplete", (int64_t)result->incomplete);
    dj_json_add_real(text, "late_ms", dj_units_ms(result->late_ns));
    dj_json_add_string(text, "from", result->frames_from);
    dj_json_add_real(text, "budget_ms",
                     result->budget_ns > 0 ? dj_units_ms(result->budget_ns) : NAN);
    dj_json_add_string(text, "budget_from", result->budget_from);
    write_rates(text, result);
    dj_json_close(text, "}");
    write_causes(text, "causes", result, result->causes, result->cause_count);
    write_causes(text, "machine", result, result->machine, result->machine_count);
    dj_report_write_json_presents(text, result);
    dj_json_add_real(text, "unexplained_ms", dj_units_ms(result->unexplained_ns));
    dj_report_write_functions(text, result->calls, result->functions);
    dj_json_open_array(text, "limits");
    for (size_t i = 0; i < result->limit_count; i++) {
        dj_json_append_string(text, result->limits[i].text);
    }
    dj_json_close(text, "]");
    dj_report_write_tied_members(text, result, tie);
}

void dj_report_write_triage_json(struct dj_text *text,
                                 const struct dj_triage_result *result,
                                 const struct dj_triage_findings *tie)
{
    dj_json_open_object(text, NULL);
    dj_report_write_triage_members(text, result, tie);
    dj_json_close(text, "}\n");
}
