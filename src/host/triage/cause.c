#include "triage/cause.h"

static const char *const names[DJ_CAUSE_KINDS] = {
    [DJ_CAUSE_UNEXPLAINED] = "unexplained",
    [DJ_CAUSE_OWN_WORK] = "own-work",
    [DJ_CAUSE_LOCK] = "lock",
    [DJ_CAUSE_RUNNABLE] = "runnable",
    [DJ_CAUSE_FREQUENCY] = "frequency",
    [DJ_CAUSE_IO] = "io",
    [DJ_CAUSE_IPC] = "ipc",
    [DJ_CAUSE_GC] = "gc",
    [DJ_CAUSE_SLEEP] = "sleep",
    [DJ_CAUSE_LATE_WAKE] = "late-wake",
    [DJ_CAUSE_GPU] = "gpu",
    [DJ_CAUSE_DISPLAY] = "display",
};

const char *dj_triage_cause_kind_name(enum dj_cause_kind kind)
{
    return names[kind];
}
