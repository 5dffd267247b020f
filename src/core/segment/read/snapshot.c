#include "segment/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "segment/directory.h"
#include "segment/read/window.h"

static bool is_from_other_boot(const struct dj_segment_header *header)
{
    char boot_id[40];
    dj_segment_read_boot_id(boot_id);
    return header->boot_id[0] != '\0' && boot_id[0] != '\0' &&
           strncmp(header->boot_id, boot_id, sizeof(boot_id)) != 0;
}

/* Returns whether no process will write to the file any more. */
static bool has_ended(const struct dj_checked_file *reading)
{
    const struct dj_segment_header *header = &reading->header;
    return is_from_other_boot(header) ||
           !dj_segment_process_is_alive(header->pid, header->start_ticks) ||
           dj_segment_is_replaced(reading->path);
}

static int read_identity(struct dj_checked_file *reading,
                         struct dj_segment_identity *identity)
{
    struct dj_segment_header *header = &reading->header;
    identity->pid = header->pid;
    identity->start_ticks = header->start_ticks;
    memcpy(identity->name, header->name, sizeof(identity->name));
    memcpy(identity->program, header->program, sizeof(identity->program));
    identity->run_ns = header->run_ns;
    identity->other_boot = is_from_other_boot(header);
    identity->ended = has_ended(reading);
    identity->last_ns = header->created_ns;
    uint32_t windows = atomic_load_explicit(&header->windows, memory_order_relaxed);
    for (uint32_t i = 0; i < windows; i++) {
        int64_t last_ns;
        int code = dj_checked_file_read(reading, &last_ns, sizeof(last_ns),
                                        DJ_READING_AT(reading, i, last_ns));
        if (code != 0) {
            return code;
        }
        identity->last_ns = last_ns > identity->last_ns ? last_ns : identity->last_ns;
    }
    return 0;
}

int dj_segment_identify(const char *path, unsigned owner,
                        struct dj_segment_identity *identity, struct dj_error *err)
{
    struct dj_checked_file reading;
    int code = dj_checked_file_open(&reading, path, owner, false, err);
    code = code != 0 ? code : read_identity(&reading, identity);
    dj_checked_file_close(&reading);
    return code;
}

static int fill_from_header(const struct dj_checked_file *reading,
                            struct dj_snapshot *snapshot)
{
    const struct dj_segment_header *header = &reading->header;
    snapshot->pid = header->pid;
    snapshot->start_ticks = header->start_ticks;
    memcpy(snapshot->name, header->name, sizeof(snapshot->name));
    memcpy(snapshot->program, header->program, sizeof(snapshot->program));
    memcpy(snapshot->app_version, header->app_version, sizeof(snapshot->app_version));
    snapshot->created_ns = header->created_ns;
    snapshot->created_wall_ns = header->created_wall_ns;
    snapshot->run_ns = header->run_ns;
    snapshot->interval_ns = header->interval_ns;
    snapshot->interval_assumed = header->interval_assumed != 0;
    snapshot->profile = header->profile != 0;
    snapshot->pipelines = header->pipelines;
    snapshot->keep = header->keep;
    snapshot->dropped = header->dropped;
    snapshot->ended = has_ended(reading);
    if (header->disabled != 0) {
        memcpy(snapshot->disabled, header->disabled_reason, sizeof(snapshot->disabled));
    }
    snapshot->dialect = dj_frame_dialect_find(header->release);
    if (snapshot->dialect == NULL) {
        return dj_checked_file_fail(
            reading, DJ_E_VERSION, offsetof(struct dj_segment_header, release),
            "this version of dejank does not know release '%.15s'", header->release);
    }
    return 0;
}

static int read_windows(struct dj_checked_file *reading,
                        const struct dj_reading_reset *resets,
                        const struct dj_snapshot_options *options,
                        struct dj_snapshot *snapshot)
{
    uint32_t count = reading->header.windows;
    if (count == 0) {
        return 0;
    }
    snapshot->windows = calloc(count, sizeof(snapshot->windows[0]));
    if (snapshot->windows == NULL) {
        return dj_error_set(reading->err, DJ_E_NO_MEMORY, "%s: no memory for %u windows",
                            reading->path, count);
    }
    snapshot->window_count = count;
    for (uint32_t i = 0; i < count; i++) {
        int code = dj_window_read(reading, i, options, &resets[i], &snapshot->windows[i]);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

static void set_since(struct dj_snapshot *snapshot, int64_t reset_ns)
{
    snapshot->since_ns =
        reset_ns > snapshot->created_ns ? reset_ns : snapshot->created_ns;
    for (size_t i = 0; i < snapshot->window_count; i++) {
        struct dj_snapshot_window *window = &snapshot->windows[i];
        window->cumulative.since_ns = snapshot->created_ns;
        window->stats.since_ns = snapshot->since_ns;
        window->process.since_ns = snapshot->since_ns;
    }
}

/* Sets the snapshot's interval to that of the window that presented last, because the
 * dump of a process has only one interval. */
static void choose_interval(struct dj_snapshot *snapshot)
{
    int64_t newest_ns = 0;
    for (size_t i = 0; i < snapshot->window_count; i++) {
        const struct dj_snapshot_window *window = &snapshot->windows[i];
        if (window->open && window->last_ns >= newest_ns) {
            newest_ns = window->last_ns;
            snapshot->interval_ns = window->interval_ns;
            snapshot->interval_assumed = window->interval_assumed;
        }
    }
}

/* Reads the last reset first and then the windows. A reset that happens during reading
 * affects only the next snapshot. */
static int read_all(struct dj_checked_file *reading,
                    const struct dj_snapshot_options *options,
                    struct dj_snapshot *snapshot)
{
    struct dj_reading_reset resets[DJ_SEGMENT_WINDOWS];
    unsigned set;
    int code = dj_reading_resets(reading, resets, &set);
    code = code != 0 ? code : read_windows(reading, resets, options, snapshot);
    if (code == 0) {
        set_since(snapshot, options->ignore_reset ? 0 : resets[0].at_ns);
        choose_interval(snapshot);
    }
    return code;
}

int dj_segment_snapshot_read(const char *path, unsigned owner,
                             const struct dj_snapshot_options *options,
                             struct dj_snapshot *snapshot, struct dj_error *err)
{
    *snapshot = (struct dj_snapshot){0};
    struct dj_checked_file reading;
    int code = dj_checked_file_open(&reading, path, owner, false, err);
    code = code != 0 ? code : fill_from_header(&reading, snapshot);
    code = code != 0 ? code : read_all(&reading, options, snapshot);
    dj_checked_file_close(&reading);
    return code;
}

void dj_segment_snapshot_finish(struct dj_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->window_count; i++) {
        free(snapshot->windows[i].frames);
    }
    free(snapshot->windows);
    *snapshot = (struct dj_snapshot){0};
}
