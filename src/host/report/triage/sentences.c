#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/document.h"
#include "report/triage.h"
#include "report/triage/functions.h"
#include "report/triage/sentences.h"
#include "report/triage/waits.h"

enum { VISIBLE_NS = 50000 }; /* A shorter time prints as 0.0 ms. */
/* A wait for a CPU of less than 1/10 of a cause's time is not mentioned. */
enum { CPU_WAIT_PART = 10 };

/* Returns the longest evidence of the cause, or NULL. Some facts are known only about
 * this evidence. */
static const struct dj_triage_evidence *
get_longest_evidence(const struct dj_triage_cause *cause)
{
    return cause->evidence_count > 0 ? &cause->evidence[0] : NULL;
}

static void describe_own_work(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_text_format(text, "`%s` ran long on thread %s", cause->name, cause->thread);
}

static void describe_lock(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_text_format(text, "Thread %s waited in `%s` for a lock", cause->thread,
                   cause->name);
    if (cause->holder[0] != '\0') {
        dj_text_format(text, " held by thread %s", cause->holder);
        dj_text_append_name(text, " (in section `",
                            evidence != NULL ? evidence->holder_section : NULL, "`)");
    }
}

static void describe_runnable(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_text_format(text, "Thread %s waited for a CPU", cause->thread);
    dj_text_append_name(text, " while ", cause->holder, " ran on it");
    dj_text_format(text, ", mostly in `%s`,", cause->name);
}

static void describe_io(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_text_format(text, "Thread %s waited for I/O in `%s`", cause->thread, cause->name);
    dj_text_append_name(text, " (", evidence != NULL ? evidence->detail : NULL, ")");
}

/* Appends "waited for Binder:612_4 of system_server (in section `relayout`), called
 * through …". */
static void describe_ipc(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_text_format(text, "Thread %s waited in `%s` for an answer", cause->thread,
                   cause->name);
    if (cause->holder[0] == '\0') {
        return;
    }
    dj_text_format(text, " from %s", cause->holder);
    if (evidence == NULL) {
        return;
    }
    if (strcmp(evidence->holder_process, cause->holder) != 0) {
        dj_text_append_name(text, " of ", evidence->holder_process, "");
    }
    dj_text_append_name(text, " (in section `", evidence->holder_section, "`)");
    if (evidence->called_tid != 0 && evidence->called_tid != evidence->holder_tid) {
        dj_text_append_name(text, ", called through ", evidence->called, "");
    }
}

static void describe_frequency(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_text_format(text, "`%s` took longer on thread %s because its CPU was slow",
                   cause->name, cause->thread);
    if (evidence == NULL || evidence->expected_khz <= 0) {
        return;
    }
    dj_text_format(text, " (CPU %d at %.0f" DJ_NBSP "MHz, %s %.0f" DJ_NBSP "MHz",
                   evidence->cpu, (double)evidence->khz / 1e3,
                   evidence->is_limited ? "limited to less than" : "usually",
                   (double)evidence->expected_khz / 1e3);
    if (evidence->core_khz > 0) {
        dj_text_format(text, "; its maximum is %.1f of %.1f" DJ_NBSP "GHz",
                       (double)evidence->core_khz / 1e6,
                       (double)evidence->highest_khz / 1e6);
    }
    dj_text_add(text, ")");
}

/* Describes a wait in a section for the GPU or the display, or the reason that a
 * compositor reported for a late frame. */
static void describe_display(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    bool composed = evidence != NULL && evidence->stack_count == 0 &&
                    strcmp(evidence->detail, cause->name) == 0;
    if (composed) {
        dj_text_format(text,
                       evidence->app_was_late
                           ? "The frame was late, and the compositor showed it even "
                             "later (`%s`)"
                           : "The frame was in time, but the compositor showed it late "
                             "(`%s`)",
                       cause->name);
    } else {
        dj_text_format(text, "Thread %s waited for the %s in `%s`", cause->thread,
                       cause->kind == DJ_CAUSE_GPU ? "GPU" : "display", cause->name);
        dj_text_append_name(text, " (`", evidence != NULL ? evidence->detail : NULL,
                            "`)");
    }
    dj_text_append_name(text, ", because of ", cause->holder, "");
}

static void describe_gc(struct dj_text *text, const struct dj_triage_cause *cause)
{
    if (cause->holder[0] == '\0') {
        dj_text_format(text, "Thread %s collected garbage in `%s`", cause->thread,
                       cause->name);
    } else {
        dj_text_format(text, "Thread %s waited in `%s` while %s collected garbage",
                       cause->thread, cause->name, cause->holder);
    }
}

static void describe_sleep(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    bool reason_unknown = evidence != NULL && evidence->reason_unknown;
    dj_text_format(text,
                   reason_unknown
                       ? "Thread %s slept in `%s`, or waited for a reason that the trace "
                         "does not show,"
                       : "Thread %s slept in `%s` by its own request",
                   cause->thread, cause->name);
}

static void describe_late_wake(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_text_format(text, "Thread %s woke up or started later than requested in `%s`",
                   cause->thread, cause->name);
}

static void (*const describers[DJ_CAUSE_KINDS])(struct dj_text *,
                                                const struct dj_triage_cause *) = {
    [DJ_CAUSE_OWN_WORK] = describe_own_work,
    [DJ_CAUSE_LOCK] = describe_lock,
    [DJ_CAUSE_RUNNABLE] = describe_runnable,
    [DJ_CAUSE_FREQUENCY] = describe_frequency,
    [DJ_CAUSE_IO] = describe_io,
    [DJ_CAUSE_IPC] = describe_ipc,
    [DJ_CAUSE_GC] = describe_gc,
    [DJ_CAUSE_SLEEP] = describe_sleep,
    [DJ_CAUSE_LATE_WAKE] = describe_late_wake,
    [DJ_CAUSE_GPU] = describe_display,
    [DJ_CAUSE_DISPLAY] = describe_display,
};

/* Appends ", waited 11.6 ms for a CPU" unless the time is 0. */
static void add_time(struct dj_text *text, const char *before, int64_t ns,
                     const char *after)
{
    if (ns > 0) {
        dj_text_format(text, ", %s%.1f" DJ_NBSP "ms%s", before, dj_units_ms(ns), after);
    }
}

/* Appends a text about what the other thread did while this thread waited for it. */
static void describe_holder(struct dj_text *text, const struct dj_triage_cause *cause)
{
    bool waited = cause->kind == DJ_CAUSE_LOCK || cause->kind == DJ_CAUSE_IPC ||
                  cause->kind == DJ_CAUSE_GC || cause->kind == DJ_CAUSE_GPU ||
                  cause->kind == DJ_CAUSE_DISPLAY;
    if (!waited || cause->holder[0] == '\0') {
        return;
    }
    dj_text_format(text, " Meanwhile %s ran %.1f" DJ_NBSP "ms", cause->holder,
                   dj_units_ms(cause->holder_ran_ns));
    add_time(text, "waited ", cause->holder_ready_ns, " for a CPU");
    add_time(text, "was in I/O for ", cause->holder_io_ns, "");
    add_time(text, "slept ", cause->holder_slept_ns, "");
    if (cause->holder_unknown_ns >= VISIBLE_NS) {
        add_time(text, "was in an unknown state for ", cause->holder_unknown_ns, "");
    }
    dj_text_add(text, ".");
}

static void describe_saving(struct dj_text *text, const struct dj_triage_result *result,
                            const struct dj_triage_cause *cause)
{
    const char *change = result->against_base            ? "At its length in the baseline"
                         : cause->usual_ns >= VISIBLE_NS ? "At its usual length"
                                                         : "Without this cause";
    dj_text_format(text,
                   " %s, %zu of these frames would have met the deadline, and the total "
                   "delay would be %.1f" DJ_NBSP "ms shorter.",
                   change, cause->saved_frames, dj_units_ms(cause->saved_ns));
    if (cause->cpu_wait_ns > 0 && CPU_WAIT_PART * cause->cpu_wait_ns >= cause->ns) {
        dj_text_format(text,
                       " Because of this cause, threads also waited %.1f" DJ_NBSP
                       "ms for a CPU.",
                       dj_units_ms(cause->cpu_wait_ns));
    }
    if (cause->clock_ns > 0) {
        dj_text_format(text,
                       " During %.1f" DJ_NBSP "ms of this time, other threads had the "
                       "CPU. The section would have taken just as "
                       "long without them, because wall time "
                       "limits this section, not CPU time.",
                       dj_units_ms(cause->clock_ns));
    }
}

void dj_report_describe_cause(struct dj_text *text, const struct dj_triage_result *result,
                              const struct dj_triage_cause *cause)
{
    if (describers[cause->kind] != NULL) {
        describers[cause->kind](text, cause);
    }
    dj_text_format(text, " in %zu of %zu janky frame%s: %.1f" DJ_NBSP "ms in total",
                   cause->frames, result->janky, result->janky == 1 ? "" : "s",
                   dj_units_ms(cause->ns));
    if (cause->kind == DJ_CAUSE_OWN_WORK && cause->usual_ns >= VISIBLE_NS) {
        dj_text_format(text, ", against a usual %.1f" DJ_NBSP "ms per frame",
                       dj_units_ms(cause->usual_ns));
    }
    dj_text_add(text, ".");
    describe_holder(text, cause);
    describe_saving(text, result, cause);
    dj_report_describe_functions(text, result, cause);
    dj_report_describe_waits(text, result, cause);
}

void dj_report_describe_evidence(struct dj_text *text,
                                 const struct dj_triage_evidence *evidence)
{
    dj_text_format(
        text, "%s, at %.6f" DJ_NBSP "s for %.2f" DJ_NBSP "ms: %s (%" PRIu32 ")",
        evidence->frame, (double)(evidence->start_ns - evidence->trace_start_ns) / 1e9,
        dj_units_ms(evidence->end_ns - evidence->start_ns), evidence->thread,
        evidence->tid);
    for (size_t i = evidence->stack_count; i-- > 0;) {
        dj_text_format(text, "%s%s", i + 1 == evidence->stack_count ? " in " : " > ",
                       evidence->stack[i]);
    }
    if (evidence->waker[0] != '\0') {
        dj_text_format(text, ", until %s%s (%" PRIu32 ") woke it",
                       evidence->interrupted ? "an interrupt on " : "", evidence->waker,
                       evidence->waker_tid);
    } else if (evidence->interrupted) {
        dj_text_add(text, ", until an interrupt woke it");
    }
}
