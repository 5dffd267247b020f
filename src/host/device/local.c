/* This machine: segments are read directly, so that the whole ring counts and not its
 * newest 120 rows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/deadline.h"
#include "device/device.h"
#include "device/spawn.h"
#include "segment/directory.h"
#include "segment/snapshot.h"

enum { PLACES_MAX = 64 };

static int local_shell(struct dj_device *device, const char *const *argv,
                       int64_t timeout_ns, struct dj_shell_result *result,
                       struct dj_error *err)
{
    (void)device;
    return dj_spawn(argv, timeout_ns, result, err);
}

/* A package is a recorded name, or a pid. */
static bool is_wanted(const struct dj_snapshot *snapshot, const char *package)
{
    char pid[24];
    snprintf(pid, sizeof(pid), "%lld", (long long)snapshot->pid);
    return strcmp(snapshot->name, package) == 0 || strcmp(pid, package) == 0;
}

/* A walk over the segments of one package. */
struct walk {
    const char *package;
    int (*act)(struct walk *walk, const struct dj_segment_file *file,
               struct dj_error *err);
    struct dj_gfxinfo *reading; /* of a gfxinfo walk */
    bool reset;
    bool profile_on; /* of a profile walk */
    size_t found;
    int code; /* the first failure of a segment that is ours */
    struct dj_error *err;
};

/* One row tells the name: the rest of a stranger's segment is not read. */
static bool visit(const struct dj_segment_file *file, void *user)
{
    struct walk *walk = user;
    struct dj_snapshot snapshot = {0};
    struct dj_snapshot_options options = {.rows = 1};
    bool wanted =
        dj_snapshot_read(file->path, file->owner, &options, &snapshot, NULL) == 0 &&
        is_wanted(&snapshot, walk->package);
    dj_snapshot_finish(&snapshot);
    if (wanted) {
        struct dj_error err = {0};
        int code = walk->act(walk, file, &err);
        if (code == 0) {
            walk->found++;
        } else if (walk->code == 0) {
            walk->code = code;
            if (walk->err != NULL) {
                *walk->err = err;
            }
        }
    }
    return true;
}

static int walk_segments(struct walk *walk)
{
    struct dj_segment_place *places = calloc(PLACES_MAX, sizeof(*places));
    if (places == NULL) {
        return dj_error_set(walk->err, DJ_E_NO_MEMORY, "out of memory");
    }
    size_t count = dj_segment_places(places, PLACES_MAX);
    for (size_t i = 0; i < count; i++) {
        dj_segment_scan(&places[i], visit, walk, NULL);
    }
    free(places);
    return walk->code;
}

static int read_segment(struct walk *walk, const struct dj_segment_file *file,
                        struct dj_error *err)
{
    struct dj_snapshot snapshot = {0};
    /* Somebody's reset must not cut a window: counters and rows from before it still
     * count here. */
    struct dj_snapshot_options options = {.ignore_reset = true};
    int code = dj_snapshot_read(file->path, file->owner, &options, &snapshot, err);
    if (code == 0) {
        code = dj_snapshot_to_dump(&snapshot, &walk->reading->dump);
    }
    if (code == 0 && walk->reading->dump.dialect == NULL) {
        walk->reading->dump.dialect = snapshot.dialect;
    }
    if (code == 0 &&
        (walk->reading->ring_rows == 0 || snapshot.keep < walk->reading->ring_rows)) {
        walk->reading->ring_rows = snapshot.keep;
    }
    dj_snapshot_finish(&snapshot);
    /* What an ended process left behind is nobody's to clear. */
    if (code == 0 && walk->reset && !file->ended) {
        code = dj_segment_reset_now(file->path, file->owner, dj_host_now_ns(), err);
    }
    return code;
}

static int64_t boot_time_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / DJ_MILLISECOND_NS;
}

static int local_gfxinfo(struct dj_device *device,
                         const struct dj_gfxinfo_request *request,
                         struct dj_gfxinfo *reading, struct dj_error *err)
{
    (void)device;
    struct walk walk = {.package = request->package,
                        .act = read_segment,
                        .reading = reading,
                        .reset = request->reset,
                        .err = err};
    reading->dev_ns = dj_host_now_ns();
    reading->reset_keeps = true;
    reading->dump.uptime_ms = reading->dev_ns / DJ_MILLISECOND_NS;
    reading->dump.realtime_ms = boot_time_ms();
    int code = walk_segments(&walk);
    if (code == 0 && walk.found == 0) {
        reading->dump.not_found = strdup(request->package);
        if (reading->dump.not_found == NULL) {
            code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
    }
    if (reading->ring_rows == 0) {
        reading->ring_rows = DJ_SEGMENT_KEEP;
    }
    reading->cost_ns = dj_host_now_ns() - reading->dev_ns;
    return code;
}

static int switch_segment(struct walk *walk, const struct dj_segment_file *file,
                          struct dj_error *err)
{
    return dj_segment_set_profile(file->path, file->owner, walk->profile_on, err);
}

static int local_profile(struct dj_device *device, const char *package, bool on,
                         struct dj_profile_switch *done, struct dj_error *err)
{
    (void)device;
    struct walk walk = {
        .package = package, .act = switch_segment, .profile_on = on, .err = err};
    *done = (struct dj_profile_switch){{0}, {0}};
    int code = walk_segments(&walk);
    if (code == 0 && walk.found == 0) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "No process found for: %s (start it with `dejank record`)",
                            package);
    }
    return code;
}

static void local_close(struct dj_device *device)
{
    free(device);
}

static const struct dj_device_ops local_ops = {
    .shell = local_shell,
    .gfxinfo = local_gfxinfo,
    .profile = local_profile,
    .close = local_close,
};

int dj_local_open(struct dj_device **device, struct dj_error *err)
{
    struct dj_device *local = calloc(1, sizeof(*local));
    if (local == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    local->ops = &local_ops;
    snprintf(local->name, sizeof(local->name), "local:");
    *device = local;
    return 0;
}
