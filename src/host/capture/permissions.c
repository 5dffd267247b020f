#include "capture/permissions.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/linux/instance.h"
#include "capture/linux/perf_rings.h"
#include "capture/linux/tracefs.h"

static void try_tracefs(struct dj_capture_levels *found, struct dj_error *err)
{
    int root;
    if (dj_tracefs_open(&root, err) != 0) {
        return;
    }
    found->left = dj_instance_remove_dead(root, false, found->first_left);
    if (faccessat(root, "instances", W_OK, AT_EACCESS) != 0) {
        dj_tracefs_set_error("instances", "cannot create a folder in", err);
    }
    close(root);
}

static void try_perf(pid_t pid, struct dj_error *err)
{
    struct dj_perf perf = {0};
    dj_perf_rings_add(&perf, pid, 0, NULL, err);
    dj_perf_rings_finish(&perf);
}

void dj_capture_levels_test(struct dj_capture_levels *found)
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

enum dj_capture_level dj_capture_levels_find_best(const struct dj_capture_levels *found)
{
    for (int i = DJ_CAPTURE_LEVELS - 1; i >= 0; i--) {
        if (found->why[i][0] == '\0') {
            return (enum dj_capture_level)i;
        }
    }
    return DJ_CAPTURE_LEVELS;
}

size_t dj_capture_remove_instances(char stuck[64])
{
    int root;
    stuck[0] = '\0';
    if (dj_tracefs_open(&root, NULL) != 0) {
        return 0;
    }
    size_t removed = dj_instance_remove_dead(root, true, stuck);
    close(root);
    return removed;
}
