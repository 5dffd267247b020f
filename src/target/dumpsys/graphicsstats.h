/* The service "graphicsstats": what each package rendered in the last three days. */
#ifndef DEJANK_DUMPSYS_GRAPHICSSTATS_H
#define DEJANK_DUMPSYS_GRAPHICSSTATS_H

/* Adds the segments of ended processes to the state folder, each once. Prints those
 * sums, and what running processes have rendered. --release R selects the release of
 * the format. All other words are ignored, as Android does. If the state cannot be
 * kept, reports that on stderr and prints the existing segments. Returns the exit
 * status. */
int dj_graphicsstats_dump(int count, char *const *words);

#endif
