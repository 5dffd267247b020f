#include "recorder/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recorder/settings.h"
#include "recorder/thread.h"
#include "segment/directory.h"
#include "segment/writer.h"

_Thread_local struct dj_thread dj_thread DJ_STATIC_TLS;

/* The segment's life in this process. */
enum state {
    UNOPENED, /* no frame yet, or a fork()ed child before its first */
    OPENING,  /* one thread creates the file; frames of others are counted as dropped */
    RECORDING,
    OFF /* it could not be created; the app runs on unrecorded */
};

enum owner {
    PARENT,   /* a child's first word: the writer is still the parent's */
    CHANGING, /* one thread lets go of the parent's; frames of others are dropped */
    OURS
};

static struct {
    struct dj_settings settings;
    struct dj_segment_writer writer;
    _Atomic int state;
    _Atomic uint64_t missed; /* frames dropped while there was no segment to say so */
    /* A page the kernel zeroes in every child, however it was forked: its first word
     * tells whose writer this is (enum owner). */
    _Atomic uint32_t *owner;
} recorder;

int64_t dj_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static _Atomic uint32_t *map_fork_marker(void)
{
    void *page = mmap(NULL, DJ_SEGMENT_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return NULL;
    }
    if (madvise(page, DJ_SEGMENT_PAGE, MADV_WIPEONFORK) != 0) {
        munmap(page, DJ_SEGMENT_PAGE);
        return NULL;
    }
    return page;
}

void dj_recorder_load(void)
{
    dj_thread.first_seen_ns = dj_clock_ns();
    recorder.owner = map_fork_marker();
    dj_settings_load(&recorder.settings);
    if (recorder.owner == NULL || recorder.settings.dialect == NULL) {
        atomic_store(&recorder.state, OFF);
        return;
    }
    atomic_store(recorder.owner, OURS);
}

/* In a child the parent's segment is still mapped: it must not be written to. True once
 * the writer is this process's own. The acquire load's partner is the release store. */
static bool is_ours(void)
{
    uint32_t owner = atomic_load_explicit(recorder.owner, memory_order_acquire);
    if (owner == PARENT &&
        atomic_compare_exchange_strong(recorder.owner, &owner, CHANGING)) {
        dj_segment_abandon(&recorder.writer);
        atomic_store(&recorder.state, UNOPENED);
        atomic_store_explicit(recorder.owner, OURS, memory_order_release);
        return true;
    }
    return owner == OURS;
}

/* Hands the count over to the segment, once there is one. Both who counts and who opens
 * the segment calls this last, so that no count stays behind. */
static void report_missed(void)
{
    if (atomic_load(&recorder.state) == RECORDING && atomic_load(&recorder.missed) != 0) {
        uint64_t missed = atomic_exchange(&recorder.missed, 0);
        atomic_fetch_add(&recorder.writer.header->dropped, missed);
    }
}

static void open_segment(void)
{
    int unopened = UNOPENED;
    if (!atomic_compare_exchange_strong(&recorder.state, &unopened, OPENING)) {
        return;
    }
    struct dj_segment_place place;
    char name[DJ_SEGMENT_NAME];
    dj_settings_process_name(&recorder.settings, name, sizeof(name));
    struct dj_segment_options options = {
        .directory = place.path,
        .name = name,
        .program = recorder.settings.program,
        .dialect = recorder.settings.dialect,
        .keep = recorder.settings.keep,
        .interval_ns = recorder.settings.interval_ns,
        .interval_assumed = recorder.settings.interval_assumed,
        .profile = recorder.settings.profile,
        .run_ns = recorder.settings.run_ns,
        .now_ns = dj_clock_ns(),
    };
    bool opened = dj_segment_own_directory(&place, NULL) == 0 &&
                  dj_segment_create(&recorder.writer, &options, NULL) == 0;
    atomic_store(&recorder.state, opened ? RECORDING : OFF);
    report_missed();
}

static bool is_recording(void)
{
    int state = atomic_load_explicit(&recorder.state, memory_order_acquire);
    if (state == OFF) {
        return false;
    }
    if (is_ours()) {
        if (atomic_load_explicit(&recorder.state, memory_order_acquire) == UNOPENED) {
            open_segment();
        }
        if (atomic_load_explicit(&recorder.state, memory_order_acquire) == RECORDING) {
            return true;
        }
    }
    atomic_fetch_add(&recorder.missed, 1);
    if (is_ours()) {
        report_missed();
    }
    return false;
}

static struct dj_window_writer *window_of(enum dj_pipeline pipeline, uint64_t surface,
                                          uint64_t key, bool *fresh)
{
    struct dj_window_writer *window = dj_segment_find_window(&recorder.writer, key);
    *fresh = window == NULL;
    if (*fresh) {
        static const char *const kinds[] = {
            [DJ_PIPELINE_GLX] = "GLX drawable", [DJ_PIPELINE_EGL] = "EGL surface"};
        char title[DJ_SEGMENT_NAME];
        snprintf(title, sizeof(title), "%s 0x%" PRIx64, kinds[pipeline], surface);
        window = dj_segment_window(&recorder.writer, key, title);
        atomic_fetch_or(&recorder.writer.header->pipelines, 1U << pipeline);
    }
    return window;
}

static void fill_frame(struct dj_frame *frame, const struct dj_swap *swap,
                       int64_t waited_ns, int64_t return_ns, bool first)
{
    int64_t sync_ns = swap->entry_ns + waited_ns;
    dj_frame_set(frame, DJ_COLUMN_FLAGS, first ? DJ_FLAG_WINDOW_CHANGED : 0);
    dj_frame_set(frame, DJ_COLUMN_INTENDED_VSYNC, swap->start_ns);
    dj_frame_set(frame, DJ_COLUMN_VSYNC, swap->start_ns);
    dj_frame_set(frame, DJ_COLUMN_SYNC_QUEUED, swap->entry_ns);
    dj_frame_set(frame, DJ_COLUMN_SYNC_START, sync_ns);
    dj_frame_set(frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, sync_ns);
    dj_frame_set(frame, DJ_COLUMN_SWAP_BUFFERS, sync_ns);
    dj_frame_set(frame, DJ_COLUMN_FRAME_COMPLETED, return_ns);
    if (!recorder.settings.interval_assumed) {
        dj_frame_set(frame, DJ_COLUMN_FRAME_INTERVAL, recorder.settings.interval_ns);
    }
}

static void record(const struct dj_thread *thread, const struct dj_swap *swap,
                   enum dj_pipeline pipeline, uint64_t surface, int64_t return_ns)
{
    bool first;
    uint64_t key = (uint64_t)pipeline << 60 ^ surface;
    struct dj_window_writer *window = window_of(pipeline, surface, key, &first);
    if (window == NULL) {
        return;
    }
    /* Of a longer stall only one interval is a display that the app was early for; the
     * rest stays in the frame. */
    int64_t most_ns = recorder.settings.interval_ns;
    int64_t waited_ns =
        thread->swap_waited_ns < most_ns ? thread->swap_waited_ns : most_ns;
    struct dj_frame frame = {0};
    fill_frame(&frame, swap, waited_ns, return_ns, first);
    dj_segment_write(&recorder.writer, window, key, &frame);
}

void dj_recorder_swap_begins(struct dj_swap *swap)
{
    struct dj_thread *thread = &dj_thread;
    swap->outermost = thread->swap_depth++ == 0;
    if (!swap->outermost) {
        return;
    }
    swap->entry_ns = dj_clock_ns();
    if (thread->first_seen_ns == 0) {
        thread->first_seen_ns = swap->entry_ns;
    }
    thread->swap_waited_ns = 0;
    swap->start_ns = dj_waits_frame_start(&thread->waits, thread->first_seen_ns);
}

void dj_recorder_swap_ends(const struct dj_swap *swap, enum dj_pipeline pipeline,
                           uint64_t surface, bool presented)
{
    struct dj_thread *thread = &dj_thread;
    thread->swap_depth--;
    if (!swap->outermost || !presented) {
        return;
    }
    int64_t return_ns = dj_clock_ns();
    int saved_errno = errno;
    dj_waits_swap_waited(&thread->waits, thread->swap_waited_ns, swap->stack);
    dj_waits_frame_done(&thread->waits, return_ns);
    if (is_recording()) {
        record(thread, swap, pipeline, surface, return_ns);
    }
    errno = saved_errno;
}

/* The end of a wait that began at begin_ns. */
static int64_t wait_end(struct dj_thread *thread, int64_t begin_ns)
{
    if (thread->first_seen_ns == 0) {
        thread->first_seen_ns = begin_ns;
    }
    return dj_clock_ns();
}

/* What wakes a thread through a pipe is a byte, or a number as an eventfd takes it. */
enum { WAKE_UP_BYTES = 8 };

/* Descriptors as objects of the wake table. */
static const void *fd_object(int fd)
{
    static const int64_t objects[1024];
    size_t count = sizeof(objects) / sizeof(objects[0]);
    return fd >= 0 && (size_t)fd < count ? &objects[fd] : NULL;
}

/* A pipe's two ends have one inode. An odd number is no object's address. */
static const void *pipe_object(int fd)
{
    struct stat status;
    int saved_errno = errno;
    bool is_pipe = fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
    errno = saved_errno;
    return is_pipe ? (const void *)((uintptr_t)status.st_ino << 1 | 1) : NULL;
}

static void poll_ended(const void *object, int64_t begin_ns, int64_t end_ns,
                       uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    if (thread->swap_depth > 0) {
        thread->swap_waited_ns += end_ns - begin_ns;
    } else if (thread->reply_depth > 0) {
        return;
    } else if (thread->event_depth > 0) {
        dj_waits_event_came(&thread->waits, begin_ns, end_ns);
    } else if (object != NULL) {
        dj_waits_woken(&thread->waits, object, begin_ns, end_ns, stack);
    } else {
        dj_waits_returned(&thread->waits, begin_ns, end_ns, stack);
    }
}

void dj_recorder_polled(int64_t begin_ns, uintptr_t stack)
{
    poll_ended(NULL, begin_ns, wait_end(&dj_thread, begin_ns), stack);
}

void dj_recorder_polled_fd(int ready, bool alone, int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    int64_t end_ns = wait_end(thread, begin_ns);
    if (ready > 0 && ready == thread->event_fd && alone) {
        poll_ended(NULL, begin_ns, end_ns, thread->event_stack);
        return;
    }
    const void *object = fd_object(ready);
    bool concerns = object != NULL && dj_waits_concerns(&thread->waits, object, alone);
    /* A system call, so only after a wait that was one. */
    if (!concerns && alone && ready >= 0 && end_ns - begin_ns > DJ_LOOP_WAIT_NS) {
        object = pipe_object(ready);
        concerns = object != NULL && dj_waits_concerns(&thread->waits, object, alone);
    }
    poll_ended(concerns ? object : NULL, begin_ns, end_ns, stack);
}

void dj_recorder_wrote(int fd, size_t size)
{
    const void *object = fd_object(fd);
    const void *pipe = size <= WAKE_UP_BYTES ? pipe_object(fd) : NULL;
    int64_t now_ns = dj_clock_ns();
    if (object != NULL) {
        dj_waits_waking(&dj_thread.waits, object, now_ns);
    }
    if (pipe != NULL) {
        dj_waits_waking(&dj_thread.waits, pipe, now_ns);
    }
}

void dj_recorder_read(int fd, int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    struct stat status;
    if (thread->swap_depth > 0 || thread->reply_depth > 0 ||
        dj_clock_ns() - begin_ns <= DJ_LOOP_WAIT_NS) {
        return;
    }
    int saved_errno = errno;
    bool known = fstat(fd, &status) == 0;
    errno = saved_errno;
    if (known && !S_ISSOCK(status.st_mode) && !S_ISREG(status.st_mode) &&
        !S_ISBLK(status.st_mode)) {
        dj_recorder_polled_fd(fd, true, begin_ns, stack);
    }
}

void dj_recorder_slept(int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    int64_t end_ns = wait_end(thread, begin_ns);
    if (thread->swap_depth == 0 && thread->reply_depth == 0) {
        dj_waits_returned(&thread->waits, begin_ns, end_ns, stack);
    }
}

void dj_recorder_waking(const void *object)
{
    dj_waits_waking(&dj_thread.waits, object, dj_clock_ns());
}

void dj_recorder_woken(const void *object, int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    int64_t end_ns = wait_end(thread, begin_ns);
    if (thread->swap_depth == 0 && thread->reply_depth == 0) {
        dj_waits_woken(&thread->waits, object, begin_ns, end_ns, stack);
    }
}
