/* How a program is started: what it executes, its streams, and what ends together with
 * it. */
#ifndef DEJANK_PROCESS_OPTIONS_H
#define DEJANK_PROCESS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that a guardian keeps of DJ_STREAM_KEEP. */
enum { DJ_PROCESS_KEPT_MAX = 256 * 1024 };

enum dj_process_stream {
    DJ_STREAM_INHERIT,
    DJ_STREAM_NULL, /* empty input; output is discarded */
    DJ_STREAM_PIPE, /* dj_process_read(), dj_process_write() */
    DJ_STREAM_KEEP  /* the guardian keeps the output: the program never waits for us */
};

/* What a guardian ends together with the program. */
enum dj_process_scope {
    /* The program has its own process group. All of the group ends at once. */
    DJ_SCOPE_GROUP,
    /* The program has its own session. All descendants end, whatever group or session
     * they are in: first the program, then the others. */
    DJ_SCOPE_DESCENDANTS,
    /* As DJ_SCOPE_DESCENDANTS, but the program stays in our process group, receives the
     * signals of the terminal and ignores those that we ignore. Its descendants continue
     * if it ends by itself. */
    DJ_SCOPE_FOREGROUND
};

/* Zeroed members are the defaults. Pointers are used during the call only. */
struct dj_process_options {
    const char *path;        /* what to execute; NULL: argv[0], looked up in PATH */
    const char *const *argv; /* terminated by NULL */
    /* Called in the child before exec(), with `user`. NULL: nothing. If this process has
     * other threads, only async-signal-safe calls are allowed. */
    void (*prepare)(void *user);
    void *user;
    enum dj_process_stream in, out, err;
    enum dj_process_scope scope;
    bool starts_held; /* the program waits for dj_process_release() before exec() */
    int64_t grace_ns; /* from SIGTERM to SIGKILL when this process ends or the handle is
                         closed; 0: SIGKILL at once */
};

#endif
