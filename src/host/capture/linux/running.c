#include "capture/linux/running.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

enum { NAME_MOST = 256 };

size_t dj_running_read_file(const char *path, char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, bytes, size) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return got > 0 ? (size_t)got : 0;
}

static void read_thread_name(struct dj_running_thread *thread)
{
    char path[64], name[sizeof(thread->name) + 1];
    snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", thread->pid, thread->tid);
    size_t length = dj_running_read_file(path, name, sizeof(name) - 1);
    length -= length > 0 && name[length - 1] == '\n';
    length = length < sizeof(thread->name) ? length : sizeof(thread->name) - 1;
    memcpy(thread->name, name, length);
    thread->name[length] = '\0';
}

/* Stores the name of a process's program. Kernel threads have no program. */
static void read_program(struct dj_running *running, struct dj_running_thread *thread)
{
    char path[64], name[NAME_MOST];
    snprintf(path, sizeof(path), "/proc/%d/cmdline", thread->pid);
    size_t length = strnlen(name, dj_running_read_file(path, name, sizeof(name)));
    if (length > 0) {
        thread->program = running->programs.length;
        dj_text_append(&running->programs, name, length);
        dj_text_append(&running->programs, "", 1);
    }
}

static bool add_thread(struct dj_running *running, int32_t tid, int32_t pid)
{
    struct dj_running_thread thread = {.tid = tid, .pid = pid, .program = SIZE_MAX};
    read_thread_name(&thread);
    if (tid == pid) {
        read_program(running, &thread);
    }
    return DJ_ARRAY_PUSH(running->threads, running->count, thread);
}

static int32_t parse_number(const char *name)
{
    char *end;
    long number = strtol(name, &end, 10);
    return end != name && *end == '\0' && number > 0 && number <= INT32_MAX
               ? (int32_t)number
               : 0;
}

int dj_running_add_process(struct dj_running *running, int32_t pid, struct dj_error *err)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    DIR *folder = opendir(path);
    struct dirent *entry;
    bool fits = true;
    if (folder == NULL) {
        return 0;
    }
    while (fits && (entry = readdir(folder)) != NULL) {
        int32_t tid = parse_number(entry->d_name);
        fits = tid == 0 || add_thread(running, tid, pid);
    }
    closedir(folder);
    return fits ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for threads");
}

int dj_running_add_all(struct dj_running *running, struct dj_error *err)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int code = 0;
    if (folder == NULL) {
        return 0;
    }
    while (code == 0 && (entry = readdir(folder)) != NULL) {
        int32_t pid = parse_number(entry->d_name);
        code = pid > 0 ? dj_running_add_process(running, pid, err) : 0;
    }
    closedir(folder);
    return code;
}

int dj_running_write(const struct dj_running *running, struct dj_event_sink sink)
{
    int code = 0;
    for (size_t i = 0; i < running->count && code == 0; i++) {
        const struct dj_running_thread *thread = &running->threads[i];
        const struct dj_event event = {
            .kind = DJ_EVENT_THREAD,
            .pid = thread->pid,
            .other = thread->tid,
            .other_name = {thread->name, strlen(thread->name)},
            .cpu = -1,
        };
        code = sink.take(sink.user, &event);
    }
    return code;
}

void dj_running_finish(struct dj_running *running)
{
    free(running->threads);
    dj_text_finish(&running->programs);
    *running = (struct dj_running){0};
}
