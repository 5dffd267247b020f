#include "segment/writer.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>

#include "segment/counts.h"
#include "segment/text_field.h"

static struct dj_segment_open_window *get_slot(const struct dj_segment_writer *writer,
                                               size_t slot)
{
    return (struct dj_segment_open_window *)((char *)writer->header +
                                             writer->header->header_bytes +
                                             slot * writer->header->window_bytes);
}

struct dj_window_writer *dj_segment_find_window(struct dj_segment_writer *writer,
                                                uint64_t key)
{
    uint32_t count = atomic_load_explicit(&writer->header->windows, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        struct dj_segment_open_window *shared = writer->window[i].shared;
        if (atomic_load_explicit(&shared->state, memory_order_acquire) ==
                DJ_WINDOW_OPEN &&
            atomic_load_explicit(&shared->key, memory_order_relaxed) == key) {
            return &writer->window[i];
        }
    }
    return NULL;
}

/* The sequence number is odd while the copy changes. The fence ensures that the odd
 * number is written before the data. The release store in end_copy() ensures that the
 * even number is written after the data. Both pair with the reader, which loads
 * `sequence` with acquire before and after it copies the data. */
static void begin_copy(struct dj_segment_stats_copy *copy)
{
    uint64_t sequence = atomic_load_explicit(&copy->sequence, memory_order_relaxed);
    atomic_store_explicit(&copy->sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

static void end_copy(struct dj_segment_stats_copy *copy)
{
    uint64_t sequence = atomic_load_explicit(&copy->sequence, memory_order_relaxed);
    atomic_store_explicit(&copy->sequence, sequence + 1, memory_order_release);
}

enum {
    /* A thread usually holds the lock for well under a microsecond, so trying often is
     * enough. */
    GUARD_ATTEMPTS = 200,
    /* If the thread that holds the lock was preempted, yielding lets it continue. */
    GUARD_YIELDS = 200,
    /* Wait for about one second, because another thread may be extending the file. */
    OPENING_YIELDS = 1000000
};

/* Locks the window. Returns false if another thread holds the lock for too long. The
 * frame is then dropped. */
static bool lock_window(const struct dj_window_writer *window)
{
    for (int i = 0; i < GUARD_ATTEMPTS + GUARD_YIELDS; i++) {
        if (atomic_exchange_explicit(&window->shared->busy, 1, memory_order_acquire) ==
            0) {
            return true;
        }
        if (i >= GUARD_ATTEMPTS && !window->sealed) {
            sched_yield();
        }
    }
    return false;
}

static void unlock_window(struct dj_segment_open_window *shared)
{
    atomic_store_explicit(&shared->busy, 0, memory_order_release);
}

/* Locks the window. Returns false if its slot was assigned to another window before the
 * lock was acquired. */
static bool lock_window_with_key(const struct dj_window_writer *window, uint64_t key)
{
    if (!lock_window(window)) {
        return false;
    }
    if (atomic_load_explicit(&window->shared->key, memory_order_relaxed) != key) {
        unlock_window(window->shared);
        return false;
    }
    return true;
}

/* Writes the new title to the copy that `renamed` does not select, so that the selected
 * copy is consistent at any time. Then increments `renamed`, which selects the new copy.
 * The fence ensures that the text is written after the previous store to `renamed`. The
 * release store ensures that the text is written before the new value of `renamed`. Both
 * pair with the reader, which loads `renamed` before and after it copies a title. The
 * caller holds the lock. */
static void write_title(struct dj_segment_open_window *shared, const char *title)
{
    uint32_t next = atomic_load_explicit(&shared->renamed, memory_order_relaxed) + 1;
    atomic_thread_fence(memory_order_release);
    dj_text_field_copy(shared->title[next % 2], DJ_SEGMENT_NAME, title);
    atomic_store_explicit(&shared->renamed, next, memory_order_release);
}

/* Assigns the slot to a window. The caller has locked the slot. */
static void assign_slot(struct dj_segment_writer *writer, struct dj_window_writer *window,
                        uint64_t key, const char *title)
{
    struct dj_segment_open_window *shared = window->shared;
    atomic_store_explicit(&shared->state, DJ_WINDOW_CHANGING, memory_order_release);
    atomic_store_explicit(&shared->key, key, memory_order_relaxed);
    atomic_store_explicit(&shared->interval_ns, writer->header->interval_ns,
                          memory_order_relaxed);
    atomic_store_explicit(&shared->interval_assumed, writer->header->interval_assumed,
                          memory_order_relaxed);
    atomic_store_explicit(&shared->visibility, DJ_VISIBLE, memory_order_relaxed);
    atomic_store_explicit(&shared->views, 0, memory_order_relaxed);
    atomic_store_explicit(&shared->first_index, shared->published, memory_order_relaxed);
    write_title(shared, title);
    for (size_t i = 0; i < 2; i++) {
        struct dj_stats total;
        dj_segment_unpack(&total, &shared->stats[i].total);
        begin_copy(&shared->stats[i]);
        dj_segment_pack(&shared->stats[i].opened, &total);
        end_copy(&shared->stats[i]);
    }
    dj_frame_tracker_init(&window->tracker, writer->dialect, writer->header->interval_ns);
    atomic_store_explicit(&shared->state, DJ_WINDOW_OPEN, memory_order_release);
}

static int reserve_slot(struct dj_segment_writer *writer, uint32_t slot)
{
    struct dj_segment_open_window *shared = get_slot(writer, slot);
    size_t bytes = writer->header->window_bytes;
    if (slot < writer->reserved) {
        return 0;
    }
    if (writer->sealed) {
        return EPERM;
    }
    int failure = dj_mapped_file_reserve(&writer->file, writer->path,
                                         (char *)shared - (char *)writer->header, bytes);
    if (failure == 0) {
        writer->reserved = slot + 1;
#ifdef MADV_POPULATE_WRITE
        /* Allocates the pages now, so that no page faults happen later. */
        madvise(shared, bytes, MADV_POPULATE_WRITE);
#endif
    }
    return failure;
}

/* Reserves disk space for the next window slot. If the file cannot grow, returns NULL
 * and limits the number of slots, so that existing slots are reused. */
static struct dj_window_writer *reserve_next_slot(struct dj_segment_writer *writer,
                                                  uint32_t slot)
{
    struct dj_segment_open_window *shared = get_slot(writer, slot);
    int failure = reserve_slot(writer, slot);
    if (failure != 0) {
        writer->slots = slot;
        if (slot == 0) {
            dj_segment_disable(
                writer, writer->sealed ? "the program enabled seccomp before its first "
                                         "window, and no window could be reserved"
                                       : dj_mapped_file_describe_errno(failure));
        }
        return NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        atomic_store(&shared->stats[i].total.since_ns, writer->header->created_ns);
    }
    writer->window[slot].shared = shared;
    return &writer->window[slot];
}

static struct dj_window_writer *find_least_recent_slot(struct dj_segment_writer *writer)
{
    struct dj_window_writer *oldest = writer->slots > 0 ? &writer->window[0] : NULL;
    for (size_t i = 1; i < writer->slots; i++) {
        if (writer->window[i].shared->last_ns < oldest->shared->last_ns) {
            oldest = &writer->window[i];
        }
    }
    return oldest;
}

static struct dj_window_writer *open_window(struct dj_segment_writer *writer,
                                            uint64_t key, const char *title)
{
    uint32_t count = atomic_load_explicit(&writer->header->windows, memory_order_acquire);
    struct dj_window_writer *window =
        count < writer->slots ? reserve_next_slot(writer, count) : NULL;
    bool fresh = window != NULL;
    window = fresh ? window : find_least_recent_slot(writer);
    if (window == NULL || !lock_window(window)) {
        return NULL;
    }
    assign_slot(writer, window, key, title);
    unlock_window(window->shared);
    if (fresh) {
        atomic_store_explicit(&writer->header->windows, count + 1, memory_order_release);
    }
    return window;
}

static void count_dropped(struct dj_segment_writer *writer)
{
    atomic_fetch_add_explicit(&writer->header->dropped, 1, memory_order_relaxed);
}

/* Acquires the lock for opening windows. Only the first frame of a window waits for this
 * lock. */
static bool lock_opening(struct dj_segment_writer *writer)
{
    for (int i = 0; i < OPENING_YIELDS; i++) {
        if (atomic_exchange_explicit(&writer->opening, 1, memory_order_acquire) == 0) {
            return true;
        }
        if (!writer->sealed) {
            sched_yield();
        }
    }
    return false;
}

void dj_segment_reserve(struct dj_segment_writer *writer, uint32_t windows)
{
    if (!lock_opening(writer)) {
        return;
    }
    uint32_t end = atomic_load(&writer->header->windows) + windows;
    int failure = 0;
    for (uint32_t i = writer->reserved; failure == 0 && i < end && i < writer->slots;
         i++) {
        failure = reserve_slot(writer, i);
    }
    atomic_store_explicit(&writer->opening, 0, memory_order_release);
}

void dj_segment_set_sealed(struct dj_segment_writer *writer, bool sealed)
{
    writer->sealed = sealed;
    for (size_t i = 0; i < DJ_SEGMENT_WINDOWS; i++) {
        writer->window[i].sealed = sealed;
    }
}

struct dj_window_writer *dj_segment_open_window(struct dj_segment_writer *writer,
                                                uint64_t key, const char *title)
{
    struct dj_window_writer *window = dj_segment_find_window(writer, key);
    if (window != NULL) {
        return window;
    }
    if (lock_opening(writer)) {
        window = dj_segment_find_window(writer, key);
        window = window != NULL ? window : open_window(writer, key, title);
        atomic_store_explicit(&writer->opening, 0, memory_order_release);
    }
    if (window == NULL) {
        count_dropped(writer);
    }
    return window;
}

/* The fence and the release store pair with the reader, which loads `published`, copies
 * the rows, and then loads `begun`. */
static void write_row(struct dj_segment_open_window *shared, uint32_t keep,
                      const struct dj_frame *frame)
{
    struct dj_segment_row *rows = (struct dj_segment_row *)(shared + 1);
    uint64_t index = atomic_load_explicit(&shared->published, memory_order_relaxed);
    struct dj_segment_row *row = &rows[index % keep];
    atomic_store_explicit(&shared->begun, index + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&row->known, frame->known, memory_order_relaxed);
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        atomic_store_explicit(&row->value[i], frame->value[i], memory_order_relaxed);
    }
    atomic_store_explicit(&shared->published, index + 1, memory_order_release);
}

/* Increments a counter with a plain load and store, which is faster than an atomic
 * increment. The window's lock allows only one writer at a time. */
static void increment(_Atomic uint32_t *word)
{
    uint32_t value = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, value + 1, memory_order_relaxed);
}

static void add_counters(struct dj_segment_stats *stats, uint32_t counters)
{
    for (uint32_t rest = counters; rest != 0; rest &= rest - 1) {
        increment(&stats->counter[__builtin_ctz(rest)]);
    }
}

static void add_verdict(struct dj_segment_stats *stats, const struct dj_verdict *verdict)
{
    add_counters(stats, verdict->counters);
    add_counters(stats, verdict->counters_again);
    if (verdict->frame_bucket != DJ_NO_BUCKET) {
        increment(&stats->frame_histogram[verdict->frame_bucket]);
    }
    if (verdict->gpu_bucket != DJ_NO_BUCKET) {
        increment(&stats->gpu_histogram[verdict->gpu_bucket]);
    }
}

static void add_to_sums(struct dj_segment_open_window *shared,
                        const struct dj_verdict *verdict)
{
    for (size_t i = 0; i < 2; i++) {
        begin_copy(&shared->stats[i]);
        add_verdict(&shared->stats[i].total, verdict);
        end_copy(&shared->stats[i]);
    }
}

/* Judges the frame, and publishes the row and the statistics. The caller has locked the
 * window. */
static bool count_frame(struct dj_segment_writer *writer, struct dj_window_writer *window,
                        const struct dj_frame *frame)
{
    struct dj_verdict verdict;
    if (!dj_frame_tracker_count(&window->tracker, frame, &verdict)) {
        return false;
    }
    struct dj_frame moved = *frame;
    if (verdict.deadline_moved) {
        moved.value[DJ_COLUMN_FRAME_DEADLINE] = verdict.deadline_ns;
    }
    write_row(window->shared, writer->header->keep, &moved);
    add_to_sums(window->shared, &verdict);
    atomic_store_explicit(&window->shared->last_ns, dj_frame_get_end(frame, 0),
                          memory_order_relaxed);
    return true;
}

bool dj_segment_write_frame(struct dj_segment_writer *writer,
                            struct dj_window_writer *window, uint64_t key,
                            const struct dj_frame *frame, uint64_t *index)
{
    struct dj_segment_open_window *shared = window->shared;
    bool counted = false;
    if (lock_window_with_key(window, key)) {
        if (index != NULL) {
            *index = atomic_load_explicit(&shared->published, memory_order_relaxed);
        }
        counted = count_frame(writer, window, frame);
        unlock_window(shared);
    }
    if (!counted) {
        count_dropped(writer);
    }
    return counted;
}

/* Returns the row with this index, or NULL if it is no longer in the ring buffer. */
static struct dj_segment_row *find_row(struct dj_segment_open_window *shared,
                                       uint32_t keep, uint64_t index)
{
    uint64_t published = atomic_load_explicit(&shared->published, memory_order_relaxed);
    uint64_t first = atomic_load_explicit(&shared->first_index, memory_order_relaxed);
    struct dj_segment_row *rows = (struct dj_segment_row *)(shared + 1);
    bool is_in_ring = index >= first && index < published && published - index <= keep;
    return is_in_ring ? &rows[index % keep] : NULL;
}

/* Sets a value of a row. Writes the value before its bit in `known`, so that a
 * concurrent reader does not read a missing value. */
static bool amend_row(struct dj_segment_row *row, enum dj_column column, int64_t value)
{
    uint64_t known = atomic_load_explicit(&row->known, memory_order_relaxed);
    if ((known & DJ_COLUMN_BIT(column)) != 0) {
        return false;
    }
    atomic_store_explicit(&row->value[column], value, memory_order_relaxed);
    atomic_store_explicit(&row->known, known | DJ_COLUMN_BIT(column),
                          memory_order_release);
    return true;
}

static void count_gpu(struct dj_window_writer *window, struct dj_segment_row *row)
{
    struct dj_frame frame = {.known = atomic_load(&row->known)};
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        frame.value[i] = atomic_load_explicit(&row->value[i], memory_order_relaxed);
    }
    const struct dj_verdict verdict = {
        .frame_bucket = DJ_NO_BUCKET,
        .gpu_bucket = dj_frame_tracker_gpu_bucket(&window->tracker, &frame),
    };
    add_to_sums(window->shared, &verdict);
}

bool dj_segment_amend_frame(struct dj_segment_writer *writer,
                            struct dj_window_writer *window, uint64_t key, uint64_t index,
                            enum dj_column column, int64_t value)
{
    bool amended = false;
    if (lock_window_with_key(window, key)) {
        struct dj_segment_row *row =
            find_row(window->shared, writer->header->keep, index);
        amended = row != NULL && amend_row(row, column, value);
        if (amended && column == DJ_COLUMN_GPU_COMPLETED) {
            count_gpu(window, row);
        }
        unlock_window(window->shared);
    }
    return amended;
}

bool dj_segment_set_title(struct dj_window_writer *window, uint64_t key,
                          const char *title)
{
    if (!lock_window_with_key(window, key)) {
        return false;
    }
    write_title(window->shared, title);
    unlock_window(window->shared);
    return true;
}

bool dj_segment_set_interval(struct dj_window_writer *window, uint64_t key,
                             int64_t interval_ns)
{
    if (interval_ns <= 0 || !lock_window_with_key(window, key)) {
        return false;
    }
    window->tracker.interval_ns = interval_ns;
    atomic_store_explicit(&window->shared->interval_ns, interval_ns,
                          memory_order_relaxed);
    atomic_store_explicit(&window->shared->interval_assumed, 0, memory_order_relaxed);
    unlock_window(window->shared);
    return true;
}

static bool set_word(struct dj_window_writer *window, uint64_t key,
                     _Atomic uint32_t *word, uint32_t value)
{
    if (!lock_window_with_key(window, key)) {
        return false;
    }
    atomic_store_explicit(word, value, memory_order_relaxed);
    unlock_window(window->shared);
    return true;
}

bool dj_segment_set_visibility(struct dj_window_writer *window, uint64_t key,
                               enum dj_visibility visibility)
{
    return set_word(window, key, &window->shared->visibility, visibility);
}

bool dj_segment_set_views(struct dj_window_writer *window, uint64_t key, uint32_t views)
{
    return set_word(window, key, &window->shared->views, views);
}

void dj_segment_disable(struct dj_segment_writer *writer, const char *reason)
{
    struct dj_segment_header *header = writer->header;
    if (header != NULL && atomic_load(&header->disabled) == 0) {
        dj_text_field_copy(header->disabled_reason, sizeof(header->disabled_reason),
                           reason);
        atomic_store_explicit(&header->disabled, 1, memory_order_release);
    }
}
