#include "recorder/recorder.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "recorder/life.h"
#include "recorder/thread.h"
#include "segment/directory.h"

_Thread_local struct dj_thread dj_thread DJ_STATIC_TLS;

/* The segment's life in this process. */
enum state {
    UNOPENED, /* no frame yet, or a fork()ed child before its first */
    OPENING,  /* one thread creates the file; others wait, for OPENING_NS at most */
    RECORDING,
    OFF /* it could not be created; the app runs on unrecorded */
};

static const int64_t OPENING_NS = 50000000;

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
    bool blind;              /* nobody stands before the app's waits */
} recorder;

_Atomic uint32_t *dj_fork_words;

int64_t dj_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t wall_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
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
    dj_settings_load(&recorder.settings);
    dj_fork_words = map_fork_marker();
    if (dj_fork_words == NULL || recorder.settings.dialect == NULL) {
        atomic_store(&recorder.state, OFF);
        return;
    }
    atomic_store(&dj_fork_words[DJ_FORK_OWNER], OURS);
}

void dj_recorder_load_blind(void)
{
    recorder.blind = true;
    dj_recorder_load();
}

bool dj_recorder_is_blind(void)
{
    return recorder.blind;
}

/* In a child the parent's segment is still mapped: it must not be written to. True once
 * the writer is this process's own. The acquire load's partner is the release store. */
static bool is_ours(void)
{
    if (dj_fork_words == NULL) { /* called before dj_recorder_load() */
        return false;
    }
    _Atomic uint32_t *word = &dj_fork_words[DJ_FORK_OWNER];
    uint32_t owner = atomic_load_explicit(word, memory_order_acquire);
    if (owner == PARENT && atomic_compare_exchange_strong(word, &owner, CHANGING)) {
        dj_segment_abandon(&recorder.writer);
        atomic_store(&recorder.state, UNOPENED);
        atomic_store_explicit(word, OURS, memory_order_release);
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
        .wall_ns = wall_clock_ns(),
        .app_version = recorder.settings.app_version,
    };
    bool opened = dj_segment_own_directory(&place, NULL) == 0;
    if (opened && recorder.settings.run_ns == 0) {
        dj_segment_prune(&place); /* as dejank record does, which did not start us */
    }
    opened = opened && dj_segment_create(&recorder.writer, &options, NULL) == 0;
    atomic_store(&recorder.state, opened ? RECORDING : OFF);
    report_missed();
}

/* The state, once a segment that another thread is just making stands; that takes a
 * moment once in a process's life, in which no frame shall be lost. */
static int settled_state(void)
{
    int state = atomic_load_explicit(&recorder.state, memory_order_acquire);
    int64_t give_up_ns = state == OPENING ? dj_clock_ns() + OPENING_NS : 0;
    while (state == OPENING && dj_clock_ns() < give_up_ns) {
        sched_yield();
        state = atomic_load_explicit(&recorder.state, memory_order_acquire);
    }
    return state;
}

struct dj_segment_writer *dj_recorder_writer(void)
{
    if (atomic_load_explicit(&recorder.state, memory_order_acquire) == OFF ||
        !is_ours()) {
        return NULL;
    }
    if (atomic_load_explicit(&recorder.state, memory_order_acquire) == UNOPENED) {
        open_segment();
    }
    return settled_state() == RECORDING ? &recorder.writer : NULL;
}

void dj_recorder_missed(void)
{
    if (atomic_load_explicit(&recorder.state, memory_order_acquire) != OFF) {
        atomic_fetch_add(&recorder.missed, 1);
        if (is_ours()) {
            report_missed();
        }
    }
}

const struct dj_settings *dj_recorder_settings(void)
{
    return &recorder.settings;
}
