/* Finds which interrupt woke a thread, and when it had set a timer. */
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
    const char *handler; /* NULL: unknown */
    bool hard;           /* a device raised it just then */
};

/* `woken` is the state that the wake-up began. The timer's own interrupt has no handler
 * in the trace. If the trace has no interrupts at all, the result is a timer, and the
 * limits say so. */
struct dj_triage_interrupt dj_triage_find_interrupt(const struct dj_triage_index *index,
                                                    const struct dj_trace_state *woken);

/* Finds the offset between the trace's clock and that of timers (CLOCK_MONOTONIC) from
 * sleeps that timers ended, if the trace does not state it. */
void dj_triage_find_timer_offset(struct dj_triage_index *index);

/* Returns when the timer that the thread had set before a sleep was due; INT64_MAX if
 * that is unknown. */
int64_t dj_triage_find_timer_end(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

/* Whether a timer that the thread had set was due when its sleep ended. */
bool dj_triage_is_timer_due(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread,
                            const struct dj_trace_state *sleep);

/* Whether a timer that the thread had set before the sleep may have ended it. A timer of
 * a clock with unknown offset may. */
bool dj_triage_is_timer_possible(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep);

/* Whether a disk request was made or completed during a sleep or just before it. */
bool dj_triage_is_disk_active(const struct dj_triage_index *index,
                              const struct dj_trace_state *sleep);

/* Returns how many disk requests the thread made from from_ns to to_ns. */
uint32_t dj_triage_count_disk_requests(const struct dj_triage_index *index, uint32_t tid,
                                       int64_t from_ns, int64_t to_ns);

#endif
