/* A program of this machine that lives no longer than we do: whatever ends us, SIGKILL
 * too, ends it and all that it started. */
#ifndef DEJANK_DEVICE_KEPT_H
#define DEJANK_DEVICE_KEPT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

enum { DJ_KEPT_OUTPUT_MAX = 256 * 1024 }; /* bytes of what it says that are kept */

struct dj_kept;

/*
 * Starts `path` in a session of its own with empty input. A small process of ours stands
 * between: it takes in what the program says, so that it never waits for us, and ends all
 * of its descendants when we are gone. DJ_E_IO where it cannot be started.
 */
int dj_kept_start(const char *path, char *const *argv, struct dj_kept **kept,
                  struct dj_error *err);

/* Does the program, or anything it started, still run? */
bool dj_kept_running(struct dj_kept *kept);

/* The program's own end, as waitpid() tells it; false while it has not ended. What it
 * started may go on. */
bool dj_kept_status(struct dj_kept *kept, int *status);

/* Asks the program to end (SIGTERM), and after `patience_ns` ends all that is left. */
void dj_kept_end(struct dj_kept *kept, int64_t patience_ns);

/* What it said on both streams so far, its first DJ_KEPT_OUTPUT_MAX bytes. */
void dj_kept_output(struct dj_kept *kept, struct dj_text *text);

/* Ends it where it runs. NULL is fine. */
void dj_kept_close(struct dj_kept *kept);

#endif
