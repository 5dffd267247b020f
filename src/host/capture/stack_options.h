/* Options: which call stacks a capture samples, and how often. */
#ifndef DEJANK_CAPTURE_STACK_OPTIONS_H
#define DEJANK_CAPTURE_STACK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DJ_CAPTURE_STACK_RATE_HZ = 1000,
    DJ_CAPTURE_STACK_RATE_MOST_HZ = 10000,
    DJ_CAPTURE_STACK_BYTES = 16384,
    DJ_CAPTURE_STACK_BYTES_LEAST = 1024,
    /* The kernel stores the size of a record in 16 bits. */
    DJ_CAPTURE_STACK_BYTES_MOST = 65000
};

/* Options for sampling call stacks. If all members are 0, no stacks are sampled. */
struct dj_capture_stacks {
    bool cpu; /* True if the stacks of running threads are sampled. */
    /* True if the stack of a thread is sampled when the thread begins to wait. */
    bool waits;
    /* Number of samples per second and CPU, or 0 for DJ_CAPTURE_STACK_RATE_HZ. */
    int64_t rate_hz;
    /* Number of bytes that are copied from each stack, or 0 for
     * DJ_CAPTURE_STACK_BYTES. */
    int64_t stack_bytes;
};

/* Sets `cpu` and `waits` from "cpu", "waits" or "cpu,waits". An empty text means "cpu".
 * Returns false for any other text. */
bool dj_capture_stacks_parse(const char *words, struct dj_capture_stacks *stacks);

#endif
