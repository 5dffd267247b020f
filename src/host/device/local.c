/* Implements the device "local:", which is this machine. A segment is the file in which
 * the recorder stores the frames of one process. Segments are read directly, without the
 * text of dumpsys, so a reading contains all stored rows and not only the newest 120. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/files.h"
#include "process/process.h"
#include "segment/select.h"

static int local_shell(struct dj_device *device, const char *const *argv,
                       int64_t timeout_ns, struct dj_device_result *result,
                       struct dj_error *err)
{
    const struct dj_deadline deadline = dj_deadline_in(timeout_ns, &device->interrupt);
    const struct dj_process_run run = {argv, &deadline, &result->out, &result->err};
    return dj_process_run(&run, &result->exit_code, err);
}

/* Adds the contents of one segment to the reading. Another program may reset the segment
 * while dejank measures. The reading also contains the counters and rows from before this
 * reset, so that no frames of the measurement are lost. */
static int read_segment(const struct dj_segment_file *file, bool reset,
                        struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    struct dj_snapshot snapshot = {0};
    struct dj_snapshot_options options = {.ignore_reset = true};
    int code =
        dj_segment_snapshot_read(file->path, file->owner, &options, &snapshot, err);
    if (code == 0 && dj_segment_snapshot_to_dump(&snapshot, &reading->dump) != 0) {
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    if (code == 0) {
        reading->dump.dialect = snapshot.dialect;
        if (reading->ring_rows == 0 || snapshot.keep < reading->ring_rows) {
            reading->ring_rows = snapshot.keep;
        }
    }
    /* Data of a process that has ended is never cleared, because its segment gets no new
     * data. */
    if (code == 0 && reset && !snapshot.ended) {
        code = dj_segment_reset_to(file->path, file->owner, &snapshot, dj_host_now_ns(),
                                   err);
    }
    dj_segment_snapshot_finish(&snapshot);
    return code;
}

static int64_t read_boot_time_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / DJ_MILLISECOND_NS;
}

/* Adds a warning for a segment that cannot be read, because its frames are missing in the
 * reading. */
static void add_warning(const struct dj_error *err, void *user)
{
    struct dj_parse_report *report = user;
    if (report->warning_count < DJ_PARSE_WARNINGS) {
        struct dj_parse_warning *warning = &report->warning[report->warning_count];
        snprintf(warning->message, sizeof(warning->message), "%.*s",
                 (int)sizeof(warning->message) - 1, err->message);
    }
    report->warning_count++;
}

static int local_gfxinfo(struct dj_device *device,
                         const struct dj_gfxinfo_request *request,
                         struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    (void)device;
    struct dj_segment_selection selection = {0};
    reading->dev_ns = dj_host_now_ns();
    reading->reset_keeps_rows = true;
    reading->dump.uptime_ms = reading->dev_ns / DJ_MILLISECOND_NS;
    reading->dump.realtime_ms = read_boot_time_ms();
    int code = dj_segment_select(request->package, add_warning, &reading->report,
                                 &selection, err);
    for (size_t i = 0; code == 0 && i < selection.count; i++) {
        code = read_segment(&selection.candidates[i].file, request->reset, reading, err);
    }
    if (code == 0 && selection.count == 0) {
        reading->dump.not_found = strdup(request->package);
        if (reading->dump.not_found == NULL) {
            code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
    }
    if (reading->ring_rows == 0) {
        reading->ring_rows = DJ_SEGMENT_KEEP;
    }
    reading->cost_ns = dj_host_now_ns() - reading->dev_ns;
    dj_segment_selection_finish(&selection);
    return code;
}

static int local_profile(struct dj_device *device, const char *package, bool on,
                         struct dj_profile_switch *done, struct dj_error *err)
{
    (void)device;
    struct dj_segment_selection selection = {0};
    *done = (struct dj_profile_switch){{0}, {0}};
    int code = dj_segment_select(package, NULL, NULL, &selection, err);
    if (code == 0 && selection.count == 0) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "No process found for: %s (start it with `dejank record`)",
                            package);
    }
    if (code == 0) {
        code = dj_segment_selection_set_profile(&selection, on, NULL, NULL, err);
    }
    dj_segment_selection_finish(&selection);
    return code;
}

struct local_process {
    struct dj_device_process base;
    struct dj_process *process;
};

static struct dj_process *get_process(struct dj_device_process *process)
{
    return ((struct local_process *)process)->process;
}

static int local_read(struct dj_device_process *process, int64_t timeout_ns,
                      struct dj_text *out, struct dj_text *err_text, struct dj_error *err)
{
    struct dj_text *const texts[2] = {out, err_text};
    int status;
    int code = dj_process_read(get_process(process), &process->device->interrupt,
                               timeout_ns, texts, &process->ended, err);
    if (dj_process_status(get_process(process), &status)) {
        process->exit_code = dj_process_exit_code(status);
    }
    return code;
}

static int local_write(struct dj_device_process *process, const void *bytes, size_t size,
                       struct dj_error *err)
{
    const struct dj_deadline deadline =
        dj_deadline_in(DJ_DEVICE_WRITE_NS, &process->device->interrupt);
    return dj_process_write(get_process(process), bytes, size, &deadline, err);
}

static int local_end_input(struct dj_device_process *process, struct dj_error *err)
{
    (void)err;
    dj_process_end_input(get_process(process));
    return 0;
}

static void local_close_process(struct dj_device_process *process)
{
    dj_process_close(get_process(process));
    free(process);
}

static const struct dj_device_process_ops process_ops = {
    .read = local_read,
    .write = local_write,
    .end_input = local_end_input,
    .close = local_close_process,
};

static int local_start(struct dj_device *device, const char *const *argv,
                       struct dj_device_process **process, struct dj_error *err)
{
    const struct dj_process_options options = {.argv = argv,
                                               .in = DJ_STREAM_PIPE,
                                               .out = DJ_STREAM_PIPE,
                                               .err = DJ_STREAM_PIPE,
                                               .scope = DJ_SCOPE_GROUP,
                                               .grace_ns = DJ_SECOND_NS / 2};
    struct local_process *local = calloc(1, sizeof(*local));
    if (local == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    local->base.ops = &process_ops;
    local->base.device = device;
    int code = dj_process_start(&options, &local->process, err);
    if (code != 0) {
        free(local);
        return code;
    }
    *process = &local->base;
    return 0;
}

static int local_clock(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                       struct dj_error *err)
{
    (void)device;
    (void)err;
    *dev_ns = dj_host_now_ns();
    *uncertainty_ns = 0;
    return 0;
}

static void local_close(struct dj_device *device)
{
    free(device);
}

static const struct dj_device_ops local_ops = {
    .shell = local_shell,
    .gfxinfo = local_gfxinfo,
    .profile = local_profile,
    .start = local_start,
    .push = dj_files_push,
    .pull = dj_files_pull,
    .clock = local_clock,
    .close = local_close,
};

int dj_device_open_local(struct dj_device **device, struct dj_error *err)
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
