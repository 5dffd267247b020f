#include "capture/linux/perf_events.h"

#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

/* The records of one CPU, and the position up to which they were read. */
struct perf_cpu {
    const struct dj_perf_reader *reader;
    struct dj_spool_cursor cursor;
    const struct dj_perf_page *page;
    size_t at; /* Offset in the page at which the next record starts. */
    const uint8_t *record;
    struct perf_event_header header;
    struct dj_perf_id id;
    int32_t running_tid; /* Thread that the CPU last switched to, or −1 if unknown. */
    bool gap;            /* True if records before `record` are missing. */
    bool ended;
};

/* Reads the next complete record of the CPU. */
static int read_next_record(struct perf_cpu *cpu, struct dj_error *err)
{
    enum { ROOM = DJ_PERF_PAGE - sizeof(struct dj_perf_page) };
    cpu->gap = false;
    while (!cpu->ended) {
        size_t used = cpu->page == NULL         ? 0
                      : cpu->page->used <= ROOM ? cpu->page->used
                                                : ROOM;
        if (used - cpu->at >= sizeof(cpu->header) + sizeof(cpu->id) && cpu->at < used) {
            cpu->record = cpu->page->records + cpu->at;
            memcpy(&cpu->header, cpu->record, sizeof(cpu->header));
            if (cpu->header.size >= sizeof(cpu->header) + sizeof(cpu->id) &&
                cpu->header.size <= used - cpu->at) {
                cpu->id = dj_perf_rings_read_id(cpu->record, &cpu->header);
                cpu->at += cpu->header.size;
                return 0;
            }
        }
        uint8_t *page;
        bool gap;
        int code = dj_page_spool_next(&cpu->cursor, &page, &gap, err);
        if (code != 0) {
            return code;
        }
        cpu->gap = cpu->gap || gap;
        cpu->page = (const struct dj_perf_page *)(const void *)page;
        cpu->at = 0;
        cpu->ended = page == NULL;
    }
    return 0;
}

/* Returns the bytes of a record between its header and its struct dj_perf_id. Do not use
 * it for samples, because their struct dj_perf_id follows the header. */
static struct dj_str get_body(const struct perf_cpu *cpu)
{
    return (struct dj_str){(const char *)cpu->record + sizeof(cpu->header),
                           cpu->header.size - sizeof(cpu->header) - sizeof(cpu->id)};
}

/* Copies the first bytes of the body. Returns false if the body is too short. */
static bool copy_body_start(const struct perf_cpu *cpu, void *to, size_t size)
{
    struct dj_str body = get_body(cpu);
    if (body.length < size) {
        return false;
    }
    memcpy(to, body.at, size);
    return true;
}

static bool was_preempted(const struct perf_cpu *cpu)
{
    return (cpu->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
}

/* Reads a context switch if only some threads are watched. The record says that a watched
 * thread starts or stops running. */
static bool read_switch(const struct perf_cpu *cpu, struct dj_event *event)
{
    bool out = (cpu->header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
    event->kind = DJ_EVENT_TASK;
    event->other = (int32_t)cpu->id.tid;
    event->thread_state = !out                 ? DJ_THREAD_RUNNING
                          : was_preempted(cpu) ? DJ_THREAD_PREEMPTED
                                               : DJ_THREAD_SLEEPING;
    return true;
}

/* Reads a context switch if all threads of a CPU are watched. The kernel writes a record
 * for the thread that stops running and one for the thread that starts. It writes no
 * record when the idle thread stops. Most switches also have a tracepoint before these
 * records, which contains more detail. Returns false if the switch was already passed on.
 */
static bool read_switch_of_all(const struct perf_cpu *cpu, struct dj_event *event)
{
    uint32_t other_ids[2]; /* Ids of the other process and thread. */
    bool out = (cpu->header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
    bool has_left = cpu->reader->formats != NULL && cpu->running_tid >= 0 &&
                    cpu->running_tid != event->tid;
    /* The kernel writes a negative thread id for a thread that is ending. */
    bool has_arrived = cpu->running_tid == event->tid || event->tid < 0;
    if ((out ? has_left : has_arrived) ||
        !copy_body_start(cpu, other_ids, sizeof(other_ids))) {
        return false;
    }
    event->kind = DJ_EVENT_SWITCH;
    event->state = was_preempted(cpu) ? DJ_TASK_RUNNABLE : DJ_TASK_SLEEPING;
    event->other = (int32_t)other_ids[1];
    if (!out) {
        event->other = event->tid;
        event->tid = (int32_t)other_ids[1];
        event->pid = DJ_PID_UNKNOWN;
        event->state = DJ_TASK_UNKNOWN;
    }
    if (event->tid < 0) { /* A thread that is ending has no id any more. */
        event->tid = cpu->running_tid > 0 ? cpu->running_tid : 0;
        event->state = DJ_TASK_DEAD;
    }
    return true;
}

static bool read_name(const struct perf_cpu *cpu, struct dj_event *event)
{
    uint32_t ids[2];
    if (!copy_body_start(cpu, ids, sizeof(ids))) {
        return false;
    }
    struct dj_str body = get_body(cpu);
    const char *name = body.at + sizeof(ids);
    event->kind = DJ_EVENT_RENAME;
    event->other = (int32_t)ids[1];
    event->other_name = (struct dj_str){name, strnlen(name, body.length - sizeof(ids))};
    return true;
}

/* Reads the process of a new thread. */
static bool read_fork(const struct perf_cpu *cpu, struct dj_event *event)
{
    /* Ids of the process, the parent process, the thread and the parent thread. */
    uint32_t ids[4];
    if (!copy_body_start(cpu, ids, sizeof(ids))) {
        return false;
    }
    event->kind = DJ_EVENT_THREAD;
    event->other = (int32_t)ids[2];
    event->pid = (int32_t)ids[0];
    return true;
}

static bool read_exit(const struct perf_cpu *cpu, struct dj_event *event)
{
    bool whole = read_fork(cpu, event);
    event->kind = cpu->reader->of_all ? DJ_EVENT_EXIT : DJ_EVENT_TASK;
    event->thread_state = DJ_THREAD_DEAD;
    return whole;
}

static bool read_lost(const struct perf_cpu *cpu, struct dj_event *event)
{
    uint64_t lost[2]; /* Event id and number of lost records. */
    if (!copy_body_start(cpu, lost, sizeof(lost))) {
        return false;
    }
    event->kind = DJ_EVENT_LOST;
    event->value = (int64_t)lost[1];
    return true;
}

/* Reads the record of a tracepoint. It contains the same bytes as an event in the
 * kernel's own ring buffer. */
static bool read_sample(const struct perf_cpu *cpu, struct dj_event *event)
{
    const struct dj_trace_formats *formats = cpu->reader->formats;
    size_t size = get_body(cpu).length;
    uint32_t length;
    const uint8_t *bytes = cpu->record + sizeof(cpu->header) + sizeof(cpu->id);
    if (formats == NULL || size < sizeof(length)) {
        return false;
    }
    memcpy(&length, bytes, sizeof(length));
    if (length > size - sizeof(length) ||
        !dj_trace_formats_read_record(formats, bytes + sizeof(length), length, event)) {
        return false;
    }
    bool own = event->tid == (int32_t)cpu->id.tid && (int32_t)cpu->id.pid > 0;
    event->pid = own ? (int32_t)cpu->id.pid : DJ_PID_UNKNOWN;
    return true;
}

static const struct {
    uint32_t type;
    bool (*read)(const struct perf_cpu *cpu, struct dj_event *event);
} kinds[] = {
    {PERF_RECORD_SAMPLE, read_sample},
    {PERF_RECORD_SWITCH, read_switch},
    {PERF_RECORD_SWITCH_CPU_WIDE, read_switch_of_all},
    {PERF_RECORD_COMM, read_name},
    {PERF_RECORD_FORK, read_fork},
    {PERF_RECORD_EXIT, read_exit},
    {PERF_RECORD_LOST, read_lost},
};

static int write_events(struct dj_perf_reader *reader, struct perf_cpu *cpu,
                        struct dj_event_sink sink)
{
    struct dj_event event = {
        .at_ns = (int64_t)cpu->id.at_ns, .pid = DJ_PID_UNKNOWN, .cpu = cpu->cursor.cpu};
    int code = 0;
    if (cpu->gap) {
        event.kind = DJ_EVENT_LOST;
        code = sink.take(sink.user, &event);
        event.kind = DJ_EVENT_OTHER;
    }
    for (size_t i = 0; i < COUNT_OF(kinds) && code == 0; i++) {
        if (kinds[i].type != cpu->header.type) {
            continue;
        }
        event.tid = (int32_t)cpu->id.tid;
        event.pid = (int32_t)cpu->id.pid > 0 ? (int32_t)cpu->id.pid : DJ_PID_UNKNOWN;
        if (kinds[i].read(cpu, &event)) {
            reader->events++;
            cpu->running_tid =
                event.kind == DJ_EVENT_SWITCH ? event.other : cpu->running_tid;
            code = sink.take(sink.user, &event);
        }
        break;
    }
    return code;
}

int dj_perf_events_read(struct dj_perf_reader *reader, struct dj_event_sink sink,
                        struct dj_error *err)
{
    size_t count = reader->spool->cpu_count;
    struct perf_cpu *cpus = calloc(count + 1, sizeof(*cpus));
    int code =
        cpus == NULL ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for CPUs") : 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        cpus[i] = (struct perf_cpu){.reader = reader,
                                    .cursor = {.spool = reader->spool, .cpu = (int32_t)i},
                                    .running_tid = -1};
        code = read_next_record(&cpus[i], err);
    }
    while (code == 0) {
        struct perf_cpu *first = NULL;
        for (size_t i = 0; i < count; i++) {
            if (!cpus[i].ended && (first == NULL || cpus[i].id.at_ns < first->id.at_ns)) {
                first = &cpus[i];
            }
        }
        if (first == NULL) {
            break;
        }
        code = write_events(reader, first, sink);
        code = code == 0 ? read_next_record(first, err) : code;
    }
    for (size_t i = 0; i < count && cpus != NULL; i++) {
        int64_t at_ns = (int64_t)cpus[i].id.at_ns;
        code = code == 0 ? dj_page_spool_write_gap(&cpus[i].cursor, at_ns, sink) : code;
        dj_page_spool_cursor_finish(&cpus[i].cursor);
    }
    free(cpus);
    return code;
}
