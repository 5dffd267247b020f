/* The full names of processes while a trace is read. Of this room only. */
#ifndef DEJANK_TRACE_PROCESSES_H
#define DEJANK_TRACE_PROCESSES_H

#include "trace/trace.h"

struct dj_process_name;

/* All zero is none. */
struct dj_processes {
    struct dj_process_name *names; /* as they were told; owned */
    size_t count, capacity;
    uint64_t told;
};

/* Names a process, or names it anew; the name is the caller's, and has to last. */
void dj_processes_name(struct dj_processes *processes, int32_t pid, const char *name);
/* The trace has them from now on. */
void dj_processes_hand_over(struct dj_processes *processes, struct dj_trace *trace);
void dj_processes_finish(struct dj_processes *processes);

#endif
