/* Finds which interrupt woke a thread, and when a timer that the thread had set was
 * due. */
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
    bool hard; /* True if a device raised the interrupt, at most 200 µs before. */
};

/* Returns the interrupt that woke the thread. `woken` is the state that starts with the
 * wake-up. If no interrupt was served at that time, or the trace has no interrupts at
 * all, the result is a timer, because the timer's own interrupt has no handler in a
 * trace. */
struct dj_triage_interrupt dj_triage_find_interrupt(const struct dj_triage_index *index,
                                                    const struct dj_trace_state *woken);

/* If the trace does not relate its clock to the timers' clock (CLOCK_MONOTONIC),
 * estimates the offset from sleeps that timers ended. */
void dj_triage_find_timer_offset(struct dj_triage_index *index);

/* Returns when the timer that the thread had set before the sleep was due, or INT64_MAX
 * if that is unknown. */
int64_t dj_triage_find_timer_end(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

/* Returns whether a timer that the thread had set was due when the sleep ended. */
bool dj_triage_is_timer_due(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread,
                            const struct dj_trace_state *sleep);

/* Returns whether a timer that the thread had set before the sleep may have ended it. A
 * timer of a clock with an unknown offset may always have ended it. */
bool dj_triage_is_timer_possible(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

/* Returns whether a disk request was made or completed during the sleep or just before
 * it. */
bool dj_triage_is_disk_active(const struct dj_triage_index *index,
                              const struct dj_trace_state *sleep);

/* Returns how many disk requests the thread made from from_ns to to_ns. */
uint32_t dj_triage_count_disk_requests(const struct dj_triage_index *index, uint32_t tid,
                                       int64_t from_ns, int64_t to_ns);

#endif
