/* How a program is started: the file to execute, its streams, and what ends together with
 * the program. */
#ifndef DEJANK_PROCESS_OPTIONS_H
#define DEJANK_PROCESS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum size of the output that DJ_STREAM_STORE stores. */
enum { DJ_PROCESS_STORED_MAX = 256 * 1024 };

enum dj_process_stream {
    DJ_STREAM_INHERIT,
    DJ_STREAM_NULL, /* The input is empty, or the output is discarded. */
    DJ_STREAM_PIPE, /* The caller uses dj_process_read() and dj_process_write(). */
    /* The guardian stores the output, so the program never waits for dejank to read
     * it. */
    DJ_STREAM_STORE
};

/* The processes that end together with the program. */
enum dj_process_scope {
    /* The program gets its own process group. All processes of the group end at once. */
    DJ_SCOPE_GROUP,
    /* The program gets its own session. All descendants end with it, even those in other
     * groups and sessions. The program is ended first, then its descendants. */
    DJ_SCOPE_DESCENDANTS,
    /* Like DJ_SCOPE_DESCENDANTS, but the program stays in our process group, receives the
     * signals of the terminal, and ignores the signals that we ignore. If the program
     * ends by itself, its descendants continue. */
    DJ_SCOPE_FOREGROUND
};

/* Options of a start. A member that is zero means the default. Pointers must be valid
 * during the call only. */
struct dj_process_options {
    const char *path;        /* File to execute. If NULL, argv[0] is looked up in PATH. */
    const char *const *argv; /* Arguments, terminated by NULL. */
    /* Called in the child before exec(), with `user` as argument. NULL if not needed. If
     * this process has other threads, `prepare` may make only async-signal-safe calls. */
    void (*prepare)(void *user);
    void *user;
    enum dj_process_stream in, out, err;
    enum dj_process_scope scope;
    /* True if the program waits for dj_process_release() before exec(). */
    bool waits_for_release;
    /* Time in ns from SIGTERM to SIGKILL if this process ends or closes the handle. 0
     * means SIGKILL at once. */
    int64_t grace_ns;
};

#endif
