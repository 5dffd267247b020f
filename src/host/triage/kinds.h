/*
 * triage: which thread, lock or core ate the time of janky frames — critical paths, their
 * leaf causes, and what would have been saved without each. Not the reading of traces,
 * and no output.
 *
 * This header: the kinds of causes.
 */
#ifndef DEJANK_TRIAGE_KINDS_H
#define DEJANK_TRIAGE_KINDS_H

enum dj_cause_kind {
    DJ_CAUSE_UNEXPLAINED, /* the trace does not tell; never spread over the others */
    DJ_CAUSE_OWN_WORK,    /* a stage or section computed */
    DJ_CAUSE_LOCK,        /* another thread held what this one waited for */
    DJ_CAUSE_RUNNABLE,    /* ready to run, and its core was taken */
    DJ_CAUSE_FREQUENCY,   /* it ran, on a core slower than it can be */
    DJ_CAUSE_IO,
    DJ_CAUSE_IPC, /* an answer of another process: binder, D-Bus, a socket */
    DJ_CAUSE_GC,
    DJ_CAUSE_SLEEP,     /* it asked to sleep */
    DJ_CAUSE_LATE_WAKE, /* a timer or interrupt came after its time */
    DJ_CAUSE_GPU,
    DJ_CAUSE_DISPLAY, /* the compositor, or what shows its frames */
    DJ_CAUSE_KINDS
};

/* "own-work", "late-wake". */
const char *dj_cause_kind_name(enum dj_cause_kind kind);

#endif
