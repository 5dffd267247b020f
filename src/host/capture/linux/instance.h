/* A tracing instance of tracefs. It has its own buffers and settings, so it does not
 * disturb other users of the kernel's tracing. The name of an instance contains the id of
 * the process that created it. If this process is dead, another dejank process can remove
 * the instance. */
#ifndef DEJANK_CAPTURE_LINUX_INSTANCE_H
#define DEJANK_CAPTURE_LINUX_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/linux/kernel_events.h"

enum { DJ_INSTANCE_NAME = 64 };

struct dj_instance_cpu {
    /* Descriptor of trace_pipe_raw. It returns whole pages of the CPU's buffer and does
     * not block. */
    int pipe;
    int32_t cpu;
};

/* A tracing instance that this process uses. Zero the struct before use. */
struct dj_instance {
    int root; /* Descriptor of the root folder of tracefs. */
    int dir;  /* Descriptor of the folder instances/NAME. */
    bool made;
    char name[DJ_INSTANCE_NAME];
    struct dj_instance_cpu *cpus; /* CPUs of the machine. Owned by this struct. */
    size_t cpu_count;
};

/* Removes instances of dead dejank processes, then creates an instance in tracefs. `root`
 * is a descriptor of tracefs. The instance owns `root`, even after an error. Returns 0,
 * DJ_E_OWNER, DJ_E_UNSUPPORTED or DJ_E_IO. */
int dj_instance_create(struct dj_instance *instance, int root, struct dj_error *err);

/* Sets the clock, the buffer size and the events, and opens the pipes. Does not start
 * tracing. Adds a limit to `result` for each important event that the kernel lacks. */
int dj_instance_set_up(struct dj_instance *instance, const struct dj_capture_plan *plan,
                       struct dj_capture_result *result, struct dj_error *err);
int dj_instance_switch(const struct dj_instance *instance, bool on, struct dj_error *err);

/* Returns the number of events that were lost because the instance's buffers were full.
 */
uint64_t dj_instance_read_lost(const struct dj_instance *instance);

/* Removes the instance, even if its set-up is not complete. After an error the instance
 * still exists. */
int dj_instance_remove(struct dj_instance *instance, struct dj_error *err);

/* Removes the instances of dead processes, or only counts them if `removes` is false.
 * Returns the number of removed or counted instances. Sets `remaining` to the name of
 * the first instance of a dead process that still exists, or to "" if there is none. */
size_t dj_instance_remove_dead(int root, bool removes, char remaining[DJ_INSTANCE_NAME]);

/* The following functions handle names of instances. All containers of a machine share
 * one tracefs, and process ids are unique only within a pid namespace. Therefore a name
 * also identifies the pid namespace of its process. */

/* Writes the name of the N-th instance of this process. The name is "dejank-PID-START-N"
 * in the initial pid namespace, and "dejank-PID-START-N-NAMESPACE" in any other pid
 * namespace. */
void dj_instance_name(char name[DJ_INSTANCE_NAME], unsigned number);

/* Returns true if the name belongs to an instance of a dead dejank process. Returns false
 * if the process may still run. A process outside of the initial pid namespace cannot
 * distinguish dead processes of other pid namespaces from running ones. */
bool dj_instance_is_dead(const char *name);

#endif
