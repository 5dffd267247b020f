#include "segment/sections_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "segment/text_field.h"

/* Number of rings to use before a released ring is reused. Without reuse, a program that
 * starts a thread per task would soon use all rings. */
enum { FRESH_FIRST = 8 };

static struct dj_section_ring *get_ring(const struct dj_sections_writer *writer,
                                        uint32_t index)
{
    return (struct dj_section_ring *)((char *)writer->header + DJ_SEGMENT_PAGE +
                                      index *
                                          dj_segment_sections_ring_bytes(writer->keep));
}

static int open_new(const char *path)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(path, flags, 0600);
    if (fd < 0 && errno == EEXIST && unlink(path) == 0) {
        fd = open(path, flags, 0600);
    }
    return fd;
}

static void fill_header(struct dj_sections_header *header,
                        const struct dj_sections_options *options)
{
    header->byte_order = DJ_SEGMENT_BYTE_ORDER;
    header->version = DJ_SECTIONS_VERSION;
    header->header_bytes = DJ_SEGMENT_PAGE;
    header->ring_bytes = (uint32_t)dj_segment_sections_ring_bytes(options->keep);
    header->rings = DJ_SECTIONS_RINGS;
    header->keep = options->keep;
    header->pid = getpid();
    header->start_ticks = dj_segment_process_start_ticks(header->pid);
    dj_segment_read_boot_id(header->boot_id);
    header->created_ns = options->now_ns;
    dj_text_field_copy(header->name, sizeof(header->name), options->name);
    dj_text_field_copy(header->program, sizeof(header->program), options->program);
    /* Write the magic last, because readers treat a file without it as unfinished. */
    atomic_thread_fence(memory_order_release);
    memcpy(header->magic, DJ_SECTIONS_MAGIC, sizeof(header->magic));
}

int dj_segment_sections_create(struct dj_sections_writer *writer,
                               const struct dj_sections_options *options,
                               struct dj_error *err)
{
    *writer = (struct dj_sections_writer){.keep = options->keep};
    if (options->keep < DJ_SECTIONS_KEEP_MIN || options->keep > DJ_SECTIONS_KEEP_MAX ||
        (options->keep & (options->keep - 1)) != 0) {
        return dj_error_set(
            err, DJ_E_LIMIT,
            "cannot keep %u slots per thread: expected a power of two from %d to %d",
            options->keep, DJ_SECTIONS_KEEP_MIN, DJ_SECTIONS_KEEP_MAX);
    }
    snprintf(writer->path, sizeof(writer->path), "%s" DJ_SECTIONS_SUFFIX,
             options->segment);
    int code = dj_mapped_file_create(
        &writer->file, writer->path, open_new(writer->path),
        DJ_SEGMENT_PAGE +
            DJ_SECTIONS_RINGS * dj_segment_sections_ring_bytes(options->keep),
        err);
    if (code != 0) {
        return code;
    }
    writer->header = writer->file.memory;
    fill_header(writer->header, options);
    return 0;
}

void dj_segment_sections_unmap(struct dj_sections_writer *writer)
{
    dj_mapped_file_unmap(&writer->file);
    *writer = (struct dj_sections_writer){0};
}

static bool reserve_ring(const struct dj_sections_writer *writer, uint32_t index)
{
    size_t bytes = dj_segment_sections_ring_bytes(writer->keep);
    bool reserved =
        dj_mapped_file_reserve(&writer->file, writer->path,
                               (off_t)(DJ_SEGMENT_PAGE + index * bytes), bytes) == 0;
#ifdef MADV_POPULATE_WRITE
    if (reserved) {
        madvise(get_ring(writer, index), bytes,
                /* Allocates the pages now, so that no page faults happen later. */
                MADV_POPULATE_WRITE);
    }
#endif
    return reserved;
}

/* Acquires a ring that was never used. If this fails, the ring is never used. */
static struct dj_section_ring *acquire_fresh(struct dj_sections_writer *writer,
                                             uint32_t most)
{
    uint32_t used = atomic_load_explicit(&writer->header->used, memory_order_relaxed);
    do {
        if (used >= most) {
            return NULL;
        }
    } while (!atomic_compare_exchange_weak(&writer->header->used, &used, used + 1));
    if (!reserve_ring(writer, used)) {
        return NULL;
    }
    struct dj_section_ring *ring = get_ring(writer, used);
    atomic_store_explicit(&ring->state, DJ_RING_IN_USE, memory_order_release);
    atomic_fetch_or_explicit(&writer->reserved, UINT64_C(1) << used,
                             memory_order_release);
    return ring;
}

static struct dj_section_ring *
find_oldest_released(const struct dj_sections_writer *writer)
{
    struct dj_section_ring *oldest = NULL;
    uint64_t reserved = atomic_load_explicit(&writer->reserved, memory_order_acquire);
    for (uint32_t i = 0; i < DJ_SECTIONS_RINGS; i++) {
        if ((reserved >> i & 1) == 0) {
            continue; /* The ring has no disk space, because the disk was full. */
        }
        struct dj_section_ring *ring = get_ring(writer, i);
        if (atomic_load_explicit(&ring->state, memory_order_acquire) ==
                DJ_RING_RELEASED &&
            (oldest == NULL || ring->left_ns < oldest->left_ns)) {
            oldest = ring;
        }
    }
    return oldest;
}

/* Acquires the ring that was released longest ago. Its events remain until they are
 * overwritten, because each event contains its thread id. */
static struct dj_section_ring *reuse_released(struct dj_sections_writer *writer)
{
    for (int i = 0; i < DJ_SECTIONS_RINGS; i++) {
        struct dj_section_ring *ring = find_oldest_released(writer);
        uint32_t released = DJ_RING_RELEASED;
        if (ring == NULL ||
            atomic_compare_exchange_strong(&ring->state, &released, DJ_RING_IN_USE)) {
            return ring;
        }
    }
    return NULL;
}

struct dj_section_ring *dj_segment_ring_acquire(struct dj_sections_writer *writer,
                                                uint32_t tid, const char *thread,
                                                int64_t now_ns)
{
    struct dj_section_ring *ring = acquire_fresh(writer, FRESH_FIRST);
    ring = ring != NULL ? ring : reuse_released(writer);
    ring = ring != NULL ? ring : acquire_fresh(writer, DJ_SECTIONS_RINGS);
    if (ring != NULL) {
        size_t length = strnlen(thread, DJ_SECTIONS_THREAD_NAME - 1);
        const struct dj_section_data data = {DJ_SECTION_THREAD, thread, length, 0};
        atomic_store_explicit(&ring->tid, tid, memory_order_relaxed);
        dj_text_field_copy(ring->thread, sizeof(ring->thread), thread);
        dj_segment_ring_write(ring, writer->keep - 1, tid, now_ns, &data);
    }
    return ring;
}

void dj_segment_ring_release(struct dj_section_ring *ring, int64_t now_ns)
{
    atomic_store_explicit(&ring->left_ns, now_ns, memory_order_relaxed);
    atomic_store_explicit(&ring->state, DJ_RING_RELEASED, memory_order_release);
}

void dj_segment_sections_count_dropped(struct dj_sections_writer *writer)
{
    atomic_fetch_add_explicit(&writer->header->dropped, 1, memory_order_relaxed);
}
