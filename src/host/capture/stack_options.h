/* Which call stacks a capture samples. */
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

/* If all members are 0, no stacks are sampled. */
struct dj_capture_stacks {
    bool cpu;        /* Sample the stacks of threads that run. */
    bool waits;      /* Sample the stack of a thread when it begins to wait. */
    int64_t rate_hz; /* Samples per second and CPU, or 0 for DJ_CAPTURE_STACK_RATE_HZ. */
    /* Bytes of each stack that are examined, or 0 for DJ_CAPTURE_STACK_BYTES. */
    int64_t stack_bytes;
};

/* Sets `cpu` and `waits` from "cpu", "waits" or "cpu,waits". An empty text means "cpu".
 * Returns false if the text contains another word. */
bool dj_capture_stacks_parse(const char *words, struct dj_capture_stacks *stacks);

#endif
