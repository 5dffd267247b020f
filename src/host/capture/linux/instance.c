#include "capture/linux/instance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "capture/linux/tracefs.h"

#define INSTANCES "instances"

enum { LEAST_KB = 64, PATH_MOST = 128 };

/* Opens a folder for reading. Returns NULL and sets errno if that fails. */
static DIR *open_folder(int parent, const char *path)
{
    int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (folder == NULL && fd >= 0) {
        close(fd);
    }
    return folder;
}

size_t dj_instance_remove_dead(int root, bool removes, char remaining[DJ_INSTANCE_NAME])
{
    DIR *folder = open_folder(root, INSTANCES);
    struct dirent *entry;
    size_t count = 0;
    remaining[0] = '\0';
    if (folder == NULL) {
        return 0;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (!dj_instance_is_dead(entry->d_name)) {
            continue;
        }
        bool stays =
            !removes || unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR) != 0;
        count += stays != removes;
        if (stays && remaining[0] == '\0') {
            snprintf(remaining, DJ_INSTANCE_NAME, "%.*s", DJ_INSTANCE_NAME - 1,
                     entry->d_name);
        }
    }
    closedir(folder);
    return count;
}

static int create_folder(struct dj_instance *instance, struct dj_error *err)
{
    static _Atomic unsigned number;
    char path[DJ_INSTANCE_NAME + sizeof(INSTANCES)];
    dj_instance_name(instance->name, number++);
    snprintf(path, sizeof(path), INSTANCES "/%s", instance->name);
    if (mkdirat(instance->root, path, 0700) != 0) {
        return errno == ENOENT ? dj_error_set(err, DJ_E_UNSUPPORTED,
                                              "tracefs: this kernel has no instances")
                               : dj_tracefs_set_error(path, "cannot create", err);
    }
    instance->made = true;
    instance->dir = openat(instance->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return instance->dir < 0 ? dj_tracefs_set_error(path, "cannot open", err) : 0;
}

int dj_instance_create(struct dj_instance *instance, int root, struct dj_error *err)
{
    char stuck[DJ_INSTANCE_NAME];
    *instance = (struct dj_instance){.root = root, .dir = -1};
    dj_instance_remove_dead(root, true, stuck);
    return create_folder(instance, err);
}

static int set_size(struct dj_instance *instance, const struct dj_capture_plan *plan,
                    struct dj_error *err)
{
    char text[24];
    int64_t bytes = plan->buffer_bytes > 0 ? plan->buffer_bytes : DJ_CAPTURE_BUFFER_BYTES;
    int64_t each_kb = bytes / 1024 / (int64_t)instance->cpu_count;
    snprintf(text, sizeof(text), "%lld",
             (long long)(each_kb > LEAST_KB ? each_kb : LEAST_KB));
    int code = dj_tracefs_write(instance->dir, "buffer_size_kb", text, err);
    if (code != 0) {
        dj_error_prepend(err, "a ring of %s kB for each CPU", text);
    }
    return code;
}

static void format_event_path(char path[PATH_MOST], const struct dj_kernel_event *event,
                              const char *file)
{
    snprintf(path, PATH_MOST, "events/%s/%s/%s", event->group, event->name, file);
}

/* Enables an event with its filter. If the kernel does not have the event, adds the limit
 * of the event to `result` and returns 0. */
static int set_event(struct dj_instance *instance, const struct dj_kernel_event *event,
                     struct dj_capture_result *result, struct dj_error *err)
{
    char path[PATH_MOST];
    struct dj_error why = {0};
    if (event->filter != NULL) {
        format_event_path(path, event, "filter");
        dj_tracefs_write(instance->dir, path, event->filter, NULL);
    }
    format_event_path(path, event, "enable");
    int code = dj_tracefs_write(instance->dir, path, "1", &why);
    if (code == DJ_E_NOT_FOUND || code == DJ_E_OWNER) {
        if (event->limit != NULL) {
            dj_capture_add_limit(result, "%s", event->limit);
        }
        return 0;
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}

static int set_events(struct dj_instance *instance, const struct dj_capture_plan *plan,
                      struct dj_capture_result *result, struct dj_error *err)
{
    int code = 0;
    for (const struct dj_kernel_event *event = dj_kernel_events_find_next(plan, NULL);
         event != NULL && code == 0; event = dj_kernel_events_find_next(plan, event)) {
        code = set_event(instance, event, result, err);
    }
    return code;
}

static int add_cpu(struct dj_instance *instance, int folder, const char *name, int cpu,
                   struct dj_error *err)
{
    char path[64];
    if (!DJ_ARRAY_ROOM(instance->cpus, instance->cpu_count)) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for CPUs");
    }
    snprintf(path, sizeof(path), "%.32s/trace_pipe_raw", name);
    int pipe = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0) {
        return dj_tracefs_set_error(path, "cannot open", err);
    }
    instance->cpus[instance->cpu_count++] = (struct dj_instance_cpu){pipe, cpu};
    return 0;
}

static int open_pipes(struct dj_instance *instance, struct dj_error *err)
{
    DIR *folder = open_folder(instance->dir, "per_cpu");
    if (folder == NULL) {
        return dj_tracefs_set_error("per_cpu", "cannot open", err);
    }
    struct dirent *entry;
    int code = 0, cpu;
    while (code == 0 && (entry = readdir(folder)) != NULL) {
        if (sscanf(entry->d_name, "cpu%d", &cpu) == 1 && cpu >= 0) {
            code = add_cpu(instance, dirfd(folder), entry->d_name, cpu, err);
        }
    }
    closedir(folder);
    return code != 0 || instance->cpu_count > 0
               ? code
               : dj_error_set(err, DJ_E_UNSUPPORTED, "tracefs: per_cpu lists no CPU");
}

int dj_instance_switch(const struct dj_instance *instance, bool on, struct dj_error *err)
{
    return dj_tracefs_write(instance->dir, "tracing_on", on ? "1" : "0", err);
}

int dj_instance_set_up(struct dj_instance *instance, const struct dj_capture_plan *plan,
                       struct dj_capture_result *result, struct dj_error *err)
{
    int code = dj_instance_switch(instance, false, err);
    if (code == 0) { /* Uses CLOCK_MONOTONIC, as recorded frames and sections do. */
        code = dj_tracefs_write(instance->dir, "trace_clock", "mono", err);
    }
    code = code == 0 ? open_pipes(instance, err) : code;
    code = code == 0 ? set_size(instance, plan, err) : code;
    /* With this option the kernel stores the process id of each thread. It is then also
     * known for threads that have ended. */
    dj_tracefs_write(instance->dir, "options/record-tgid", "1", NULL);
    return code == 0 ? set_events(instance, plan, result, err) : code;
}

static uint64_t parse_number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at != NULL ? strtoull(at + strlen(word), NULL, 10) : 0;
}

uint64_t dj_instance_read_lost(const struct dj_instance *instance)
{
    uint64_t lost = 0;
    for (size_t i = 0; i < instance->cpu_count; i++) {
        char path[48];
        struct dj_text text = {0};
        snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", instance->cpus[i].cpu);
        dj_tracefs_read(instance->dir, path, &text, NULL);
        const char *stats = dj_text_get(&text);
        lost += parse_number_after(stats, "\noverrun:") +
                parse_number_after(stats, "commit overrun:") +
                parse_number_after(stats, "dropped events:");
        dj_text_finish(&text);
    }
    return lost;
}

/* Removes the folder of the instance. If the instance is busy, tries again for a second.
 * An instance may stay busy for a moment after its last descriptor was closed. */
static bool remove_instance(const struct dj_instance *instance, const char *path)
{
    enum { TRIES = 50, PAUSE_US = 20000 };
    for (int i = 0; i < TRIES; i++) {
        if (unlinkat(instance->root, path, AT_REMOVEDIR) == 0) {
            return true;
        }
        if (errno != EBUSY) {
            return false;
        }
        usleep(PAUSE_US);
    }
    return false;
}

int dj_instance_remove(struct dj_instance *instance, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < instance->cpu_count; i++) {
        close(instance->cpus[i].pipe);
    }
    free(instance->cpus);
    if (instance->made) {
        char path[DJ_INSTANCE_NAME + sizeof(INSTANCES)];
        snprintf(path, sizeof(path), INSTANCES "/%s", instance->name);
        if (instance->dir >= 0) {
            close(instance->dir);
        }
        if (!remove_instance(instance, path)) {
            code = dj_tracefs_set_error(path, "cannot remove", err);
        }
    }
    if (instance->root >= 0) {
        close(instance->root);
    }
    *instance = (struct dj_instance){.root = -1, .dir = -1};
    return code;
}
