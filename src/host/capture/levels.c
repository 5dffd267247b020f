#include "capture/levels.h"

static const char *const names[DJ_CAPTURE_LEVELS] = {
    [DJ_CAPTURE_OWN] = "own-threads",
    [DJ_CAPTURE_PERF] = "perf",
    [DJ_CAPTURE_KERNEL] = "tracefs",
};

const char *dj_capture_level_name(enum dj_capture_level level)
{
    return names[level];
}
