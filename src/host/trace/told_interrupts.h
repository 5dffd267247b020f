/* What happened in an interrupt, in text whose lines have no flags (trace-cmd report,
 * kernels before 3.2): it stands between the beginning and the end of one on its CPU, or
 * a sleep ends as the timer expires that the sleeper had asked for. Of this room only. */
#ifndef DEJANK_TRACE_TOLD_INTERRUPTS_H
#define DEJANK_TRACE_TOLD_INTERRUPTS_H

#include "trace/event.h"

struct dj_told_interrupts;

/* free() it. */
struct dj_told_interrupts *dj_told_interrupts_create(void);

/* Takes the events of a text in their order, and says of each whether it happened in an
 * interrupt as far as those before it tell: sets `interrupted` to 1 or 0. NULL: says
 * nothing. */
void dj_told_interrupts_take(struct dj_told_interrupts *told, struct dj_event *event);

#endif
