/* Writes records of perf events as the kernel does, for tests. */
#ifndef DEJANK_TESTS_PERF_BYTES_H
#define DEJANK_TESTS_PERF_BYTES_H

#include <string.h>

#include "capture/sampling/record.h"

enum { PB_PID = 100, PB_TID = 101, PB_CPU = 1 };

/* A record that is being written. */
struct pb {
    size_t size;
    _Alignas(8) uint8_t bytes[4096];
};

static inline void pb_add(struct pb *pb, const void *bytes, size_t size)
{
    memcpy(pb->bytes + pb->size, bytes, size);
    pb->size += size;
}

static inline void pb_add_u64(struct pb *pb, uint64_t number)
{
    pb_add(pb, &number, sizeof(number));
}

static inline void pb_add_u32(struct pb *pb, uint32_t number)
{
    pb_add(pb, &number, sizeof(number));
}

/* The part that says which thread, when and where. */
static inline void pb_add_id(struct pb *pb, uint32_t pid, uint32_t tid, int64_t at_ns)
{
    pb_add_u32(pb, pid);
    pb_add_u32(pb, tid);
    pb_add_u64(pb, (uint64_t)at_ns);
    pb_add_u32(pb, PB_CPU);
    pb_add_u32(pb, 0);
}

/* Begins a record. The body of a sample follows its id. */
static inline struct pb pb_begin(uint32_t type, uint16_t misc)
{
    const struct perf_event_header header = {.type = type, .misc = misc};
    struct pb pb = {.size = 0};
    pb_add(&pb, &header, sizeof(header));
    return pb;
}

/* Ends a record and returns how the reader sees it. */
static inline struct dj_sampling_record pb_end(struct pb *pb, size_t set)
{
    struct perf_event_header header;
    memcpy(&header, pb->bytes, sizeof(header));
    header.size = (uint16_t)pb->size;
    memcpy(pb->bytes, &header, sizeof(header));
    struct dj_sampling_record record = {.bytes = pb->bytes, .header = header, .set = set};
    if (pb->size >= sizeof(header) + sizeof(record.id)) {
        record.id = dj_perf_rings_read_id(pb->bytes, &header);
    }
    return record;
}

/* A sample with registers, all of which are `value`, and `filled` of `size` bytes of
 * stack. */
static inline struct pb pb_make_sample(uint32_t pid, uint32_t tid, int64_t at_ns,
                                       uint64_t value, uint64_t size, uint64_t filled)
{
    struct pb pb = pb_begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
    pb_add_id(&pb, pid, tid, at_ns);
    pb_add_u64(&pb, PERF_SAMPLE_REGS_ABI_64);
    for (int i = 0; i < __builtin_popcountll(DJ_STACKS_REGISTERS); i++) {
        pb_add_u64(&pb, value);
    }
    pb_add_u64(&pb, size);
    for (uint64_t i = 0; i < size / 8; i++) {
        pb_add_u64(&pb, 0);
    }
    if (size > 0) {
        pb_add_u64(&pb, filled);
    }
    return pb;
}

/* A record of a new or ended thread. */
static inline struct pb pb_make_task(uint32_t type, const uint32_t ids[4], int64_t at_ns)
{
    struct pb pb = pb_begin(type, 0);
    pb_add(&pb, ids, 4 * sizeof(*ids));
    pb_add_u64(&pb, (uint64_t)at_ns);
    pb_add_id(&pb, ids[1], ids[3], at_ns);
    return pb;
}

#endif
