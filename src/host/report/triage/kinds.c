#include "report/triage/kinds.h"

static const struct dj_cause_style styles[DJ_CAUSE_KINDS] = {
    [DJ_CAUSE_UNEXPLAINED] = {"unexplained", "unexplained time in %s", '?',
                              DJ_ROLE_MUTED},
    [DJ_CAUSE_OWN_WORK] = {"own work", "%s ran long", 'W', DJ_ROLE_STAGE + 5},
    [DJ_CAUSE_LOCK] = {"lock", "a lock in %s", 'L', DJ_ROLE_STAGE + 9},
    [DJ_CAUSE_RUNNABLE] = {"waiting for a CPU", "no free CPU in %s", 'r',
                           DJ_ROLE_STAGE + 7},
    [DJ_CAUSE_FREQUENCY] = {"slow CPU", "a slow CPU in %s", 'f', DJ_ROLE_STAGE + 8},
    [DJ_CAUSE_IO] = {"I/O", "I/O in %s", 'I', DJ_ROLE_STAGE},
    [DJ_CAUSE_IPC] = {"other process", "another process in %s", 'P', DJ_ROLE_STAGE + 2},
    [DJ_CAUSE_GC] = {"garbage collection", "garbage collection in %s", 'C',
                     DJ_ROLE_DEADLINE},
    [DJ_CAUSE_SLEEP] = {"sleep", "a sleep in %s", 's', DJ_ROLE_STAGE + 1},
    [DJ_CAUSE_LATE_WAKE] = {"late wake-up", "a late wake-up in %s", 't',
                            DJ_ROLE_STAGE + 6},
    [DJ_CAUSE_GPU] = {"GPU", "the GPU in %s", 'G', DJ_ROLE_STAGE + 3},
    [DJ_CAUSE_DISPLAY] = {"display", "the display in %s", 'D', DJ_ROLE_STAGE + 4},
};

const struct dj_cause_style *dj_report_get_cause_style(enum dj_cause_kind kind)
{
    return &styles[kind];
}
