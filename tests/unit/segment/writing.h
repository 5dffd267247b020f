/* Segments being written while a test looks: a process or threads that write, and what
 * they tell the test. */
#ifndef DEJANK_TEST_SEGMENT_WRITING_H
#define DEJANK_TEST_SEGMENT_WRITING_H

#include <sys/types.h>

#include "support.h"

/* What writer and test tell each other. */
struct shared {
    _Atomic bool ready, stop;
    _Atomic uint64_t written;
};

/* One that a child shares. */
struct shared *make_shared(void);

/* In the child: ends it where something does not hold, which the test sees. */
void must(bool holds);

/* A child that does this work, which never returns; once it is ready. */
pid_t start(void (*work)(struct shared *), struct shared *shared);

/* Tells it to stop; it must have ended well. */
void finish(pid_t child, struct shared *shared);

/* What a hand-run test asks for in an environment variable, else what the suite has time
 * for. */
uint64_t test_times(const char *variable, uint64_t otherwise);

#endif
