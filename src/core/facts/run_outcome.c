#include "facts/run_outcome.h"

#include <string.h>

static const char *const names[DJ_RUN_OUTCOMES] = {
    [DJ_RUN_OK] = "ok",
    [DJ_RUN_NO_FRAMES] = "no-frames",
    [DJ_RUN_APP_GONE] = "app-gone",
    [DJ_RUN_APP_CRASHED] = "app-crashed",
    [DJ_RUN_NOT_IN_GFXINFO] = "not-in-gfxinfo",
    [DJ_RUN_SCREEN_OFF] = "screen-off",
    [DJ_RUN_OVERHEATED] = "overheated",
    [DJ_RUN_DEVICE_GONE] = "device-gone",
    [DJ_RUN_INSTRUMENTATION_FAILED] = "instrumentation-failed",
    [DJ_RUN_DRIVE_FAILED] = "drive-failed",
    [DJ_RUN_ROWS_LOST] = "rows-lost",
    [DJ_RUN_INTERRUPTED] = "interrupted",
};

const char *dj_facts_outcome_name(enum dj_run_outcome outcome)
{
    return names[outcome];
}

bool dj_facts_outcome_find(const char *name, enum dj_run_outcome *outcome)
{
    for (size_t i = 0; i < DJ_RUN_OUTCOMES; i++) {
        if (strcmp(names[i], name) == 0) {
            *outcome = (enum dj_run_outcome)i;
            return true;
        }
    }
    return false;
}
