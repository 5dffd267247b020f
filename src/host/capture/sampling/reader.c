#include "capture/sampling/reader.h"

#include <stdlib.h>

#include "base/array.h"
#include "capture/linux/running.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum {
    /* Maximum number of waits per thread and second whose stacks are unwound. */
    WAITS_PER_SECOND = 1000,
    /* Pause in ms between two attempts to read the mappings of a process again. */
    MAPS_AGAIN_MS = 1000
};

static void create_objects(void *user)
{
    struct dj_stack_reader *reader = user;
    reader->maps = dj_stacks_maps_create();
    reader->unwinder = dj_stacks_unwinder_create(reader->maps);
    reader->stack = dj_xcalloc(1, sizeof(*reader->stack));
}

int dj_sampling_reader_init(struct dj_stack_reader *reader, struct dj_error *err)
{
    *reader = (struct dj_stack_reader){.maps = NULL};
    return dj_memory_try(create_objects, reader)
               ? 0
               : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for call stacks");
}

void dj_sampling_reader_finish(struct dj_stack_reader *reader)
{
    dj_sampling_store_finish(&reader->store);
    dj_stacks_unwinder_destroy(reader->unwinder);
    dj_stacks_maps_destroy(reader->maps);
    dj_map_finish(&reader->processes);
    dj_map_finish(&reader->wait_places);
    free(reader->waits);
    free(reader->stack);
}

bool dj_sampling_reader_is_watched(const struct dj_stack_reader *reader, int32_t pid)
{
    return dj_map_get(&reader->processes, (uint32_t)pid) != DJ_MAP_NONE;
}

static void set_no_memory(struct dj_stack_reader *reader)
{
    if (reader->err.code == 0) {
        dj_error_set(&reader->err, DJ_E_NO_MEMORY, "out of memory for call stacks");
    }
}

static void add_process(struct dj_stack_reader *reader, int32_t pid)
{
    if (!dj_map_set(&reader->processes, (uint32_t)pid, 0)) {
        set_no_memory(reader);
    }
}

/* A process whose mappings are being read. */
struct new_process {
    struct dj_stack_reader *reader;
    int32_t pid;
};

static void read_maps(void *user)
{
    const struct new_process *process = user;
    dj_stacks_maps_read(process->reader->maps, process->pid, NULL);
}

bool dj_sampling_reader_watch(struct dj_stack_reader *reader, int32_t pid)
{
    struct new_process process = {reader, pid};
    if (dj_sampling_reader_is_watched(reader, pid)) {
        return false;
    }
    add_process(reader, pid);
    if (reader->err.code == 0 && !dj_memory_try(read_maps, &process)) {
        set_no_memory(reader);
    }
    return true;
}

static void take_fork(struct dj_stack_reader *reader,
                      const struct dj_sampling_record *record)
{
    struct dj_sample_task task;
    if (dj_sampling_record_read_task(record, &task) && task.pid != task.parent_pid &&
        dj_sampling_reader_is_watched(reader, task.parent_pid)) {
        add_process(reader, task.pid);
        dj_stacks_maps_fork(reader->maps, task.parent_pid, task.pid);
    }
}

/* Returns true if threads of the process still run, although its first thread ended. */
static bool has_threads(int32_t pid)
{
    struct dj_running running = {0};
    dj_running_add_process(&running, pid, NULL);
    size_t count = running.count;
    dj_running_finish(&running);
    return count > 1;
}

static void take_exit(struct dj_stack_reader *reader,
                      const struct dj_sampling_record *record)
{
    struct dj_sample_task task;
    size_t at;
    if (dj_sampling_record_read_task(record, &task) && task.pid == task.tid &&
        dj_map_first(&reader->processes, (uint32_t)task.pid, &at) != DJ_MAP_NONE &&
        !has_threads(task.pid)) {
        dj_map_remove(&reader->processes, at);
        dj_stacks_maps_exit(reader->maps, task.pid);
    }
}

static void take_name(struct dj_stack_reader *reader,
                      const struct dj_sampling_record *record)
{
    int32_t pid = dj_sampling_record_read_exec(record);
    if (pid > 0 && dj_sampling_reader_is_watched(reader, pid)) {
        dj_stacks_maps_exec(reader->maps, pid);
    }
}

static void take_mapping(struct dj_stack_reader *reader,
                         const struct dj_sampling_record *record)
{
    struct dj_stacks_new_mapping mapping;
    if (dj_sampling_record_read_mapping(record, &mapping) &&
        dj_sampling_reader_is_watched(reader, mapping.pid)) {
        dj_stacks_maps_add(reader->maps, &mapping);
    }
}

/* Returns true if the stack of this wait is not examined, because the thread has already
 * had WAITS_PER_SECOND waits in this second. Otherwise, a thread that polls would cost
 * more than all other threads together. */
static bool is_capped(struct dj_stack_reader *reader,
                      const struct dj_sampling_record *record)
{
    static const struct dj_sampling_waits none = {.second = 0};
    int64_t second = (int64_t)record->id.at_ns / DJ_SECOND_NS;
    size_t place = dj_map_get(&reader->wait_places, record->id.tid);
    if (place == DJ_MAP_NONE) {
        place = reader->wait_count;
        if (!DJ_ARRAY_PUSH(reader->waits, reader->wait_count, none) ||
            !dj_map_set(&reader->wait_places, record->id.tid, place)) {
            set_no_memory(reader);
            return true;
        }
    }
    struct dj_sampling_waits *waits = &reader->waits[place];
    if (waits->second != second) {
        *waits = (struct dj_sampling_waits){.second = second};
    }
    return ++waits->count > WAITS_PER_SECOND;
}

/* Unwinds the stack of a sample. If its innermost address is in no known mapping, first
 * reads the mappings of the process again, because a JIT may have made memory executable,
 * which the kernel does not report. */
static void unwind(struct dj_stack_reader *reader,
                   const struct dj_sampling_record *record,
                   const struct dj_sample *sample)
{
    int64_t now_ms = (int64_t)record->id.at_ns / DJ_MILLISECOND_NS;
    size_t read_ms = dj_map_get(&reader->processes, record->id.pid);
    dj_stacks_unwind(reader->unwinder, &sample->stack, reader->stack);
    if (reader->stack->count > 0 &&
        reader->stack->frames[0].mapping == DJ_STACKS_NO_MAPPING &&
        now_ms >= (int64_t)read_ms + MAPS_AGAIN_MS) {
        dj_map_set(&reader->processes, record->id.pid, (size_t)now_ms);
        dj_stacks_maps_read(reader->maps, (pid_t)record->id.pid, NULL);
        dj_stacks_unwind(reader->unwinder, &sample->stack, reader->stack);
    }
}

static void count_sample(struct dj_stack_reader *reader,
                         const struct dj_stack_sample *sample)
{
    struct dj_sampler_counts *counts = &reader->counts;
    counts->samples += sample->node != 0;
    counts->waits += sample->node != 0 && sample->source == DJ_STACK_WAIT;
    counts->failed += sample->node == 0;
    counts->guessed += sample->end == DJ_STACK_GUESSED;
    counts->incomplete += sample->node != 0 && sample->end == DJ_STACK_INCOMPLETE;
}

static void add_sample(struct dj_stack_reader *reader,
                       const struct dj_stack_sample *sample)
{
    if (reader->err.code == 0) {
        dj_sampling_store_add_sample(&reader->store, sample, &reader->err);
    }
}

static struct dj_stack_sample make_sample(const struct dj_sampling_record *record)
{
    return (struct dj_stack_sample){
        .at_ns = (int64_t)record->id.at_ns,
        .pid = (int32_t)record->id.pid,
        .tid = (int32_t)record->id.tid,
        .cpu = (uint16_t)record->id.cpu,
        .source = record->set == DJ_SAMPLING_WAITS ? DJ_STACK_WAIT : DJ_STACK_CPU,
        .end = DJ_STACK_INCOMPLETE};
}

static void take_sample(struct dj_stack_reader *reader,
                        const struct dj_sampling_record *record)
{
    struct dj_sample sample;
    bool is_thread = (int32_t)record->id.tid > 0; /* A thread that has ended is −1. */
    if (!is_thread || !dj_sampling_reader_is_watched(reader, (int32_t)record->id.pid) ||
        !dj_sampling_record_read(record, &sample)) {
        return;
    }
    if (record->set == DJ_SAMPLING_WAITS && is_capped(reader, record)) {
        reader->counts.waits_capped++;
        return;
    }
    struct dj_stack_sample stored = make_sample(record);
    stored.in_kernel = sample.in_kernel;
    if (sample.has_registers) {
        unwind(reader, record, &sample);
        stored.node = dj_sampling_store_add_stack(&reader->store, reader->stack);
        stored.end = !reader->stack->is_complete ? DJ_STACK_INCOMPLETE
                     : reader->stack->is_guessed ? DJ_STACK_GUESSED
                                                 : DJ_STACK_COMPLETE;
    }
    count_sample(reader, &stored);
    add_sample(reader, &stored);
}

static void take_lost(struct dj_stack_reader *reader,
                      const struct dj_sampling_record *record)
{
    uint64_t lost = dj_sampling_record_read_lost(record);
    struct dj_stack_sample stored = make_sample(record);
    stored.is_lost = true;
    stored.node = lost < UINT32_MAX ? (uint32_t)lost : UINT32_MAX;
    reader->counts.lost += lost;
    if (lost > 0) {
        add_sample(reader, &stored);
    }
}

static void take_throttle(struct dj_stack_reader *reader,
                          const struct dj_sampling_record *record)
{
    (void)record;
    reader->counts.throttled++;
}

static const struct {
    uint32_t type;
    void (*take)(struct dj_stack_reader *reader, const struct dj_sampling_record *record);
} kinds[] = {
    {PERF_RECORD_SAMPLE, take_sample},     {PERF_RECORD_MMAP2, take_mapping},
    {PERF_RECORD_COMM, take_name},         {PERF_RECORD_FORK, take_fork},
    {PERF_RECORD_EXIT, take_exit},         {PERF_RECORD_LOST, take_lost},
    {PERF_RECORD_THROTTLE, take_throttle},
};

/* A record that is being read. */
struct new_record {
    struct dj_stack_reader *reader;
    const struct dj_sampling_record *record;
};

static void read_record(void *user)
{
    const struct new_record *added = user;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (kinds[i].type == added->record->header.type) {
            kinds[i].take(added->reader, added->record);
        }
    }
}

/* A failed allocation of the unwinder ends the sampling, but not the capture. */
void dj_sampling_reader_add(void *user, const struct dj_sampling_record *record)
{
    struct dj_stack_reader *reader = user;
    struct new_record added = {reader, record};
    if (reader->err.code == 0 && !dj_memory_try(read_record, &added)) {
        set_no_memory(reader);
    }
}
