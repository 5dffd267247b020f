#include "segment/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/counts.h"
#include "segment/directory.h"

static void copy_name(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
}

/* Reserves the bytes in the file, so that a full disk is an error now and never a SIGBUS
 * later. */
static int reserve(int fd, off_t offset, size_t bytes)
{
    if (fallocate(fd, 0, offset, (off_t)bytes) == 0) {
        return 0;
    }
    return errno == EOPNOTSUPP ? posix_fallocate(fd, offset, (off_t)bytes) : errno;
}

static void fill_header(struct dj_segment_header *header,
                        const struct dj_segment_options *options)
{
    header->byte_order = DJ_SEGMENT_BYTE_ORDER;
    header->version = DJ_SEGMENT_VERSION;
    header->header_bytes = DJ_SEGMENT_PAGE;
    header->window_bytes = (uint32_t)dj_segment_window_bytes(options->keep);
    header->window_slots = DJ_SEGMENT_WINDOWS;
    header->keep = options->keep;
    header->column_count = DJ_SEGMENT_COLUMNS;
    header->counter_count = DJ_COUNTER_COUNT;
    header->frame_buckets = DJ_FRAME_BUCKETS;
    header->gpu_buckets = DJ_GPU_BUCKETS;
    header->pid = getpid();
    header->start_ticks = dj_process_start_ticks(header->pid);
    dj_boot_id(header->boot_id);
    header->created_ns = options->now_ns;
    header->run_ns = options->run_ns != 0 ? options->run_ns : options->now_ns;
    header->interval_ns = options->interval_ns;
    header->interval_assumed = options->interval_assumed;
    copy_name(header->release, sizeof(header->release), options->dialect->name);
    copy_name(header->name, sizeof(header->name), options->name);
    copy_name(header->program, sizeof(header->program), options->program);
    atomic_store(&header->profile, options->profile);
    /* The magic last: until it stands, readers take the file for unfinished. */
    atomic_thread_fence(memory_order_release);
    memcpy(header->magic, DJ_SEGMENT_MAGIC, sizeof(header->magic));
}

/* A program that replaced itself by exec() keeps pid and start time: its new image starts
 * a new file beside those there are, and the path is that file's. */
static int open_new(const char *directory, char *path, size_t size)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    uint64_t start_ticks = dj_process_start_ticks(getpid());
    int fd = -1;
    errno = EEXIST;
    for (unsigned image = 0; fd < 0 && errno == EEXIST && image < DJ_SEGMENT_IMAGES;
         image++) {
        char name[DJ_SEGMENT_FILE_NAME];
        dj_segment_file_name(name, getpid(), start_ticks, image);
        snprintf(path, size, "%s/%s", directory, name);
        fd = open(path, flags, 0600);
    }
    if (fd < 0 && errno == EEXIST && unlink(path) == 0) {
        fd = open(path, flags, 0600);
    }
    return fd;
}

/* Beyond the process's own limit a longer file would be a SIGXFSZ in the app. */
static bool exceeds_file_limit(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           bytes > limit.rlim_cur;
}

static int map_file(struct dj_segment_writer *writer, int fd, size_t bytes)
{
    struct stat status;
    if (exceeds_file_limit(bytes)) {
        return EFBIG;
    }
    if (ftruncate(fd, (off_t)bytes) != 0 || fstat(fd, &status) != 0) {
        return errno;
    }
    int failure = reserve(fd, 0, DJ_SEGMENT_PAGE);
    if (failure != 0) {
        return failure;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        return errno;
    }
    writer->header = memory;
    writer->mapped_bytes = bytes;
    writer->device = status.st_dev;
    writer->inode = status.st_ino;
    return 0;
}

/* Reserves bytes of the mapped file, found again by its path: a descriptor kept open
 * could be closed by the app and be another file by now. */
static int reserve_mapped(const struct dj_segment_writer *writer, off_t offset,
                          size_t bytes)
{
    struct stat status;
    int fd = open(writer->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    bool same = fstat(fd, &status) == 0 && status.st_dev == writer->device &&
                status.st_ino == writer->inode;
    int failure = same ? reserve(fd, offset, bytes) : ESTALE;
    close(fd);
    return failure;
}

/* The text without locale, locks or memory: this runs inside an app. */
static const char *reason(int failure)
{
    const char *text = strerrordesc_np(failure);
    return text != NULL ? text : "unknown error";
}

int dj_segment_create(struct dj_segment_writer *writer,
                      const struct dj_segment_options *options, struct dj_error *err)
{
    *writer = (struct dj_segment_writer){0};
    if (options->keep < DJ_SEGMENT_KEEP_MIN || options->keep > DJ_SEGMENT_KEEP_MAX) {
        return dj_error_set(err, DJ_E_LIMIT, "cannot keep %u frames: expected %d to %d",
                            options->keep, DJ_SEGMENT_KEEP_MIN, DJ_SEGMENT_KEEP_MAX);
    }
    int fd = open_new(options->directory, writer->path, sizeof(writer->path));
    if (fd < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot create %s: %s", writer->path,
                            reason(errno));
    }
    int failure = map_file(writer, fd,
                           DJ_SEGMENT_PAGE + DJ_SEGMENT_WINDOWS *
                                                 dj_segment_window_bytes(options->keep));
    close(fd);
    if (failure != 0) {
        unlink(writer->path);
        return dj_error_set(err, DJ_E_IO, "cannot fill %s: %s", writer->path,
                            reason(failure));
    }
    writer->dialect = options->dialect;
    writer->slots = DJ_SEGMENT_WINDOWS;
    fill_header(writer->header, options);
    return 0;
}

void dj_segment_abandon(struct dj_segment_writer *writer)
{
    if (writer->header != NULL) {
        munmap(writer->header, writer->mapped_bytes);
    }
    *writer = (struct dj_segment_writer){0};
}

void dj_segment_close(struct dj_segment_writer *writer)
{
    dj_segment_abandon(writer);
}

static struct dj_segment_window *slot_at(const struct dj_segment_writer *writer,
                                         size_t slot)
{
    return (struct dj_segment_window *)((char *)writer->header +
                                        writer->header->header_bytes +
                                        slot * writer->header->window_bytes);
}

struct dj_window_writer *dj_segment_find_window(struct dj_segment_writer *writer,
                                                uint64_t key)
{
    uint32_t count = atomic_load_explicit(&writer->header->windows, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        struct dj_segment_window *shared = writer->window[i].shared;
        if (atomic_load_explicit(&shared->state, memory_order_acquire) ==
                DJ_WINDOW_OPEN &&
            atomic_load_explicit(&shared->key, memory_order_relaxed) == key) {
            return &writer->window[i];
        }
    }
    return NULL;
}

/* Odd while written. The fence keeps the words behind the odd number; the release store
 * of end_copy keeps them before the even one. Partner: the reader's acquire load of
 * `sequence` before and after its copy. */
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

/* Gives the slot to a window. Called with the slot's guard held. */
static void name_window(struct dj_segment_writer *writer, struct dj_window_writer *window,
                        uint64_t key, const char *title)
{
    struct dj_segment_window *shared = window->shared;
    atomic_store_explicit(&shared->state, DJ_WINDOW_CHANGING, memory_order_release);
    atomic_store_explicit(&shared->key, key, memory_order_relaxed);
    atomic_store_explicit(&shared->interval_ns, writer->header->interval_ns,
                          memory_order_relaxed);
    atomic_store_explicit(&shared->first_index, shared->published, memory_order_relaxed);
    copy_name(shared->title, sizeof(shared->title), title);
    for (size_t i = 0; i < 2; i++) {
        struct dj_stats total;
        dj_segment_unpack(&total, &shared->stats[i].total);
        begin_copy(&shared->stats[i]);
        dj_segment_pack(&shared->stats[i].opened, &total);
        end_copy(&shared->stats[i]);
    }
    dj_tracker_init(&window->tracker, writer->dialect, writer->header->interval_ns);
    atomic_store_explicit(&shared->state, DJ_WINDOW_OPEN, memory_order_release);
}

/* Where the file cannot grow, the slots there are have to do. */
static struct dj_window_writer *take_fresh_slot(struct dj_segment_writer *writer,
                                                uint32_t slot)
{
    struct dj_segment_window *shared = slot_at(writer, slot);
    size_t bytes = writer->header->window_bytes;
    int failure = reserve_mapped(writer, (char *)shared - (char *)writer->header, bytes);
    if (failure != 0) {
        writer->slots = slot;
        if (slot == 0) {
            dj_segment_disable(writer, reason(failure));
        }
        return NULL;
    }
#ifdef MADV_POPULATE_WRITE
    madvise(shared, bytes, MADV_POPULATE_WRITE); /* only saves page faults later */
#endif
    for (size_t i = 0; i < 2; i++) {
        atomic_store(&shared->stats[i].total.since_ns, writer->header->created_ns);
    }
    writer->window[slot].shared = shared;
    return &writer->window[slot];
}

static struct dj_window_writer *least_recent_slot(struct dj_segment_writer *writer)
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
        count < writer->slots ? take_fresh_slot(writer, count) : NULL;
    bool fresh = window != NULL;
    window = fresh ? window : least_recent_slot(writer);
    if (window == NULL ||
        atomic_exchange_explicit(&window->shared->busy, 1, memory_order_acquire) != 0) {
        return NULL;
    }
    name_window(writer, window, key, title);
    atomic_store_explicit(&window->shared->busy, 0, memory_order_release);
    if (fresh) {
        atomic_store_explicit(&writer->header->windows, count + 1, memory_order_release);
    }
    return window;
}

static void count_dropped(struct dj_segment_writer *writer)
{
    atomic_fetch_add_explicit(&writer->header->dropped, 1, memory_order_relaxed);
}

struct dj_window_writer *dj_segment_window(struct dj_segment_writer *writer, uint64_t key,
                                           const char *title)
{
    struct dj_window_writer *window = dj_segment_find_window(writer, key);
    if (window != NULL) {
        return window;
    }
    if (atomic_exchange_explicit(&writer->opening, 1, memory_order_acquire) == 0) {
        window = dj_segment_find_window(writer, key);
        window = window != NULL ? window : open_window(writer, key, title);
        atomic_store_explicit(&writer->opening, 0, memory_order_release);
    }
    if (window == NULL) {
        count_dropped(writer);
    }
    return window;
}

/* The two fences' partners are the reader's: it loads `published`, copies, then loads
 * `begun`. */
static void write_row(struct dj_segment_window *shared, uint32_t keep,
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

/* One writer at a time (the guard), so plain load-and-store suffices: no locked
 * instruction per counter. */
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

bool dj_segment_write(struct dj_segment_writer *writer, struct dj_window_writer *window,
                      uint64_t key, const struct dj_frame *frame)
{
    struct dj_segment_window *shared = window->shared;
    struct dj_verdict verdict;
    if (atomic_exchange_explicit(&shared->busy, 1, memory_order_acquire) != 0) {
        count_dropped(writer);
        return false;
    }
    /* Under the guard nobody can give the slot away; before it, somebody may have. */
    bool counts = atomic_load_explicit(&shared->key, memory_order_relaxed) == key &&
                  dj_tracker_judge(&window->tracker, frame, &verdict);
    if (counts) {
        struct dj_frame moved = *frame;
        if (verdict.deadline_moved) {
            moved.value[DJ_COLUMN_FRAME_DEADLINE] = verdict.deadline_ns;
        }
        write_row(shared, writer->header->keep, &moved);
        for (size_t i = 0; i < 2; i++) {
            begin_copy(&shared->stats[i]);
            add_verdict(&shared->stats[i].total, &verdict);
            end_copy(&shared->stats[i]);
        }
        atomic_store_explicit(&shared->last_ns, frame->value[DJ_COLUMN_FRAME_COMPLETED],
                              memory_order_relaxed);
    } else {
        count_dropped(writer);
    }
    atomic_store_explicit(&shared->busy, 0, memory_order_release);
    return counts;
}

void dj_segment_disable(struct dj_segment_writer *writer, const char *reason)
{
    struct dj_segment_header *header = writer->header;
    if (header != NULL && atomic_load(&header->disabled) == 0) {
        copy_name(header->disabled_reason, sizeof(header->disabled_reason), reason);
        atomic_store_explicit(&header->disabled, 1, memory_order_release);
    }
}
