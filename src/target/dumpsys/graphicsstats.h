/* The service "graphicsstats": what each package rendered in the last three days. */
#ifndef DEJANK_DUMPSYS_GRAPHICSSTATS_H
#define DEJANK_DUMPSYS_GRAPHICSSTATS_H

/* Adds each segment of an ended process once to the state folder. Prints the sums of
 * the state, and what running processes have rendered. --release R selects the release
 * of the format. All other words are ignored, as Android ignores them. If the state
 * cannot be read or written, reports that on stderr and prints the segments that
 * exist. Returns the exit status. */
int dj_graphicsstats_dump(int count, char *const *words);

#endif
