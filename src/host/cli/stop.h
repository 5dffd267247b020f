/* How Ctrl-C ends what uses devices: they get a second for what is left to do. */
#ifndef DEJANK_CLI_STOP_H
#define DEJANK_CLI_STOP_H

#include "process/deadline.h"

/*
 * From now on the first SIGINT, SIGTERM or SIGHUP (but under nohup) leaves DJ_STOP_NS to
 * end in, a second one nothing, and a third ends the process.
 */
#define DJ_STOP_NS DJ_SECOND_NS
void dj_stop_watch(void);

/* By when to end, as devices and scripts ask for it. */
struct dj_interrupt dj_stop_interrupt(void);

/* Interrupts at once, but only after a second signal. */
struct dj_interrupt dj_stop_give_up(void);

/* A first one came. */
bool dj_stop_asked(void);

#endif
