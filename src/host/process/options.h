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
    DJ_STREAM_NULL, /* empty input; output is thrown away */
    DJ_STREAM_PIPE, /* dj_process_read(), dj_process_write() */
    DJ_STREAM_KEEP  /* the guardian keeps the output: the program never waits for us */
};

/* What a guardian ends together with the program. */
enum dj_process_scope {
    /* The program has a process group of its own. All of the group ends at once. */
    DJ_SCOPE_GROUP,
    /* The program is in a session of its own. All descendants end, whatever group or
     * session they are in: the program first, then what is left. */
    DJ_SCOPE_DESCENDANTS,
    /* As DJ_SCOPE_DESCENDANTS, but the program stays in our process group, gets the
     * terminal's signals and ignores those that we ignore. What it leaves running when
     * it ends by itself goes on. */
    DJ_SCOPE_FOREGROUND
};

/* Zeroed members are the defaults. Pointers are used during the call only. */
struct dj_process_options {
    const char *path;        /* what to execute; NULL: argv[0], looked up in PATH */
    const char *const *argv; /* NULL-ended */
    /* Runs in the child before exec(), with `user`; NULL: nothing. Where this process has
     * other threads, only async-signal-safe calls are permitted. */
    void (*prepare)(void *user);
    void *user;
    enum dj_process_stream in, out, err;
    enum dj_process_scope scope;
    bool starts_held; /* it waits for dj_process_release() before exec() */
    int64_t grace_ns; /* from SIGTERM to SIGKILL where this process ends or the handle is
                         closed; 0: SIGKILL at once */
};

#endif
