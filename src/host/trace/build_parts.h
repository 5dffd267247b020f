/* Where events go that are more than something a thread does. For build.c. */
#ifndef DEJANK_TRACE_BUILD_PARTS_H
#define DEJANK_TRACE_BUILD_PARTS_H

#include "trace/build.h"

/* Where an event goes beside to its thread: most go nowhere else. */
enum dj_build_part {
    DJ_PART_MARK = 1,
    DJ_PART_SPAN = 2,
    DJ_PART_EDGE = 4,
    DJ_PART_COUNT = 8,
    DJ_PART_FRAME = 16,
    DJ_PART_CHANGE = 32, /* it changes what is known of threads */
    DJ_PART_APART = 64   /* it is nothing that a thread did */
};

/* Puts it there; the last two are no places. */
void dj_build_put(struct dj_build *build, const struct dj_event *event, uint8_t parts);

#endif
