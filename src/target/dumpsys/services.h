/* The command: its options, the list of services, and the frame around several dumps. */
#ifndef DEJANK_DUMPSYS_SERVICES_H
#define DEJANK_DUMPSYS_SERVICES_H

/* Runs `dumpsys WORDS…` like Android's command (frameworks/native, cmds/dumpsys).
 * Words after a service belong to the service. Returns the exit status. */
int dj_services_run(int argc, char **argv);

#endif
