#include "capture/levels.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/instance.h"
#include "capture/perf_rings.h"
#include "capture/tracefs.h"

static const struct {
    const char *name, *shows;
    const char *remedy; /* that gives the next one */
    const char *roots;  /* the same where root lacks it, as in most containers */
} levels[DJ_CAPTURE_LEVELS] = {
    [DJ_CAPTURE_OWN] = {"own-threads",
                        "the app's own threads: running, preempted, asleep",
                        "sudo sysctl kernel.perf_event_paranoid=-1",
                        "sysctl kernel.perf_event_paranoid=-1, outside of this "
                        "container"},
    [DJ_CAPTURE_PERF] = {"perf", "what all threads run, by perf events",
                         "sudo -E dejank trace capture …",
                         "dejank trace capture …, outside of this container"},
    [DJ_CAPTURE_KERNEL] = {"tracefs",
                           "all that the kernel tells of threads and who wakes them, of "
                           "disks and interrupts",
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

const char *dj_capture_level_shows(enum dj_capture_level level)
{
    return levels[level].shows;
}

const char *dj_capture_level_remedy(enum dj_capture_level level)
{
    level = level == DJ_CAPTURE_LEVELS ? DJ_CAPTURE_PERF : level;
    return geteuid() == 0 ? levels[level].roots : levels[level].remedy;
}

/* ---- what is permitted ---- */

static void try_tracefs(struct dj_capture_levels *found, struct dj_error *err)
{
    int root;
    if (dj_tracefs_open(&root, err) != 0) {
        return;
    }
    found->left = dj_instance_sweep(root, false, found->first_left);
    if (faccessat(root, "instances", W_OK, AT_EACCESS) != 0) {
        dj_tracefs_failure("instances", "cannot make any in", err);
    }
    close(root);
}

static void try_perf(pid_t pid, struct dj_error *err)
{
    struct dj_perf perf = {0};
    dj_perf_add(&perf, pid, 0, err);
    dj_perf_finish(&perf);
}

void dj_capture_levels_look(struct dj_capture_levels *found)
{
    struct dj_error err[DJ_CAPTURE_LEVELS] = {0};
    *found = (struct dj_capture_levels){.left = 0};
    try_tracefs(found, &err[DJ_CAPTURE_KERNEL]);
    try_perf(-1, &err[DJ_CAPTURE_PERF]);
    try_perf(getpid(), &err[DJ_CAPTURE_OWN]);
    for (size_t i = 0; i < DJ_CAPTURE_LEVELS; i++) {
        snprintf(found->why[i], sizeof(found->why[i]), "%.199s", err[i].message);
    }
}

enum dj_capture_level dj_capture_levels_best(const struct dj_capture_levels *found)
{
    for (int i = DJ_CAPTURE_LEVELS - 1; i >= 0; i--) {
        if (found->why[i][0] == '\0') {
            return (enum dj_capture_level)i;
        }
    }
    return DJ_CAPTURE_LEVELS;
}

size_t dj_capture_clear_away(char stuck[64])
{
    int root;
    stuck[0] = '\0';
    if (dj_tracefs_open(&root, NULL) != 0) {
        return 0;
    }
    size_t removed = dj_instance_sweep(root, true, stuck);
    close(root);
    return removed;
}
