/* The running threads and processes of this machine, from /proc. */
#ifndef DEJANK_CAPTURE_LINUX_RUNNING_H
#define DEJANK_CAPTURE_LINUX_RUNNING_H

#include "base/text.h"
#include "trace/event.h"

struct dj_running_thread {
    int32_t tid, pid;
    char name[16];
    size_t program; /* of a process: start of its name in `programs`; SIZE_MAX: none, or
                     * no process */
};

/* Zero-initialise it: empty. */
struct dj_running {
    struct dj_running_thread *threads; /* owned */
    size_t count;
    struct dj_text programs; /* argv[0] of processes, each followed by NUL */
};

/* Adds all running threads, also those that are listed already. Some may be missing
 * without an error. DJ_E_NO_MEMORY. */
int dj_running_add_all(struct dj_running *running, struct dj_error *err);

/* Adds the threads of one process. */
int dj_running_add_process(struct dj_running *running, int32_t pid, struct dj_error *err);

/* Writes them to the sink as DJ_EVENT_THREAD. */
int dj_running_write(const struct dj_running *running, struct dj_event_sink sink);

/* Reads at most `size` bytes of a small file of /proc and returns the length; 0: it
 * cannot be read. */
size_t dj_running_read_file(const char *path, char *bytes, size_t size);

void dj_running_finish(struct dj_running *running);

#endif
