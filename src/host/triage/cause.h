/* The kinds of causes that triage finds. */
#ifndef DEJANK_TRIAGE_CAUSE_H
#define DEJANK_TRIAGE_CAUSE_H

enum dj_cause_kind {
    DJ_CAUSE_UNEXPLAINED, /* The trace does not show the cause. */
    DJ_CAUSE_OWN_WORK,    /* A thread ran in a section or a stage of the frame. */
    /* A thread waited for a lock or another resource that a second thread held. */
    DJ_CAUSE_LOCK,
    DJ_CAUSE_RUNNABLE, /* A thread was ready to run, but another thread had the CPU. */
    /* A thread ran longer, because its CPU was slower than usual or slower than another
     * CPU. */
    DJ_CAUSE_FREQUENCY,
    DJ_CAUSE_IO,
    /* A thread waited for a reply from another process, through binder, D-Bus or a
     * socket. */
    DJ_CAUSE_IPC,
    DJ_CAUSE_GC,
    /* A thread slept until a timer expired that the thread itself had started. */
    DJ_CAUSE_SLEEP,
    /* A thread was woken late, because a timer or an interrupt was late, or because an
     * idle CPU did not run the thread. */
    DJ_CAUSE_LATE_WAKE,
    DJ_CAUSE_GPU,
    DJ_CAUSE_DISPLAY, /* The compositor or the display was late. */
    DJ_CAUSE_KINDS
};

/* Returns the kind's name in JSON, for example "own-work" or "late-wake". */
const char *dj_triage_cause_kind_name(enum dj_cause_kind kind);

#endif
