/* Counts costs of recording a frame instead of measuring times. With `system-calls` and
 * `allocations`, frames of all kinds are recorded: swaps with 13 stages, declared
 * frames, and values that are added later.
 *
 *   costs system-calls N   any system call after the first of N rounds kills the process
 *   costs allocations N    counts malloc() and similar calls from the second round on
 *   costs swaps N          plain swaps, for an instruction counter
 *   costs stages N         swaps with 13 stages, for an instruction counter
 *   costs optimized        exit status 0 if the program was built with optimisation and
 *                          without sanitizers
 *
 * Exit status: 0 if there were no such calls, 77 if this build or this machine cannot
 * show that. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/recorder.h"
#include "segment/directory.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

enum { SKIPPED = 77, STAGES = 13 };

static const struct dj_surface drawable = {DJ_PIPELINE_GLX, 0x2a};
static const struct dj_surface widget = {DJ_PIPELINE_GTK, 1};

static const enum dj_column stages[STAGES] = {
    DJ_COLUMN_INTENDED_VSYNC,
    DJ_COLUMN_VSYNC,
    DJ_COLUMN_OLDEST_INPUT_EVENT,
    DJ_COLUMN_NEWEST_INPUT_EVENT,
    DJ_COLUMN_HANDLE_INPUT_START,
    DJ_COLUMN_ANIMATION_START,
    DJ_COLUMN_DRAW_START,
    DJ_COLUMN_PERFORM_TRAVERSALS_START,
    DJ_COLUMN_SYNC_QUEUED,
    DJ_COLUMN_SYNC_START,
    DJ_COLUMN_SWAP_BUFFERS,
    DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
    DJ_COLUMN_SWAP_BUFFERS_COMPLETED,
};

static unsigned long allocations;

#if !SANITIZED
/* These functions replace those of the C library in every object of this process. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *memory, size_t size)
{
    allocations++;
    return __libc_realloc(memory, size);
}
#endif

static struct dj_recorded_frame swap(void)
{
    struct dj_swap swap = {.stack = (uintptr_t)&swap};
    dj_recorder_begin_swap(&swap);
    return dj_recorder_end_swap(&swap, drawable, true);
}

static struct dj_recorded_frame staged_swap(void)
{
    for (size_t i = 0; i < STAGES; i++) {
        dj_recorder_stamp_stage(stages[i], dj_recorder_clock_ns());
    }
    return swap();
}

static void all_kinds(unsigned number)
{
    int64_t now_ns = dj_recorder_clock_ns();
    int here = 0;
    dj_recorder_note_sleep(now_ns - 1000000, (uintptr_t)&here);
    dj_recorder_end_poll(now_ns - 1000000, (uintptr_t)&here);
    struct dj_recorded_frame frame = staged_swap();
    dj_recorder_amend_frame(&frame, DJ_COLUMN_GPU_COMPLETED, now_ns + 1000000);
    dj_recorder_amend_frame(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, now_ns + 2000000);
    dj_recorder_open_frame(widget);
    dj_recorder_stamp_stage(DJ_COLUMN_DRAW_START, now_ns);
    swap();
    dj_recorder_close_frame(true);
    dj_recorder_set_title(widget, number % 2 == 0 ? "even" : "odd");
    dj_recorder_set_interval(widget, 16666666);
    dj_recorder_set_visibility(widget, DJ_VISIBLE);
    dj_recorder_set_views(widget, number);
}

static void leave(int status)
{
    syscall(SYS_exit, status);
}

/* After this call the kernel kills the process at any system call except exit. The
 * filter is used instead of seccomp's strict mode, because the strict mode also
 * forbids the CPU's time-stamp counter. */
static bool lock_up(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    const struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int ended(pid_t child)
{
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* If the clock itself is a system call, the test cannot show anything. */
static bool clock_needs_no_system_call(void)
{
    pid_t child = fork();
    if (child == 0) {
        if (lock_up()) {
            dj_recorder_clock_ns();
        }
        leave(0);
    }
    return ended(child) == 0;
}

static int count_system_calls(unsigned frames)
{
    all_kinds(0);
    if (!lock_up()) {
        return SKIPPED;
    }
    for (unsigned i = 1; i < frames; i++) {
        all_kinds(i);
    }
    leave(0);
    return 1;
}

static int count_allocations(unsigned frames)
{
    all_kinds(0);
    unsigned long before = allocations;
    for (unsigned i = 1; i < frames; i++) {
        all_kinds(i);
    }
    unsigned long made = allocations - before;
    if (made != 0 || before == 0) {
        fprintf(stderr, "%lu allocations, %lu before\n", made, before);
    }
    return made != 0;
}

static int run(const char *what, unsigned count)
{
    free(malloc(1)); /* This allocation must be counted. */
    dj_recorder_load();
    if (strcmp(what, "system-calls") == 0) {
        return count_system_calls(count);
    }
    if (strcmp(what, "allocations") == 0) {
        return allocations == 0 ? 1 : count_allocations(count);
    }
    for (unsigned i = 0; i < count; i++) {
        strcmp(what, "stages") == 0 ? staged_swap() : swap();
    }
    return 0;
}

/* Runs in a child, because the child may confine itself, and the parent must remove
 * the folder. */
static int run_in_folder(const char *what, unsigned count)
{
    char folder[] = "/tmp/dejank-costs-XXXXXX";
    char path[128];
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 2;
    }
    setenv("DEJANK_DIR", folder, 1);
    int go[2];
    char byte = 0;
    pid_t child = pipe(go) == 0 ? fork() : -1;
    if (child == 0) {
        byte = read(go[0], &byte, 1) == 1 ? 0 : 1;
        exit(run(what, count));
    }
    snprintf(path, sizeof(path), "%s/%d.%llu", folder, (int)child,
             (unsigned long long)dj_segment_process_start_ticks(child));
    int status = write(go[1], &byte, 1) == 1 ? ended(child) : 1;
    bool recorded = unlink(path) == 0;
    rmdir(folder);
    if (!recorded) {
        fprintf(stderr, "nothing was recorded\n");
        return 1;
    }
    return status;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    if (strcmp(what, "optimized") == 0) {
#ifdef __OPTIMIZE__
        return SANITIZED;
#else
        return 1;
#endif
    }
    if (SANITIZED ||
        (strcmp(what, "system-calls") == 0 && !clock_needs_no_system_call())) {
        return SKIPPED;
    }
    return run_in_folder(what, count);
}
