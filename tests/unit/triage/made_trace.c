#include "made_trace.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"
#include "trace/read.h"

static struct dj_text text;
static struct dj_triage *triage;
static struct dj_calls_tree calls;
static struct dj_trace_sample *samples;
static size_t sample_count;
bool made_plain;

static const struct {
    int tid, pid;
    const char *name;
} threads[] = {
    {0, 0, "<idle>"},        {MAIN, 100, "main"},           {WORKER, 100, "worker"},
    {HOLDER, 100, "keeper"}, {PEER, 200, "peer"},           {BUS, 300, "bus"},
    {RIVAL, 400, "rival-1"}, {OTHER_RIVAL, 500, "rival-2"}, {KERNEL, 20, "kworker/0:1"},
};

static const char *name_of(int tid)
{
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        if (threads[i].tid == tid) {
            return threads[i].name;
        }
    }
    return "?";
}

static int pid_of(int tid)
{
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        if (threads[i].tid == tid) {
            return threads[i].pid;
        }
    }
    return tid;
}

void made_clear(void)
{
    dj_calls_tree_finish(&calls);
    free(samples);
    samples = NULL;
    sample_count = 0;
    dj_text_finish(&text);
    dj_triage_destroy(triage);
    triage = NULL;
    made_plain = false;
}

void made_raw(const char *line)
{
    dj_text_add(&text, line);
}

void made_line(int at, int cpu, int tid, const char *flags, const char *event)
{
    if (made_plain) {
        dj_text_format(&text, "%16s-%-5d [%03d] %d.%06d: %s\n", name_of(tid), tid, cpu,
                       1 + at / 1000000, at % 1000000, event);
        return;
    }
    dj_text_format(&text, "%16s-%-5d (%5d) [%03d] %s %d.%06d: %s\n", name_of(tid), tid,
                   pid_of(tid), cpu, flags, 1 + at / 1000000, at % 1000000, event);
}

void made_switch(int at, int cpu, int from, const char *state, int to)
{
    char event[200];
    snprintf(event, sizeof(event),
             "sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> "
             "next_comm=%s next_pid=%d next_prio=120",
             name_of(from), from, state, name_of(to), to);
    made_line(at, cpu, from, "d..2.", event);
}

static void wake(int at, int cpu, int by, int whom, const char *flags)
{
    char event[120];
    snprintf(event, sizeof(event), "sched_waking: comm=%s pid=%d prio=120 target_cpu=000",
             name_of(whom), whom);
    made_line(at, cpu, by, flags, event);
}

void made_wake(int at, int cpu, int by, int whom)
{
    wake(at, cpu, by, whom, "d..2.");
}

void made_wake_by_timer(int at, int cpu, int upon, int whom)
{
    wake(at, cpu, upon, whom, "d.h2.");
}

void made_wake_by_softirq(int at, int cpu, int upon, int whom, int vector)
{
    char event[80];
    snprintf(event, sizeof(event), "softirq_entry: vec=%d [action=X]", vector);
    made_line(at - 2, cpu, upon, "..s1.", event);
    wake(at, cpu, upon, whom, "d.s2.");
    snprintf(event, sizeof(event), "softirq_exit: vec=%d [action=X]", vector);
    made_line(at + 2, cpu, upon, "..s1.", event);
}

void made_begin(int at, int cpu, int tid, const char *section)
{
    char event[200];
    snprintf(event, sizeof(event), "tracing_mark_write: B|%d|%s", pid_of(tid), section);
    made_line(at, cpu, tid, ".....", event);
}

void made_end(int at, int cpu, int tid)
{
    char event[80];
    snprintf(event, sizeof(event), "tracing_mark_write: E|%d", pid_of(tid));
    made_line(at, cpu, tid, ".....", event);
}

void made_timer(int at, int cpu, int tid, int until)
{
    char event[200];
    long long ns = 1000000000LL + (long long)until * 1000;
    snprintf(event, sizeof(event),
             "hrtimer_start: hrtimer=00000000a1b2c3d4 function=hrtimer_wakeup "
             "expires=%lld softexpires=%lld mode=REL",
             ns + 17000000, ns);
    made_line(at, cpu, tid, "d....", event);
}

static int make_frame(int at, int number, int (*odd)(int at, int number))
{
    char name[32];
    snprintf(name, sizeof(name), "frame %d", number);
    made_wake_by_timer(at - 10, 0, 0, MAIN);
    made_switch(at - 5, 0, 0, "R", MAIN);
    made_begin(at, 0, MAIN, name);
    made_begin(at + 1, 0, MAIN, "work");
    at += WORK_US;
    made_end(at - 1, 0, MAIN);
    if (odd != NULL && number % 5 == 2) {
        at = odd(at, number);
    }
    made_end(at, 0, MAIN);
    made_switch(at + 5, 0, MAIN, "S", 0);
    return at;
}

void made_frames(int count, int (*odd)(int at, int number))
{
    int at = 1000;
    made_line(0, 0, MAIN, ".....", "tracing_mark_write: C|100|begin|1");
    made_line(1, 1, KERNEL, ".....", "workqueue_execute_start: x");
    made_line(2, 1, KERNEL, "..s1.", "softirq_entry: vec=9 [action=RCU]");
    made_line(3, 1, KERNEL, "..s1.", "softirq_exit: vec=9 [action=RCU]");
    made_switch(4, 1, KERNEL, "I", 0);
    for (int i = 0; i < count; i++) {
        int end = make_frame(at, i, odd);
        at = end + 100 > at + FRAME_US ? end + 100 : at + FRAME_US;
    }
    made_switch(at, 1, 0, "R", KERNEL);
    made_switch(at + 10, 1, KERNEL, "I", 0);
}

char *made_text(void)
{
    return dj_text_copy(dj_text_get(&text), text.length);
}

static void read_text(const char *bytes, struct dj_trace *trace)
{
    char path[] = "/tmp/dejank-made-XXXXXX";
    struct dj_error err = {0};
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    size_t length = strlen(bytes);
    cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
    close(fd);
    int code = dj_trace_read(path, trace, &err);
    unlink(path);
    cr_assert_eq(code, 0, "%s", err.message);
}

static uint32_t add_stack(struct dj_calls_tree *tree, const char *path)
{
    uint32_t node = DJ_CALLS_ROOT;
    for (size_t length; path[0] != '\0'; path += length) {
        path += path[0] == '/';
        length = strcspn(path, "/");
        struct dj_calls_address address = {.name = {path, length},
                                           .module = dj_str_of("/usr/bin/app"),
                                           .build_id = dj_str_of("ab01")};
        size_t name = strcspn(path, "@/");
        if (name < length) {
            address.name.length = name;
            address.module = (struct dj_str){path + name + 1, length - name - 1};
        }
        node = dj_calls_tree_add_node(tree, node,
                                      dj_calls_tree_add_function(tree, &address));
    }
    return node;
}

enum { NS_PER_US = 1000, START_NS = 1000000000 };

void made_wait(int at, int tid, const char *path)
{
    const struct dj_trace_sample sample = {.at_ns = START_NS + (int64_t)at * NS_PER_US,
                                           .node = add_stack(&calls, path),
                                           .tid = (uint32_t)tid,
                                           .pid = pid_of(tid),
                                           .source = DJ_STACK_WAIT};
    DJ_XPUSH(samples, sample_count, sample);
}

void made_samples(int at, int to, int tid, const char *path)
{
    enum { INTERVAL_US = 1000 };
    uint32_t node = add_stack(&calls, path);
    for (; at < to; at += INTERVAL_US) {
        DJ_XPUSH(samples, sample_count,
                 (struct dj_trace_sample){.at_ns = START_NS + (int64_t)at * NS_PER_US,
                                          .ns = INTERVAL_US * NS_PER_US,
                                          .node = node,
                                          .tid = (uint32_t)tid,
                                          .pid = pid_of(tid)});
    }
}

/* Moves the samples to the trace. */
static void move_samples(struct dj_trace *trace)
{
    trace->calls = calls;
    trace->samples = samples;
    trace->sample_count = sample_count;
    calls = (struct dj_calls_tree){0};
    samples = NULL;
    sample_count = 0;
}

static int add(const char *bytes, bool base, struct dj_error *err)
{
    struct dj_trace trace = {.keep_marks = true};
    read_text(bytes, &trace);
    if (!base) {
        move_samples(&trace);
    }
    int code = base ? dj_triage_add_base(triage, &trace, err)
                    : dj_triage_add(triage, &trace, "made", err);
    dj_trace_finish(&trace);
    return code;
}

int made_triage_code(const char *frames, struct dj_error *err)
{
    struct dj_triage_rules rules = {.frames = frames};
    dj_triage_destroy(triage);
    triage = dj_triage_create(&rules);
    return add(dj_text_get(&text), false, err);
}

const struct dj_triage_result *made_triage(const char *base)
{
    const struct dj_triage_result *result;
    struct dj_error err = {0};
    int code = made_triage_code(NULL, &err);
    if (code == 0 && base != NULL) {
        code = add(base, true, &err);
    }
    code = code != 0 ? code : dj_triage_weigh(triage, &result, &err);
    cr_assert_eq(code, 0, "%s", err.message);
    return result;
}

const struct dj_triage_cause *made_cause(const struct dj_triage_result *result,
                                         enum dj_cause_kind kind)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        if (result->causes[i].kind == kind) {
            return &result->causes[i];
        }
    }
    return NULL;
}
