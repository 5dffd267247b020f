/* The command itself: its options, the list of services, and the frame around several. */
#ifndef DEJANK_DUMPSYS_SERVICES_H
#define DEJANK_DUMPSYS_SERVICES_H

/* Runs `dumpsys WORDS…` as Android's does (frameworks/native, cmds/dumpsys): returns the
 * exit status. Words behind a service are the service's. */
int dj_services_run(int argc, char **argv);

#endif
