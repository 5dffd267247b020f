/* Lets Ctrl-C end the use of devices: running work has one second to finish. */
#ifndef DEJANK_CLI_STOP_H
#define DEJANK_CLI_STOP_H

#include "process/deadline.h"

/*
 * From now on the first SIGINT, SIGTERM or SIGHUP (not under nohup) leaves DJ_STOP_NS
 * until work must end, a second one ends it at once, and a third one ends the process.
 */
#define DJ_STOP_NS DJ_SECOND_NS
void dj_stop_handle_signals(void);

/* The time by which devices and scripts must end. */
struct dj_interrupt_request dj_stop_interrupt(void);

/* Interrupts at once, but only after a second signal. */
struct dj_interrupt_request dj_stop_abort_interrupt(void);

/* Whether a first signal has arrived. */
bool dj_stop_is_requested(void);

#endif
