#include "capture/level.h"

#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *contents;
    /* Command that permits the next better level, for users without root privileges. */
    const char *remedy;
    /* Command that permits the next better level, for root in a container without the
     * necessary privileges. */
    const char *root_remedy;
} levels[DJ_CAPTURE_LEVELS] = {
    [DJ_CAPTURE_OWN] = {"own-threads",
                        "the app's own threads: running, preempted, asleep",
                        "sudo sysctl kernel.perf_event_paranoid=-1",
                        "sysctl kernel.perf_event_paranoid=-1, outside of this "
                        "container"},
    [DJ_CAPTURE_PERF] = {"perf", "switches of all threads, from perf events",
                         "sudo -E dejank trace capture …",
                         "dejank trace capture …, outside of this container"},
    [DJ_CAPTURE_KERNEL] = {"tracefs",
                           "thread switches, wake-ups, disks and interrupts, from the "
                           "kernel's tracing",
                           NULL, NULL},
};

const char *dj_capture_level_name(enum dj_capture_level level)
{
    return levels[level].name;
}

bool dj_capture_level_find(const char *name, enum dj_capture_level *level)
{
    for (int i = 0; i < DJ_CAPTURE_LEVELS; i++) {
        if (strcmp(name, levels[i].name) == 0) {
            *level = (enum dj_capture_level)i;
            return true;
        }
    }
    return false;
}

const char *dj_capture_level_get_contents(enum dj_capture_level level)
{
    return levels[level].contents;
}

const char *dj_capture_level_get_remedy(enum dj_capture_level level)
{
    level = level == DJ_CAPTURE_LEVELS ? DJ_CAPTURE_PERF : level;
    return geteuid() == 0 ? levels[level].root_remedy : levels[level].remedy;
}
