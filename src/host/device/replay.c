#include "device/replay.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "device/dumpsys.h"
#include "device/files.h"
#include "device/process.h"
#include "device/replay_file.h"

#define PREFIX "replay:"
static const char command_tail[] = "-command.txt";

struct replay {
    struct dj_device base;
    char *folder;
    struct dj_replay_entry *entries; /* ascending by number */
    size_t count;
    struct {
        int64_t dev_ns, host_ns;
    } seen; /* the last gfxinfo reading's time; dev_ns 0: none */
};

/* ---- opening */

/* "017-command.txt": 17; −1 for other files. */
static long number_of(const char *name)
{
    char *end;
    if (name[0] < '0' || name[0] > '9' || strlen(name) > 64) {
        return -1;
    }
    long number = strtol(name, &end, 10);
    return strcmp(end, command_tail) == 0 ? number : -1;
}

static int read_file(struct replay *replay, const char *name, struct dj_text *text,
                     struct dj_error *err)
{
    struct dj_text path = {0};
    dj_text_format(&path, "%s/%s", replay->folder, name);
    int code = dj_local_pull(&replay->base, dj_text_get(&path), text, err);
    dj_text_finish(&path);
    return code;
}

static int add_entry(struct replay *replay, const char *name, long number,
                     struct dj_error *err)
{
    struct dj_text text = {.maximum = 1024 * 1024};
    struct dj_replay_entry entry = {.number = 0};
    struct dj_replay_entry *grown =
        dj_array_resize(replay->entries, replay->count + 1, sizeof(*grown));
    if (grown == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    replay->entries = grown;
    int code = read_file(replay, name, &text, err);
    if (code == 0) {
        code = dj_replay_parse(dj_text_get(&text), text.length, &entry, err);
        if (code != 0) {
            dj_error_prepend(err, "%s/%s", replay->folder, name);
        }
    }
    if (code == 0) {
        entry.number = number;
        replay->entries[replay->count++] = entry;
    }
    dj_text_finish(&text);
    return code;
}

static int by_number(const void *a, const void *b)
{
    long first = ((const struct dj_replay_entry *)a)->number;
    long second = ((const struct dj_replay_entry *)b)->number;
    return (first > second) - (first < second);
}

static int read_folder(struct replay *replay, struct dj_error *err)
{
    struct dirent *found;
    int code = 0;
    DIR *directory = opendir(replay->folder);
    if (directory == NULL) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "replay: cannot read %s: %s",
                            replay->folder, strerror(errno));
    }
    while (code == 0 && (found = readdir(directory)) != NULL) {
        long number = number_of(found->d_name);
        code = number >= 0 ? add_entry(replay, found->d_name, number, err) : 0;
    }
    closedir(directory);
    if (code == 0 && replay->count == 0) {
        return dj_error_set(err, DJ_E_NOT_FOUND,
                            "replay: nothing is recorded in %s (expected "
                            "001-command.txt and 001-command.out)",
                            replay->folder);
    }
    if (code == 0) {
        qsort(replay->entries, replay->count, sizeof(replay->entries[0]), by_number);
    }
    return code;
}

/* ---- answering */

/* Equal commands have their answers in the order they were recorded, and the last one
 * from then on. */
static struct dj_replay_entry *find(struct replay *replay, const char *command)
{
    struct dj_replay_entry *last = NULL;
    for (size_t i = 0; i < replay->count; i++) {
        if (strcmp(replay->entries[i].command, command) == 0) {
            last = &replay->entries[i];
            if (!last->used) {
                break;
            }
        }
    }
    if (last != NULL) {
        last->used = true;
    }
    return last;
}

/* How much two commands have in common, at both ends. */
static size_t likeness(const char *a, const char *b)
{
    size_t front = 0, back = 0, a_length = strlen(a), b_length = strlen(b);
    while (a[front] != '\0' && a[front] == b[front]) {
        front++;
    }
    while (back + front < a_length && back + front < b_length &&
           a[a_length - 1 - back] == b[b_length - 1 - back]) {
        back++;
    }
    return front + back;
}

static int never_recorded(const struct replay *replay, const char *command,
                          struct dj_error *err)
{
    const struct dj_replay_entry *nearest = &replay->entries[0];
    struct dj_text asked = {0}, near = {0};
    for (size_t i = 1; i < replay->count; i++) {
        if (likeness(replay->entries[i].command, command) >
            likeness(nearest->command, command)) {
            nearest = &replay->entries[i];
        }
    }
    dj_text_escaped_name(&asked, command);
    dj_text_escaped_name(&near, nearest->command);
    int code = dj_error_set(
        err, DJ_E_NO_DATA, "%s: never recorded: \"%.140s\"; nearest is %03ld: \"%.140s\"",
        replay->base.name, dj_text_get(&asked), nearest->number, dj_text_get(&near));
    dj_text_finish(&asked);
    dj_text_finish(&near);
    return code;
}

static int read_stream(struct replay *replay, long number, const char *stream,
                       bool optional, struct dj_text *text, struct dj_error *err)
{
    char name[64];
    struct dj_error why = {0};
    snprintf(name, sizeof(name), "%03ld-command.%s", number, stream);
    int code = read_file(replay, name, text, &why);
    if (code == DJ_E_NOT_FOUND && optional) {
        return 0;
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}

static int answer(struct replay *replay, enum dj_replay_kind kind,
                  const char *const *words, struct dj_shell_result *result,
                  struct dj_error *err)
{
    const struct dj_deadline now = dj_deadline_in(DJ_SECOND_NS, &replay->base.interrupt);
    struct dj_text command = {0};
    int code = dj_deadline_check(&now, err);
    if (code != 0) {
        return code;
    }
    dj_replay_command(&command, kind, words);
    const struct dj_replay_entry *entry = find(replay, dj_text_get(&command));
    if (entry == NULL) {
        code = never_recorded(replay, dj_text_get(&command), err);
    } else {
        result->exit_code = entry->exit_code;
        code = read_stream(replay, entry->number, "out", entry->error != 0, &result->out,
                           err);
        if (code == 0) {
            code = read_stream(replay, entry->number, "err", true, &result->err, err);
        }
        if (code == 0 && entry->error != 0) {
            code = dj_error_set(err, entry->error, "%s", entry->says);
        }
    }
    dj_text_finish(&command);
    return code;
}

static int replay_shell(struct dj_device *device, const char *const *argv,
                        int64_t timeout_ns, struct dj_shell_result *result,
                        struct dj_error *err)
{
    (void)timeout_ns;
    return answer((struct replay *)device, DJ_REPLAY_SHELL, argv, result, err);
}

static int replay_gfxinfo(struct dj_device *device,
                          const struct dj_gfxinfo_request *request,
                          struct dj_gfxinfo *reading, struct dj_error *err)
{
    struct replay *replay = (struct replay *)device;
    int code = dj_dumpsys_gfxinfo(device, request, reading, err);
    if (code == 0 && reading->dev_ns > 0) {
        replay->seen.dev_ns = reading->dev_ns;
        replay->seen.host_ns = dj_host_now_ns();
    }
    return code;
}

static int replay_start(struct dj_device *device, const char *const *argv,
                        struct dj_device_process **process, struct dj_error *err)
{
    struct dj_shell_result result = {0};
    int code = answer((struct replay *)device, DJ_REPLAY_START, argv, &result, err);
    if (code == 0) {
        code = dj_process_ended(device, &result, process, err);
    }
    dj_shell_result_finish(&result);
    return code;
}

/* It takes any file, but for one that was refused when it was recorded. */
static int replay_push(struct dj_device *device, const char *local_path,
                       const char *remote_path, unsigned mode, struct dj_error *err)
{
    const char *const words[] = {remote_path, NULL};
    struct dj_shell_result result = {0};
    (void)mode;
    if (access(local_path, R_OK) != 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO,
                            "cannot read %s: %s", local_path, strerror(errno));
    }
    struct dj_error why = {0};
    int code = answer((struct replay *)device, DJ_REPLAY_PUSH, words, &result, &why);
    dj_shell_result_finish(&result);
    return code == 0 || code == DJ_E_NO_DATA ? 0
                                             : dj_error_set(err, code, "%s", why.message);
}

static int replay_pull(struct dj_device *device, const char *remote_path,
                       struct dj_text *bytes, struct dj_error *err)
{
    const char *const words[] = {remote_path, NULL};
    struct dj_shell_result result = {0};
    int code = answer((struct replay *)device, DJ_REPLAY_PULL, words, &result, err);
    if (code == 0) {
        dj_text_append(bytes, dj_text_get(&result.out), result.out.length);
    }
    dj_shell_result_finish(&result);
    return code;
}

static int replay_clock(struct dj_device *device, int64_t *dev_ns,
                        int64_t *uncertainty_ns, struct dj_error *err)
{
    struct replay *replay = (struct replay *)device;
    static const char *const words[] = {NULL};
    struct dj_shell_result result = {0};
    long long told_ns, within_ns;
    int code = answer(replay, DJ_REPLAY_CLOCK, words, &result, err);
    if (code == 0 &&
        sscanf(dj_text_get(&result.out), "%19lld %19lld", &told_ns, &within_ns) != 2) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "%s: a recorded clock says two numbers of ns", device->name);
    }
    if (code == 0) {
        *dev_ns = told_ns;
        *uncertainty_ns = within_ns;
    } else if (code == DJ_E_NO_DATA && replay->seen.dev_ns > 0) {
        /* By hand nobody writes clocks: time goes on from the last reading. */
        *dev_ns = replay->seen.dev_ns + dj_host_now_ns() - replay->seen.host_ns;
        *uncertainty_ns = DJ_MILLISECOND_NS;
        code = 0;
    }
    dj_shell_result_finish(&result);
    return code;
}

static void replay_close(struct dj_device *device)
{
    struct replay *replay = (struct replay *)device;
    for (size_t i = 0; i < replay->count; i++) {
        dj_replay_entry_finish(&replay->entries[i]);
    }
    free(replay->entries);
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

int dj_replay_open(const char *selector, struct dj_device **device, struct dj_error *err)
{
    struct replay *replay = calloc(1, sizeof(*replay));
    if (replay == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    replay->base.ops = &replay_ops;
    replay->folder = strdup(selector + sizeof(PREFIX) - 1);
    snprintf(replay->base.name, sizeof(replay->base.name), "%s", selector);
    int code = replay->folder == NULL ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                                      : read_folder(replay, err);
    if (code != 0) {
        replay_close(&replay->base);
        return code;
    }
    *device = &replay->base;
    return 0;
}
