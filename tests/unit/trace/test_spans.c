/* Tests spans of CPUs, interrupts and requests. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/text/ftrace.h"

static struct dj_trace trace;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(spans, .fini = finish);

static struct dj_trace_builder built;
static struct dj_ftrace_text reader;

static void begin(void)
{
    trace.keep_spans = true;
    built = (struct dj_trace_builder){.trace = &trace};
    reader = (struct dj_ftrace_text){.sink = {dj_builder_add_event, &built}};
}

static void add_line(const char *text)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_ftrace_text_read(&reader, text, strlen(text), &err), 0, "%s",
                 err.message);
}

static void end(void)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_ftrace_text_end(&reader, &err), 0);
    dj_ftrace_text_finish(&reader);
    cr_assert_eq(dj_builder_complete(&built, &err), 0, "%s", err.message);
}

/* Returns span number `n` of a kind, counted from 0. */
static struct dj_trace_span span_of(enum dj_trace_span_kind kind, size_t n)
{
    struct dj_trace_position place = {0};
    const struct dj_trace_span *span;
    while ((span = dj_trace_next_span(&trace, &place)) != NULL) {
        if (span->kind == kind && n-- == 0) {
            return *span;
        }
    }
    cr_assert_fail("there is no such span of kind %d", kind);
    return (struct dj_trace_span){0};
}

static size_t count_of(enum dj_trace_span_kind kind)
{
    struct dj_trace_position place = {0};
    const struct dj_trace_span *span;
    size_t count = 0;
    while ((span = dj_trace_next_span(&trace, &place)) != NULL) {
        count += span->kind == kind;
    }
    return count;
}

static void expect_span(struct dj_trace_span span, int64_t start_ns, int64_t end_ns)
{
    cr_expect_eq(span.start_ns, start_ns);
    cr_expect_eq(span.end_ns, end_ns);
    cr_expect_not(span.open);
    cr_expect_not(span.unbegun);
}

/* Adds an event of the thread with the name x on a CPU, `ns` nanoseconds after time 0. */
static void add_event(int tid, int cpu, int ns, const char *event)
{
    char line[256];
    snprintf(line, sizeof(line), "x-%d [%03d] d..2 0.%09d: %s\n", tid, cpu, ns, event);
    add_line(line);
}

Test(spans, a_reading_is_valid_until_the_next_one)
{
    begin();
    add_event(5, 0, 100, "cpu_frequency: state=1000000 cpu_id=2");
    add_event(5, 0, 150, "cpu_frequency: state=500000 cpu_id=1");
    add_event(5, 0, 300, "cpu_frequency: state=2000000 cpu_id=2");
    add_event(5, 0, 300, "cpu_frequency: state=1500000 cpu_id=2");
    add_event(5, 0, 400, "cpu_frequency_limits: min=300000 max=900000 cpu_id=1");
    add_event(5, 0, 410, "gpu_frequency: gpu_id=1 state=585000");
    add_event(
        5, 0, 420,
        "thermal_temperature: thermal_zone=skin sensor id=3 temp_prev=41000 temp=42500");
    add_event(5, 0, 430, "cdev_update: type=thermal-cpufreq-0 target=3");
    add_event(
        5, 0, 500,
        "thermal_temperature: thermal_zone=skin sensor id=3 temp_prev=42500 temp=40100");
    end();
    cr_expect_eq(count_of(DJ_SPAN_FREQUENCY), 4);
    struct dj_trace_span first = span_of(DJ_SPAN_FREQUENCY, 0);
    expect_span(first, 100, 300);
    cr_expect_eq(first.cpu, 2);
    cr_expect_eq(first.value, 1000000);
    cr_expect_eq(span_of(DJ_SPAN_FREQUENCY, 1).cpu, 1);
    cr_expect(span_of(DJ_SPAN_FREQUENCY, 1).open);
    cr_expect_eq(span_of(DJ_SPAN_FREQUENCY, 1).end_ns, 500);
    expect_span(span_of(DJ_SPAN_FREQUENCY, 2), 300, 300);
    cr_expect_eq(span_of(DJ_SPAN_FREQUENCY, 2).value, 2000000, "as they were told");
    cr_expect_eq(span_of(DJ_SPAN_FREQUENCY, 3).value, 1500000);
    struct dj_trace_span limits = span_of(DJ_SPAN_LIMITS, 0);
    cr_expect(limits.cpu == 1 && limits.value == 300000 && limits.value_2 == 900000);
    struct dj_trace_span gpu = span_of(DJ_SPAN_GPU_FREQUENCY, 0);
    cr_expect(gpu.value == 585000 && gpu.value_2 == 1);
    cr_expect_str_eq(span_of(DJ_SPAN_THERMAL, 0).name, "skin sensor");
    expect_span(span_of(DJ_SPAN_THERMAL, 0), 420, 500);
    cr_expect_eq(span_of(DJ_SPAN_THERMAL, 0).value, 42500);
    cr_expect_eq(span_of(DJ_SPAN_THERMAL, 1).value, 40100);
    cr_expect_str_eq(span_of(DJ_SPAN_COOLING, 0).name, "thermal-cpufreq-0");
    cr_expect_eq(span_of(DJ_SPAN_COOLING, 0).value, 3);
}

Test(spans, an_idle_state_ends_with_a_wakeup_or_another_state)
{
    begin();
    add_event(0, 1, 100, "cpu_idle: state=4294967295 cpu_id=1");
    add_event(0, 1, 200, "cpu_idle: state=2 cpu_id=1");
    add_event(0, 1, 250, "cpu_idle: state=3 cpu_id=1");
    add_event(0, 1, 400, "cpu_idle: state=4294967295 cpu_id=1");
    add_event(0, 1, 500, "cpu_idle: state=0 cpu_id=1");
    add_event(0, 0, 700, "cpu_idle: state=1 cpu_id=0");
    end();
    cr_expect_eq(count_of(DJ_SPAN_IDLE), 5);
    struct dj_trace_span before = span_of(DJ_SPAN_IDLE, 0);
    cr_expect(before.unbegun && before.start_ns == 100 && before.cpu == 1);
    expect_span(span_of(DJ_SPAN_IDLE, 1), 200, 250);
    cr_expect_eq(span_of(DJ_SPAN_IDLE, 1).value, 2);
    expect_span(span_of(DJ_SPAN_IDLE, 2), 250, 400);
    cr_expect(span_of(DJ_SPAN_IDLE, 3).open && span_of(DJ_SPAN_IDLE, 3).end_ns == 700);
    cr_expect_eq(span_of(DJ_SPAN_IDLE, 3).value, 0);
    cr_expect(span_of(DJ_SPAN_IDLE, 4).open && span_of(DJ_SPAN_IDLE, 4).cpu == 0);
}

Test(spans, interrupts_are_paired_on_their_cpu_even_nested)
{
    begin();
    add_event(7, 1, 50, "softirq_exit: vec=9 [action=RCU]");
    add_event(7, 1, 100, "softirq_entry: vec=3 [action=NET_RX]");
    add_event(7, 1, 110, "irq_handler_entry: irq=41 name=eth0-rx");
    add_event(8, 0, 115, "irq_handler_entry: irq=41 name=eth0-rx");
    add_event(7, 1, 120, "irq_handler_exit: irq=41 ret=handled");
    add_event(7, 1, 160, "softirq_exit: vec=3 [action=NET_RX]");
    add_event(8, 0, 170, "irq_handler_entry: irq=41 name=eth0-rx");
    add_event(8, 0, 190, "irq_handler_exit: irq=41 ret=handled");
    end();
    cr_expect_eq(count_of(DJ_SPAN_INTERRUPT), 5);
    struct dj_trace_span lone = span_of(DJ_SPAN_INTERRUPT, 0);
    cr_expect(lone.unbegun && lone.end_ns == 50);
    cr_expect_str_eq(lone.name, "RCU");
    struct dj_trace_span soft = span_of(DJ_SPAN_INTERRUPT, 1);
    expect_span(soft, 100, 160);
    cr_expect(soft.soft && soft.value == 3 && soft.tid == 7 && soft.cpu == 1);
    cr_expect_str_eq(soft.name, "NET_RX");
    struct dj_trace_span hard = span_of(DJ_SPAN_INTERRUPT, 2);
    expect_span(hard, 110, 120);
    cr_expect(!hard.soft && hard.value == 41);
    cr_expect_str_eq(hard.name, "eth0-rx");
    cr_expect(span_of(DJ_SPAN_INTERRUPT, 3).open, "its end was never told");
    expect_span(span_of(DJ_SPAN_INTERRUPT, 4), 170, 190);
    cr_expect_eq(trace.endings, 0, "those are sections'");
}

Test(spans, interrupts_from_other_cpus_become_spans)
{
    begin();
    add_event(7, 1, 100, "ipi_entry: (Rescheduling interrupts)");
    add_event(7, 1, 120, "irq_handler_entry: irq=0 name=timer");
    add_event(7, 1, 130, "irq_handler_exit: irq=0 ret=handled");
    add_event(8, 0, 140, "ipi_exit: (Function call interrupts)");
    add_event(7, 1, 150, "ipi_exit: (Rescheduling interrupts)");
    add_event(7, 1, 160,
              "ipi_raise: target_mask=00000000,00000002 (Rescheduling interrupts)");
    add_event(7, 1, 170, "ipi_entry: reason=IRQ work interrupts");
    end();
    cr_expect_eq(count_of(DJ_SPAN_INTERRUPT), 4);
    struct dj_trace_span ipi = span_of(DJ_SPAN_INTERRUPT, 0);
    expect_span(ipi, 100, 150);
    cr_expect(ipi.value == -1 && !ipi.soft && ipi.cpu == 1 && ipi.tid == 7);
    cr_expect_str_eq(ipi.name, "Rescheduling interrupts");
    expect_span(span_of(DJ_SPAN_INTERRUPT, 1), 120, 130);
    cr_expect(span_of(DJ_SPAN_INTERRUPT, 2).unbegun);
    cr_expect(span_of(DJ_SPAN_INTERRUPT, 3).open);
}

#define FENCE(what, driver, timeline, context, number)                                   \
    what ": driver=" driver " timeline=" timeline " context=" #context " seqno=" #number

Test(spans, fences_and_waits_for_them_become_spans)
{
    begin();
    add_event(7, 1, 100, FENCE("dma_fence_init", "amdgpu", "ring gfx", 81, 4));
    add_event(7, 1, 110, FENCE("dma_fence_emit", "amdgpu", "ring gfx", 81, 4));
    add_event(7, 1, 120, FENCE("dma_fence_init", "amdgpu", "ring gfx", 81, 5));
    add_event(9, 0, 130, FENCE("dma_fence_wait_start", "amdgpu", "ring gfx", 81, 4));
    add_event(0, 1, 140, FENCE("dma_fence_signaled", "amdgpu", "ring gfx", 81, 4));
    add_event(9, 0, 150, FENCE("dma_fence_wait_end", "amdgpu", "ring gfx", 81, 4));
    add_event(0, 1, 160, FENCE("fence_signaled", "sde", "retire-0", 3, 4));
    add_event(9, 0, 170, FENCE("fence_wait_start", "sde", "retire-0", 3, 5));
    end();
    cr_expect_eq(count_of(DJ_SPAN_FENCE), 3);
    cr_expect_eq(count_of(DJ_SPAN_FENCE_WAIT), 2);
    struct dj_trace_span fence = span_of(DJ_SPAN_FENCE, 0);
    expect_span(fence, 100, 140);
    cr_expect(fence.tid == 7 && fence.value == 81 && fence.value_2 == 4);
    cr_expect_str_eq(fence.name, "amdgpu/ring gfx");
    cr_expect(span_of(DJ_SPAN_FENCE, 1).open, "it was never signaled");
    struct dj_trace_span before = span_of(DJ_SPAN_FENCE, 2);
    cr_expect(before.unbegun && before.tid == -1);
    cr_expect_str_eq(before.name, "sde/retire-0");
    struct dj_trace_span wait = span_of(DJ_SPAN_FENCE_WAIT, 0);
    expect_span(wait, 130, 150);
    cr_expect(wait.tid == 9 && wait.value == 81 && wait.value_2 == 4);
    cr_expect_str_eq(wait.name, "amdgpu/ring gfx");
    cr_expect(span_of(DJ_SPAN_FENCE_WAIT, 1).open);
}

Test(spans, nothing_of_a_cpu_is_paired_across_a_loss)
{
    begin();
    add_event(7, 0, 100, "irq_handler_entry: irq=5 name=a");
    add_event(7, 1, 100, "irq_handler_entry: irq=5 name=a");
    add_event(7, 0, 105, "cpu_idle: state=1 cpu_id=0");
    add_line("CPU:0 [LOST 3 EVENTS]\n");
    add_event(7, 0, 200, "irq_handler_exit: irq=5 ret=handled");
    add_event(7, 1, 200, "irq_handler_exit: irq=5 ret=handled");
    add_event(7, 0, 300, "cpu_idle: state=4294967295 cpu_id=0");
    add_event(7, 0, 400, "cpu_idle: state=1 cpu_id=0");
    add_event(7, 0, 450, "cpu_idle: state=4294967295 cpu_id=0");
    end();
    cr_assert_eq(count_of(DJ_SPAN_INTERRUPT), 3);
    cr_expect(span_of(DJ_SPAN_INTERRUPT, 0).open &&
              span_of(DJ_SPAN_INTERRUPT, 0).cpu == 0);
    expect_span(span_of(DJ_SPAN_INTERRUPT, 1), 100, 200);
    cr_expect_eq(span_of(DJ_SPAN_INTERRUPT, 1).cpu, 1);
    cr_expect(span_of(DJ_SPAN_INTERRUPT, 2).unbegun);
    cr_assert_eq(count_of(DJ_SPAN_IDLE), 3);
    cr_expect(span_of(DJ_SPAN_IDLE, 0).open && span_of(DJ_SPAN_IDLE, 0).end_ns == 105);
    cr_expect(span_of(DJ_SPAN_IDLE, 1).unbegun);
    expect_span(span_of(DJ_SPAN_IDLE, 2), 400, 450);
}

#define CALL(number, proc, thread, reply)                                                \
    "binder_transaction: transaction=" #number " dest_node=1 dest_proc=" #proc           \
    " dest_thread=" #thread " reply=" #reply " flags=0x10 code=0x3"
#define TAKEN(number) "binder_transaction_received: transaction=" #number

Test(spans, a_transaction_is_received_and_a_reply_finds_its_request)
{
    begin();
    add_event(11, 0, 100, CALL(900, 20, 0, 0));
    add_event(11, 0, 110, CALL(901, 20, 0, 0));
    add_event(22, 1, 150, TAKEN(900));
    add_event(23, 1, 160, TAKEN(901));
    add_event(22, 1, 400, CALL(902, 10, 11, 1));
    add_event(11, 0, 450, TAKEN(902));
    add_event(11, 0, 500, CALL(903, 20, 22, 0));
    add_event(22, 1, 600, TAKEN(999));
    end();
    cr_expect_eq(count_of(DJ_SPAN_BINDER), 5);
    struct dj_trace_span request = span_of(DJ_SPAN_BINDER, 0);
    expect_span(request, 100, 150);
    cr_expect(request.value == 900 && request.tid == 11 && request.other == 22);
    cr_expect(request.pid == 20 && !request.reply && !request.answers);
    cr_expect_eq(span_of(DJ_SPAN_BINDER, 1).other, 23);
    struct dj_trace_span reply = span_of(DJ_SPAN_BINDER, 2);
    expect_span(reply, 400, 450);
    cr_expect(reply.reply && reply.answers && reply.value_2 == 900);
    cr_expect_eq(reply.asked_ns, 100);
    struct dj_trace_span waiting = span_of(DJ_SPAN_BINDER, 3);
    cr_expect(waiting.open && waiting.other == 22);
    struct dj_trace_span lone = span_of(DJ_SPAN_BINDER, 4);
    cr_expect(lone.unbegun && lone.tid == -1 && lone.other == 22 && lone.value == 999);
    /* A thread that receives a transaction for a process belongs to that process. */
    cr_expect_eq(dj_trace_find_thread_at(&trace, 22, 0)->pid, 20);
    cr_expect_eq(dj_trace_find_thread_at(&trace, 11, 0)->pid, 10);
}

Test(spans, a_one_way_transaction_has_no_reply)
{
    begin();
    add_event(11, 0, 100,
              "binder_transaction: transaction=900 dest_node=1 dest_proc=20 "
              "dest_thread=0 reply=0 flags=0x11 code=0x3");
    add_event(22, 1, 150, TAKEN(900));
    add_event(22, 1, 400, CALL(902, 10, 11, 1));
    add_event(11, 0, 450, TAKEN(902));
    end();
    struct dj_trace_span sent = span_of(DJ_SPAN_BINDER, 0);
    expect_span(sent, 100, 150);
    cr_expect(sent.one_way && !sent.reply);
    cr_expect_not(span_of(DJ_SPAN_BINDER, 1).one_way);
    cr_expect_not(span_of(DJ_SPAN_BINDER, 1).answers);
}

Test(spans, a_reply_without_its_request_answers_nothing)
{
    begin();
    add_event(22, 1, 400, CALL(902, 10, 11, 1));
    add_event(11, 0, 450, TAKEN(902));
    add_event(22, 1, 500, CALL(903, 10, 11, 1));
    end();
    cr_expect_not(span_of(DJ_SPAN_BINDER, 0).answers);
    cr_expect_not(span_of(DJ_SPAN_BINDER, 1).answers);
}

Test(spans, a_request_to_the_disk_counts_from_its_first_issue)
{
    begin();
    add_event(5, 0, 100, "block_rq_issue: 254,3 WS 8192 () 1000 + 16 be,0,4 [x]");
    add_event(6, 1, 200, "block_rq_issue: 254,3 WS 8192 () 1000 + 16 be,0,4 [y]");
    add_event(7, 1, 300, "block_rq_complete: 254,3 WS () 1000 + 16 be,0,4 [0]");
    add_event(7, 1, 400, "block_rq_complete: 254,3 WSM () 77 + 8 be,0,4 [0]");
    add_event(5, 0, 500, "block_rq_issue: 254,3 R 4096 () 1000 + 8 [x]");
    add_line("CPU:1 [LOST 3 EVENTS]\n");
    add_event(5, 0, 600, "block_rq_issue: 254,3 R 4096 () 1000 + 8 [x]");
    add_event(7, 1, 700, "block_rq_complete: 254,3 R () 1000 + 8 [0]");
    end();
    cr_assert_eq(count_of(DJ_SPAN_DISK), 4);
    struct dj_trace_span disk = span_of(DJ_SPAN_DISK, 0);
    expect_span(disk, 100, 300);
    cr_expect(disk.value == (254 << 20 | 3) && disk.value_2 == 1000 && disk.tid == 5);
    cr_expect_eq(disk.issues, 2);
    struct dj_trace_span lone = span_of(DJ_SPAN_DISK, 1);
    cr_expect(lone.unbegun && lone.tid == -1 && lone.issues == 0);
    cr_expect(span_of(DJ_SPAN_DISK, 2).open, "its end may be among what is lost");
    expect_span(span_of(DJ_SPAN_DISK, 3), 600, 700);
}

Test(spans, direct_reclaim_becomes_a_span)
{
    begin();
    add_event(5, 0, 100, "mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=GFP");
    add_event(6, 1, 150, "mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=GFP");
    add_event(5, 1, 300, "mm_vmscan_direct_reclaim_end: nr_reclaimed=32");
    end();
    expect_span(span_of(DJ_SPAN_RECLAIM, 0), 100, 300);
    cr_expect_eq(span_of(DJ_SPAN_RECLAIM, 0).tid, 5);
    cr_expect(span_of(DJ_SPAN_RECLAIM, 1).open);
}

Test(spans, backward_stamps_end_no_span_before_its_begin)
{
    begin();
    add_event(7, 1, 500, "irq_handler_entry: irq=41 name=a");
    add_event(7, 1, 300, "irq_handler_exit: irq=41 ret=handled");
    add_event(7, 1, 400, "cpu_frequency: state=5 cpu_id=0");
    add_event(7, 1, 200, "cpu_frequency: state=6 cpu_id=0");
    end();
    expect_span(span_of(DJ_SPAN_INTERRUPT, 0), 500, 500);
    expect_span(span_of(DJ_SPAN_FREQUENCY, 1), 400, 400);
    cr_expect_eq(span_of(DJ_SPAN_FREQUENCY, 0).end_ns, 500);
}

Test(spans, are_stored_only_on_request)
{
    begin();
    trace.keep_spans = false;
    add_event(7, 1, 500, "cpu_frequency: state=5 cpu_id=0");
    end();
    cr_expect_eq(count_of(DJ_SPAN_FREQUENCY), 0);
    cr_expect_eq(trace.span_rows.total, 0);
}

/* The trace contains more spans than may be open and than fit into the memory limit.
 * Each of them is returned once, sorted by kind and start. */
Test(spans, many_begins_without_an_end)
{
    enum { MANY = 300000 };
    char line[256];
    trace.memory_bytes = 1 << 20;
    begin();
    for (int i = 0; i < MANY; i++) {
        snprintf(line, sizeof(line),
                 "x-%d [00%d] ...1 %d.%06d: binder_transaction: transaction=%d "
                 "dest_node=1 dest_proc=9 dest_thread=0 reply=0 flags=0x0 code=0x0\n"
                 "x-1 [000] ...1 %d.%06d: cpu_frequency: state=%d cpu_id=%d\n",
                 i % 50 + 1, i % 4, i / 1000000, i % 1000000, i, i / 1000000, i % 1000000,
                 i, i % 8);
        add_line(line);
    }
    cr_expect_leq(built.spans.capacity, 1 << 19, "of what is waited for");
    end();
    cr_expect_gt(trace.span_rows.run_count, 1, "some of it lies in a file");
    struct dj_trace_position place = {0};
    const struct dj_trace_span *span;
    struct dj_trace_span before = {0};
    size_t frequencies = 0, transactions = 0;
    while ((span = dj_trace_next_span(&trace, &place)) != NULL) {
        cr_assert(span->kind > before.kind || span->start_ns >= before.start_ns);
        frequencies += span->kind == DJ_SPAN_FREQUENCY;
        transactions += span->kind == DJ_SPAN_BINDER && span->open;
        before = *span;
    }
    cr_expect_eq(frequencies, MANY);
    cr_expect_eq(transactions, MANY);
    struct dj_error err = {0};
    cr_expect_eq(dj_trace_get_error(&trace, &err), 0);
}
