/* Finds when sleeps should have ended, from the timers that threads started. */
#include <stdlib.h>

#include "base/checked.h"
#include "memory/memory.h"
#include "stats/quantile.h"
#include "triage/index/interrupts.h"

enum {
    RECENT_NS = 200000,
    AGREE_PERCENT = 70,
    /* Minimum number of sleeps from which the offset of two clocks is estimated. */
    FEWEST = 8,
    /* A smaller offset is ignored, because it is the usual delay of timers. */
    APART_NS = 2000000
};

/* Maximum difference of two clocks that start at boot, unless the machine was suspended.
 */
static const int64_t OFF_NS = 1000000000;

/* Maximum duration of a wait in a frame. */
static const int64_t LONGEST_NS = 3600LL * 1000000000;

/* Returns the timer that the thread started just before it fell asleep, or NULL. */
static const struct dj_trace_mark *find_timer(const struct dj_triage_index *index,
                                              const struct dj_triage_thread *thread,
                                              const struct dj_trace_state *sleep)
{
    size_t after =
        dj_triage_find_mark_after(index, index->timers, thread->timers, sleep->start_ns);
    if (after == thread->timers.from) {
        return NULL;
    }
    const struct dj_trace_mark *timer = &index->trace->marks[index->timers[after - 1]];
    return timer->at_ns >= sleep->start_ns - RECENT_NS ? timer : NULL;
}

static int64_t compute_due_ns(const struct dj_triage_index *index,
                              const struct dj_trace_mark *timer)
{
    return dj_checked_add_saturated(
        dj_checked_subtract_saturated(timer->value, index->trace->clock.to_mono_ns),
        index->timer_offset_ns);
}

/* Returns INT64_MAX if the time of the timer does not fit the sleep. The timer then uses
 * another clock. */
int64_t dj_triage_find_timer_end(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep)
{
    const struct dj_trace_mark *timer = find_timer(index, thread, sleep);
    int64_t due_ns = timer != NULL ? compute_due_ns(index, timer) : INT64_MAX;
    return timer != NULL && !index->timer_offsets_differ &&
                   due_ns >= timer->at_ns - RECENT_NS &&
                   due_ns <= sleep->end_ns + RECENT_NS
               ? due_ns
               : INT64_MAX;
}

bool dj_triage_is_timer_due(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread,
                            const struct dj_trace_state *sleep)
{
    int64_t due_ns = dj_triage_find_timer_end(index, thread, sleep);
    return due_ns != INT64_MAX && due_ns >= sleep->end_ns - RECENT_NS;
}

bool dj_triage_is_timer_possible(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep)
{
    const struct dj_trace_mark *timer = find_timer(index, thread, sleep);
    int64_t due_ns = timer != NULL ? compute_due_ns(index, timer) : INT64_MAX;
    bool other_clock = timer != NULL &&
                       (due_ns < dj_checked_subtract_saturated(timer->at_ns, RECENT_NS) ||
                        dj_checked_subtract_saturated(due_ns, timer->at_ns) > LONGEST_NS);
    int64_t off_ns = index->timer_offset_known ? RECENT_NS : OFF_NS;
    return timer != NULL &&
           (other_clock || due_ns <= dj_checked_add_saturated(sleep->end_ns, off_ns));
}

static bool is_asleep(const struct dj_trace_state *state)
{
    return state->state == DJ_THREAD_SLEEPING || state->state == DJ_THREAD_BLOCKED;
}

/* Appends one time to late_ns for each sleep of the thread that an interrupt ended. The
 * time is from the expiry of the sleep's timer to the end of the sleep. Returns the new
 * number of elements of late_ns. */
static size_t add_delays(const struct dj_triage_index *index,
                         const struct dj_triage_thread *thread, int64_t *late_ns,
                         size_t count)
{
    for (size_t at = thread->states.from; at + 1 < thread->states.to; at++) {
        const struct dj_trace_state *sleep = dj_triage_get_state(index, at);
        const struct dj_trace_state *woken = dj_triage_get_state(index, at + 1);
        const struct dj_trace_mark *timer = is_asleep(sleep) && woken->interrupted
                                                ? find_timer(index, thread, sleep)
                                                : NULL;
        if (timer != NULL) {
            late_ns[count++] = dj_checked_subtract_saturated(
                sleep->end_ns, compute_due_ns(index, timer));
        }
    }
    return count;
}

/* Sets the offset on which most sleeps agree. The sleeps disagree if each CPU has its own
 * clock, or if timers use several clocks. The offset is then unknown. */
static void set_offset(struct dj_triage_index *index, const int64_t *late_ns,
                       size_t count)
{
    size_t most = 0;
    size_t best = 0;
    for (size_t from = 0, to = 0; from < count; from++) {
        while (to < count &&
               dj_checked_subtract_saturated(late_ns[to], late_ns[from]) <= APART_NS) {
            to++;
        }
        best = to - from > most ? from : best;
        most = to - from > most ? to - from : most;
    }
    int64_t usual_ns = late_ns[best + most / 4];
    bool apart = usual_ns < -RECENT_NS || usual_ns > APART_NS;
    index->timer_offset_known = 100 * most >= AGREE_PERCENT * count;
    index->timer_offsets_differ = !index->timer_offset_known;
    index->timer_offset_ns = apart && index->timer_offset_known ? usual_ns : 0;
}

void dj_triage_find_timer_offset(struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    size_t count = 0;
    index->timer_offset_known = trace->clock.known;
    if (!index->has_timers || trace->clock.known) {
        return;
    }
    int64_t *late_ns = dj_xresize(NULL, trace->state_count, sizeof(*late_ns));
    for (size_t i = 0; i < index->thread_count; i++) {
        count = add_delays(index, &index->threads[i], late_ns, count);
    }
    if (count >= FEWEST) {
        dj_quantile_sort_int64(late_ns, count);
        set_offset(index, late_ns, count);
    }
    free(late_ns);
}
