/* Decodes the records of perf.data files. Each event has its own layout. */
#ifndef DEJANK_TRACE_PERF_DATA_RECORD_H
#define DEJANK_TRACE_PERF_DATA_RECORD_H

#include "stacks/maps.h"
#include "trace/perf_data/file.h"

/* Records of perf itself, and of simpleperf. linux/perf_event.h has those of the kernel.
 */
enum {
    DJ_PERF_RECORD_USER = 64, /* Lower numbers are records of the kernel. */
    DJ_PERF_RECORD_EVENT = 64,
    DJ_PERF_RECORD_TRACING = 66,
    DJ_PERF_RECORD_BUILD_ID = 67,
    DJ_PERF_RECORD_AUXTRACE = 71,
    DJ_PERF_RECORD_SECTION = 80,
    DJ_PERF_RECORD_COMPRESSED = 81,
    DJ_PERF_RECORD_COMPRESSED_2 = 83,
    DJ_PERF_RECORD_SIMPLEPERF = 32768, /* Higher numbers are simpleperf's. */
    DJ_PERF_RECORD_EVENT_IDS = 32774
};

/* A complete record. */
struct dj_perf_record {
    uint32_t type;
    uint16_t misc;
    struct dj_str body; /* The bytes after the header. */
    size_t size;        /* Size with the header, and with data that follows it. */
};

/* Reads the header of the record at the start of the bytes. Returns false if the record
 * is incomplete or too short. record->size is valid in both cases. */
bool dj_perf_data_record_read(const uint8_t *bytes, size_t size,
                              struct dj_perf_record *record);

/* Who caused a record of the kernel, and when. */
struct dj_perf_record_id {
    size_t event;  /* Index in file->events. */
    bool has_time; /* The time is known. */
    uint64_t time_ns;
    int32_t pid, tid; /* −1 if unknown. */
    int32_t cpu;      /* −1 if unknown. */
};

/* Returns false if the record is too short, or if there is no such event. */
bool dj_perf_data_record_read_id(const struct dj_perf_data *file,
                                 const struct dj_perf_record *record,
                                 struct dj_perf_record_id *id);

/* A sample. Pointers are NULL, and counts 0, if the sample does not have them. */
struct dj_perf_sample {
    struct dj_perf_record_id id;
    uint64_t ip;
    const uint8_t *chain; /* Numbers of 8 bytes, the innermost address first. */
    size_t chain_count;
    struct dj_str raw;        /* Record of a tracepoint. */
    const uint8_t *registers; /* One of 8 bytes for each bit of sample_regs_user. */
    const uint8_t *stack;
    size_t stack_size;
};

bool dj_perf_data_record_read_sample(const struct dj_perf_data *file,
                                     const struct dj_perf_record *record,
                                     struct dj_perf_sample *sample);

/* Reads PERF_RECORD_MMAP or PERF_RECORD_MMAP2. Stores a build-id in *id. Returns false if
 * the record is damaged or describes no code. */
bool dj_perf_data_record_read_mapping(const struct dj_perf_record *record,
                                      struct dj_stacks_new_mapping *mapping,
                                      struct dj_stacks_build_id *id);

#endif
