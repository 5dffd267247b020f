/* Stores the name and the process of each thread while records are read in order of
 * time. */
#ifndef DEJANK_TRACE_PERF_DATA_THREADS_H
#define DEJANK_TRACE_PERF_DATA_THREADS_H

#include "base/map.h"
#include "trace/event.h"

struct dj_perf_thread {
    char name[16]; /* Name of the thread, or "" if unknown. */
    int32_t pid;
    bool is_running; /* True if the thread is counted in running_counts. */
};

/* The known threads. Zero the struct before use. */
struct dj_perf_threads {
    struct dj_perf_thread *threads; /* Owned by this struct. */
    size_t count;
    struct dj_map places;         /* Maps a thread id to an index in `threads`. */
    struct dj_map running_counts; /* For each process, its number of running threads. */
};

void dj_perf_data_threads_finish(struct dj_perf_threads *threads);

/* A change of a thread: it is new, or it has a new name. */
struct dj_perf_thread_change {
    int32_t tid, pid;
    /* Time of the change, or 0 if the thread existed before the recording. */
    int64_t at_ns;
};

/* Sets name and process of a thread, and reports them to the sink. */
int dj_perf_data_threads_name(struct dj_perf_threads *threads,
                              const struct dj_perf_thread_change *change,
                              struct dj_str name, struct dj_event_sink sink);
/* Adds a new thread and reports it to the sink. Its name is that of the thread that
 * created it. */
int dj_perf_data_threads_fork(struct dj_perf_threads *threads,
                              const struct dj_perf_thread_change *change,
                              int32_t parent_tid, struct dj_event_sink sink);
/* Records that a thread has ended. Returns true if it was the last thread of its process.
 * Returns false if threads that were not reported to this struct may still run. */
bool dj_perf_data_threads_exit(struct dj_perf_threads *threads, int32_t tid, int32_t pid);

#endif
