#include "capture/app_watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { APP_SHOWN = 60 }; /* Maximum number of bytes of the app's name in a message. */

static const char *find_program(const struct dj_running *running,
                                const struct dj_running_thread *process)
{
    if (process->program == SIZE_MAX || running->programs.failed) {
        return "";
    }
    const char *path = running->programs.data + process->program;
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int32_t dj_app_watch_find(const struct dj_running *running, const char *app)
{
    char *end;
    long pid = strtol(app, &end, 10);
    bool is_number = end != app && *end == '\0';
    for (size_t i = 0; i < running->count && app[0] != '\0'; i++) {
        const struct dj_running_thread *one = &running->threads[i];
        if (one->tid == one->pid &&
            ((is_number && one->pid == pid) ||
             strcmp(find_program(running, one), app) == 0 ||
             strncmp(one->name, app, sizeof(one->name) - 1) == 0)) {
            return one->pid;
        }
    }
    return 0;
}

/* Finds a process of the app that has no segment, that is, one that is not recorded.
 * Ignores the process of dejank itself. */
static int find_unrecorded(const char *app, int64_t *pid, struct dj_error *err)
{
    struct dj_running running = {0};
    int code = dj_running_add_all(&running, err);
    for (size_t i = 0; i < running.count; i++) {
        if (running.threads[i].pid == getpid()) {
            running.threads[i].tid = 0;
        }
    }
    *pid = code == 0 ? dj_app_watch_find(&running, app) : 0;
    dj_running_finish(&running);
    return code;
}

/* Returns true if the recorder is loaded into the process. Such a process is recorded,
 * but has no segment before its first frame. */
static bool has_recorder(int64_t pid)
{
    char path[64], *line = NULL;
    size_t room = 0;
    bool found = false;
    snprintf(path, sizeof(path), "/proc/%lld/maps", (long long)pid);
    FILE *maps = fopen(path, "re");
    if (maps == NULL) {
        return false;
    }
    while (!found && getline(&line, &room, maps) > 0) {
        found = strstr(line, "/libdejank") != NULL;
    }
    fclose(maps);
    free(line);
    return found;
}

static void set_message(struct dj_app_watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void set_message(struct dj_app_watch *watch, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(watch->message, sizeof(watch->message), format, arguments);
    va_end(arguments);
}

/* Returns the newest process that still runs, or the newest one if none runs. */
static const struct dj_records_process *find_newest(const struct dj_records *records)
{
    const struct dj_records_process *found = NULL;
    for (size_t i = 0; i < records->count; i++) {
        const struct dj_records_process *process = &records->processes[i];
        if (found == NULL || !process->ended || found->ended) {
            found = process;
        }
    }
    return found;
}

/* Updates the state for a recorded process, and writes a message if the app has started
 * or ended. An app that already runs at the first check causes no message. */
static void update_recorded(struct dj_app_watch *watch, int64_t pid, bool ended)
{
    bool is_new = !watch->runs || watch->state != DJ_APP_RECORDED;
    if (!ended && is_new && watch->is_checked) {
        set_message(watch, "%.*s (pid %lld) has started", APP_SHOWN, watch->app,
                    (long long)pid);
    } else if (ended && watch->pid == pid && watch->runs) {
        set_message(
            watch,
            "%.*s (pid %lld) has ended; the trace contains its activity until then",
            APP_SHOWN, watch->app, (long long)pid);
    }
    watch->state = DJ_APP_RECORDED;
    watch->pid = pid;
    watch->runs = !ended;
}

static void update_unrecorded(struct dj_app_watch *watch, int64_t pid)
{
    enum dj_capture_app before = watch->state;
    if (pid != 0) {
        watch->state = DJ_APP_UNRECORDED;
        watch->pid = pid;
    } else if (before != DJ_APP_UNRECORDED) {
        watch->state = DJ_APP_ABSENT;
    }
    if (watch->state == before) {
        return;
    }
    if (watch->state == DJ_APP_UNRECORDED) {
        set_message(watch,
                    "%.*s (pid %lld) runs without dejank's recorder, so the trace will "
                    "not contain frames and sections of the app; start the app with: "
                    "dejank record --name %.*s -- COMMAND",
                    APP_SHOWN, watch->app, (long long)pid, APP_SHOWN, watch->app);
    } else {
        set_message(
            watch,
            "waiting for the app: no process has the name %.*s, in the system or in a "
            "recording (start the app with: dejank record --name %.*s -- COMMAND)",
            APP_SHOWN, watch->app, APP_SHOWN, watch->app);
    }
}

int dj_app_watch_update(struct dj_app_watch *watch, const struct dj_records *records,
                        struct dj_error *err)
{
    int64_t pid = 0;
    int code = 0;
    if (watch->app == NULL) {
        return 0;
    }
    const struct dj_records_process *process = find_newest(records);
    if (process == NULL) {
        code = find_unrecorded(watch->app, &pid, err);
    }
    if (process != NULL) {
        update_recorded(watch, process->pid, process->ended);
    } else if (pid != 0 && has_recorder(pid)) {
        update_recorded(watch, pid, false);
    } else if (watch->state == DJ_APP_RECORDED) {
        update_recorded(watch, watch->pid, true);
    } else {
        update_unrecorded(watch, pid);
    }
    watch->is_checked = true;
    return code;
}

bool dj_app_watch_write_limit(const struct dj_app_watch *watch, bool has_data,
                              char limit[DJ_CAPTURE_LIMIT])
{
    static const char *const why[] = {
        [DJ_APP_RECORDED] = "the app had none during the capture",
        [DJ_APP_UNRECORDED] = "the app ran without dejank's recorder",
        [DJ_APP_ABSENT] = "no process with this name ran",
    };
    if (watch->app == NULL || has_data || watch->state == DJ_APP_ANY) {
        return false;
    }
    snprintf(limit, DJ_CAPTURE_LIMIT, "frames and sections of %.*s: %s", APP_SHOWN,
             watch->app, why[watch->state]);
    return true;
}
