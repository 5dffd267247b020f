#include "triage/limits.h"

#include <inttypes.h>
#include <string.h>

#include "memory/memory.h"

/* Returns true if the trace is from Android. FrameTimeline events are not sufficient,
 * because traces that dejank itself has captured contain them too. */
static bool is_android(const struct dj_triage_index *index,
                       const struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    bool has_compositor = false;
    for (size_t i = 0; i < trace->thread_count && !has_compositor; i++) {
        has_compositor = strcmp(trace->threads[i].name, "surfaceflinger") == 0;
    }
    return index->has_binder || strncmp(frames->source, "Choreographer", 13) == 0 ||
           (has_compositor && strcmp(frames->source, "FrameTimeline") == 0);
}

/* Adds notes about events that Android traces can contain but this trace does not
 * contain. */
static void note_android(struct dj_triage *triage, const struct dj_triage_index *index,
                         const struct dj_triage_frames *frames)
{
    bool android = is_android(index, frames);
    triage->result.from_android |= android;
    if (android && index->has_states && !index->has_binder) {
        dj_triage_limit_add(triage, "no binder transactions: a called thread is only "
                                    "known if it woke the waiting thread");
    }
    if (android && index->has_states && !index->has_speeds) {
        dj_triage_limit_add(
            triage, "no CPU frequencies: work on a slow CPU looks like more work");
    }
}

static void note_events(struct dj_triage *triage, const struct dj_triage_index *index)
{
    if (!index->has_states) {
        dj_triage_limit_add(
            triage, "no scheduler events: dejank cannot tell waits from work, so all "
                    "time of a section counts as its own work unless the name of the "
                    "section states a wait");
    } else if (!index->has_wakers) {
        /* If the trace also contains no threads of other programs, the user who captured
         * it was not permitted to see these threads. */
        dj_triage_limit_add(triage,
                            "%s: waits for locks are known, but not the holders of the "
                            "locks; other waits count as sleep",
                            index->has_others ? "no wake-ups" : "unprivileged");
    } else if (!index->has_interrupts) {
        dj_triage_limit_add(triage, "no interrupts: a wake-up by the network or another "
                                    "device looks like a wake-up by a timer");
    }
    if (index->has_wakers && index->trace->without_flags) {
        dj_triage_limit_add(
            triage,
            "no interrupt flags: a wake-up by a timer or a device looks like a wake-up "
            "by the thread that ran, and is unexplained unless that thread had been "
            "called%s",
            index->has_timers ? "" : " (hrtimer_start events would show timers)");
    }
    if (index->has_states && !index->has_others) {
        dj_triage_limit_add(
            triage,
            "no threads of other programs: unknown threads had the CPU when a thread "
            "waited for it");
    }
}

/* Adds a note if it is unknown how the clocks of the trace and of the frames relate. */
static void note_clocks(struct dj_triage *triage, const struct dj_trace *trace)
{
    bool is_perf = strcmp(trace->clock.name, "perf") == 0;
    if (!trace->clock.known) {
        dj_triage_limit_add(triage,
                            "the trace does not relate its clock to CLOCK_MONOTONIC: "
                            "dejank assumes that both are the same clock");
    }
    if (!trace->clock.known && is_perf) {
        dj_triage_limit_add(
            triage,
            "stacks may be of other times than the frames: perf's default clock is not "
            "CLOCK_MONOTONIC. Record with 'perf record -k CLOCK_MONOTONIC'; if you did, "
            "print the text with 'perf script --header', or add --clockid monotonic");
    }
    if (!trace->clock.known && trace->clock.name[0] == '\0' && trace->stack_count > 0) {
        dj_triage_limit_add(
            triage, "stacks may be of other times than the frames, because the clock of "
                    "the stacks is unknown. If they were recorded with CLOCK_MONOTONIC, "
                    "as simpleperf does by default, add --clockid monotonic");
    }
    if (triage->rules.rows->clock_is_unknown) {
        dj_triage_limit_add(
            triage, "the trace with the frames does not relate its clock to "
                    "CLOCK_MONOTONIC: dejank assumes that both are the same clock");
    }
}

static double convert_to_hz(int64_t period_ns)
{
    return 1e9 / (double)period_ns;
}

/* Adds a note for each change of the refresh rate, if the budget depends on it. */
static void note_rates(struct dj_triage *triage, const struct dj_triage_index *index,
                       const struct dj_triage_frames *frames)
{
    const struct dj_triage_refresh *refresh = &frames->refresh;
    bool followed = strcmp(frames->budget_from, "deadlines") != 0;
    for (size_t i = 1; followed && i < refresh->count; i++) {
        const struct dj_triage_rate *before = &refresh->rates[i - 1];
        dj_triage_limit_add(
            triage,
            "the display's refresh rate changes from %.1f to %.1f Hz at "
            "%.3f ms of the trace (%s): each frame's budget is the "
            "period at its start",
            convert_to_hz(before->period_ns), convert_to_hz(before[1].period_ns),
            (double)(before[1].from_ns - index->trace->first_ns) / 1e6, refresh->source);
    }
}

static int64_t get_max_ns(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void count(struct dj_triage_totals *totals, const struct dj_triage_index *index,
                  const struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    size_t incomplete = 0;
    for (size_t i = 0; i < frames->count; i++) {
        incomplete += frames->all[i].incomplete;
    }
    totals->incomplete += incomplete;
    totals->lost += incomplete == 0 ? trace->overwritten : 0;
    totals->guessed += index->has_wakers ? dj_triage_count_guessed_threads(index) : 0;
    totals->stuffed += frames->stuffed;
    totals->stuffed_ns = get_max_ns(totals->stuffed_ns, frames->stuffed_ns);
    totals->shown += frames->late_unknown_count;
    totals->damaged += trace->damaged;
    totals->backwards += trace->backwards;
    totals->backwards_ns = get_max_ns(totals->backwards_ns, trace->backwards_ns);
    totals->clock_ns = get_max_ns(totals->clock_ns, trace->clock.error_ns);
}

void dj_triage_limits_add_trace(struct dj_triage *triage,
                                const struct dj_triage_index *index,
                                const struct dj_triage_frames *frames)
{
    struct dj_triage_totals *totals = &triage->totals;
    bool clock_known = index->trace->clock.known;
    note_events(triage, index);
    note_android(triage, index, frames);
    if (!index->has_slices) {
        dj_triage_limit_add(triage, "no sections: causes have only the names of threads");
    }
    note_rates(triage, index, frames);
    if (strcmp(frames->budget_from, "assumed") == 0) {
        dj_triage_limit_add(triage,
                            "the trace does not contain deadlines: dejank assumes %.3f "
                            "ms (1/60 s); --budget sets another value",
                            (double)frames->budget_ns / 1e6);
    }
    if (triage->rules.rows != NULL) {
        note_clocks(triage, index->trace);
    }
    const char *note = dj_xtext(&index->trace->notes);
    for (size_t i = 0; i < index->trace->note_count; i++, note += strlen(note) + 1) {
        dj_triage_limit_add(triage, "%s", note);
    }
    totals->clock_known |= triage->rules.rows != NULL && clock_known;
    if (frames->late_unknown_count > 0) {
        totals->shown_by = dj_triage_intern(triage, frames->late_unknown_reason);
    }
    if (index->trace->member_count > 1) {
        dj_triage_limit_add(triage,
                            "the archive has %zu traces, and only the first one was "
                            "read: extract another one to analyse it",
                            index->trace->member_count);
    }
    count(totals, index, frames);
}

static const char *get_plural(uint64_t number, const char *one, const char *more)
{
    return number == 1 ? one : more;
}

static void add_frame_totals(struct dj_triage *triage,
                             const struct dj_triage_totals *totals)
{
    if (totals->stuffed > 0) {
        dj_triage_limit_add(
            triage,
            "%zu frame%s finished in time and %s shown up to %.1f ms after the previous "
            "frame (buffer stuffing), as far apart as expected: %s as in time",
            totals->stuffed, get_plural(totals->stuffed, "", "s"),
            get_plural(totals->stuffed, "was", "were"), (double)totals->stuffed_ns / 1e6,
            get_plural(totals->stuffed, "it counts", "they count"));
    }
    if (totals->shown > 0) {
        dj_triage_limit_add(triage,
                            "%zu frame%s finished in time and %s shown late (%s) by an "
                            "unknown time: %s as in time",
                            totals->shown, get_plural(totals->shown, "", "s"),
                            get_plural(totals->shown, "was", "were"), totals->shown_by,
                            get_plural(totals->shown, "it counts", "they count"));
    }
    if (totals->incomplete > 0) {
        dj_triage_limit_add(
            triage, "%zu frame%s lost or unrecorded events: %s causes are unknown",
            totals->incomplete, get_plural(totals->incomplete, " has", "s have"),
            get_plural(totals->incomplete, "its", "their"));
    }
}

void dj_triage_limits_add_totals(struct dj_triage *triage)
{
    const struct dj_triage_totals *totals = &triage->totals;
    add_frame_totals(triage, totals);
    if (totals->lost > 0) {
        dj_triage_limit_add(triage, "events were lost outside the frames (%" PRIu64 ")",
                            totals->lost);
    }
    if (totals->samples_lost > 0) {
        dj_triage_limit_add(triage,
                            "%" PRIu64 " sampled stack%s lost: times of functions may be "
                            "too short",
                            totals->samples_lost,
                            get_plural(totals->samples_lost, " was", "s were"));
    }
    if (totals->guessed > 0) {
        dj_triage_limit_add(triage,
                            "the process of %zu thread%s is unknown, and %s attributed "
                            "to the app because of %s: a wait for another program may "
                            "look like a wait for a thread of the app",
                            totals->guessed, get_plural(totals->guessed, "", "s"),
                            get_plural(totals->guessed, "it is", "they are"),
                            get_plural(totals->guessed, "its id", "their ids"));
    }
    if (totals->clock_known) {
        dj_triage_limit_add(triage,
                            "dejank knows the times of the dump's frames in the trace to "
                            "%.3f ms",
                            (double)totals->clock_ns / 1e6);
    }
    if (totals->damaged > 0) {
        dj_triage_limit_add(
            triage, "%" PRIu64 " part%s damaged", totals->damaged,
            get_plural(totals->damaged, " of the trace is", "s of the trace are"));
    }
    if (totals->backwards > 0) {
        dj_triage_limit_add(triage,
                            "time went backwards: %" PRIu64
                            " event%s an earlier time than the event before, by up to "
                            "%.3f ms; thread states there are unreliable",
                            totals->backwards,
                            get_plural(totals->backwards, " has", "s have"),
                            (double)totals->backwards_ns / 1e6);
    }
}
