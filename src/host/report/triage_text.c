#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/name.h"
#include "report/triage.h"
#include "report/triage/sentences.h"

enum { TELLABLE_NS = 50000 }; /* A shorter time prints as 0.0 ms. */
enum { ALONG_PART = 10 };     /* A smaller part of a cause's time is not mentioned. */

/* Names the section in which another thread was. `evidence` may be NULL. */
static void put_section(struct dj_text *text, const struct dj_triage_evidence *evidence)
{
    if (evidence != NULL) {
        dj_text_put_name(text, " (in \"", evidence->holder_section, "\")");
    }
}

static void tell_own_work(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "worked in \"%s\"", cause->name);
    if (cause->usual_ns >= TELLABLE_NS) {
        dj_text_format(text, " (usually %.1f ms)", dj_ms(cause->usual_ns));
    }
}

static void tell_holder(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_text_format(text, "; that one ran %.1f ms", dj_ms(cause->holder_ran_ns));
    if (cause->holder_ready_ns > 0) {
        dj_text_format(text, ", was kept off its core %.1f ms",
                       dj_ms(cause->holder_ready_ns));
    }
    if (cause->holder_io_ns > 0) {
        dj_text_format(text, ", was in I/O %.1f ms", dj_ms(cause->holder_io_ns));
    }
    if (cause->holder_slept_ns > 0) {
        dj_text_format(text, ", slept %.1f ms", dj_ms(cause->holder_slept_ns));
    }
    if (cause->holder_unknown_ns >= TELLABLE_NS) {
        dj_text_format(text, ", and what it did for %.1f ms is not told",
                       dj_ms(cause->holder_unknown_ns));
    }
}

/* The facts known only about the longest piece; NULL: none. */
static const struct dj_triage_evidence *
get_longest_evidence(const struct dj_triage_cause *cause)
{
    return cause->evidence_count > 0 ? &cause->evidence[0] : NULL;
}

static void tell_lock(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "waited in \"%s\"", cause->name);
    if (cause->holder[0] == '\0') {
        dj_text_string(text, " for a lock");
        return;
    }
    dj_name_format(text, " for what thread %s held", cause->holder);
    put_section(text, get_longest_evidence(cause));
    tell_holder(text, cause);
}

static void tell_ready(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text,
                   cause->holder[0] != '\0' ? "was ready to run while %s had the core"
                                            : "was ready to run and had no core%s",
                   cause->holder);
    dj_name_format(text, ", mostly in \"%s\"", cause->name);
}

static void tell_io(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "waited for I/O in \"%s\"", cause->name);
    if (cause->evidence_count > 0) {
        dj_text_put_name(text, " (", cause->evidence[0].detail, ")");
    }
}

/* An answer of binder: "for an answer of Binder:612_4 of system_server (in "relayout"),
 * by way of …". */
static void tell_ipc(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_name_format(text, "waited in \"%s\"", cause->name);
    dj_text_string(text, " for an answer");
    if (cause->holder[0] == '\0') {
        return;
    }
    dj_name_format(text, " of %s", cause->holder);
    if (evidence != NULL && strcmp(evidence->holder_process, cause->holder) != 0) {
        dj_text_put_name(text, " of ", evidence->holder_process, "");
    }
    put_section(text, evidence);
    if (evidence != NULL && evidence->asked_tid != 0 &&
        evidence->asked_tid != evidence->holder_tid) {
        dj_name_format(text, ", by way of %s", evidence->asked);
    }
    tell_holder(text, cause);
}

static void tell_frequency(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    dj_name_format(text, "took longer in \"%s\"", cause->name);
    if (evidence == NULL || evidence->ought_khz <= 0) {
        dj_text_string(text, " on a core that was slow");
        return;
    }
    dj_text_format(text, " on core %d", evidence->cpu);
    if (evidence->core_khz > 0) {
        dj_text_format(text, ", whose highest is %.1f GHz of %.1f,",
                       (double)evidence->core_khz / 1e6,
                       (double)evidence->highest_khz / 1e6);
    }
    dj_text_format(text, " at %.0f MHz, where %s %.0f MHz", (double)evidence->khz / 1e3,
                   evidence->limited ? "a limit held it below"
                                     : "frames in time mostly had",
                   (double)evidence->ought_khz / 1e3);
}

/* Describes a section that waits, or what a compositor reported about a frame. */
static void tell_shown(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    bool composed = evidence != NULL && evidence->stack_count == 0 &&
                    strcmp(evidence->detail, cause->name) == 0;
    if (composed) {
        dj_name_format(text,
                       evidence->came_late ? "came late, and was shown later: \"%s\""
                                           : "came in time and was shown late: \"%s\"",
                       cause->name);
    } else {
        dj_name_format(text,
                       cause->kind == DJ_CAUSE_GPU ? "waited for the GPU in \"%s\""
                                                   : "waited for the display in \"%s\"",
                       cause->name);
        if (evidence != NULL) {
            dj_text_put_name(text, " (\"", evidence->detail, "\")");
        }
    }
    if (cause->holder[0] != '\0') {
        dj_name_format(text, ", by %s", cause->holder);
        put_section(text, evidence);
        tell_holder(text, cause);
    }
}

static void tell_gc(struct dj_text *text, const struct dj_triage_cause *cause)
{
    if (cause->holder[0] == '\0') {
        dj_name_format(text, "collected garbage in \"%s\"", cause->name);
        return;
    }
    dj_name_format(text, "waited in \"%s\" while %s collected garbage", cause->name,
                   cause->holder);
    put_section(text, get_longest_evidence(cause));
    tell_holder(text, cause);
}

static void tell_sleep(struct dj_text *text, const struct dj_triage_cause *cause)
{
    const struct dj_triage_evidence *evidence = get_longest_evidence(cause);
    bool untold = evidence != NULL && evidence->untold;
    dj_name_format(text,
                   untold ? "slept in \"%s\", or waited for what the trace does not tell"
                          : "slept for a time of its own choice in \"%s\"",
                   cause->name);
}

static void tell_late_wake(struct dj_text *text, const struct dj_triage_cause *cause)
{
    dj_name_format(text, "was woken or started later than it asked for, in \"%s\"",
                   cause->name);
}

static void (*const tellers[DJ_CAUSE_KINDS])(struct dj_text *,
                                             const struct dj_triage_cause *) = {
    [DJ_CAUSE_OWN_WORK] = tell_own_work,
    [DJ_CAUSE_LOCK] = tell_lock,
    [DJ_CAUSE_RUNNABLE] = tell_ready,
    [DJ_CAUSE_FREQUENCY] = tell_frequency,
    [DJ_CAUSE_IO] = tell_io,
    [DJ_CAUSE_IPC] = tell_ipc,
    [DJ_CAUSE_GC] = tell_gc,
    [DJ_CAUSE_SLEEP] = tell_sleep,
    [DJ_CAUSE_LATE_WAKE] = tell_late_wake,
    [DJ_CAUSE_GPU] = tell_shown,
    [DJ_CAUSE_DISPLAY] = tell_shown,
};

void dj_report_triage_sentence(struct dj_text *text,
                               const struct dj_triage_result *result,
                               const struct dj_triage_cause *cause)
{
    dj_text_format(text, "In %zu of %zu late frame%s ", cause->frames, result->janky,
                   result->janky == 1 ? "" : "s");
    dj_name_format(text, "%s ", cause->thread);
    if (tellers[cause->kind] != NULL) {
        tellers[cause->kind](text, cause);
    }
    dj_text_format(text,
                   ": %.1f ms. %s %zu would have been in time, and all together %.1f ms "
                   "less late.",
                   dj_ms(cause->ns),
                   result->against_base             ? "As in the base,"
                   : cause->usual_ns >= TELLABLE_NS ? "As usual,"
                                                    : "Without it",
                   cause->saved_frames, dj_ms(cause->saved_ns));
    if (cause->along_ns > 0 && ALONG_PART * cause->along_ns >= cause->ns) {
        dj_text_format(text, " %.1f ms without a core would go with it.",
                       dj_ms(cause->along_ns));
    }
    if (cause->clock_ns > 0) {
        dj_text_format(text,
                       " For %.1f ms of it others had its core, but it lasts by the "
                       "clock: it would have taken as long without them.",
                       dj_ms(cause->clock_ns));
    }
}

void dj_report_triage_evidence(struct dj_text *text,
                               const struct dj_triage_evidence *evidence)
{
    dj_text_escaped_name(text, evidence->frame);
    dj_text_format(text, ", at %.6f s for %.2f ms: ", (double)evidence->start_ns / 1e9,
                   dj_ms(evidence->end_ns - evidence->start_ns));
    dj_text_escaped_name(text, evidence->thread);
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
        dj_text_string(text, ", woken by an interrupt");
    }
}
