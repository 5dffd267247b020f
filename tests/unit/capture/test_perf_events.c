/* Reads perf records that the tests have written to pages of a spool. */
#include "capture/linux/perf_events.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/trace.h"

enum { MOST = 32 };

static char folder[] = "/tmp/dejank-perf-XXXXXX";
static struct dj_spool spool;
static struct dj_error err;
static uint64_t memory[DJ_PERF_PAGE / 8];
static struct dj_perf_page *const page = (struct dj_perf_page *)(void *)memory;
static struct dj_event got[MOST];
static char names[MOST][16];
static size_t got_count;

static void set_up(void)
{
    char output[64];
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(output, sizeof(output), "%s/out", folder);
    cr_assert(dj_page_spool_open(&spool, output, DJ_PERF_PAGE, 1 << 24, false, &err) ==
              0);
    memset(memory, 0, sizeof(memory));
}

static void tear_down(void)
{
    dj_page_spool_close(&spool);
    rmdir(folder);
}

TestSuite(perf, .init = set_up, .fini = tear_down);

struct record {
    uint32_t type;
    uint16_t misc;
    uint32_t tid;
    int64_t at_ns;
    const void *body;
    size_t size;
};

static void add_record(const struct record *record)
{
    const struct perf_event_header header = {
        record->type, record->misc, (uint16_t)(sizeof(header) + record->size + 24)};
    const uint32_t ids[2] = {100, record->tid};
    const uint32_t cpu[2] = {0, 0};
    uint8_t *to = page->records + page->used;
    memcpy(to, &header, sizeof(header));
    to += sizeof(header);
    if (record->size > 0) {
        memcpy(to, record->body, record->size);
    }
    to += record->size;
    memcpy(to, ids, 8);
    memcpy(to + 8, &record->at_ns, 8);
    memcpy(to + 16, cpu, 8);
    page->first_ns = page->used == 0 ? record->at_ns : page->first_ns;
    page->used += header.size;
}

static void end_page(int32_t cpu)
{
    cr_assert(dj_page_spool_push(&spool, cpu, page, &err) == 0);
    memset(memory, 0, sizeof(memory));
}

static int store_event(void *user, const struct dj_event *event)
{
    (void)user;
    cr_assert(got_count < MOST);
    snprintf(names[got_count], sizeof(names[0]), "%.*s", (int)event->other_name.length,
             event->other_name.at != NULL ? event->other_name.at : "");
    got[got_count++] = *event;
    return 0;
}

static void read_all(bool of_all)
{
    struct dj_perf_reader reader = {.spool = &spool, .of_all = of_all};
    got_count = 0;
    cr_assert(dj_perf_events_read(&reader, (struct dj_event_sink){store_event, NULL},
                                  &err) == 0);
    cr_expect_eq(reader.events, got_count);
}

Test(perf, records_of_a_thread_give_its_states)
{
    enum { OUT = PERF_RECORD_MISC_SWITCH_OUT };
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 7, 1000, NULL, 0});
    add_record(&(struct record){PERF_RECORD_SWITCH, OUT, 7, 2000, NULL, 0});
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 7, 3000, NULL, 0});
    add_record(&(struct record){
        PERF_RECORD_SWITCH, OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, 7, 4000, NULL, 0});
    end_page(1);
    read_all(false);
    static const uint8_t states[] = {DJ_THREAD_RUNNING, DJ_THREAD_SLEEPING,
                                     DJ_THREAD_RUNNING, DJ_THREAD_PREEMPTED};
    cr_assert_eq(got_count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(got[i].kind, DJ_EVENT_TASK);
        cr_expect_eq(got[i].other, 7);
        cr_expect_eq(got[i].at_ns, 1000 * (int64_t)(i + 1));
        cr_expect_eq(got[i].thread_state, states[i]);
        cr_expect_eq(got[i].cpu, 1);
    }
}

/* Both threads of a switch have a record, but the switch must be reported once. A dead
 * thread has no id any more. */
Test(perf, each_switch_of_a_cpu_is_reported_once)
{
    enum { OUT = PERF_RECORD_MISC_SWITCH_OUT, TYPE = PERF_RECORD_SWITCH_CPU_WIDE };
    const uint32_t to_8[2] = {100, 8}, from_7[2] = {100, 7}, to_9[2] = {100, 9};
    add_record(&(struct record){TYPE, OUT, 7, 1000, to_8, 8});
    add_record(&(struct record){TYPE, 0, 8, 1001, from_7, 8});
    add_record(&(struct record){TYPE, OUT, UINT32_MAX, 2000, to_9, 8});
    add_record(&(struct record){TYPE, OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, 9, 3000,
                                to_8, 8});
    end_page(0);
    read_all(true);
    cr_assert_eq(got_count, 3);
    cr_expect(got[0].kind == DJ_EVENT_SWITCH && got[0].tid == 7 && got[0].other == 8 &&
              got[0].state == DJ_TASK_SLEEPING);
    cr_expect(got[1].tid == 8 && got[1].other == 9 && got[1].state == DJ_TASK_DEAD);
    cr_expect(got[2].tid == 9 && got[2].state == DJ_TASK_RUNNABLE);
}

/* Thread 7 leaves its CPU idle. The record of the next thread shows this, although the
 * idle thread has no record. */
Test(perf, the_next_thread_ends_an_idle_time)
{
    enum { OUT = PERF_RECORD_MISC_SWITCH_OUT, TYPE = PERF_RECORD_SWITCH_CPU_WIDE };
    static const uint32_t none[2] = {0, 0}, seven[2] = {100, 7}, eight[2] = {100, 8};
    add_record(&(struct record){TYPE, OUT, 7, 1000, none, sizeof(none)});
    add_record(&(struct record){TYPE, 0, 8, 2000, none, sizeof(none)});
    add_record(&(struct record){TYPE, OUT, 8, 3000, seven, sizeof(seven)});
    add_record(&(struct record){TYPE, 0, 7, 3001, eight, sizeof(eight)});
    /* Thread 8 is dead. */
    add_record(&(struct record){TYPE, 0, UINT32_MAX, 4000, seven, sizeof(seven)});
    end_page(0);
    read_all(true);
    static const struct {
        int64_t at_ns;
        int32_t left, arrived;
    } expected[] = {{1000, 7, 0}, {2000, 0, 8}, {3000, 8, 7}};
    cr_assert_eq(got_count, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(got[i].kind, DJ_EVENT_SWITCH);
        cr_expect_eq(got[i].at_ns, expected[i].at_ns);
        cr_expect_eq(got[i].tid, expected[i].left);
        cr_expect_eq(got[i].other, expected[i].arrived);
    }
}

Test(perf, names_processes_ends_and_losses_are_reported)
{
    const struct {
        uint32_t pid, tid;
        char name[8];
    } comm = {100, 12, "worker"};
    const uint32_t fork[6] = {100, 100, 12, 7, 0, 0};
    const uint64_t lost[2] = {1, 42};
    add_record(&(struct record){PERF_RECORD_FORK, 0, 7, 1000, fork, sizeof(fork)});
    add_record(&(struct record){PERF_RECORD_COMM, 0, 12, 2000, &comm, sizeof(comm)});
    add_record(&(struct record){PERF_RECORD_LOST, 0, 7, 3000, lost, sizeof(lost)});
    add_record(&(struct record){PERF_RECORD_EXIT, 0, 12, 4000, fork, sizeof(fork)});
    end_page(0);
    read_all(false);
    cr_assert_eq(got_count, 4);
    cr_expect(got[0].kind == DJ_EVENT_THREAD && got[0].other == 12 && got[0].pid == 100);
    cr_expect(got[1].kind == DJ_EVENT_RENAME && got[1].other == 12);
    cr_expect_str_eq(names[1], "worker");
    cr_expect(got[2].kind == DJ_EVENT_LOST && got[2].value == 42);
    cr_expect(got[3].kind == DJ_EVENT_TASK && got[3].other == 12 &&
              got[3].thread_state == DJ_THREAD_DEAD);
}

Test(perf, events_of_all_cpus_are_sorted_by_time)
{
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 1, 1000, NULL, 0});
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 1, 3000, NULL, 0});
    end_page(0);
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 2, 2000, NULL, 0});
    end_page(5);
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 1, 4000, NULL, 0});
    end_page(0);
    read_all(false);
    cr_assert_eq(got_count, 4);
    for (size_t i = 1; i < got_count; i++) {
        cr_expect(got[i].at_ns > got[i - 1].at_ns);
    }
    cr_expect_eq(got[1].cpu, 5);
}

/* A record with a wrong length ends the reading of its page, but not of the other
 * pages. */
Test(perf, damaged_records_are_skipped)
{
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 1, 1000, NULL, 0});
    uint32_t used = page->used;
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 1, 2000, NULL, 0});
    struct perf_event_header liar = {PERF_RECORD_SWITCH, 0, 0xffff};
    memcpy(page->records + used, &liar, sizeof(liar));
    end_page(0);
    add_record(&(struct record){PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT,
                                1, 3000, NULL, 0}); /* The record has no body. */
    add_record(&(struct record){PERF_RECORD_SAMPLE, 0, 1, 3500, NULL, 0});
    add_record(&(struct record){PERF_RECORD_SWITCH, 0, 1, 4000, NULL, 0});
    page->used = UINT32_MAX;
    end_page(0);
    read_all(false);
    cr_assert_eq(got_count, 2);
    cr_expect_eq(got[0].at_ns, 1000);
    cr_expect_eq(got[1].at_ns, 4000);
}
