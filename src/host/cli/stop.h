/* Lets Ctrl-C end the use of devices: running work has one second to finish. */
#ifndef DEJANK_CLI_STOP_H
#define DEJANK_CLI_STOP_H

#include "process/deadline.h"

/*
 * Handles SIGINT, SIGTERM and SIGHUP from now on, but not SIGHUP under nohup. After the
 * first signal, work has DJ_STOP_NS to end. After a second signal, it must end at once. A
 * third signal ends the process.
 */
#define DJ_STOP_NS DJ_SECOND_NS
void dj_stop_handle_signals(void);

/* Returns the request that gives devices and scripts the time by which they must end. */
struct dj_interrupt_request dj_stop_interrupt(void);

/* Returns a request that interrupts at once, but only after a second signal. */
struct dj_interrupt_request dj_stop_abort_interrupt(void);

/* Returns whether a first signal has arrived. */
bool dj_stop_is_requested(void);

#endif
