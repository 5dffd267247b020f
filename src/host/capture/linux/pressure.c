#include "capture/linux/pressure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "process/deadline.h"

/* The counters. Each counter is a total time for which threads had to wait. It never
 * decreases. */
static const struct {
    const char *name, *file, *before; /* Text that precedes the number in the file. */
} kinds[] = {
    {"pressure cpu us", "/proc/pressure/cpu", "total="},
    {"pressure io us", "/proc/pressure/io", "total="},
    {"pressure memory us", "/proc/pressure/memory", "total="},
    {"wait for a CPU ns", NULL, " "},
};
enum { KINDS = COUNT_OF(kinds), OF_THREAD = KINDS - 1 };

static bool read_number(const char *path, const char *before, int64_t *number)
{
    char text[256];
    text[dj_running_read_file(path, text, sizeof(text) - 1)] = '\0';
    const char *at = strstr(text, before);
    if (at == NULL) {
        return false;
    }
    *number = strtoll(at + strlen(before), NULL, 10);
    return true;
}

static const struct dj_pressure_sample *
find_last_sample(const struct dj_pressure *pressure, int kind, int32_t tid)
{
    enum { FAR = 512 };
    size_t least = pressure->count > FAR ? pressure->count - FAR : 0;
    for (size_t i = pressure->count; i > least; i--) {
        if (pressure->samples[i - 1].kind == kind &&
            pressure->samples[i - 1].tid == tid) {
            return &pressure->samples[i - 1];
        }
    }
    return NULL;
}

static bool add_sample(struct dj_pressure *pressure,
                       const struct dj_pressure_sample *sample)
{
    const struct dj_pressure_sample *last =
        find_last_sample(pressure, sample->kind, sample->tid);
    if ((last != NULL && last->value == sample->value) ||
        pressure->count >= DJ_PRESSURE_MOST) {
        return true;
    }
    pressure->has_threads |= sample->kind == OF_THREAD;
    return DJ_ARRAY_PUSH(pressure->samples, pressure->count, *sample);
}

int dj_pressure_read(struct dj_pressure *pressure, const struct dj_running *threads,
                     struct dj_error *err)
{
    struct dj_pressure_sample sample = {.at_ns = dj_host_now_ns(), .pid = getpid()};
    bool fits = true;
    sample.tid = sample.pid;
    for (int i = 0; i < OF_THREAD && fits; i++) {
        sample.kind = (uint8_t)i;
        fits = !read_number(kinds[i].file, kinds[i].before, &sample.value) ||
               add_sample(pressure, &sample);
    }
    sample.kind = OF_THREAD;
    for (size_t i = 0; i < threads->count && fits; i++) {
        char path[64];
        sample.pid = threads->threads[i].pid;
        sample.tid = threads->threads[i].tid;
        snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", sample.pid,
                 sample.tid);
        fits = !read_number(path, kinds[OF_THREAD].before, &sample.value) ||
               add_sample(pressure, &sample);
    }
    return fits ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for counters");
}

static int write_until(struct dj_pressure *pressure, int64_t until_ns)
{
    int code = 0;
    while (code == 0 && pressure->written_count < pressure->count &&
           pressure->samples[pressure->written_count].at_ns <= until_ns) {
        const struct dj_pressure_sample *sample =
            &pressure->samples[pressure->written_count++];
        const char *name = kinds[sample->kind].name;
        const struct dj_event event = {
            .kind = DJ_EVENT_COUNTER,
            .at_ns = sample->at_ns,
            .value = sample->value,
            .name = {name, strlen(name)},
            .tid = sample->tid,
            .pid = sample->pid,
            .cpu = -1,
        };
        code = pressure->sink.take(pressure->sink.user, &event);
    }
    return code;
}

int dj_pressure_merge(void *user, const struct dj_event *event)
{
    struct dj_pressure *pressure = user;
    int code = write_until(pressure, event->at_ns);
    return code == 0 ? pressure->sink.take(pressure->sink.user, event) : code;
}

int dj_pressure_write_rest(struct dj_pressure *pressure)
{
    return write_until(pressure, INT64_MAX);
}

void dj_pressure_finish(struct dj_pressure *pressure)
{
    free(pressure->samples);
    *pressure = (struct dj_pressure){0};
}
