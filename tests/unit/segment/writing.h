/* Writers for tests that read a segment at the same time: a process or threads, and
 * the state they share with the test. */
#ifndef DEJANK_TEST_SEGMENT_WRITING_H
#define DEJANK_TEST_SEGMENT_WRITING_H

#include <sys/types.h>

#include "support.h"

/* The state shared by writer and test. */
struct shared {
    _Atomic bool ready, stop;
    _Atomic uint64_t written;
};

/* Returns memory that a child shares. */
struct shared *make_shared(void);

/* Called in the child: ends it if `holds` is false, which the test detects. */
void must(bool holds);

/* Starts a child that does this work, which never returns, and waits until it is
 * ready. */
pid_t start(void (*work)(struct shared *), struct shared *shared);

/* Tells it to stop; it must have ended well. */
void finish(pid_t child, struct shared *shared);

/* What a hand-run test asks for in an environment variable, else what the suite has time
 * for. */
uint64_t test_times(const char *variable, uint64_t otherwise);

#endif
