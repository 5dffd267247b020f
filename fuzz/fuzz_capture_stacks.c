/* Reads any bytes as a ring of perf events with call stacks. The first byte sets whether
 * the ring belongs to the timers (0) or to the waits. One process is watched. The reader
 * must not read past the ring, and it must end. It must not write more stacks than it
 * stored. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/sampling/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RING_BYTES = 1 << 16, APP = 1 << 23 };

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void open_ring(struct dj_perf_ring *ring, const uint8_t *data, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ring->head = aligned_alloc(page, page + RING_BYTES);
    ring->size = RING_BYTES;
    check(ring->head != NULL);
    memset(ring->head, 0, page + RING_BYTES);
    size = size < RING_BYTES ? size : RING_BYTES;
    memcpy((uint8_t *)ring->head + page, data, size);
    ring->head->data_head = size;
}

static int count_event(void *user, const struct dj_event *event)
{
    check(event->kind == DJ_EVENT_STACK && event->stack->count <= DJ_STACK_FRAMES_MAX);
    *(uint64_t *)user += 1;
    return 0;
}

static void write_store(struct dj_stack_reader *reader)
{
    uint64_t events = 0;
    struct dj_stack_writing writing = {.maps = reader->maps,
                                       .names =
                                           dj_stacks_names_create(reader->maps, NULL),
                                       .until_ns = INT64_MAX,
                                       .interval_ns = 1000000,
                                       .sink = {count_event, &events}};
    check(dj_sampling_store_write(&reader->store, &writing, NULL) == 0);
    check(events <= reader->store.samples && writing.written <= events);
    dj_stacks_names_destroy(writing.names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_perf_ring ring = {.fd = -1};
    struct dj_perf perf = {.rings = &ring, .count = 1}, none = {.count = 0};
    bool waits = size > 0 && data[0] != 0;
    struct dj_perf *const sets[DJ_SAMPLING_SETS] = {waits ? &none : &perf,
                                                    waits ? &perf : &none};
    struct dj_stack_reader reader;
    struct dj_perf_merge merge = {.sets = sets,
                                  .set_count = DJ_SAMPLING_SETS,
                                  .take = dj_sampling_reader_add,
                                  .user = &reader};
    check(dj_sampling_reader_init(&reader, NULL) == 0);
    dj_sampling_reader_watch(&reader, APP);
    open_ring(&ring, data + (size > 0), size - (size > 0));
    check(dj_sampling_merge_read(&merge, INT64_MAX, NULL) == 0);
    write_store(&reader);
    dj_sampling_reader_finish(&reader);
    free(ring.head);
    return 0;
}
