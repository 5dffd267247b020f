/* The names and processes of threads while records are read in order of time. */
#ifndef DEJANK_TRACE_PERF_DATA_THREADS_H
#define DEJANK_TRACE_PERF_DATA_THREADS_H

#include "base/map.h"
#include "trace/event.h"

struct dj_perf_thread {
    char name[16]; /* Name, or "" if unknown. */
    int32_t pid;
    bool is_running; /* It is counted in running_counts. */
};

/* Zero it before use. */
struct dj_perf_threads {
    struct dj_perf_thread *threads; /* Owned. */
    size_t count;
    struct dj_map places;         /* By thread id. */
    struct dj_map running_counts; /* For each process, its number of running threads. */
};

void dj_perf_data_threads_finish(struct dj_perf_threads *threads);

/* A new thread, or one with a new name, and the time of the change. */
struct dj_perf_thread_change {
    int32_t tid, pid;
    int64_t at_ns; /* 0 for a thread that existed before the recording. */
};

/* Sets name and process of a thread, and reports them to the sink. */
int dj_perf_data_threads_name(struct dj_perf_threads *threads,
                              const struct dj_perf_thread_change *change,
                              struct dj_str name, struct dj_event_sink sink);
/* A new thread has the name of the thread that created it. */
int dj_perf_data_threads_fork(struct dj_perf_threads *threads,
                              const struct dj_perf_thread_change *change,
                              int32_t parent_tid, struct dj_event_sink sink);
/* A thread has ended. Returns true if it was the last thread of its process. */
bool dj_perf_data_threads_exit(struct dj_perf_threads *threads, int32_t tid, int32_t pid);

#endif
