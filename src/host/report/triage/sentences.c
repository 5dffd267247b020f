#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/escape/name.h"
#include "report/triage.h"
#include "report/triage/sentences.h"

enum { VISIBLE_NS = 50000 }; /* A shorter time prints as 0.0 ms. */
enum { ALONG_PART = 10 };    /* A smaller part of a cause's time is not mentioned. */

/* Names the section in which another thread was. `evidence` may be NULL. */
static void write_section(struct dj_text *text, const struct dj_triage_evidence *evidence)
{
    if (evidence != NULL) {
        dj_text_append_name(text, " (in \"", evidence->holder_section, "\")");
    }
}

static void describe_own_work(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "worked in \"%s\"", cause->name);
    if (cause->usual_ns >= VISIBLE_NS) {
        dj_text_format(text, " (usually %.1f ms)", dj_units_ms(cause->usual_ns));
    }
}

static void describe_holder(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_text_format(text, "; that one ran %.1f ms", dj_units_ms(cause->holder_ran_ns));
    if (cause->holder_ready_ns > 0) {
        dj_text_format(text, ", was kept off its core %.1f ms",
                       dj_units_ms(cause->holder_ready_ns));
    }
    if (cause->holder_io_ns > 0) {
        dj_text_format(text, ", was in I/O %.1f ms", dj_units_ms(cause->holder_io_ns));
    }
    if (cause->holder_slept_ns > 0) {
        dj_text_format(text, ", slept %.1f ms", dj_units_ms(cause->holder_slept_ns));
    }
    if (cause->holder_unknown_ns >= VISIBLE_NS) {
        dj_text_format(text, ", and what it did for %.1f ms is not told",
                       dj_units_ms(cause->holder_unknown_ns));
    }
}

/* The facts known only about the longest piece; NULL: none. */
static const struct dj_triage_evidence *
get_longest_evidence(const struct dj_triage_cause *cause)
{
    return cause->evidence_count > 0 ? &cause->evidence[0] : NULL;
}

static void describe_lock(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "waited in \"%s\"", cause->name);
    if (cause->holder[0] == '\0') {
        dj_text_add(text, " for a lock");
        return;
    }
    dj_name_format(text, " for what thread %s held", cause->holder);
    write_section(text, get_longest_evidence(cause));
    describe_holder(text, cause);
}

static void describe_runnable(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text,
                   cause->holder[0] != '\0' ? "was ready to run while %s had the core"
                                            : "was ready to run and had no core%s",
                   cause->holder);
    dj_name_format(text, ", mostly in \"%s\"", cause->name);
}

static void describe_io(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "waited for I/O in \"%s\"", cause->name);
    if (cause->evidence_count > 0) {
        dj_text_append_name(text, " (", cause->evidence[0].detail, ")");
    }
}

/* An answer of binder: "for an answer of Binder:612_4 of system_server (in "relayout"),
 * by way of …". */
static void describe_ipc(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_name_format(text, "waited in \"%s\"", cause->name);
    dj_text_add(text, " for an answer");
    if (cause->holder[0] == '\0') {
        return;
    }
    dj_name_format(text, " of %s", cause->holder);
    if (evidence != NULL && strcmp(evidence->holder_process, cause->holder) != 0) {
        dj_text_append_name(text, " of ", evidence->holder_process, "");
    }
    write_section(text, evidence);
    if (evidence != NULL && evidence->called_tid != 0 &&
        evidence->called_tid != evidence->holder_tid) {
        dj_name_format(text, ", by way of %s", evidence->called);
    }
    describe_holder(text, cause);
}

static void describe_frequency(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_name_format(text, "took longer in \"%s\"", cause->name);
    if (evidence == NULL || evidence->expected_khz <= 0) {
        dj_text_add(text, " on a core that was slow");
        return;
    }
    dj_text_format(text, " on core %d", evidence->cpu);
    if (evidence->core_khz > 0) {
        dj_text_format(text, ", whose highest is %.1f GHz of %.1f,",
                       (double)evidence->core_khz / 1e6,
                       (double)evidence->highest_khz / 1e6);
    }
    dj_text_format(text, " at %.0f MHz, where %s %.0f MHz", (double)evidence->khz / 1e3,
                   evidence->is_limited ? "a limit held it below"
                                        : "frames in time mostly had",
                   (double)evidence->expected_khz / 1e3);
}

/* Describes a section that waits, or what a compositor reported about a frame. */
static void describe_display(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    bool composed = evidence != NULL && evidence->stack_count == 0 &&
                    strcmp(evidence->detail, cause->name) == 0;
    if (composed) {
        dj_name_format(text,
                       evidence->app_was_late ? "came late, and was shown later: \"%s\""
                                              : "came in time and was shown late: \"%s\"",
                       cause->name);
    } else {
        dj_name_format(text,
                       cause->kind == DJ_CAUSE_GPU ? "waited for the GPU in \"%s\""
                                                   : "waited for the display in \"%s\"",
                       cause->name);
        if (evidence != NULL) {
            dj_text_append_name(text, " (\"", evidence->detail, "\")");
        }
    }
    if (cause->holder[0] != '\0') {
        dj_name_format(text, ", by %s", cause->holder);
        write_section(text, evidence);
        describe_holder(text, cause);
    }
}

static void describe_gc(struct dj_text *text, const struct dj_triage_cause *cause)
{
    if (cause->holder[0] == '\0') {
        dj_name_format(text, "collected garbage in \"%s\"", cause->name);
        return;
    }
    dj_name_format(text, "waited in \"%s\" while %s collected garbage", cause->name,
                   cause->holder);
    write_section(text, get_longest_evidence(cause));
    describe_holder(text, cause);
}

static void describe_sleep(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    bool reason_unknown = evidence != NULL && evidence->reason_unknown;
    dj_name_format(text,
                   reason_unknown
                       ? "slept in \"%s\", or waited for what the trace does not tell"
                       : "slept for a time of its own choice in \"%s\"",
                   cause->name);
}

static void describe_late_wake(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "was woken or started later than it asked for, in \"%s\"",
                   cause->name);
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

void dj_report_describe_cause(struct dj_text *text, const struct dj_triage_result *result,
                              const struct dj_triage_cause *cause)
{
    dj_text_format(text, "In %zu of %zu late frame%s ", cause->frames, result->janky,
                   result->janky == 1 ? "" : "s");
    dj_name_format(text, "%s ", cause->thread);
    if (describers[cause->kind] != NULL) {
        describers[cause->kind](text, cause);
    }
    dj_text_format(text,
                   ": %.1f ms. %s %zu would have been in time, and all together %.1f ms "
                   "less late.",
                   dj_units_ms(cause->ns),
                   result->against_base            ? "As in the base,"
                   : cause->usual_ns >= VISIBLE_NS ? "As usual,"
                                                   : "Without it",
                   cause->saved_frames, dj_units_ms(cause->saved_ns));
    if (cause->cpu_wait_ns > 0 && ALONG_PART * cause->cpu_wait_ns >= cause->ns) {
        dj_text_format(text, " %.1f ms without a core would go with it.",
                       dj_units_ms(cause->cpu_wait_ns));
    }
    if (cause->clock_ns > 0) {
        dj_text_format(text,
                       " For %.1f ms of it others had its core, but it lasts by the "
                       "clock: it would have taken as long without them.",
                       dj_units_ms(cause->clock_ns));
    }
}

void dj_report_describe_evidence(struct dj_text *text,
                                 const struct dj_triage_evidence *evidence)
{
    dj_text_append_escaped_name(text, evidence->frame);
    dj_text_format(text, ", at %.6f s for %.2f ms: ", (double)evidence->start_ns / 1e9,
                   dj_units_ms(evidence->end_ns - evidence->start_ns));
    dj_text_append_escaped_name(text, evidence->thread);
    dj_text_format(text, " (%" PRIu32 ")", evidence->tid);
    for (size_t i = evidence->stack_count; i-- > 0;) {
        dj_name_format(text, i + 1 == evidence->stack_count ? " in %s" : " > %s",
                       evidence->stack[i]);
    }
    if (evidence->waker[0] != '\0') {
        dj_name_format(text,
                       evidence->interrupted ? ", woken by an interrupt upon %s"
                                             : ", woken by %s",
                       evidence->waker);
        dj_text_format(text, " (%" PRIu32 ")", evidence->waker_tid);
    } else if (evidence->interrupted) {
        dj_text_add(text, ", woken by an interrupt");
    }
}
