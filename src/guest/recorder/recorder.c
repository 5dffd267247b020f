#include "recorder/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "recorder/descriptors.h"
#include "recorder/process_segment.h"
#include "recorder/thread.h"
#include "recorder/ticks.h"
#include "segment/directory.h"

_Thread_local struct dj_recorder_thread dj_recorder_thread DJ_STATIC_TLS;

/* The state of the segment in this process. */
enum state {
    UNOPENED, /* There was no frame yet. A forked child starts in this state. */
    OPENING,  /* One thread creates the file. Other threads wait for at most
               * OPENING_NS. */
    PREPARED, /* The file exists but stays hidden until the first frame. */
    RECORDING,
    OFF /* The file could not be created. The app runs without being recorded. */
};

static const int64_t OPENING_NS = 1000000000; /* On a busy disk, creating the file
                                               * takes tens of milliseconds. */

enum owner {
    /* This process is a forked child, no hook saw the fork, and the writer still belongs
     * to the parent. */
    PARENT,
    /* This process is a forked child, a hook saw the fork, and recorder.pid is the
     * child's own process id. */
    CHILD,
    /* After a fork, one thread of the child process releases the writer that belongs
     * to the parent process. Frames of other threads are dropped until then. */
    CHANGING,
    OURS
};

static struct {
    struct dj_settings settings;
    struct dj_segment_writer writer;
    _Atomic int state;
    /* Number of frames that were dropped while there was no segment to count them. */
    _Atomic uint64_t missed;
    bool is_without_hooks; /* True if no hooks see the app's waits. */
    _Atomic pid_t pid;     /* Process id of the process that recorded this state. */
    atomic_bool sealed;
    atomic_bool has_no_clock;
    bool clock_needs_call;          /* True if reading the clock was a system call when
                                     * the program started. */
    const char *is_single_threaded; /* Flag of the C library, or NULL if it has none. */
    atomic_bool may_not_look_up;    /* True if dj_recorder_may_look_up() returns false. */
} recorder;

/* Number of windows that can be recorded if an app opens them after it has confined
 * itself. */
enum { SEALED_WINDOWS = 2 };

_Atomic uint32_t *dj_fork_words;

bool dj_recorder_has_no_clock(void)
{
    return dj_recorder_thread.has_no_clock ||
           atomic_load_explicit(&recorder.has_no_clock, memory_order_relaxed);
}

static inline int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    if (dj_recorder_has_no_clock()) {
        return 0;
    }
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t dj_recorder_clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static int64_t read_wall_clock_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

static _Atomic uint32_t *map_fork_marker(void)
{
    void *page = mmap(NULL, DJ_SEGMENT_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return NULL;
    }
    /* If the kernel refuses the flag, or an emulator ignores it,
     * dj_recorder_note_fork() zeroes the page. */
    madvise(page, DJ_SEGMENT_PAGE, MADV_WIPEONFORK);
    return page;
}

bool dj_recorder_is_sealed(void)
{
    return atomic_load_explicit(&recorder.sealed, memory_order_relaxed);
}

static bool has_several_threads(void)
{
    return recorder.is_single_threaded == NULL || *recorder.is_single_threaded == 0;
}

void dj_recorder_note_fork(void)
{
    for (size_t i = 0; dj_fork_words != NULL && i < DJ_FORK_WORDS; i++) {
        atomic_store(&dj_fork_words[i], 0);
    }
    /* In a forked child, the flag still describes the parent process, because the C
     * library does not reset it. */
    if (has_several_threads()) {
        atomic_store(&recorder.may_not_look_up, true);
    }
    if (dj_fork_words != NULL && !dj_recorder_is_sealed()) {
        atomic_store(&recorder.pid, getpid());
        atomic_store(&dj_fork_words[DJ_FORK_OWNER], CHILD);
    }
}

void dj_recorder_load(void)
{
    dj_recorder_thread.first_seen_ns = dj_recorder_clock_ns();
    dj_settings_load(&recorder.settings);
    atomic_store(&recorder.pid, getpid());
    recorder.clock_needs_call = dj_ticks_clock_needs_call(true);
    dj_descriptors_load();
    dj_fork_words = map_fork_marker();
    if (dj_fork_words == NULL || recorder.settings.dialect == NULL) {
        atomic_store(&recorder.state, OFF);
        return;
    }
    atomic_store(&dj_fork_words[DJ_FORK_OWNER], OURS);
    pthread_atfork(NULL, NULL, dj_recorder_note_fork);
}

void dj_recorder_load_without_hooks(void)
{
    recorder.is_without_hooks = true;
    dj_recorder_load();
}

bool dj_recorder_is_without_hooks(void)
{
    return recorder.is_without_hooks;
}

/* Returns true if the writer belongs to this process. A forked child still maps its
 * parent's segment and must not write to it, so the first call in a child releases the
 * parent's writer. The acquire load of the owner pairs with the release store. */
static bool is_ours(void)
{
    if (dj_fork_words == NULL) { /* dj_recorder_load() was not called yet. */
        return false;
    }
    _Atomic uint32_t *word = &dj_fork_words[DJ_FORK_OWNER];
    uint32_t owner = atomic_load_explicit(word, memory_order_acquire);
    bool is_child = owner == PARENT || owner == CHILD, was_seen = owner == CHILD;
    if (is_child && atomic_compare_exchange_strong(word, &owner, CHANGING)) {
        /* The segment stays mapped, because unmapping would be a system call. */
        if (dj_recorder_is_sealed()) {
            recorder.writer = (struct dj_segment_writer){0};
        } else {
            dj_segment_unmap(&recorder.writer);
        }
        if (!was_seen && !dj_recorder_is_sealed()) {
            atomic_store(&recorder.may_not_look_up, true);
            atomic_store(&recorder.pid, getpid());
        }
        atomic_store(&recorder.state, UNOPENED);
        atomic_store_explicit(word, OURS, memory_order_release);
        return true;
    }
    return owner == OURS;
}

/* If the segment exists, adds the number of missed frames to it. A thread calls this
 * after it has counted a missed frame, and also after it has opened the segment. So every
 * missed frame is reported, whichever of the two is later. */
static void report_missed(void)
{
    if (atomic_load(&recorder.state) == RECORDING && atomic_load(&recorder.missed) != 0) {
        uint64_t missed = atomic_exchange(&recorder.missed, 0);
        atomic_fetch_add(&recorder.writer.header->dropped, missed);
    }
}

static void open_segment(enum state next)
{
    int unopened = UNOPENED;
    if (!atomic_compare_exchange_strong(&recorder.state, &unopened, OPENING)) {
        return;
    }
    atomic_store(&recorder.pid, getpid());
    struct dj_segment_directory place;
    char name[DJ_SEGMENT_NAME];
    dj_settings_format_process_name(&recorder.settings, name, sizeof(name));
    struct dj_segment_options options = {
        .directory = place.path,
        .name = name,
        .program = recorder.settings.program,
        .dialect = recorder.settings.dialect,
        .keep = recorder.settings.keep,
        .interval_ns = recorder.settings.interval_ns,
        .interval_assumed = recorder.settings.interval_assumed,
        .profile = recorder.settings.profile,
        .retention = recorder.settings.retention,
        .run_ns = recorder.settings.run_ns,
        .hidden = next == PREPARED,
        .now_ns = dj_recorder_clock_ns(),
        .wall_ns = read_wall_clock_ns(),
        .app_version = recorder.settings.app_version,
    };
    bool opened = dj_segment_ensure_directory(&place, NULL) == 0;
    if (opened && recorder.settings.run_ns == 0) {
        dj_segment_prune(&place); /* `dejank record` prunes the directory too, but it
                                   * did not start this process. */
    }
    opened = opened && dj_segment_create(&recorder.writer, &options, NULL) == 0;
    atomic_store(&recorder.state, opened ? next : OFF);
    report_missed();
}

static void publish_segment(void)
{
    int prepared = PREPARED;
    if (atomic_compare_exchange_strong(&recorder.state, &prepared, OPENING)) {
        if (!dj_recorder_has_no_clock()) {
            dj_segment_restart(&recorder.writer, dj_recorder_clock_ns(),
                               read_wall_clock_ns());
        }
        dj_segment_publish(&recorder.writer);
        atomic_store(&recorder.state, RECORDING);
        report_missed();
    }
}

/* Returns the state of the segment. Waits while another thread creates the segment, so
 * that no frame is lost during this time. This happens once in the life of a process. */
static int wait_for_state(void)
{
    int state = atomic_load_explicit(&recorder.state, memory_order_acquire);
    int64_t give_up_ns = state == OPENING ? dj_recorder_clock_ns() + OPENING_NS : 0;
    while (state == OPENING && !dj_recorder_has_no_clock() &&
           dj_recorder_clock_ns() < give_up_ns) {
        if (!dj_recorder_is_sealed()) {
            sched_yield();
        }
        state = atomic_load_explicit(&recorder.state, memory_order_acquire);
    }
    return state;
}

struct dj_segment_writer *dj_recorder_get_writer(void)
{
    if (atomic_load_explicit(&recorder.state, memory_order_acquire) == OFF ||
        !is_ours()) {
        return NULL;
    }
    int state = atomic_load_explicit(&recorder.state, memory_order_acquire);
    if (state == UNOPENED && !dj_recorder_is_sealed()) {
        open_segment(RECORDING);
    } else if (state == PREPARED) {
        publish_segment();
    }
    if (wait_for_state() != RECORDING) {
        return NULL;
    }
    if (dj_recorder_has_no_clock()) {
        dj_segment_disable(
            &recorder.writer,
            dj_recorder_is_sealed()
                ? "the program confined itself (seccomp), and reading the "
                  "clock would be a system call"
                : "the program gave up the time-stamp counter (PR_SET_TSC),"
                  " from which the clock is read");
        return NULL;
    }
    return &recorder.writer;
}

void dj_recorder_count_missed(void)
{
    if (atomic_load_explicit(&recorder.state, memory_order_acquire) != OFF) {
        atomic_fetch_add(&recorder.missed, 1);
        if (is_ours()) {
            report_missed();
        }
    }
}

/* A vfork() child runs in its parent's memory until it calls exec, but getpid()
 * returns the child's own id. Such a child must not change the state, because the
 * state belongs to its parent. */
bool dj_recorder_may_prepare(void)
{
    return !dj_recorder_is_sealed() && is_ours() &&
           atomic_load(&recorder.pid) == getpid();
}

static bool is_borrowed(void)
{
    return !dj_recorder_is_sealed() && is_ours() &&
           atomic_load(&recorder.pid) != getpid();
}

void dj_recorder_set_thread_flag(const char *is_single_threaded)
{
    recorder.is_single_threaded = is_single_threaded;
}

bool dj_recorder_may_look_up(void)
{
    return !atomic_load(&recorder.may_not_look_up);
}

static void prepare_segment(void)
{
    if (atomic_load(&recorder.state) == UNOPENED) {
        open_segment(PREPARED);
    }
    int state = wait_for_state();
    if (state == PREPARED || state == RECORDING) {
        dj_segment_reserve(&recorder.writer, SEALED_WINDOWS);
    }
}

static void set_sealed(bool sealed)
{
    atomic_store(&recorder.sealed, sealed);
    dj_segment_set_sealed(&recorder.writer, sealed);
}

static void confine_clock(enum dj_confinement kind)
{
    if (kind == DJ_CONFINED_TICKS) {
        atomic_store(&recorder.has_no_clock, true);
    }
    dj_recorder_thread.has_no_clock |= kind == DJ_CONFINED_STRICT;
}

void dj_recorder_confine(enum dj_confinement kind, struct dj_confined *before)
{
    int saved_errno = errno;
    *before =
        (struct dj_confined){.sealed = dj_recorder_is_sealed(),
                             .has_no_clock = atomic_load(&recorder.has_no_clock),
                             .thread_has_no_clock = dj_recorder_thread.has_no_clock};
    bool may_prepare = dj_recorder_may_prepare();
    if (may_prepare) {
        prepare_segment();
    }
    if (may_prepare && (kind == DJ_CONFINED_CALLS || kind == DJ_CONFINED_STRICT)) {
        atomic_store(&recorder.has_no_clock,
                     dj_ticks_clock_needs_call(recorder.clock_needs_call));
        set_sealed(true);
    }
    if (!is_borrowed()) {
        confine_clock(kind);
    }
    errno = saved_errno;
}

void dj_recorder_undo_confine(const struct dj_confined *before)
{
    if (!before->sealed && dj_recorder_is_sealed()) {
        set_sealed(false);
    }
    atomic_store(&recorder.has_no_clock, before->has_no_clock);
    dj_recorder_thread.has_no_clock = before->thread_has_no_clock;
}

const struct dj_settings *dj_recorder_get_settings(void)
{
    return &recorder.settings;
}
