/* The kinds of causes that triage finds. */
#ifndef DEJANK_TRIAGE_CAUSE_H
#define DEJANK_TRIAGE_CAUSE_H

enum dj_cause_kind {
    DJ_CAUSE_UNEXPLAINED, /* The trace does not show the cause. */
    DJ_CAUSE_OWN_WORK,    /* A thread ran in a section or a stage of the frame. */
    DJ_CAUSE_LOCK,        /* A thread waited for something that another thread held. */
    DJ_CAUSE_RUNNABLE, /* A thread was ready to run while another thread had the CPU. */
    /* A thread ran longer because its CPU was slower than usual or possible. */
    DJ_CAUSE_FREQUENCY,
    DJ_CAUSE_IO,
    /* A thread waited for a reply from another process through binder, D-Bus or a
     * socket. */
    DJ_CAUSE_IPC,
    DJ_CAUSE_GC,
    DJ_CAUSE_SLEEP, /* A thread slept until a timer that the thread had set. */
    /* A timer or an interrupt was late, or an idle CPU did not run a ready thread. */
    DJ_CAUSE_LATE_WAKE,
    DJ_CAUSE_GPU,
    DJ_CAUSE_DISPLAY, /* The compositor or the display was late. */
    DJ_CAUSE_KINDS
};

/* Returns the kind's name in JSON, for example "own-work" or "late-wake". */
const char *dj_triage_cause_kind_name(enum dj_cause_kind kind);

#endif
