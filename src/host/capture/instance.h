/*
 * A tracing instance of our own: a ring of the kernel's beside all others, which nobody
 * else's tracing notices. Its name tells whose it is, so that one that its process left
 * behind is known. Of this room only.
 */
#ifndef DEJANK_CAPTURE_INSTANCE_H
#define DEJANK_CAPTURE_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/events.h"

enum { DJ_INSTANCE_NAME = 64 };

struct dj_instance_cpu {
    int pipe; /* trace_pipe_raw, of whole pages, not waiting */
    int32_t cpu;
};

/* Zero it. */
struct dj_instance {
    int root; /* tracefs */
    int dir;  /* instances/NAME */
    bool made;
    char name[DJ_INSTANCE_NAME];
    struct dj_instance_cpu *cpus; /* owned */
    size_t cpu_count;
};

/* Makes one in tracefs, whose descriptor becomes its, after taking away what dead
 * processes of ours left. DJ_E_OWNER, DJ_E_UNSUPPORTED, DJ_E_IO. */
int dj_instance_make(struct dj_instance *instance, int root, struct dj_error *err);

/* Clock, size, events and pipes: all but begin. `without`: limits of events that are not
 * there. */
int dj_instance_set_up(struct dj_instance *instance, const struct dj_capture_plan *plan,
                       struct dj_capture_result *result, struct dj_error *err);
/* Begins or ends it. */
int dj_instance_switch(const struct dj_instance *instance, bool on, struct dj_error *err);

/* Events that its rings had no room for. */
uint64_t dj_instance_lost(const struct dj_instance *instance);

/* Takes it away. Also where nothing or not all was made. An error: it is still there. */
int dj_instance_remove(struct dj_instance *instance, struct dj_error *err);

/* Removes instances of processes that are no more, or only counts them. Returns how many;
 * *left: the name of one that is still there, else "". */
size_t dj_instance_sweep(int root, bool removes, char left[DJ_INSTANCE_NAME]);

/* ---- its name ----
 *
 * tracefs is one for the whole machine, so that a name has to tell whose it is also where
 * processes have numbers of their own (pid namespaces, containers). */

/* "dejank-PID-START-N", which is N of this process; in a pid namespace of its own
 * "dejank-PID-START-N-NAMESPACE". */
void dj_instance_name(char name[DJ_INSTANCE_NAME], unsigned number);

/* Whether it is one of ours whose process is no more. Of another namespace only the
 * machine's own one can tell. */
bool dj_instance_is_left(const char *name);

#endif
