/* The running threads and processes of this machine, read from /proc. */
#ifndef DEJANK_CAPTURE_LINUX_RUNNING_H
#define DEJANK_CAPTURE_LINUX_RUNNING_H

#include "base/text.h"
#include "trace/event.h"

struct dj_running_thread {
    int32_t tid, pid;
    char name[16];
    /* For the main thread of a process, the offset of its program's name in `programs`.
     * SIZE_MAX for other threads and for kernel threads. */
    size_t program;
};

/* A list of threads, with the programs of their processes. Zero the struct before use. */
struct dj_running {
    struct dj_running_thread *threads; /* Threads. Owned by this struct. */
    size_t count;
    struct dj_text programs; /* Names argv[0] of all processes. Each has a final NUL. */
};

/* Adds all running threads, even if the list already contains them. The list may lack
 * threads that start or end during the call. Returns 0 or DJ_E_NO_MEMORY. */
int dj_running_add_all(struct dj_running *running, struct dj_error *err);

/* Adds the threads of one process. Returns 0 or DJ_E_NO_MEMORY. */
int dj_running_add_process(struct dj_running *running, int32_t pid, struct dj_error *err);

/* Passes each thread to the sink as a DJ_EVENT_THREAD. */
int dj_running_write(const struct dj_running *running, struct dj_event_sink sink);

/* Reads at most `size` bytes of a small file of /proc. Returns the number of bytes, or
 * 0 if the file cannot be read. */
size_t dj_running_read_file(const char *path, char *bytes, size_t size);

void dj_running_finish(struct dj_running *running);

#endif
