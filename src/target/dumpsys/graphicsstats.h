/* The service "graphicsstats": what each package rendered in the last three days. */
#ifndef DEJANK_DUMPSYS_GRAPHICSSTATS_H
#define DEJANK_DUMPSYS_GRAPHICSSTATS_H

/* Adds up ended processes' segments in the state folder, each once; prints those sums and
 * what living processes have rendered since. --release R prints in that release's form;
 * all other words are passed over, as Android does. Where the state cannot be kept, a
 * line on stderr says so and the segments that are there are printed. Returns the exit
 * status. */
int dj_dump_graphicsstats(int count, char *const *words);

#endif
