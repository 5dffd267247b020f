#include "capture/app_watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { APP_SHOWN = 60 }; /* characters of the name in a message */

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
    bool number = end != app && *end == '\0';
    for (size_t i = 0; i < running->count && app[0] != '\0'; i++) {
        const struct dj_running_thread *one = &running->threads[i];
        if (one->tid == one->pid &&
            ((number && one->pid == pid) ||
             strcmp(find_program(running, one), app) == 0 ||
             strncmp(one->name, app, sizeof(one->name) - 1) == 0)) {
            return one->pid;
        }
    }
    return 0;
}

/* Our own process is never the app. */
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

/* If the recorder is loaded, the app will be recorded, although there is no segment
 * before the first frame. */
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
    vsnprintf(watch->says, sizeof(watch->says), format, arguments);
    va_end(arguments);
}

/* The find_newest running process, otherwise the find_newest. */
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

/* An app that runs from the beginning is expected, so it is not reported. */
static void check_recorded(struct dj_app_watch *watch, int64_t pid, bool ended)
{
    bool other = !watch->runs || watch->state != DJ_APP_RECORDED;
    if (!ended && other && watch->begun) {
        set_message(watch, "%.*s (pid %lld) has begun", APP_SHOWN, watch->app,
                    (long long)pid);
    } else if (ended && watch->pid == pid && watch->runs) {
        set_message(watch, "%.*s (pid %lld) has ended; what it did until then is kept",
                    APP_SHOWN, watch->app, (long long)pid);
    }
    watch->state = DJ_APP_RECORDED;
    watch->pid = pid;
    watch->runs = !ended;
}

static void check_others(struct dj_app_watch *watch, int64_t pid)
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
        set_message(
            watch,
            "%.*s (pid %lld) runs, but not under the recorder: the trace has none of its "
            "frames and sections (dejank record --name %.*s -- COMMAND starts it so)",
            APP_SHOWN, watch->app, (long long)pid, APP_SHOWN, watch->app);
    } else {
        set_message(
            watch,
            "no process is called %.*s, or recorded under that name; it is waited for "
            "(dejank record --name %.*s -- COMMAND starts one)",
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
        check_recorded(watch, process->pid, process->ended);
    } else if (pid != 0 && has_recorder(pid)) {
        check_recorded(watch, pid, false);
    } else if (watch->state == DJ_APP_RECORDED) {
        check_recorded(watch, watch->pid, true);
    } else {
        check_others(watch, pid);
    }
    watch->begun = true;
    return code;
}

bool dj_app_watch_write_limit(const struct dj_app_watch *watch, bool showed,
                              char lack[DJ_CAPTURE_LIMIT])
{
    static const char *const why[] = {
        [DJ_APP_RECORDED] = "it showed none meanwhile",
        [DJ_APP_UNRECORDED] = "it ran, but not under the recorder",
        [DJ_APP_ABSENT] = "no such process ran",
    };
    if (watch->app == NULL || showed || watch->state == DJ_APP_ANY) {
        return false;
    }
    snprintf(lack, DJ_CAPTURE_LIMIT, "frames and sections of %.*s: %s", APP_SHOWN,
             watch->app, why[watch->state]);
    return true;
}
