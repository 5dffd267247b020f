/* The dumpsys command: its options, the list of services, and the heading of each dump
 * if several are printed. */
#ifndef DEJANK_DUMPSYS_SERVICES_H
#define DEJANK_DUMPSYS_SERVICES_H

/* Runs `dumpsys WORDS…` like Android's command (frameworks/native, cmds/dumpsys).
 * Words after the name of a service are arguments of that service. Returns the exit
 * status. */
int dj_services_run(int argc, char **argv);

#endif
