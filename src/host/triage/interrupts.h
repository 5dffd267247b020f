/* Which interrupt woke a thread, and when a timer was asked for. Of this room only. */
#ifndef DEJANK_TRIAGE_INTERRUPTS_H
#define DEJANK_TRIAGE_INTERRUPTS_H

#include "triage/index.h"

enum dj_interrupt_kind {
    DJ_INTERRUPT_UNKNOWN,
    DJ_INTERRUPT_TIMER,
    DJ_INTERRUPT_BLOCK,
    DJ_INTERRUPT_NETWORK,
    DJ_INTERRUPT_GPU,
    DJ_INTERRUPT_OTHER
};

struct dj_interrupt {
    enum dj_interrupt_kind kind;
    const char *handler; /* NULL: none is told */
    bool hard;           /* a device raised it just then */
};

/* `woken` is the state that the wake-up began. A timer's own interrupt has no handler
 * that is told; where the trace has no interrupts at all, one is taken for a timer's, and
 * the limits say so. */
struct dj_interrupt dj_triage_interrupt_of(const struct dj_triage_index *index,
                                           const struct dj_trace_state *woken);

/* Where the trace does not say how its clock stands to that of timers (CLOCK_MONOTONIC),
 * when sleeps ended that timers ended says so. */
void dj_triage_timers_look(struct dj_triage_index *index);

/* When the timer that the thread asked for before a sleep was to end it; INT64_MAX: that
 * is not told. */
int64_t dj_triage_asked_end(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread,
                            const struct dj_trace_state *sleep);

/* Whether a timer that the thread had asked for was due when its sleep ended. */
bool dj_triage_timer_was_due(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread,
                             const struct dj_trace_state *sleep);

/* Whether the thread had asked for a timer before a sleep that may have ended it: one of
 * a clock that the trace's says nothing of may. */
bool dj_triage_may_have_expired(const struct dj_triage_index *index,
                                const struct dj_triage_thread *thread,
                                const struct dj_trace_state *sleep);

/* Whether a request was made to a disk, or done by one, in a sleep or just before it. */
bool dj_triage_disk_worked(const struct dj_triage_index *index,
                           const struct dj_trace_state *sleep);

/* How many requests to disks a thread made from one time to another. */
uint32_t dj_triage_requests(const struct dj_triage_index *index, uint32_t tid,
                            int64_t from_ns, int64_t to_ns);

#endif
