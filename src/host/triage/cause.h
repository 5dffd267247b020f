/* The kinds of causes that triage finds. triage.h has the purpose of the module. */
#ifndef DEJANK_TRIAGE_CAUSE_H
#define DEJANK_TRIAGE_CAUSE_H

enum dj_cause_kind {
    DJ_CAUSE_UNEXPLAINED, /* the trace does not show it; never distributed over the
                           * others */
    DJ_CAUSE_OWN_WORK,    /* a stage or section ran */
    DJ_CAUSE_LOCK,        /* another thread held what this one waited for */
    DJ_CAUSE_RUNNABLE,    /* ready to run while another thread had the CPU */
    DJ_CAUSE_FREQUENCY,   /* it ran on a CPU slower than it can be */
    DJ_CAUSE_IO,
    DJ_CAUSE_IPC, /* it waited for an answer of another process: binder, D-Bus, a
                   * socket */
    DJ_CAUSE_GC,
    DJ_CAUSE_SLEEP,     /* it had asked to sleep */
    DJ_CAUSE_LATE_WAKE, /* a timer or an interrupt came after its time */
    DJ_CAUSE_GPU,
    DJ_CAUSE_DISPLAY, /* the compositor or the display */
    DJ_CAUSE_KINDS
};

/* Returns its name in JSON, as "own-work" or "late-wake". */
const char *dj_triage_cause_kind_name(enum dj_cause_kind kind);

#endif
