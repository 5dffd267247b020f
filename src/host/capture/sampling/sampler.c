#include "capture/sampling/sampler.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/linux/running.h"
#include "capture/sampling/reader.h"
#include "process/background.h"
#include "process/deadline.h"

/* Records that are younger than this stay in the rings, because another CPU may still
 * write an older record. */
#define SETTLE_NS (5 * DJ_MILLISECOND_NS)
#define PAUSE_LEAST_NS (2 * DJ_MILLISECOND_NS)
#define PAUSE_MOST_NS (50 * DJ_MILLISECOND_NS)

struct dj_sampler {
    struct dj_sampling_events events;
    struct dj_stack_reader reader;
    struct dj_perf *sets[DJ_SAMPLING_SETS];
    struct dj_perf_merge merge;
    int64_t kernel_ns;               /* Time offset, as in dj_sampler_start(). */
    struct dj_background background; /* Its lock protects all other members. */
};

/* Returns the pause between two readings. At most a third of a ring is then filled. */
static int64_t get_pause_ns(const struct dj_sampler *sampler)
{
    const struct dj_sampling_events *events = &sampler->events;
    int64_t stack_bytes = events->wanted.stack_bytes > 0 ? events->wanted.stack_bytes
                                                         : DJ_CAPTURE_STACK_BYTES;
    int64_t samples =
        (int64_t)events->cpu.pages * sysconf(_SC_PAGESIZE) / (stack_bytes + 512);
    int64_t pause_ns = samples * dj_sampling_events_interval_ns(&events->wanted) / 3;
    return pause_ns < PAUSE_LEAST_NS  ? PAUSE_LEAST_NS
           : pause_ns > PAUSE_MOST_NS ? PAUSE_MOST_NS
                                      : pause_ns;
}

static void read_rings(struct dj_sampler *sampler, int64_t until_ns)
{
    struct dj_error err = {0};
    if (dj_sampling_merge_read(&sampler->merge, until_ns, &err) != 0 &&
        sampler->reader.err.code == 0) {
        sampler->reader.err = err;
    }
}

static void *run_thread(void *user)
{
    struct dj_sampler *sampler = user;
    pthread_mutex_lock(&sampler->background.lock);
    while (!sampler->background.is_ending) {
        int64_t until_ns = dj_host_now_ns() + get_pause_ns(sampler);
        dj_background_sleep(&sampler->background, until_ns);
        read_rings(sampler, dj_host_now_ns() - sampler->kernel_ns - SETTLE_NS);
    }
    pthread_mutex_unlock(&sampler->background.lock);
    return NULL;
}

static int start_thread(struct dj_sampler *sampler, struct dj_error *err)
{
    dj_background_init(&sampler->background);
    int failure = dj_background_start(&sampler->background, run_thread, sampler);
    if (failure != 0) {
        dj_background_finish(&sampler->background);
        return dj_error_set(err, DJ_E_IO, "cannot start the thread that reads stacks: %s",
                            strerror(failure));
    }
    return 0;
}

int dj_sampler_start(const struct dj_capture_stacks *wanted, int64_t kernel_ns,
                     struct dj_sampler **sampler, struct dj_error *err)
{
    struct dj_sampler *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for call stacks");
    }
    made->events.wanted = *wanted;
    made->kernel_ns = kernel_ns;
    made->sets[DJ_SAMPLING_CPU] = &made->events.cpu;
    made->sets[DJ_SAMPLING_WAITS] = &made->events.waits;
    made->merge = (struct dj_perf_merge){.sets = made->sets,
                                         .set_count = DJ_SAMPLING_SETS,
                                         .take = dj_sampling_reader_add,
                                         .user = &made->reader};
    int code = dj_sampling_reader_init(&made->reader, err);
    code = code == 0 ? dj_sampling_events_open(&made->events, err) : code;
    if (code == 0) {
        dj_sampling_events_enable(&made->events, true);
        code = start_thread(made, err);
    }
    if (code != 0) {
        dj_sampler_destroy(made);
        return code;
    }
    *sampler = made;
    return 0;
}

int dj_sampler_start_waits(struct dj_sampler *sampler, struct dj_error *err)
{
    pthread_mutex_lock(&sampler->background.lock);
    int code = dj_sampling_events_open_waits(&sampler->events, err);
    pthread_mutex_unlock(&sampler->background.lock);
    return code;
}

static int add_threads(struct dj_sampler *sampler, int32_t pid, struct dj_error *err)
{
    struct dj_running running = {0};
    int code = dj_running_add_process(&running, pid, err);
    for (size_t i = 0; i < running.count && code == 0; i++) {
        pid_t tid = running.threads[i].tid;
        code = dj_sampling_events_add_thread(&sampler->events, tid, err);
        code =
            code == 0 ? dj_sampling_events_add_waits(&sampler->events, tid, err) : code;
        /* DJ_E_NOT_FOUND means that the thread has just ended. */
        code = code == DJ_E_NOT_FOUND ? 0 : code;
    }
    dj_running_finish(&running);
    dj_sampling_events_enable(&sampler->events, true);
    return code;
}

int dj_sampler_watch(struct dj_sampler *sampler, int32_t pid, struct dj_error *err)
{
    int code = 0;
    pthread_mutex_lock(&sampler->background.lock);
    if (!sampler->background.is_ending &&
        !dj_sampling_reader_is_watched(&sampler->reader, pid)) {
        /* A child of a watched process is already sampled. The record of its start is
         * still in a ring, so the rings are read before the process is added. */
        read_rings(sampler, INT64_MAX);
        code = dj_sampling_reader_watch(&sampler->reader, pid)
                   ? add_threads(sampler, pid, err)
                   : 0;
    }
    pthread_mutex_unlock(&sampler->background.lock);
    return code;
}

int dj_sampler_stop(struct dj_sampler *sampler, struct dj_error *err)
{
    if (sampler->background.has_thread) {
        dj_background_end(&sampler->background);
        dj_background_finish(&sampler->background);
        dj_sampling_events_enable(&sampler->events, false);
        read_rings(sampler, INT64_MAX);
        sampler->reader.counts.rings_damaged = sampler->merge.damaged;
        dj_sampling_events_close(&sampler->events);
    }
    const struct dj_error *why = &sampler->reader.err;
    return why->code == 0 ? 0 : dj_error_set(err, why->code, "%s", why->message);
}

struct dj_sampler_counts dj_sampler_get_counts(const struct dj_sampler *sampler)
{
    struct dj_sampler_counts counts = sampler->reader.counts;
    counts.scope = sampler->events.scope;
    counts.rate_hz =
        DJ_SECOND_NS / dj_sampling_events_interval_ns(&sampler->events.wanted);
    counts.ring_bytes = (int64_t)sampler->events.cpu.pages * sysconf(_SC_PAGESIZE);
    return counts;
}

int dj_sampler_write(struct dj_sampler *sampler, const struct dj_keep *keep,
                     int64_t until_ns, struct dj_event_sink sink, struct dj_error *err)
{
    struct dj_stack_reader *reader = &sampler->reader;
    struct dj_stack_writing writing = {
        .maps = reader->maps,
        .names = dj_stacks_names_create(reader->maps, NULL),
        .keep = keep,
        .until_ns = until_ns,
        .interval_ns = dj_sampling_events_interval_ns(&sampler->events.wanted),
        .sink = sink};
    int code = dj_sampling_store_write(&reader->store, &writing, err);
    dj_stacks_names_destroy(writing.names);
    return code;
}

void dj_sampler_destroy(struct dj_sampler *sampler)
{
    if (sampler != NULL) {
        dj_sampler_stop(sampler, NULL);
        dj_sampling_events_close(&sampler->events);
        dj_sampling_reader_finish(&sampler->reader);
        free(sampler);
    }
}
