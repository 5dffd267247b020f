/*
 * stack_oracle [--seconds S] [--rate HZ] [--stack BYTES] [--show N] PROGRAM [ARGUMENT…]
 *
 * Runs a program and samples its user stacks with perf events. Then unwinds each sample
 * twice: with the module `stacks`, and with libdwfl of elfutils. Prints one line of JSON
 * with how many stacks are complete and how many of them are equal. `cut` counts
 * incomplete stacks with a full copy, which are probably deeper than the copy. --show
 * prints the first N stacks that differ, and the first N incomplete ones that are not
 * cut, to standard error. Exit code 77: perf events are not permitted.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stacks/names.h"
#include "stacks/unwind.h"

enum {
    NOT_PERMITTED = 77,
    CPUS_MAX = 256,
    RING_PAGES = 4096,
    SAMPLES_MAX = 100000,
    SHOWN_MAX = 12
};

struct ring {
    int fd;
    struct perf_event_mmap_page *head;
};

/* A record of a ring, with its time and its position in the order of reading. */
struct record {
    uint64_t time, order;
    struct perf_event_header *header;
};

static struct {
    double seconds;
    uint64_t rate;
    uint32_t stack;
    long show;
} options = {.seconds = 5, .rate = 1000, .stack = 32768};

static struct ring rings[CPUS_MAX];
static size_t ring_count, ring_bytes;
static struct record *records;
static size_t record_count;
static uint64_t lost;

static _Noreturn void fail(const char *what)
{
    int status = errno == EACCES || errno == EPERM || errno == ENOSYS ? NOT_PERMITTED : 1;
    fprintf(stderr, "stack_oracle: %s: %s\n", what, strerror(errno));
    exit(status);
}

static void *grow(void *array, size_t count, size_t size)
{
    void *result = realloc(array, count * size);
    if (result == NULL && count > 0) {
        fail("memory");
    }
    return result;
}

/* ---- capture ---- */

static void open_rings(pid_t pid)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_CPU_CLOCK,
        .sample_period = 1000000000 / options.rate,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER |
                       PERF_SAMPLE_STACK_USER,
        .sample_regs_user = DJ_STACKS_REGISTERS,
        .sample_stack_user = options.stack,
        .disabled = 1,
        .inherit = 1,
        .exclude_kernel = 1,
        .enable_on_exec = 1,
        .mmap = 1,
        .mmap2 = 1,
        .comm = 1,
        .comm_exec = 1,
        .task = 1,
        .sample_id_all = 1,
        .watermark = 1,
        .wakeup_watermark = 1 << 20,
    };
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages = RING_PAGES;
    for (int cpu = 0; cpu < cpus && cpu < CPUS_MAX; cpu++) {
        int fd =
            (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
        if (fd < 0 && errno == ENODEV) {
            continue; /* The CPU is offline. */
        }
        if (fd < 0) {
            fail("perf_event_open");
        }
        void *memory = MAP_FAILED;
        while (memory == MAP_FAILED && pages > 4) {
            memory =
                mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            pages = memory == MAP_FAILED ? pages / 2 : pages;
        }
        if (memory == MAP_FAILED) {
            fail("mmap of a ring");
        }
        rings[ring_count++] = (struct ring){fd, memory};
    }
    ring_bytes = pages * page;
}

/* In a sample, the time follows pid and tid. In other records it is the last 8 bytes. */
static uint64_t read_time(const struct perf_event_header *header)
{
    uint64_t time;
    const uint8_t *bytes = (const uint8_t *)header;
    size_t at = header->type == PERF_RECORD_SAMPLE ? sizeof(*header) + 8
                                                   : header->size - sizeof(time);
    memcpy(&time, bytes + at, sizeof(time));
    return time;
}

static void keep_record(struct perf_event_header *header)
{
    if (header->type == PERF_RECORD_LOST) {
        uint64_t count;
        memcpy(&count, (uint8_t *)(header + 1) + 8, sizeof(count));
        lost += count;
    }
    if ((record_count & (record_count - 1)) == 0) {
        records =
            grow(records, record_count == 0 ? 1 : record_count * 2, sizeof(*records));
    }
    records[record_count] = (struct record){read_time(header), record_count, header};
    record_count++;
}

static void drain(struct ring *ring)
{
    const uint8_t *data = (const uint8_t *)ring->head + ring->head->data_offset;
    uint64_t head = atomic_load_explicit((_Atomic uint64_t *)&ring->head->data_head,
                                         memory_order_acquire);
    uint64_t tail = ring->head->data_tail;
    while (tail < head) {
        struct perf_event_header header;
        uint8_t *bytes = (uint8_t *)&header;
        for (size_t i = 0; i < sizeof(header); i++) {
            bytes[i] = data[(tail + i) % ring_bytes];
        }
        uint8_t *copy = grow(NULL, header.size, 1);
        size_t from = (size_t)(tail % ring_bytes);
        size_t first = ring_bytes - from < header.size ? ring_bytes - from : header.size;
        memcpy(copy, data + from, first);
        memcpy(copy + first, data, header.size - first);
        keep_record((struct perf_event_header *)copy);
        tail += header.size;
    }
    atomic_store_explicit((_Atomic uint64_t *)&ring->head->data_tail, tail,
                          memory_order_release);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Starts the program, which waits until the rings are open before it calls exec(). */
static pid_t start_program(char **words)
{
    int gate[2];
    if (pipe2(gate, O_CLOEXEC) != 0) {
        fail("pipe");
    }
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        close(gate[1]); /* Then read() returns if the parent ends. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        if (read(gate[0], &byte, 1) == 1) {
            execvp(words[0], words);
        }
        _exit(127);
    }
    open_rings(pid);
    if (write(gate[1], "", 1) != 1) {
        fail("pipe");
    }
    return pid;
}

/* Captures until the time is over or the program has ended. Then stops the program, so
 * that its files and mappings can be read. */
static void capture(pid_t pid)
{
    double end = now() + options.seconds;
    struct pollfd polls[CPUS_MAX];
    for (size_t i = 0; i < ring_count; i++) {
        polls[i] = (struct pollfd){.fd = rings[i].fd, .events = POLLIN};
    }
    siginfo_t info = {0};
    while (now() < end && info.si_pid == 0) {
        poll(polls, ring_count, 50);
        for (size_t i = 0; i < ring_count; i++) {
            drain(&rings[i]);
        }
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
    }
    kill(-pid, SIGSTOP);
    for (size_t i = 0; i < ring_count; i++) {
        ioctl(rings[i].fd, PERF_EVENT_IOC_DISABLE, 0);
        drain(&rings[i]);
    }
}

static int compare_records(const void *one, const void *other)
{
    const struct record *a = one, *b = other;
    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

/* ---- mappings ---- */

struct mmap2_record {
    struct perf_event_header header;
    uint32_t pid, tid;
    uint64_t start, size, offset;
    uint32_t major, minor;
    uint64_t inode, generation;
    uint32_t protection, flags;
    char path[];
};

struct task_record {
    struct perf_event_header header;
    uint32_t pid, parent_pid, tid, parent_tid;
};

static void apply_record(struct dj_stacks_maps *maps,
                         const struct perf_event_header *header)
{
    const struct mmap2_record *mapping = (const void *)header;
    const struct task_record *task = (const void *)header;
    if (header->type == PERF_RECORD_MMAP2) {
        dj_stacks_maps_add(maps, &(struct dj_stacks_new_mapping){
                                     .pid = (pid_t)mapping->pid,
                                     .start = mapping->start,
                                     .size = mapping->size,
                                     .file_offset = mapping->offset,
                                     .device = makedev(mapping->major, mapping->minor),
                                     .inode = mapping->inode,
                                     .path = mapping->path,
                                 });
    } else if (header->type == PERF_RECORD_FORK) {
        dj_stacks_maps_fork(maps, (pid_t)task->parent_pid, (pid_t)task->pid);
    } else if (header->type == PERF_RECORD_COMM &&
               (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0) {
        dj_stacks_maps_exec(maps, (pid_t)task->pid);
    }
}

/* ---- samples ---- */

struct sample {
    struct dj_stacks_sample input;
    pid_t tid;
    uint64_t sp;
    struct dj_stacks_frame *frames;
    size_t count;
    bool is_complete, is_guessed;
};

static struct sample *samples;
static size_t sample_count;

static uint64_t take(const uint8_t **at)
{
    uint64_t value;
    memcpy(&value, *at, sizeof(value));
    *at += sizeof(value);
    return value;
}

/* Returns false if the sample has no 64-bit user registers. */
static bool read_sample(const struct perf_event_header *header, struct sample *sample)
{
    const uint8_t *at = (const uint8_t *)(header + 1);
    uint64_t ids = take(&at);
    take(&at); /* The time. */
    if (take(&at) != PERF_SAMPLE_REGS_ABI_64) {
        return false;
    }
    *sample = (struct sample){.tid = (pid_t)(ids >> 32)};
    sample->input.machine = DJ_STACKS_THIS_MACHINE;
    sample->input.pid = (pid_t)(uint32_t)ids;
    sample->input.register_mask = DJ_STACKS_REGISTERS;
    sample->input.registers = at;
    at += 8 * __builtin_popcountll(DJ_STACKS_REGISTERS);
    uint64_t size = take(&at);
    sample->input.stack = at;
    if (size > 0) {
        at += size;
        sample->input.stack_size = (size_t)take(&at);
    }
    return true;
}

static void unwind_samples(struct dj_stacks_maps *maps,
                           struct dj_stacks_unwinder *unwinder)
{
    static struct dj_stacks_stack stack;
    for (size_t i = 0; i < record_count; i++) {
        struct sample sample;
        if (records[i].header->type != PERF_RECORD_SAMPLE) {
            apply_record(maps, records[i].header);
            continue;
        }
        if (sample_count == SAMPLES_MAX || !read_sample(records[i].header, &sample)) {
            continue;
        }
        dj_stacks_unwind(unwinder, &sample.input, &stack);
        sample.count = stack.count;
        sample.is_complete = stack.is_complete;
        sample.is_guessed = stack.is_guessed;
        sample.frames = grow(NULL, stack.count, sizeof(*sample.frames));
        memcpy(sample.frames, stack.frames, stack.count * sizeof(*sample.frames));
        if ((sample_count & (sample_count - 1)) == 0) {
            samples =
                grow(samples, sample_count == 0 ? 1 : sample_count * 2, sizeof(*samples));
        }
        samples[sample_count++] = sample;
    }
}

static double read_cpu_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Unwinds all samples again. Returns the mean CPU time per sample in microseconds. */
static double measure(struct dj_stacks_unwinder *unwinder)
{
    static struct dj_stacks_stack stack;
    double start = 0;
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        start = round == 1 ? read_cpu_time() : start; /* The first round is a warm-up. */
        for (size_t i = 0; i < sample_count; i++) {
            dj_stacks_unwind(unwinder, &samples[i].input, &stack);
        }
    }
    return (read_cpu_time() - start) * 1e6 / (ROUNDS - 1) /
           (double)(sample_count + !sample_count);
}

/* ---- libdwfl ---- */

struct oracle {
    const struct sample *sample;
    uint64_t frames[DJ_STACKS_FRAMES_MAX];
    size_t count;
    bool is_complete;
};

static pid_t next_thread(Dwfl *dwfl, void *user, void **thread)
{
    const struct oracle *oracle = user;
    (void)dwfl;
    if (*thread != NULL) {
        return 0;
    }
    *thread = user;
    return oracle->sample->tid;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *user)
{
    const struct oracle *oracle = user;
    const struct dj_stacks_sample *input = &oracle->sample->input;
    uint64_t registers[24];
    (void)dwfl;
    memcpy(registers, input->registers, 8 * 9);
    uint64_t offset = address - registers[7];
    if (input->stack_size < 8 || offset > input->stack_size - 8) {
        return false;
    }
    memcpy(result, (const uint8_t *)input->stack + offset, 8);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *user)
{
    /* The index is the DWARF number of a register. The value is the register's position
     * in the sample. */
    static const uint8_t positions[17] = {0,  3,  2,  1,  4,  5,  6,  7, 9,
                                          10, 11, 12, 13, 14, 15, 16, 8};
    const struct oracle *oracle = user;
    Dwarf_Word values[17];
    for (size_t i = 0; i < 17; i++) {
        memcpy(&values[i],
               (const uint8_t *)oracle->sample->input.registers + 8 * positions[i], 8);
    }
    return dwfl_thread_state_registers(thread, 0, 17, values);
}

static int keep_frame(Dwfl_Frame *frame, void *user)
{
    struct oracle *oracle = user;
    Dwarf_Addr address;
    if (!dwfl_frame_pc(frame, &address, NULL) || oracle->count == DJ_STACKS_FRAMES_MAX) {
        return DWARF_CB_ABORT;
    }
    oracle->frames[oracle->count++] = address;
    return DWARF_CB_OK;
}

static Dwfl *open_oracle(pid_t pid, struct oracle *oracle)
{
    static char *debug_path = NULL;
    static const Dwfl_Callbacks files = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo,
                                         .debuginfo_path = &debug_path};
    static const Dwfl_Thread_Callbacks threads = {.next_thread = next_thread,
                                                  .memory_read = read_memory,
                                                  .set_initial_registers = set_registers};
    Dwfl *dwfl = dwfl_begin(&files);
    if (dwfl == NULL || dwfl_linux_proc_report(dwfl, pid) != 0 ||
        dwfl_report_end(dwfl, NULL, NULL) != 0 ||
        !dwfl_attach_state(dwfl, NULL, pid, &threads, oracle)) {
        fprintf(stderr, "stack_oracle: libdwfl: %s\n", dwfl_errmsg(-1));
        exit(1);
    }
    return dwfl;
}

static bool is_equal(const struct sample *sample, const struct oracle *oracle)
{
    bool equal = sample->count == oracle->count;
    for (size_t i = 0; equal && i < sample->count; i++) {
        equal = sample->frames[i].address == oracle->frames[i];
    }
    return equal;
}

/* ---- report ---- */

static void show(struct dj_stacks_names *names, const struct sample *sample,
                 const struct oracle *oracle)
{
    fprintf(stderr, "%s%s, libdwfl %s:\n",
            sample->is_complete ? "complete" : "incomplete",
            sample->is_guessed ? " (guessed)" : "",
            oracle->is_complete ? "complete" : "incomplete");
    for (size_t i = 0; i < SHOWN_MAX && (i < sample->count || i < oracle->count); i++) {
        const struct dj_stacks_frame *frame = &sample->frames[i];
        bool has = i < sample->count;
        fprintf(stderr, "  %2zu %12llx %12llx %s\n", i,
                has ? (unsigned long long)frame->address : 0,
                i < oracle->count ? (unsigned long long)oracle->frames[i] : 0,
                has ? dj_stacks_names_find(names, frame->mapping,
                                           dj_stacks_frame_code_address(frame))
                          ->text
                    : "");
    }
}

struct counts {
    size_t samples, complete, cut, guessed, frames, oracle_complete, both, equal;
    size_t equal_unless_guessed; /* Both are complete and equal, and not guessed. */
    size_t sure;                 /* Both are complete, and not guessed. */
};

/* Returns true if the stack is incomplete and its copy is full. The 1024 bytes allow for
 * the record's other fields. */
static bool is_cut(const struct sample *sample)
{
    return !sample->is_complete && sample->input.stack_size + 1024 > options.stack;
}

static struct counts compare(pid_t pid, struct dj_stacks_names *names)
{
    static struct oracle oracle;
    struct counts counts = {0};
    long different = options.show, incomplete = options.show;
    Dwfl *dwfl = open_oracle(pid, &oracle);
    for (size_t i = 0; i < sample_count; i++) {
        const struct sample *sample = &samples[i];
        if (sample->input.pid != pid) {
            continue;
        }
        oracle.sample = sample;
        oracle.count = 0;
        oracle.is_complete =
            dwfl_getthread_frames(dwfl, sample->tid, keep_frame, &oracle) == 0;
        bool both = sample->is_complete && oracle.is_complete;
        bool equal = both && is_equal(sample, &oracle);
        counts.samples++;
        counts.frames += sample->count;
        counts.complete += sample->is_complete;
        counts.cut += is_cut(sample);
        counts.guessed += sample->is_guessed;
        counts.oracle_complete += oracle.is_complete;
        counts.both += both;
        counts.equal += equal;
        counts.sure += both && !sample->is_guessed;
        counts.equal_unless_guessed += equal && !sample->is_guessed;
        if ((both && !equal && different-- > 0) ||
            (!sample->is_complete && !is_cut(sample) && incomplete-- > 0)) {
            show(names, sample, &oracle);
        }
    }
    dwfl_end(dwfl);
    return counts;
}

static char **read_options(int argc, char **argv)
{
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        double value = strtod(argv[at + 1], NULL);
        if (strcmp(argv[at], "--seconds") == 0) {
            options.seconds = value;
        } else if (strcmp(argv[at], "--rate") == 0) {
            options.rate = (uint64_t)value;
        } else if (strcmp(argv[at], "--stack") == 0) {
            options.stack = (uint32_t)value;
        } else if (strcmp(argv[at], "--show") == 0) {
            options.show = (long)value;
        }
    }
    if (at >= argc) {
        fprintf(stderr, "usage: stack_oracle [--seconds S] [--rate HZ] [--stack BYTES] "
                        "[--show N] PROGRAM [ARGUMENT…]\n");
        exit(2);
    }
    return argv + at;
}

int main(int argc, char **argv)
{
    char **words = read_options(argc, argv);
    pid_t pid = start_program(words);
    capture(pid);
    qsort(records, record_count, sizeof(*records), compare_records);

    struct dj_stacks_maps *maps = dj_stacks_maps_create();
    struct dj_stacks_unwinder *unwinder = dj_stacks_unwinder_create(maps);
    struct dj_stacks_names *names = dj_stacks_names_create(maps, NULL);
    unwind_samples(maps, unwinder);
    double warm = measure(unwinder);
    struct counts counts = compare(pid, names);
    printf("{\"samples\": %zu, \"complete\": %zu, \"cut\": %zu, \"guessed\": %zu, "
           "\"frames\": %zu, "
           "\"oracle_complete\": %zu, \"both\": %zu, \"equal\": %zu, \"sure\": %zu, "
           "\"sure_equal\": %zu, \"lost\": %llu, \"us_per_sample\": %.3f}\n",
           counts.samples, counts.complete, counts.cut, counts.guessed, counts.frames,
           counts.oracle_complete, counts.both, counts.equal, counts.sure,
           counts.equal_unless_guessed, (unsigned long long)lost, warm);
    dj_stacks_names_destroy(names);
    dj_stacks_unwinder_destroy(unwinder);
    dj_stacks_maps_destroy(maps);
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    return 0;
}
