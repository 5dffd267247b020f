/*
 * history: the store — projects, builds, devices, batches, runs, their figures, and the
 * raw evidence beside every number. Not what the figures mean (judge), nor when runs are
 * made (measure).
 */
#ifndef DEJANK_HISTORY_HISTORY_H
#define DEJANK_HISTORY_HISTORY_H
#endif
