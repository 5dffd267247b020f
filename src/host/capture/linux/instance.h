/* A tracing instance of our own: a separate ring of the kernel, which does not disturb
 * other tracing. Its name identifies its process, so that an instance of a dead process
 * is recognised. */
#ifndef DEJANK_CAPTURE_LINUX_INSTANCE_H
#define DEJANK_CAPTURE_LINUX_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/linux/kernel_events.h"

enum { DJ_INSTANCE_NAME = 64 };

struct dj_instance_cpu {
    int pipe; /* trace_pipe_raw: whole pages, non-blocking */
    int32_t cpu;
};

/* Zero-initialise it. */
struct dj_instance {
    int root; /* tracefs */
    int dir;  /* instances/NAME */
    bool made;
    char name[DJ_INSTANCE_NAME];
    struct dj_instance_cpu *cpus; /* owned */
    size_t cpu_count;
};

/* Creates an instance in tracefs, after removing those of our dead processes. It takes
 * ownership of the descriptor `root`. DJ_E_OWNER, DJ_E_UNSUPPORTED, DJ_E_IO. */
int dj_instance_create(struct dj_instance *instance, int root, struct dj_error *err);

/* Sets clock, size and events and opens the pipes, without starting it. Missing events
 * add their limits to `result`. */
int dj_instance_set_up(struct dj_instance *instance, const struct dj_capture_plan *plan,
                       struct dj_capture_result *result, struct dj_error *err);
/* Starts or stops it. */
int dj_instance_switch(const struct dj_instance *instance, bool on, struct dj_error *err);

/* Returns the number of events that did not fit into its rings. */
uint64_t dj_instance_read_lost(const struct dj_instance *instance);

/* Removes it, even if it is incomplete. After an error it still exists. */
int dj_instance_remove(struct dj_instance *instance, struct dj_error *err);

/* Removes, or only counts, instances of dead processes, and returns their number. *left:
 * the name of one that still exists, otherwise "". */
size_t dj_instance_remove_dead(int root, bool removes, char left[DJ_INSTANCE_NAME]);

/* Names of instances. All containers of a machine share one tracefs, so a name also
 * identifies processes of other pid namespaces. */

/* Writes "dejank-PID-START-N", the N-th instance of this process; in a pid namespace of
 * its own "dejank-PID-START-N-NAMESPACE". */
void dj_instance_name(char name[DJ_INSTANCE_NAME], unsigned number);

/* Whether it is an instance of ours whose process is dead. Only the machine's own pid
 * namespace can tell for another namespace. */
bool dj_instance_is_dead(const char *name);

#endif
