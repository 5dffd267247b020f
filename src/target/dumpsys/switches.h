/* The service "dejank": requests of the host that are not dumps. */
#ifndef DEJANK_DUMPSYS_SWITCHES_H
#define DEJANK_DUMPSYS_SWITCHES_H

/* Runs one of the commands `version`, `clock` and `profile on|off NAME`, which
 * switches the simple dump of an app on or off. Returns the exit status. */
int dj_switches_dump(int count, char *const *words);

#endif
