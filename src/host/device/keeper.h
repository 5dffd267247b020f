/* The process between us and a program we keep (kept.h). */
#ifndef DEJANK_DEVICE_KEEPER_H
#define DEJANK_DEVICE_KEEPER_H

/* What the keeper tells us, a struct after the other through a pipe. */
enum dj_keeper_event {
    DJ_KEEPER_FAILED, /* the program was not started; `value` is errno */
    DJ_KEEPER_ENDED,  /* the program ended; `value` is its status as of waitpid() */
    DJ_KEEPER_ALONE   /* nothing that it started runs any more */
};

struct dj_keeper_report {
    int event, value;
};

/* What it needs. All are inherited across its fork(). */
struct dj_keeper {
    const char *path;
    char *const *argv;
    int control; /* read: a byte asks the program to end, the stream's end ends all */
    int report;  /* written */
    int output;  /* a file: the program's words, up to a maximum */
};

/*
 * Is the child of a fork(): starts the program, takes in its words, and returns never. It
 * may have been forked from among several threads, and calls only what is safe then.
 */
_Noreturn void dj_keeper_run(const struct dj_keeper *keeper);

#endif
