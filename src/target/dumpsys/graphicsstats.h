/* The service "graphicsstats": the frame statistics of each package in the last three
 * days. */
#ifndef DEJANK_DUMPSYS_GRAPHICSSTATS_H
#define DEJANK_DUMPSYS_GRAPHICSSTATS_H

/* Adds each segment of an ended process once to the state file. Prints the sums of the
 * state file and the sums of running processes. --release R selects the release of the
 * format. Ignores all other words, like Android. If the state file cannot be read or
 * written, reports that on stderr and prints the sums of the existing segments. Returns
 * the exit status. */
int dj_graphicsstats_dump(int count, char *const *words);

#endif
