#include "trace/perf_data/read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/perf_data/order.h"
#include "trace/perf_data/stack.h"
#include "trace/perf_data/threads.h"
#include "trace/trace.h"

struct reader {
    struct dj_perf_data file;
    struct dj_perf_order order;
    struct dj_perf_symbols symbols;
    struct dj_perf_calls calls;
    struct dj_perf_stacks stacks;
    struct dj_perf_threads threads;
    struct dj_perf_data_counts counts;
    struct dj_event_sink sink;
    uint64_t events;
    /* True if tracepoints show the context switches, so that other records of switches
     * are ignored. */
    bool has_switches;
    bool has_clock; /* True after the clock was reported. */
};

static int pass_on(struct reader *reader, const struct dj_event *event)
{
    reader->events++;
    return reader->sink.take(reader->sink.user, event);
}

static struct dj_byte_cursor open_body(const struct dj_perf_record *record)
{
    return (struct dj_byte_cursor){(const uint8_t *)record->body.at, record->body.length,
                                   0, false};
}

static int read_mapping(struct reader *reader, const struct dj_perf_record *record,
                        const struct dj_perf_record_id *id)
{
    struct dj_stacks_new_mapping mapping;
    struct dj_stacks_build_id build_id = {.length = 0};
    (void)id;
    if (dj_perf_data_record_read_mapping(record, &mapping, &build_id)) {
        dj_perf_data_calls_add_mapping(&reader->calls, &mapping);
    }
    return 0;
}

static int read_name(struct reader *reader, const struct dj_perf_record *record,
                     const struct dj_perf_record_id *id)
{
    struct dj_byte_cursor at = open_body(record);
    int32_t pid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    int32_t tid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    struct dj_str name = dj_byte_cursor_read_string(&at);
    const struct dj_perf_thread_change change = {tid, pid, (int64_t)id->time_ns};
    if (at.failed) {
        return 0;
    }
    if ((record->misc & PERF_RECORD_MISC_COMM_EXEC) != 0) {
        dj_stacks_maps_exec(reader->stacks.maps, pid);
    }
    return dj_perf_data_threads_name(&reader->threads, &change, name, reader->sink);
}

static int read_fork(struct reader *reader, const struct dj_perf_record *record,
                     const struct dj_perf_record_id *id)
{
    struct dj_byte_cursor at = open_body(record);
    int32_t pid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    int32_t parent_pid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    int32_t tid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    int32_t parent_tid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    const struct dj_perf_thread_change change = {tid, pid, (int64_t)id->time_ns};
    if (at.failed) {
        return 0;
    }
    if (pid != parent_pid && pid > 0) {
        dj_stacks_maps_fork(reader->stacks.maps, parent_pid, pid);
    }
    return dj_perf_data_threads_fork(&reader->threads, &change, parent_tid, reader->sink);
}

static int read_exit(struct reader *reader, const struct dj_perf_record *record,
                     const struct dj_perf_record_id *id)
{
    struct dj_byte_cursor at = open_body(record);
    int32_t pid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    dj_byte_cursor_read_number(&at, 4); /* Skip the parent process. */
    struct dj_event event = dj_event_make(DJ_EVENT_EXIT);
    event.other = event.tid = (int32_t)dj_byte_cursor_read_number(&at, 4);
    event.at_ns = (int64_t)id->time_ns;
    event.cpu = id->cpu;
    if (at.failed || event.other <= 0) {
        return 0;
    }
    if (pid > 0 && dj_perf_data_threads_exit(&reader->threads, event.other, pid)) {
        dj_stacks_maps_exit(reader->stacks.maps, pid);
    }
    return pass_on(reader, &event);
}

static int read_switch(struct reader *reader, const struct dj_perf_record *record,
                       const struct dj_perf_record_id *id)
{
    bool out = (record->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
    bool preempted = (record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
    struct dj_event event = dj_event_make(DJ_EVENT_TASK);
    event.at_ns = (int64_t)id->time_ns;
    event.cpu = id->cpu;
    event.other = event.tid = id->tid;
    event.pid = id->pid > 0 ? id->pid : DJ_PID_UNKNOWN;
    event.thread_state = !out        ? DJ_THREAD_RUNNING
                         : preempted ? DJ_THREAD_PREEMPTED
                                     : DJ_THREAD_SLEEPING;
    return id->tid <= 0 || reader->has_switches ? 0 : pass_on(reader, &event);
}

static int read_loss(struct reader *reader, const struct dj_perf_record *record,
                     const struct dj_perf_record_id *id)
{
    struct dj_byte_cursor at = open_body(record);
    if (record->type == PERF_RECORD_LOST) {
        dj_byte_cursor_read_bytes(&at, 8); /* Skip the id of the event. */
    }
    const struct dj_event_stack stack = {.source = DJ_STACK_CPU,
                                         .lost = dj_byte_cursor_read_number(&at, 8)};
    struct dj_event event = dj_event_make(DJ_EVENT_STACK);
    event.at_ns = (int64_t)id->time_ns;
    event.cpu = id->cpu;
    event.stack = &stack;
    return stack.lost == 0 ? 0 : pass_on(reader, &event);
}

static int read_throttle(struct reader *reader, const struct dj_perf_record *record,
                         const struct dj_perf_record_id *id)
{
    (void)record;
    (void)id;
    reader->counts.throttled++;
    return 0;
}

static int pass_stack(struct reader *reader, const struct dj_perf_record *record,
                      const struct dj_perf_sample *sample,
                      const struct dj_perf_data_event *of)
{
    struct dj_event_stack stack =
        dj_perf_data_stacks_convert(&reader->stacks, record, sample);
    struct dj_event event = dj_event_make(DJ_EVENT_STACK);
    bool is_wait = of->use == DJ_PERF_DATA_WAIT;
    stack.source = is_wait ? DJ_STACK_WAIT : DJ_STACK_CPU;
    event.at_ns = (int64_t)sample->id.time_ns;
    event.value = is_wait ? 0 : of->interval_ns;
    event.tid = sample->id.tid;
    event.pid = sample->id.pid > 0 ? sample->id.pid : DJ_PID_UNKNOWN;
    event.cpu = sample->id.cpu;
    event.stack = &stack;
    return pass_on(reader, &event);
}

static int pass_tracepoint(struct reader *reader, const struct dj_perf_sample *sample)
{
    struct dj_event event = dj_event_make(DJ_EVENT_OTHER);
    if (sample->raw.length == 0 ||
        !dj_trace_formats_read_record(&reader->file.formats,
                                      (const uint8_t *)sample->raw.at, sample->raw.length,
                                      &event)) {
        return 0;
    }
    bool is_own = event.tid == sample->id.tid && sample->id.pid > 0;
    event.pid = is_own ? sample->id.pid : DJ_PID_UNKNOWN;
    event.at_ns = (int64_t)sample->id.time_ns;
    event.cpu = sample->id.cpu;
    return pass_on(reader, &event);
}

static int read_sample(struct reader *reader, const struct dj_perf_record *record,
                       const struct dj_perf_record_id *id)
{
    struct dj_perf_sample sample;
    if (!dj_perf_data_record_read_sample(&reader->file, record, &sample)) {
        dj_perf_data_note_damage(&reader->file,
                                 "the sample at %" PRIu64 " ns is incomplete: it has %zu "
                                 "bytes",
                                 id->time_ns, record->size);
        return 0;
    }
    struct dj_perf_data_event *event = &reader->file.events[sample.id.event];
    sample.id.time_ns = id->time_ns;
    event->samples++;
    bool has_stack = sample.chain_count > 0 || sample.stack != NULL;
    bool is_thread = sample.id.tid > 0; /* Thread 0 is an idle CPU. */
    int code = 0;
    if (is_thread && (event->use == DJ_PERF_DATA_TIME ||
                      (event->use == DJ_PERF_DATA_WAIT && has_stack))) {
        code = pass_stack(reader, record, &sample, event);
    }
    if (code == 0 &&
        (event->use == DJ_PERF_DATA_WAIT || event->use == DJ_PERF_DATA_TRACEPOINT)) {
        code = pass_tracepoint(reader, &sample);
    }
    return code;
}

static const struct {
    uint32_t type;
    int (*read)(struct reader *reader, const struct dj_perf_record *record,
                const struct dj_perf_record_id *id);
} kinds[] = {
    {PERF_RECORD_SAMPLE, read_sample},     {PERF_RECORD_MMAP2, read_mapping},
    {PERF_RECORD_MMAP, read_mapping},      {PERF_RECORD_COMM, read_name},
    {PERF_RECORD_FORK, read_fork},         {PERF_RECORD_EXIT, read_exit},
    {PERF_RECORD_SWITCH, read_switch},     {PERF_RECORD_SWITCH_CPU_WIDE, read_switch},
    {PERF_RECORD_LOST, read_loss},         {PERF_RECORD_LOST_SAMPLES, read_loss},
    {PERF_RECORD_THROTTLE, read_throttle},
};

/* Reports the clock at the time of the first event. */
static int report_clock(struct reader *reader, uint64_t time_ns)
{
    const char *name = dj_perf_data_get_clock(&reader->file);
    struct dj_event clock = dj_event_make(DJ_EVENT_CLOCK);
    clock.other_name = dj_str_of(name);
    reader->has_clock = true;
    if (strcmp(name, "mono") == 0) {
        clock.name = clock.other_name; /* Reports that both clocks are the same. */
        clock.at_ns = clock.value = (int64_t)time_ns;
    }
    return reader->sink.take(reader->sink.user, &clock);
}

static int read_records(struct reader *reader)
{
    struct dj_perf_record record;
    struct dj_perf_record_id id;
    uint64_t time_ns;
    int code = 0;
    while (code == 0 && dj_perf_data_order_next(&reader->order, &record, &time_ns)) {
        if (!dj_perf_data_record_read_id(&reader->file, &record, &id)) {
            continue;
        }
        id.time_ns = time_ns <= INT64_MAX ? time_ns : INT64_MAX;
        if (id.time_ns > 0 && !reader->has_clock) {
            code = report_clock(reader, id.time_ns);
        }
        for (size_t i = 0; i < COUNT_OF(kinds) && code == 0; i++) {
            if (kinds[i].type == record.type) {
                code = kinds[i].read(reader, &record, &id);
            }
        }
    }
    return code;
}

static bool has_switch_events(const struct dj_perf_data *file)
{
    for (size_t i = 0; i < file->event_count; i++) {
        if (file->events[i].use == DJ_PERF_DATA_WAIT &&
            file->events[i].attr.type == PERF_TYPE_TRACEPOINT &&
            (file->events[i].attr.sample_type & PERF_SAMPLE_RAW) != 0 &&
            file->formats.count > 0) {
            return true;
        }
    }
    return false;
}

static void start(struct reader *reader, int64_t recorded_s)
{
    struct dj_stacks_maps *maps = dj_stacks_maps_create();
    dj_stacks_maps_set_recorded(maps, recorded_s);
    dj_perf_data_symbols_read(&reader->symbols, &reader->file);
    reader->calls = (struct dj_perf_calls){.maps = maps,
                                           .names = dj_stacks_names_create(maps, NULL),
                                           .symbols = &reader->symbols,
                                           .file = &reader->file};
    reader->stacks.file = &reader->file;
    reader->stacks.calls = &reader->calls;
    reader->stacks.maps = maps;
    reader->stacks.unwinder = dj_stacks_unwinder_create(maps);
    reader->stacks.machine = dj_perf_data_get_machine(&reader->file);
    reader->has_switches = has_switch_events(&reader->file);
}

static void finish(struct reader *reader)
{
    struct dj_stacks_names *names = reader->calls.names;
    dj_perf_data_calls_finish(&reader->calls);
    dj_stacks_names_destroy(names);
    dj_stacks_unwinder_destroy(reader->stacks.unwinder);
    dj_stacks_maps_destroy(reader->stacks.maps);
    dj_perf_data_symbols_finish(&reader->symbols);
    dj_perf_data_threads_finish(&reader->threads);
    dj_perf_data_order_finish(&reader->order);
    dj_perf_data_close(&reader->file);
    free(reader);
}

int dj_perf_data_read(const struct dj_trace_file *mapped, struct dj_event_sink sink,
                      struct dj_perf_data_summary *summary, struct dj_error *err)
{
    struct reader *reader = dj_xcalloc(1, sizeof(*reader));
    reader->sink = sink;
    int code = dj_perf_data_open(&reader->file, mapped->bytes, mapped->size, err);
    code = code != 0 ? code : dj_perf_data_order_find(&reader->order, &reader->file, err);
    if (code == 0) {
        start(reader, summary->recorded_s);
        code = read_records(reader);
        code = code != 0 ? code : dj_trace_rows_get_error(&reader->order.rows, err);
        reader->counts.incomplete = reader->stacks.incomplete;
        reader->counts.not_unwound = reader->stacks.not_unwound;
        reader->counts.missing = dj_perf_data_stacks_get_missing(&reader->stacks);
        dj_perf_data_add_notes(&reader->file, &reader->counts, &summary->notes);
    }
    summary->events = reader->events;
    summary->damaged = reader->file.damaged;
    memcpy(summary->damage, reader->file.damage, sizeof(summary->damage));
    finish(reader);
    return code;
}
