#include "device/process.h"

#include <stdlib.h>

struct ended_process {
    struct dj_device_process base;
    struct dj_shell_result result;
    bool handed_out;
};

static int ended_read(struct dj_device_process *process, int64_t timeout_ns,
                      struct dj_text *out, struct dj_text *err_text, struct dj_error *err)
{
    struct ended_process *ended = (struct ended_process *)process;
    const struct dj_text *from = &ended->result.out;
    process->ended = ended->result.exit_code >= 0;
    process->exit_code = ended->result.exit_code;
    if (ended->handed_out) {
        int waited =
            dj_interrupt_poll(&process->device->interrupt, timeout_ns, NULL, 0, err);
        return waited < 0 ? waited : 0;
    }
    ended->handed_out = true;
    dj_text_append(out, dj_text_get(from), from->length);
    from = &ended->result.err;
    dj_text_append(err_text, dj_text_get(from), from->length);
    return out->failed || err_text->failed
               ? dj_error_set(err, DJ_E_LIMIT, "the command wrote too much")
               : 0;
}

static int ended_write(struct dj_device_process *process, const void *bytes, size_t size,
                       struct dj_error *err)
{
    (void)process;
    (void)bytes;
    (void)size;
    (void)err;
    return 0;
}

static int ended_end_input(struct dj_device_process *process, struct dj_error *err)
{
    (void)process;
    (void)err;
    return 0;
}

static void ended_close(struct dj_device_process *process)
{
    dj_shell_result_finish(&((struct ended_process *)process)->result);
    free(process);
}

static const struct dj_device_process_ops ended_ops = {
    .read = ended_read,
    .write = ended_write,
    .end_input = ended_end_input,
    .close = ended_close,
};

int dj_device_process_ended(struct dj_device *device, struct dj_shell_result *result,
                            struct dj_device_process **process, struct dj_error *err)
{
    struct ended_process *ended = calloc(1, sizeof(*ended));
    if (ended == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    ended->base.ops = &ended_ops;
    ended->base.device = device;
    ended->result = *result;
    *result = (struct dj_shell_result){.exit_code = 0};
    *process = &ended->base;
    return 0;
}
