/* Implements a device that records the answers of another device. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/device.h"
#include "device/dumpsys.h"
#include "device/replay/entry.h"
#include "output/stream.h"

struct recorder {
    struct dj_device base;
    struct dj_device *inner;
    int folder;  /* Descriptor of the folder. */
    long number; /* Number of the last entry for which a file name was tried. */
};

struct recorded_process {
    struct dj_device_process base;
    struct dj_device_process *inner;
    struct dj_text command, out, err;
};

static int create_file(const struct recorder *recorder, const char *tail,
                       const struct dj_text *text)
{
    char name[64];
    snprintf(name, sizeof(name), "%03ld-command.%s", recorder->number, tail);
    int fd =
        openat(recorder->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return -1;
    }
    int failure = dj_output_stream_write_all(fd, dj_text_get(text), text->length);
    return close(fd) == 0 && failure == 0 ? 0 : -1;
}

/* Writes one entry. The file of the output is created first and reserves the number, so
 * that two processes can record into one folder. The file of the command is created last,
 * so an entry that has this file is complete. */
static int write_entry(struct recorder *recorder, const struct dj_text *command,
                       const struct dj_text *out, const struct dj_text *err_text,
                       struct dj_error *err)
{
    int result_code;
    do {
        recorder->number++;
        result_code = create_file(recorder, "out", out);
    } while (result_code != 0 && errno == EEXIST);
    if (result_code != 0 ||
        (err_text->length > 0 && create_file(recorder, "err", err_text) != 0) ||
        create_file(recorder, "txt", command) != 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "cannot record the answer of %s: %s",
                            recorder->base.name, strerror(errno));
    }
    return 0;
}

/* Records a call with its result `code`. Returns `code`, or an error if the call
 * succeeded but could not be recorded. */
static int record_call(struct recorder *recorder, enum dj_replay_kind kind,
                       const char *const *words, const struct dj_device_result *result,
                       int code, struct dj_error *why, struct dj_error *err)
{
    static const struct dj_text nothing = {0};
    struct dj_text command = {0};
    dj_replay_append_words(&command, words);
    dj_replay_append_result(&command, kind, result != NULL ? result->exit_code : 0,
                            code != 0 ? why : NULL);
    int written = 0;
    if (code != DJ_E_INTERRUPTED) {
        written =
            write_entry(recorder, &command, result != NULL ? &result->out : &nothing,
                        result != NULL ? &result->err : &nothing, err);
    }
    dj_text_finish(&command);
    return code != 0 ? dj_error_set(err, code, "%s", why->message) : written;
}

static struct dj_device *get_inner(struct dj_device *device)
{
    struct dj_device *inner = ((struct recorder *)device)->inner;
    inner->interrupt = device->interrupt;
    inner->slept = device->slept;
    return inner;
}

static int record_shell(struct dj_device *device, const char *const *argv,
                        int64_t timeout_ns, struct dj_device_result *result,
                        struct dj_error *err)
{
    struct dj_error why = {0};
    int code = dj_device_run(get_inner(device), argv, timeout_ns, result, &why);
    return record_call((struct recorder *)device, DJ_REPLAY_SHELL, argv, result, code,
                       &why, err);
}

static int record_push(struct dj_device *device, const char *local_path,
                       const char *remote_path, unsigned mode, struct dj_error *err)
{
    const char *const words[] = {remote_path, NULL};
    struct dj_error why = {0};
    int code = dj_device_push(get_inner(device), local_path, remote_path, mode, &why);
    return record_call((struct recorder *)device, DJ_REPLAY_PUSH, words, NULL, code, &why,
                       err);
}

static int record_pull(struct dj_device *device, const char *remote_path,
                       struct dj_text *bytes, struct dj_error *err)
{
    const char *const words[] = {remote_path, NULL};
    struct dj_device_result result = {0};
    struct dj_error why = {0};
    int code = dj_device_pull(get_inner(device), remote_path, &result.out, &why);
    dj_text_append(bytes, dj_text_get(&result.out), result.out.length);
    code = record_call((struct recorder *)device, DJ_REPLAY_PULL, words, &result, code,
                       &why, err);
    dj_device_result_finish(&result);
    return code;
}

static int record_clock(struct dj_device *device, int64_t *dev_ns,
                        int64_t *uncertainty_ns, struct dj_error *err)
{
    static const char *const words[] = {NULL};
    struct dj_device_result result = {0};
    struct dj_error why = {0};
    int code = dj_device_read_clock(get_inner(device), dev_ns, uncertainty_ns, &why);
    device->slept = ((struct recorder *)device)->inner->slept;
    if (code == 0) {
        dj_text_format(&result.out, "%" PRId64 " %" PRId64 "\n", *dev_ns,
                       *uncertainty_ns);
    }
    code = record_call((struct recorder *)device, DJ_REPLAY_CLOCK, words, &result, code,
                       &why, err);
    dj_device_result_finish(&result);
    return code;
}

static int record_read(struct dj_device_process *process, int64_t timeout_ns,
                       struct dj_text *out, struct dj_text *err_text,
                       struct dj_error *err)
{
    struct recorded_process *recorded = (struct recorded_process *)process;
    struct dj_device_result received = {0};
    get_inner(process->device);
    int code = dj_device_process_read(recorded->inner, timeout_ns, &received.out,
                                      &received.err, &process->ended, err);
    process->exit_code = dj_device_process_exit_code(recorded->inner);
    dj_text_append(&recorded->out, dj_text_get(&received.out), received.out.length);
    dj_text_append(&recorded->err, dj_text_get(&received.err), received.err.length);
    dj_text_append(out, dj_text_get(&received.out), received.out.length);
    dj_text_append(err_text, dj_text_get(&received.err), received.err.length);
    dj_device_result_finish(&received);
    return code == 0 && (out->failed || err_text->failed)
               ? dj_error_set(err, DJ_E_LIMIT, "the command wrote more than the maximum")
               : code;
}

static int record_write(struct dj_device_process *process, const void *bytes, size_t size,
                        struct dj_error *err)
{
    return dj_device_process_write(((struct recorded_process *)process)->inner, bytes,
                                   size, err);
}

static int record_end_input(struct dj_device_process *process, struct dj_error *err)
{
    return dj_device_process_end_input(((struct recorded_process *)process)->inner, err);
}

static void free_recorded(struct recorded_process *recorded)
{
    dj_text_finish(&recorded->command);
    dj_text_finish(&recorded->out);
    dj_text_finish(&recorded->err);
    free(recorded);
}

static void record_close_process(struct dj_device_process *process)
{
    struct recorded_process *recorded = (struct recorded_process *)process;
    dj_device_process_close(recorded->inner);
    dj_replay_append_result(&recorded->command, DJ_REPLAY_START,
                            process->ended ? process->exit_code : DJ_REPLAY_RUNNING,
                            NULL);
    /* Closing cannot return an error, so an error is ignored here. If the folder is not
     * writable, the next call returns an error. */
    write_entry((struct recorder *)process->device, &recorded->command, &recorded->out,
                &recorded->err, NULL);
    free_recorded(recorded);
}

static const struct dj_device_process_ops process_ops = {
    .read = record_read,
    .write = record_write,
    .end_input = record_end_input,
    .close = record_close_process,
};

static int record_start(struct dj_device *device, const char *const *argv,
                        struct dj_device_process **process, struct dj_error *err)
{
    struct recorded_process *recorded = calloc(1, sizeof(*recorded));
    struct dj_error why = {0};
    if (recorded == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    recorded->base.ops = &process_ops;
    recorded->base.device = device;
    recorded->out.maximum = DJ_DEVICE_OUTPUT_MAX;
    recorded->err.maximum = DJ_DEVICE_OUTPUT_MAX;
    dj_replay_append_words(&recorded->command, argv);
    int code = recorded->command.failed
                   ? dj_error_set(&why, DJ_E_NO_MEMORY, "out of memory")
                   : dj_device_start(get_inner(device), argv, &recorded->inner, &why);
    if (code != 0) {
        free_recorded(recorded);
        return record_call((struct recorder *)device, DJ_REPLAY_START, argv, NULL, code,
                           &why, err);
    }
    *process = &recorded->base;
    return 0;
}

static void record_close(struct dj_device *device)
{
    struct recorder *recorder = (struct recorder *)device;
    dj_device_close(recorder->inner);
    close(recorder->folder);
    free(recorder);
}

/* gfxinfo and "Profile GPU rendering" always use the command dumpsys, even on this
 * machine, because only commands and their text can be replayed. */
static const struct dj_device_ops record_ops = {
    .shell = record_shell,
    .gfxinfo = dj_dumpsys_gfxinfo,
    .profile = dj_dumpsys_profile,
    .start = record_start,
    .push = record_push,
    .pull = record_pull,
    .clock = record_clock,
    .close = record_close,
};

static int create_folder(const char *folder, struct dj_error *err)
{
    return mkdir(folder, 0777) == 0 || errno == EEXIST
               ? 0
               : dj_error_set(err, DJ_E_OUTPUT, "cannot create %s: %s", folder,
                              strerror(errno));
}

int dj_device_record(struct dj_device **device, const char *folder, struct dj_error *err)
{
    int code = create_folder(folder, err);
    if (code != 0) {
        return code;
    }
    struct recorder *recorder = calloc(1, sizeof(*recorder));
    if (recorder == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    recorder->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (recorder->folder < 0) {
        free(recorder);
        return dj_error_set(err, DJ_E_OUTPUT, "cannot record into %s: %s", folder,
                            strerror(errno));
    }
    recorder->base.ops = &record_ops;
    recorder->inner = *device;
    recorder->base.interrupt = recorder->inner->interrupt;
    memcpy(recorder->base.name, recorder->inner->name, sizeof(recorder->base.name));
    *device = &recorder->base;
    return 0;
}

int dj_device_record_named(struct dj_device **device, const char *folder,
                           struct dj_error *err)
{
    const char *name = (*device)->name;
    struct dj_text own = {0};
    int code = create_folder(folder, err);
    if (code != 0) {
        return code;
    }
    dj_text_format(&own, "%s/", folder);
    for (size_t i = 0; name[i] != '\0'; i++) {
        dj_text_append(&own, name[i] == '/' ? "_" : &name[i], 1);
    }
    code = dj_device_record(device, dj_text_get(&own), err);
    dj_text_finish(&own);
    return code;
}
