#include "recorder/sections.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "recorder/process_segment.h"
#include "recorder/thread.h"
#include "recorder/ticks.h"
#include "recorder/trace_marker.h"
#include "segment/sections_writer.h"

/* The calling thread's ring. It is in static TLS, so that an access never allocates
 * memory. */
struct section_thread {
    uint32_t generation; /* Generation of the file that contains the ring, or 0 if the
                          * thread has no ring. */
    uint32_t refused;    /* Generation of the file that had no free ring for this
                          * thread. */
    uint32_t tid;
    /* 1 while the thread writes an event. If a signal handler interrupts the thread
     * during this time, events of the handler are dropped. */
    volatile uint32_t busy;
    struct dj_section_ring *ring;
    uint64_t mask;
    struct dj_ticks ticks;
};

static _Thread_local struct section_thread section_thread DJ_STATIC_TLS;

/* The state of the sections file in this process, stored in the word
 * DJ_FORK_SECTIONS_STATE. A forked child starts in CLOSED, because the word is zeroed. */
enum state { CLOSED, OPENING, OPEN, OFF };

static struct {
    struct dj_sections_writer writer;
    uint32_t generation; /* Generation of the last file that was opened. It differs
                          * in every child. */
    /* Number of events that were dropped while there was no file to count them. */
    _Atomic uint64_t missed;
    /* The destructor of this key releases the ring when a thread ends. */
    pthread_key_t key;
    bool has_key;
    _Atomic bool mirrored;
} sections;

bool dj_recorder_wants_sections(void)
{
    return dj_recorder_get_settings()->sections_keep != 0;
}

static void count_dropped(void)
{
    _Atomic uint32_t *words = dj_fork_words;
    if (words != NULL && atomic_load_explicit(&words[DJ_FORK_SECTIONS_GENERATION],
                                              memory_order_acquire) != 0) {
        dj_segment_sections_count_dropped(&sections.writer);
    } else {
        atomic_fetch_add(&sections.missed, 1);
    }
}

/* Releases the ring of a thread that ends, so that another thread can use the ring. */
static void end_thread(void *ring)
{
    /* In a forked child, the argument is the parent's ring, so it is not used. The
     * thread's own data is correct. */
    (void)ring;
    struct section_thread *thread = &section_thread;
    if (thread->generation != 0 &&
        thread->generation == atomic_load(&dj_fork_words[DJ_FORK_SECTIONS_GENERATION])) {
        dj_segment_ring_release(thread->ring, dj_recorder_clock_ns());
    }
    thread->generation = 0;
}

static bool create_file(const struct dj_segment_writer *segment)
{
    const struct dj_settings *settings = dj_recorder_get_settings();
    const struct dj_sections_options options = {
        .segment = segment->path,
        .name = segment->header->name,
        .program = settings->program,
        .keep = settings->sections_keep != 0 ? settings->sections_keep : DJ_SECTIONS_KEEP,
        .now_ns = dj_recorder_clock_ns(),
    };
    dj_segment_sections_unmap(&sections.writer); /* In a forked child the old file is
                                                  * the parent's. */
    if (dj_segment_sections_create(&sections.writer, &options, NULL) != 0) {
        return false;
    }
    if (!sections.has_key) {
        sections.has_key = pthread_key_create(&sections.key, end_thread) == 0;
    }
    dj_ticks_load();
    if (settings->trace_marker[0] != '\0') {
        dj_trace_marker_open(settings->trace_marker);
        atomic_store(&sections.mirrored, true);
    }
    return true;
}

/* Creates the sections file of this process. Events of other threads are dropped while
 * one thread creates the file. */
static void open_file(_Atomic uint32_t *words)
{
    uint32_t closed = CLOSED;
    if (!atomic_compare_exchange_strong(&words[DJ_FORK_SECTIONS_STATE], &closed,
                                        OPENING)) {
        return;
    }
    const struct dj_segment_writer *segment = dj_recorder_get_writer();
    if (segment == NULL) { /* Another thread is creating the segment, or creating it
                            * failed. */
        atomic_store(&words[DJ_FORK_SECTIONS_STATE], CLOSED);
        return;
    }
    if (!create_file(segment)) {
        atomic_store(&words[DJ_FORK_SECTIONS_STATE], OFF);
        return;
    }
    atomic_store_explicit(&words[DJ_FORK_SECTIONS_GENERATION], ++sections.generation,
                          memory_order_release);
    /* Adds the count last, so that it includes events that a signal handler dropped while
     * this thread created the file. */
    atomic_fetch_add(&sections.writer.header->dropped,
                     atomic_exchange(&sections.missed, 0));
    atomic_store(&words[DJ_FORK_SECTIONS_STATE], OPEN);
}

static void acquire_ring(struct section_thread *thread, uint32_t generation)
{
    char name[DJ_SECTIONS_THREAD_NAME] = "";
    prctl(PR_GET_NAME, name);
    thread->tid = (uint32_t)gettid();
    thread->ring = dj_segment_ring_acquire(&sections.writer, thread->tid, name,
                                           dj_ticks_ns(&thread->ticks));
    if (thread->ring == NULL) {
        /* Do not try again for this file, because an attempt for each event would take
         * too long. */
        thread->refused = generation;
        return;
    }
    thread->mask = sections.writer.keep - 1;
    thread->generation = generation;
    if (sections.has_key) {
        pthread_setspecific(sections.key, thread->ring);
    }
}

/* Finds a ring for a thread that has no ring in the open file yet. This is the thread's
 * first event, or its first event in a forked child. Returns false if no ring is
 * available. */
static __attribute__((noinline)) bool attach_ring(struct section_thread *thread)
{
    int saved_errno = errno;
    _Atomic uint32_t *words = dj_fork_words;
    if (words != NULL && atomic_load(&words[DJ_FORK_SECTIONS_STATE]) == CLOSED &&
        !dj_recorder_is_sealed()) {
        open_file(words);
    }
    uint32_t generation = words != NULL
                              ? atomic_load_explicit(&words[DJ_FORK_SECTIONS_GENERATION],
                                                     memory_order_acquire)
                              : 0;
    thread->generation = 0;
    if (generation != 0 && thread->refused != generation && !dj_recorder_is_sealed()) {
        acquire_ring(thread, generation);
    }
    errno = saved_errno;
    return thread->generation != 0;
}

/* The acquire load pairs with the release store in open_file(). */
static inline bool is_attached(const struct section_thread *thread)
{
    const _Atomic uint32_t *words = dj_fork_words;
    return thread->generation != 0 &&
           thread->generation == atomic_load_explicit(&words[DJ_FORK_SECTIONS_GENERATION],
                                                      memory_order_acquire);
}

void dj_recorder_prepare_sections(void)
{
    struct section_thread *thread = &section_thread;
    if (dj_recorder_wants_sections() && dj_fork_words != NULL && thread->busy == 0 &&
        !is_attached(thread)) {
        attach_ring(thread);
    }
}

void dj_recorder_write_section(enum dj_section_kind kind, const char *name, size_t length,
                               int64_t value)
{
    struct section_thread *thread = &section_thread;
    const struct dj_section_data note = {
        kind, name, length < DJ_SECTIONS_NAME ? length : DJ_SECTIONS_NAME, value};
    if (kind < DJ_SECTION_BEGIN || kind > DJ_SECTION_COUNTER) {
        return;
    }
    if (thread->busy != 0 || dj_recorder_has_no_clock()) {
        count_dropped();
        return;
    }
    thread->busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
    if (is_attached(thread) || attach_ring(thread)) {
        dj_segment_ring_write(thread->ring, thread->mask, thread->tid,
                              dj_ticks_ns(&thread->ticks), &note);
        if (atomic_load_explicit(&sections.mirrored, memory_order_relaxed) &&
            !dj_recorder_is_sealed()) {
            dj_trace_marker_write(&note);
        }
    } else {
        count_dropped();
    }
    atomic_signal_fence(memory_order_seq_cst);
    thread->busy = 0;
}
