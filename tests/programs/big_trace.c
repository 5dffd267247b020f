/* big_trace text|dat MEGABYTES FILE
 *
 * Writes a kernel trace of about that size, as text of tracefs or as trace.dat
 * (version 6). The trace contains an app that draws at 60 Hz on four CPUs, with
 * sections, counters and wake-ups. Prints the number of events. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 4, PAGE = 4096, HEAD = 16, ID_PRINT = 5, ID_WAKING = 375, ID_SWITCH = 372 };

struct page {
    FILE *file; /* Temporary file with this CPU's pages, which are copied to the trace
                 * at the end. */
    uint64_t pages;
    uint64_t begin_ns, last_ns;
    size_t used;
    uint8_t bytes[PAGE];
};

static struct {
    FILE *out;
    bool text;
    uint64_t now_ns, events, bytes, wanted;
    uint32_t seed;
    struct page cpus[CPUS];
    int runs[CPUS];
} made;

struct thread {
    int tid;
    const char *name;
};

static const struct thread threads[] = {
    {0, "swapper"},         {4200, "com.example.app"},
    {4211, "RenderThread"}, {4222, "worker with space"},
    {4233, "db-sync"},      {310, "kworker/2:1"},
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static uint32_t chance(uint32_t most)
{
    made.seed = made.seed * 1664525u + 1013904223u;
    return (made.seed >> 8) % most;
}

/* ---- text ---- */

static void put_text(int cpu, const char *event, const char *fields)
{
    const struct thread *thread = &threads[made.runs[cpu]];
    int length = fprintf(
        made.out, "%16.15s-%-7d ( %5d) [%03d] d..2. %5" PRIu64 ".%06" PRIu64 ": %s: %s\n",
        thread->tid == 0 ? "<idle>" : thread->name, thread->tid, 4200, cpu,
        made.now_ns / 1000000000, made.now_ns / 1000 % 1000000, event, fields);
    if (length < 0) {
        die("big_trace");
    }
    made.bytes += (uint64_t)length;
}

/* ---- ring pages ---- */

static void put_number(uint8_t *at, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        at[i] = (uint8_t)(number >> (8 * i));
    }
}

static void end_page(struct page *page)
{
    put_number(page->bytes, page->begin_ns, 8);
    put_number(page->bytes + 8, page->used - HEAD, 8);
    memset(page->bytes + page->used, 0, PAGE - page->used);
    if (fwrite(page->bytes, PAGE, 1, page->file) != 1) {
        die("big_trace");
    }
    page->pages++;
    page->used = 0;
    made.bytes += PAGE;
}

static void put_record(int cpu, uint8_t *record, size_t size, uint16_t id)
{
    struct page *page = &made.cpus[cpu];
    size = (size + 3) & ~(size_t)3;
    if (page->used + size + 12 > PAGE) {
        end_page(page);
    }
    if (page->used == 0) {
        page->used = HEAD;
        page->begin_ns = page->last_ns = made.now_ns;
    }
    uint64_t delta = made.now_ns - page->last_ns;
    if (delta >= 1u << 27) {
        put_number(page->bytes + page->used, 30 | (delta & ((1u << 27) - 1)) << 5, 4);
        put_number(page->bytes + page->used + 4, delta >> 27, 4);
        page->used += 8;
        delta = 0;
    }
    put_number(record, id, 2);
    put_number(record + 4, (uint64_t)threads[made.runs[cpu]].tid, 4);
    put_number(page->bytes + page->used, size / 4 | delta << 5, 4);
    memcpy(page->bytes + page->used + 4, record, size);
    page->used += 4 + size;
    page->last_ns = made.now_ns;
}

static void put_name(uint8_t *at, const char *name)
{
    snprintf((char *)at, 16, "%s", name);
}

/* ---- events ---- */

static void step(void)
{
    made.now_ns += 1000 + chance(9000);
    made.events++;
}

static void do_switch(int cpu, int to, char state)
{
    const struct thread *left = &threads[made.runs[cpu]];
    const struct thread *next = &threads[to];
    step();
    if (made.text) {
        char fields[256];
        snprintf(fields, sizeof(fields),
                 "prev_comm=%.15s prev_pid=%d prev_prio=120 prev_state=%c ==> "
                 "next_comm=%.15s next_pid=%d next_prio=120",
                 left->name, left->tid, state, next->name, next->tid);
        put_text(cpu, "sched_switch", fields);
    } else {
        uint8_t record[64] = {0};
        put_name(record + 8, left->name);
        put_number(record + 24, (uint64_t)left->tid, 4);
        put_number(record + 28, 120, 4);
        put_number(record + 32, state == 'S' ? 1 : 0, 8);
        put_name(record + 40, next->name);
        put_number(record + 56, (uint64_t)next->tid, 4);
        put_number(record + 60, 120, 4);
        put_record(cpu, record, sizeof(record), ID_SWITCH);
    }
    made.runs[cpu] = to;
}

static void wake(int cpu, int whom, int target)
{
    const struct thread *woken = &threads[whom];
    step();
    if (made.text) {
        char fields[128];
        snprintf(fields, sizeof(fields), "comm=%.15s pid=%d prio=120 target_cpu=%03d",
                 woken->name, woken->tid, target);
        put_text(cpu, "sched_waking", fields);
    } else {
        uint8_t record[36] = {0};
        put_name(record + 8, woken->name);
        put_number(record + 24, (uint64_t)woken->tid, 4);
        put_number(record + 28, 120, 4);
        put_number(record + 32, (uint64_t)target, 4);
        put_record(cpu, record, sizeof(record), ID_WAKING);
    }
}

__attribute__((format(printf, 2, 3))) static void mark(int cpu, const char *form, ...)
{
    char words[96];
    __builtin_va_list values;
    __builtin_va_start(values, form);
    int length = vsnprintf(words, sizeof(words), form, values);
    __builtin_va_end(values);
    step();
    if (made.text) {
        put_text(cpu, "tracing_mark_write", words);
    } else {
        uint8_t record[16 + sizeof(words) + 4] = {0};
        memcpy(record + 16, words, (size_t)length + 1);
        put_record(cpu, record, 16 + (size_t)length + 1, ID_PRINT);
    }
}

static void background(void)
{
    int cpu = 2 + (int)chance(2);
    int who = cpu == 2 ? 3 + (int)chance(2) : 5;
    wake(1, who, cpu);
    do_switch(cpu, who, 'R');
    mark(cpu, "B|4200|query");
    mark(cpu, "E|4200");
    do_switch(cpu, 0, 'S');
}

static void frame(uint64_t number)
{
    do_switch(0, 1, 'R');
    mark(0, "B|4200|Choreographer#doFrame %" PRIu64, number);
    mark(0, "B|4200|layout");
    background();
    mark(0, "E|4200");
    mark(0, "B|4200|draw");
    mark(0, "C|4200|queue|%u", chance(4));
    wake(0, 2, 1);
    mark(0, "E|4200");
    mark(0, "E|4200");
    do_switch(0, 0, 'S');
    do_switch(1, 2, 'R');
    mark(1, "B|4200|DrawFrame");
    mark(1, "S|4200|fence|%" PRIu64, number);
    for (int i = 0; i < 3; i++) {
        do_switch(1, 0, 'S');
        background();
        wake(1, 2, 1);
        do_switch(1, 2, 'R');
    }
    mark(1, "F|4200|fence|%" PRIu64, number);
    mark(1, "E|4200");
    do_switch(1, 0, 'S');
    made.now_ns = (made.now_ns / 16666667 + 1) * 16666667;
}

/* ---- trace.dat ---- */

static const char header_page[] =
    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char header_event[] =
    "# compressed entry header\n\ttype_len    :    5 bits\n"
    "\ttime_delta  :   27 bits\n\tarray       :   32 bits\n";
#define COMMON                                                                           \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"               \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"               \
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"       \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
static const char format_print[] =
    "name: print\nID: 5\nformat:\n" COMMON
    "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
    "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
    "print fmt: \"%s\", REC->buf\n";
static const char format_switch[] =
    "name: sched_switch\nID: 372\nformat:\n" COMMON
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
    "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
    "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
    "print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s "
    "next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
    "REC->prev_state ? __print_flags(REC->prev_state, \"|\", { 0x01, \"S\" }, "
    "{ 0x02, \"D\" }) : \"R\", REC->next_comm, REC->next_pid, REC->next_prio\n";
static const char format_waking[] =
    "name: sched_waking\nID: 375\nformat:\n" COMMON
    "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\n"
    "print fmt: \"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, "
    "REC->prio, REC->target_cpu\n";

static void put_bytes(const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, made.out) != size) {
        die("big_trace");
    }
}

static void put_le(uint64_t number, size_t size)
{
    uint8_t bytes[8];
    put_number(bytes, number, 8);
    put_bytes(bytes, size);
}

static void put_part(const char *title, const char *text)
{
    if (title != NULL) {
        put_bytes(title, strlen(title) + 1);
    }
    put_le(strlen(text), 8);
    put_bytes(text, strlen(text));
}

static void put_head(void)
{
    put_bytes("\x17\x08\x44tracing6", 12); /* The string is written with its NUL. */
    put_le(0, 1);
    put_le(8, 1);
    put_le(PAGE, 4);
    put_part("header_page", header_page);
    put_part("header_event", header_event);
    put_le(1, 4);
    put_part(NULL, format_print);
    put_le(1, 4);
    put_bytes("sched", 6);
    put_le(2, 4);
    put_part(NULL, format_switch);
    put_part(NULL, format_waking);
    put_le(0, 4);
    put_le(0, 4);
    char names[256] = "";
    size_t length = 0;
    for (size_t i = 1; i < sizeof(threads) / sizeof(threads[0]); i++) {
        length += (size_t)snprintf(names + length, sizeof(names) - length, "%d %.15s\n",
                                   threads[i].tid, threads[i].name);
    }
    put_part(NULL, names);
}

static void put_dat(void)
{
    static const char zeros[PAGE];
    put_head();
    put_le(CPUS, 4);
    put_bytes("options  ", 10);
    put_le(0, 2);
    put_bytes("flyrecord", 10);
    uint64_t at = ((uint64_t)ftello(made.out) + 16 * CPUS + PAGE - 1) / PAGE * PAGE;
    for (int i = 0; i < CPUS; i++) {
        put_le(at, 8);
        put_le(made.cpus[i].pages * PAGE, 8);
        at += made.cpus[i].pages * PAGE;
    }
    put_bytes(zeros, (PAGE - (size_t)ftello(made.out) % PAGE) % PAGE);
    for (int i = 0; i < CPUS; i++) {
        uint8_t page[PAGE];
        rewind(made.cpus[i].file);
        while (fread(page, PAGE, 1, made.cpus[i].file) == 1) {
            put_bytes(page, PAGE);
        }
        fclose(made.cpus[i].file);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4 || (strcmp(argv[1], "text") != 0 && strcmp(argv[1], "dat") != 0)) {
        fprintf(stderr, "big_trace text|dat MEGABYTES FILE\n");
        return 2;
    }
    made.text = strcmp(argv[1], "text") == 0;
    made.wanted = (uint64_t)(strtod(argv[2], NULL) * 1e6);
    made.now_ns = UINT64_C(5000000000);
    made.out = fopen(argv[3], "w");
    for (int i = 0; i < CPUS && !made.text; i++) {
        made.cpus[i].file = tmpfile();
        if (made.cpus[i].file == NULL) {
            die("big_trace");
        }
    }
    if (made.out == NULL) {
        die(argv[3]);
    }
    if (made.text) {
        fputs("# tracer: nop\n#\n", made.out);
    }
    for (uint64_t number = 0; made.bytes < made.wanted; number++) {
        frame(number);
    }
    if (!made.text) {
        for (int i = 0; i < CPUS; i++) {
            if (made.cpus[i].used > 0) {
                end_page(&made.cpus[i]);
            }
        }
        put_dat();
    }
    if (fclose(made.out) != 0) {
        die(argv[3]);
    }
    printf("%" PRIu64 "\n", made.events);
    return 0;
}
