/* Starts writers for tests that read a segment at the same time. A writer is a child
 * process or a thread. */
#ifndef DEJANK_TEST_SEGMENT_WRITING_H
#define DEJANK_TEST_SEGMENT_WRITING_H

#include <sys/types.h>

#include "support.h"

/* The state that the writer and the test share. */
struct shared {
    _Atomic bool ready, stop;
    _Atomic uint64_t written;
};

/* Returns memory that is shared with child processes. */
struct shared *make_shared(void);

/* Ends the child process if `holds` is false. The test then fails. Call it in the
 * child. */
void must(bool holds);

/* Starts a child process that runs `work`, and waits until it is ready. `work` must not
 * return. */
pid_t start(void (*work)(struct shared *), struct shared *shared);

/* Makes the child stop. The test fails if the child did not end normally. */
void finish(pid_t child, struct shared *shared);

/* Returns the number in an environment variable, which a developer may set, or
 * `otherwise`. */
uint64_t test_times(const char *variable, uint64_t otherwise);

#endif
