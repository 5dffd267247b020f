/* Implements a device that returns recorded answers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/dumpsys.h"
#include "device/files.h"
#include "device/replay/answers.h"

#define PREFIX "replay:"

struct replay {
    struct dj_device base;
    char *folder;
    struct dj_replay_answers *answers;
    /* Times of the last reading of gfxinfo. dev_ns is 0 if there was no reading. */
    struct {
        int64_t dev_ns, host_ns;
    } last_reading;
};

static int fail_not_recorded(const struct replay *replay, const char *command,
                             struct dj_error *err)
{
    const struct dj_replay_entry *nearest =
        dj_replay_answers_find_nearest(replay->answers, command);
    struct dj_text requested = {0}, similar = {0};
    dj_text_append_escaped_name(&requested, command);
    dj_text_append_escaped_name(&similar, nearest->command);
    int code = dj_error_set(err, DJ_E_NO_DATA,
                            "%s: no answer is recorded for \"%.140s\"; the most similar "
                            "command is %03ld: \"%.140s\"",
                            replay->base.name, dj_text_get(&requested), nearest->number,
                            dj_text_get(&similar));
    dj_text_finish(&requested);
    dj_text_finish(&similar);
    return code;
}

static int read_stream(struct replay *replay, long number, const char *stream,
                       bool optional, struct dj_text *text, struct dj_error *err)
{
    struct dj_text path = {0};
    struct dj_error why = {0};
    dj_text_format(&path, "%s/%03ld-command.%s", replay->folder, number, stream);
    int code = dj_files_pull(&replay->base, dj_text_get(&path), text, &why);
    dj_text_finish(&path);
    if (code == DJ_E_NOT_FOUND && optional) {
        return 0;
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}

static int read_answer(struct replay *replay, enum dj_replay_kind kind,
                       const char *const *words, struct dj_device_result *result,
                       struct dj_error *err)
{
    const struct dj_deadline now = dj_deadline_in(DJ_SECOND_NS, &replay->base.interrupt);
    struct dj_text command = {0};
    int code = dj_deadline_check(&now, err);
    if (code != 0) {
        return code;
    }
    dj_replay_append_command(&command, kind, words);
    const struct dj_replay_entry *entry =
        dj_replay_answers_next(replay->answers, dj_text_get(&command));
    if (entry == NULL) {
        code = fail_not_recorded(replay, dj_text_get(&command), err);
    } else {
        result->exit_code = entry->exit_code;
        code = read_stream(replay, entry->number, "out", entry->error != 0, &result->out,
                           err);
        if (code == 0) {
            code = read_stream(replay, entry->number, "err", true, &result->err, err);
        }
        if (code == 0 && entry->error != 0) {
            code = dj_error_set(err, entry->error, "%s", entry->message);
        }
    }
    dj_text_finish(&command);
    return code;
}

static int replay_shell(struct dj_device *device, const char *const *argv,
                        int64_t timeout_ns, struct dj_device_result *result,
                        struct dj_error *err)
{
    (void)timeout_ns;
    return read_answer((struct replay *)device, DJ_REPLAY_SHELL, argv, result, err);
}

static int replay_gfxinfo(struct dj_device *device,
                          const struct dj_gfxinfo_request *request,
                          struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    struct replay *replay = (struct replay *)device;
    int code = dj_dumpsys_gfxinfo(device, request, reading, err);
    if (code == 0 && reading->dev_ns > 0) {
        replay->last_reading.dev_ns = reading->dev_ns;
        replay->last_reading.host_ns = dj_host_now_ns();
    }
    return code;
}

/* A recorded command that has been started. Its whole output is returned at once. A
 * command with a negative exit code was still running when the recording ended, so it
 * never ends by itself. */
struct replayed_process {
    struct dj_device_process base;
    struct dj_device_result result;
    bool is_read;
};

static int replay_read(struct dj_device_process *process, int64_t timeout_ns,
                       struct dj_text *out, struct dj_text *err_text,
                       struct dj_error *err)
{
    struct replayed_process *replayed = (struct replayed_process *)process;
    const struct dj_device_result *result = &replayed->result;
    process->ended = result->exit_code >= 0;
    process->exit_code = result->exit_code;
    if (replayed->is_read) {
        return dj_interrupt_poll(&process->device->interrupt, timeout_ns, NULL, 0, err);
    }
    replayed->is_read = true;
    dj_text_append(out, dj_text_get(&result->out), result->out.length);
    dj_text_append(err_text, dj_text_get(&result->err), result->err.length);
    return out->failed || err_text->failed
               ? dj_error_set(err, DJ_E_LIMIT, "the command wrote more than the maximum")
               : 0;
}

static void replay_close_process(struct dj_device_process *process)
{
    dj_device_result_finish(&((struct replayed_process *)process)->result);
    free(process);
}

static const struct dj_device_process_ops process_ops = {.read = replay_read,
                                                         .close = replay_close_process};

static int replay_start(struct dj_device *device, const char *const *argv,
                        struct dj_device_process **process, struct dj_error *err)
{
    struct replayed_process *replayed = calloc(1, sizeof(*replayed));
    if (replayed == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    replayed->base = (struct dj_device_process){.ops = &process_ops, .device = device};
    int code = read_answer((struct replay *)device, DJ_REPLAY_START, argv,
                           &replayed->result, err);
    if (code != 0) {
        replay_close_process(&replayed->base);
        return code;
    }
    *process = &replayed->base;
    return 0;
}

/* Accepts any file, unless the device refused the file during the recording. */
static int replay_push(struct dj_device *device, const char *local_path,
                       const char *remote_path, unsigned mode, struct dj_error *err)
{
    const char *const words[] = {remote_path, NULL};
    struct dj_device_result result = {0};
    (void)mode;
    if (access(local_path, R_OK) != 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO,
                            "cannot read %s: %s", local_path, strerror(errno));
    }
    struct dj_error why = {0};
    int code = read_answer((struct replay *)device, DJ_REPLAY_PUSH, words, &result, &why);
    dj_device_result_finish(&result);
    return code == 0 || code == DJ_E_NO_DATA ? 0
                                             : dj_error_set(err, code, "%s", why.message);
}

static int replay_pull(struct dj_device *device, const char *remote_path,
                       struct dj_text *bytes, struct dj_error *err)
{
    const char *const words[] = {remote_path, NULL};
    struct dj_device_result result = {0};
    int code = read_answer((struct replay *)device, DJ_REPLAY_PULL, words, &result, err);
    if (code == 0) {
        dj_text_append(bytes, dj_text_get(&result.out), result.out.length);
    }
    dj_device_result_finish(&result);
    return code;
}

static int replay_clock(struct dj_device *device, int64_t *dev_ns,
                        int64_t *uncertainty_ns, struct dj_error *err)
{
    struct replay *replay = (struct replay *)device;
    static const char *const words[] = {NULL};
    struct dj_device_result result = {0};
    long long recorded_ns, recorded_uncertainty_ns;
    int code = read_answer(replay, DJ_REPLAY_CLOCK, words, &result, err);
    if (code == 0 && sscanf(dj_text_get(&result.out), "%19lld %19lld", &recorded_ns,
                            &recorded_uncertainty_ns) != 2) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "%s: expected two numbers in ns as the recorded clock",
                            device->name);
    }
    if (code == 0) {
        *dev_ns = recorded_ns;
        *uncertainty_ns = recorded_uncertainty_ns;
    } else if (code == DJ_E_NO_DATA && replay->last_reading.dev_ns > 0) {
        /* Recordings that a person wrote contain no clock. Continue from the time of the
         * last reading. */
        *dev_ns =
            replay->last_reading.dev_ns + dj_host_now_ns() - replay->last_reading.host_ns;
        *uncertainty_ns = DJ_MILLISECOND_NS;
        code = 0;
    }
    dj_device_result_finish(&result);
    return code;
}

static void replay_close(struct dj_device *device)
{
    struct replay *replay = (struct replay *)device;
    dj_replay_answers_close(replay->answers);
    free(replay->folder);
    free(replay);
}

static const struct dj_device_ops replay_ops = {
    .shell = replay_shell,
    .gfxinfo = replay_gfxinfo,
    .profile = dj_dumpsys_profile,
    .start = replay_start,
    .push = replay_push,
    .pull = replay_pull,
    .clock = replay_clock,
    .close = replay_close,
};

int dj_device_open_replay(const char *selector, struct dj_device **device,
                          struct dj_error *err)
{
    struct replay *replay = calloc(1, sizeof(*replay));
    if (replay == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    replay->base.ops = &replay_ops;
    replay->folder = strdup(selector + sizeof(PREFIX) - 1);
    snprintf(replay->base.name, sizeof(replay->base.name), "%s", selector);
    int code = replay->folder == NULL
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : dj_replay_answers_open(replay->folder, &replay->answers, err);
    if (code != 0) {
        replay_close(&replay->base);
        return code;
    }
    *device = &replay->base;
    return 0;
}
