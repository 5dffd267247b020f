/* A tracing instance: a separate ring of the kernel, which does not disturb other
 * tracing. The name of an instance contains the process that made it, so that the
 * instance can be removed if the process is dead. */
#ifndef DEJANK_CAPTURE_LINUX_INSTANCE_H
#define DEJANK_CAPTURE_LINUX_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/linux/kernel_events.h"

enum { DJ_INSTANCE_NAME = 64 };

struct dj_instance_cpu {
    int pipe; /* Descriptor of trace_pipe_raw, which returns whole pages and does not
               * block. */
    int32_t cpu;
};

/* Zero-initialise it. */
struct dj_instance {
    int root; /* Descriptor of tracefs. */
    int dir;  /* Descriptor of instances/NAME. */
    bool made;
    char name[DJ_INSTANCE_NAME];
    struct dj_instance_cpu *cpus; /* Owned by this struct. */
    size_t cpu_count;
};

/* Creates an instance in tracefs, after removing instances of dead dejank processes.
 * Owns the descriptor `root` afterwards. Returns 0, DJ_E_OWNER, DJ_E_UNSUPPORTED or
 * DJ_E_IO. */
int dj_instance_create(struct dj_instance *instance, int root, struct dj_error *err);

/* Sets the clock, the buffer size and the events, and opens the pipes. Does not start
 * tracing. Adds a limit to `result` for each important event that the kernel lacks. */
int dj_instance_set_up(struct dj_instance *instance, const struct dj_capture_plan *plan,
                       struct dj_capture_result *result, struct dj_error *err);
/* Starts or stops tracing. */
int dj_instance_switch(const struct dj_instance *instance, bool on, struct dj_error *err);

/* Returns the number of events that did not fit into the rings. */
uint64_t dj_instance_read_lost(const struct dj_instance *instance);

/* Removes the instance, even one that is not complete. After an error the instance
 * still exists. */
int dj_instance_remove(struct dj_instance *instance, struct dj_error *err);

/* Removes instances of dead processes, or only counts them if `removes` is false.
 * Returns their number. Sets `remaining` to the name of one that still exists, or to
 * "". */
size_t dj_instance_remove_dead(int root, bool removes, char remaining[DJ_INSTANCE_NAME]);

/* The following functions handle names of instances. All containers of a machine share
 * one tracefs, so a name also identifies the pid namespace of its process. */

/* Writes the name of the N-th instance of this process: "dejank-PID-START-N", or in
 * another pid namespace than the initial one "dejank-PID-START-N-NAMESPACE". */
void dj_instance_name(char name[DJ_INSTANCE_NAME], unsigned number);

/* Returns true if the name is that of an instance of a dead dejank process. Whether a
 * process of another pid namespace is dead can only be decided in the initial one. */
bool dj_instance_is_dead(const char *name);

#endif
