/* A running program of this machine. */
#include <stdlib.h>

#include "device/process.h"
#include "process/process.h"

struct local_process {
    struct dj_device_process base;
    struct dj_process *process;
};

static struct dj_process *process_of(struct dj_device_process *process)
{
    return ((struct local_process *)process)->process;
}

static int local_read(struct dj_device_process *process, int64_t timeout_ns,
                      struct dj_text *out, struct dj_text *err_text, struct dj_error *err)
{
    struct dj_text *const texts[2] = {out, err_text};
    int status;
    if (process->ended) {
        return 0;
    }
    int code = dj_process_read(process_of(process), &process->device->interrupt,
                               timeout_ns, texts, &process->ended, err);
    if (dj_process_status(process_of(process), &status)) {
        process->exit_code = dj_process_exit_code(status);
    }
    return code;
}

static int local_write(struct dj_device_process *process, const void *bytes, size_t size,
                       struct dj_error *err)
{
    const struct dj_deadline deadline =
        dj_deadline_in(DJ_PROCESS_WRITE_NS, &process->device->interrupt);
    return dj_process_write(process_of(process), bytes, size, &deadline, err);
}

static int local_end_input(struct dj_device_process *process, struct dj_error *err)
{
    (void)err;
    dj_process_end_input(process_of(process));
    return 0;
}

static void local_close(struct dj_device_process *process)
{
    dj_process_close(process_of(process));
    free(process);
}

static const struct dj_device_process_ops local_ops = {
    .read = local_read,
    .write = local_write,
    .end_input = local_end_input,
    .close = local_close,
};

int dj_local_start(struct dj_device *device, const char *const *argv,
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
    local->base.ops = &local_ops;
    local->base.device = device;
    int code = dj_process_start(&options, &local->process, err);
    if (code != 0) {
        free(local);
        return code;
    }
    *process = &local->base;
    return 0;
}
