/* The service "dejank": what the host asks a device besides dumps. */
#ifndef DEJANK_DUMPSYS_SWITCHES_H
#define DEJANK_DUMPSYS_SWITCHES_H

/* `version`; `profile on|off NAME`, which switches the simple dump of a recorded app.
 * Returns the exit status. */
int dj_dump_dejank(int count, char *const *words);

#endif
