/* Builds the samples of frames whose functions take known times. */
#ifndef PLANTED_H
#define PLANTED_H

#include "calls/difference.h"

/* Starts with an empty tree and no frames. Call it after planted_finish() only. */
void planted_start(size_t janky, size_t smooth);
void planted_finish(void);

/* Returns the node of a stack such as "main/frame/draw". A function such as "[read]" is
 * in the kernel. */
uint32_t planted_stack(const char *path);
/* Adds `count` samples of 1 ms to a frame. Frames must be added in order. */
void planted_add(uint32_t frame, const char *path, int count);
void planted_add_guess(uint32_t frame, const char *path);

/* Computes the difference. The result is valid until planted_finish(). */
const struct dj_calls_difference *planted_result(void);
/* Returns the name of the function of a cause, or "" if there are fewer causes. */
const char *planted_name(size_t cause);
const char *planted_node_name(uint32_t node);

#endif
