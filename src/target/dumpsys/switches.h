/* The service "dejank": requests of the host other than dumps. */
#ifndef DEJANK_DUMPSYS_SWITCHES_H
#define DEJANK_DUMPSYS_SWITCHES_H

/* `version`; `profile on|off NAME` switches the simple dump of a recorded app. Returns
 * the exit status. */
int dj_switches_dump(int count, char *const *words);

#endif
