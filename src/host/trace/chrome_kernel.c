#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/chrome_parts.h"
#include "trace/trace.h"

/* ---- processors ---- */

static struct dj_chrome_cpu *cpu_of(struct dj_chrome *writer, int32_t number)
{
    if (number < 0 || number >= DJ_CHROME_CPUS) {
        return NULL;
    }
    struct dj_chrome_cpu *cpu = &writer->cpus[number];
    if (!cpu->titled) {
        char name[24];
        int length = snprintf(name, sizeof(name), "CPU %" PRId32, number);
        cpu->titled = true;
        dj_chrome_name(writer, "thread_name", DJ_CHROME_CPUS_PID, number,
                       (struct dj_words){name, (size_t)length});
    }
    return cpu;
}

static const char *state_name(uint8_t state)
{
    static const char *const names[] = {
        [DJ_TASK_UNKNOWN] = "unknown",   [DJ_TASK_RUNNABLE] = "runnable",
        [DJ_TASK_SLEEPING] = "sleeping", [DJ_TASK_BLOCKED] = "blocked",
        [DJ_TASK_STOPPED] = "stopped",   [DJ_TASK_DEAD] = "dead",
        [DJ_TASK_RESTING] = "resting",
    };
    return state < sizeof(names) / sizeof(names[0]) ? names[state] : names[0];
}

/* What the CPU ran up to now; state NULL: the trace ends before that does. */
static void end_run(struct dj_chrome *writer, int32_t number, int64_t at_ns,
                    const char *state)
{
    struct dj_chrome_cpu *cpu = &writer->cpus[number];
    if (!cpu->known || cpu->tid <= 0) {
        return;
    }
    int64_t end_ns = at_ns > cpu->since_ns ? at_ns : cpu->since_ns;
    dj_chrome_open(writer, "X", cpu->since_ns, DJ_CHROME_CPUS_PID, number);
    dj_chrome_us(writer, "dur", end_ns - cpu->since_ns);
    dj_chrome_string(writer, "cat", "sched");
    dj_chrome_words(writer, "name", (struct dj_words){cpu->name, cpu->name_length});
    dj_chrome_args(writer);
    dj_chrome_int(writer, "tid", cpu->tid);
    if (state != NULL) {
        dj_chrome_string(writer, "then", state);
    }
    dj_chrome_close(writer, "}");
}

void dj_chrome_end_cpus(struct dj_chrome *writer)
{
    for (int32_t i = 0; i < DJ_CHROME_CPUS; i++) {
        end_run(writer, i, writer->last_ns, NULL);
    }
}

static void begin_run(struct dj_chrome_cpu *cpu, const struct dj_event *event)
{
    size_t length = event->other_name.length < sizeof(cpu->name)
                        ? event->other_name.length
                        : sizeof(cpu->name);
    cpu->known = true;
    cpu->since_ns = event->at_ns;
    cpu->tid = event->other;
    cpu->name_length = (uint8_t)length;
    if (length > 0) {
        memcpy(cpu->name, event->other_name.at, length);
    }
}

static void put_flow(struct dj_chrome *writer, const char *phase,
                     const struct dj_event *event, uint64_t flow)
{
    dj_chrome_open(writer, phase, event->at_ns, DJ_CHROME_CPUS_PID, event->cpu);
    dj_chrome_string(writer, "cat", "sched");
    dj_chrome_string(writer, "name", "wake");
    dj_chrome_id(writer, flow);
    if (phase[0] == 'f') {
        dj_chrome_string(writer, "bp", "e");
    }
    dj_chrome_close(writer, "");
}

void dj_chrome_switch(struct dj_chrome *writer, const struct dj_event *event)
{
    struct dj_chrome_cpu *cpu = cpu_of(writer, event->cpu);
    if (cpu == NULL) {
        return;
    }
    if (cpu->known && cpu->tid == event->tid) {
        end_run(writer, event->cpu, event->at_ns, state_name(event->state));
    } else {
        end_run(writer, event->cpu, event->at_ns, "unknown");
    }
    begin_run(cpu, event);
    struct dj_chrome_thread *next =
        event->other > 0 ? dj_chrome_find(writer, event->other) : NULL;
    if (next != NULL && next->woken != 0) {
        put_flow(writer, "f", event, next->woken);
        next->woken = 0;
    }
}

/* The first one counts: who is woken already does not sleep. */
void dj_chrome_wake(struct dj_chrome *writer, const struct dj_event *event)
{
    struct dj_chrome_thread *woken =
        event->other > 0 ? dj_chrome_find(writer, event->other) : NULL;
    if (woken != NULL && woken->woken == 0 && cpu_of(writer, event->cpu) != NULL) {
        woken->woken = ++writer->flows;
        put_flow(writer, "s", event, woken->woken);
    }
}

void dj_chrome_blocked(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->other, 0, (struct dj_words){"", 0});
    dj_chrome_open(writer, "i", event->at_ns, pid, event->other);
    dj_chrome_string(writer, "s", "t");
    dj_chrome_string(writer, "name",
                     event->value != 0 ? "was blocked for I/O" : "was blocked");
    dj_chrome_args(writer);
    dj_chrome_words(writer, "in", event->name);
    dj_chrome_close(writer, "}");
}

static const struct {
    const char *name;           /* behind that of the CPU, if it has one */
    const char *value, *second; /* NULL: there is none */
    bool of_cpu;
} counters[DJ_EVENT_KINDS] = {
    [DJ_EVENT_FREQUENCY] = {"frequency", "kHz", NULL, true},
    [DJ_EVENT_LIMITS] = {"frequency limits", "least kHz", "most kHz", true},
    [DJ_EVENT_IDLE] = {"idle", "state", NULL, true},
    [DJ_EVENT_GPU_FREQUENCY] = {"GPU frequency", "value", NULL, false},
    [DJ_EVENT_THERMAL] = {"temperature", "m°C", NULL, false},
    [DJ_EVENT_COOLING] = {"cooling", "step", NULL, false},
};

void dj_chrome_processor(struct dj_chrome *writer, const struct dj_event *event)
{
    enum { LEAVES_IDLE = -1 };
    bool of_cpu = counters[event->kind].of_cpu;
    char name[64];
    int length = of_cpu
                     ? snprintf(name, sizeof(name), "CPU %" PRId32 " %s", event->cpu,
                                counters[event->kind].name)
                     : snprintf(name, sizeof(name), "%s %.*s", counters[event->kind].name,
                                (int)(event->name.length < 32 ? event->name.length : 32),
                                event->name.length > 0 ? event->name.at : "");
    int64_t value = event->value;
    if (event->kind == DJ_EVENT_IDLE) {
        /* Awake is 0, the states of idleness are counted from 1. */
        value = (int32_t)value == LEAVES_IDLE ? 0 : value + 1;
    }
    dj_chrome_open(writer, "C", event->at_ns, DJ_CHROME_CPUS_PID, 0);
    dj_chrome_words(writer, "name", (struct dj_words){name, (size_t)length});
    dj_chrome_args(writer);
    dj_chrome_int(writer, counters[event->kind].value, value);
    if (counters[event->kind].second != NULL) {
        dj_chrome_int(writer, counters[event->kind].second, event->value_2);
    }
    dj_chrome_close(writer, "}");
}

/* ---- interruptions ---- */

void dj_chrome_interrupt(struct dj_chrome *writer, const struct dj_event *event)
{
    bool ipi = event->kind == DJ_EVENT_IPI_BEGIN || event->kind == DJ_EVENT_IPI_END;
    bool hard =
        ipi || event->kind == DJ_EVENT_IRQ_BEGIN || event->kind == DJ_EVENT_IRQ_END;
    bool begins = event->kind == DJ_EVENT_IRQ_BEGIN ||
                  event->kind == DJ_EVENT_SOFTIRQ_BEGIN ||
                  event->kind == DJ_EVENT_IPI_BEGIN;
    char name[64], number[24] = "";
    if (!ipi) {
        snprintf(number, sizeof(number), " %" PRId64, event->value);
    }
    int length =
        snprintf(name, sizeof(name), "%s%s %.*s",
                 ipi    ? "ipi"
                 : hard ? "irq"
                        : "softirq",
                 number, (int)(event->name.length < 32 ? event->name.length : 32),
                 event->name.length > 0 ? event->name.at : "");
    dj_chrome_open(writer, begins ? "B" : "E", event->at_ns, DJ_CHROME_CPUS_PID,
                   (hard ? DJ_CHROME_IRQ_TID : DJ_CHROME_SOFTIRQ_TID) +
                       (int64_t)event->cpu);
    if (begins) {
        dj_chrome_string(writer, "cat", "irq");
        dj_chrome_words(writer, "name", (struct dj_words){name, (size_t)length});
    }
    dj_chrome_close(writer, "");
}

void dj_chrome_reclaim(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    bool begins = event->kind == DJ_EVENT_RECLAIM_BEGIN;
    dj_chrome_open(writer, begins ? "B" : "E", event->at_ns, pid, event->tid);
    if (begins) {
        dj_chrome_string(writer, "name", "direct reclaim");
    }
    dj_chrome_close(writer, "");
}

void dj_chrome_fence_wait(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    bool begins = event->kind == DJ_EVENT_FENCE_WAIT_BEGIN;
    dj_chrome_open(writer, begins ? "B" : "E", event->at_ns, pid, event->tid);
    if (begins) {
        char name[128];
        int length = snprintf(name, sizeof(name), "fence wait %.*s",
                              (int)(event->name.length < 100 ? event->name.length : 100),
                              event->name.length > 0 ? event->name.at : "");
        dj_chrome_words(writer, "name", (struct dj_words){name, (size_t)length});
        dj_chrome_args(writer);
        dj_chrome_words(writer, "driver", event->other_name);
        dj_chrome_int(writer, "context", event->value);
        dj_chrome_int(writer, "seqno", event->value_2);
        dj_chrome_close(writer, "}");
        return;
    }
    dj_chrome_close(writer, "");
}

void dj_chrome_block(struct dj_chrome *writer, const struct dj_event *event)
{
    enum { MINOR_BITS = 20 };
    char id[64];
    snprintf(id, sizeof(id), "%" PRId64 ":%" PRId64 ":%" PRId64,
             event->value >> MINOR_BITS, event->value & ((1 << MINOR_BITS) - 1),
             event->value_2);
    dj_chrome_open(writer, event->kind == DJ_EVENT_BLOCK_ISSUE ? "b" : "e", event->at_ns,
                   DJ_CHROME_CPUS_PID, 0);
    dj_chrome_string(writer, "cat", "block");
    dj_chrome_string(writer, "name", "request");
    dj_chrome_string(writer, "id", id);
    dj_chrome_close(writer, "");
}

/* ---- states that are told without a switch ---- */

static void put_state(struct dj_chrome *writer, const char *phase,
                      const struct dj_event *event, uint8_t state, int32_t pid)
{
    if (state == DJ_THREAD_UNKNOWN || state >= DJ_THREAD_STATES) {
        return;
    }
    dj_chrome_open(writer, phase, event->at_ns, pid, event->other);
    dj_chrome_string(writer, "cat", "state");
    dj_chrome_string(writer, "name", dj_thread_state_name((enum dj_thread_state)state));
    dj_chrome_id(writer, (uint32_t)event->other);
    dj_chrome_close(writer, "");
}

void dj_chrome_task(struct dj_chrome *writer, const struct dj_event *event)
{
    if (event->other <= 0) {
        return;
    }
    int32_t pid = dj_chrome_pid(writer, event->other, event->pid, event->other_name);
    struct dj_chrome_thread *thread = dj_chrome_find(writer, event->other);
    put_state(writer, "e", event, thread->state, pid);
    put_state(writer, "b", event, event->thread_state, pid);
    thread->state = event->thread_state;
}
