/* Finds which interrupt woke a thread, and when the timer of a sleeping thread expired.
 */
#ifndef DEJANK_TRIAGE_INDEX_INTERRUPTS_H
#define DEJANK_TRIAGE_INDEX_INTERRUPTS_H

#include "triage/index/index.h"

enum dj_triage_interrupt_kind {
    DJ_INTERRUPT_UNKNOWN,
    DJ_INTERRUPT_TIMER,
    DJ_INTERRUPT_BLOCK,
    DJ_INTERRUPT_NETWORK,
    DJ_INTERRUPT_GPU,
    DJ_INTERRUPT_OTHER
};

struct dj_triage_interrupt {
    enum dj_triage_interrupt_kind kind;
    const char *handler; /* Name of the interrupt handler, or NULL if it is unknown. */
    bool hard; /* True if a device raised the interrupt at most 200 µs before. */
};

/* Returns the interrupt that woke a thread. `woken` is the thread's state that starts
 * with the wake-up. If the CPU served no interrupt at that time, or the trace contains no
 * interrupts, returns DJ_INTERRUPT_TIMER, because traces contain no handler for the
 * timer's interrupt. */
struct dj_triage_interrupt dj_triage_find_interrupt(const struct dj_triage_index *index,
                                                    const struct dj_trace_state *woken);

/* Estimates the offset between the trace's clock and the timers' clock (CLOCK_MONOTONIC)
 * from sleeps that timers ended. Does nothing if the trace states this offset. */
void dj_triage_find_timer_offset(struct dj_triage_index *index);

/* Returns the time at which the timer that the thread had started before the sleep should
 * expire. Returns INT64_MAX if the time is unknown. */
int64_t dj_triage_find_timer_end(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

/* Returns true if a timer that the thread had started should have expired when the sleep
 * ended. */
bool dj_triage_is_timer_due(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread,
                            const struct dj_trace_state *sleep);

/* Returns true if a timer that the thread had started before the sleep may have ended the
 * sleep. Returns true for a timer that uses a clock with an unknown offset. */
bool dj_triage_is_timer_possible(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

/* Returns true if a disk request was issued or completed during the sleep or just before
 * it. */
bool dj_triage_is_disk_active(const struct dj_triage_index *index,
                              const struct dj_trace_state *sleep);

/* Returns the number of disk requests that the thread issued from from_ns to to_ns. */
uint32_t dj_triage_count_disk_requests(const struct dj_triage_index *index, uint32_t tid,
                                       int64_t from_ns, int64_t to_ns);

#endif
