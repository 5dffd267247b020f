/* Decodes the records of perf.data files. Each event may have its own layout of
 * records. */
#ifndef DEJANK_TRACE_PERF_DATA_RECORD_H
#define DEJANK_TRACE_PERF_DATA_RECORD_H

#include "stacks/maps.h"
#include "trace/perf_data/file.h"

/* Types of the records that perf itself or simpleperf writes. linux/perf_event.h defines
 * the types of the kernel's records. */
enum {
    DJ_PERF_RECORD_USER = 64, /* Types below this number are records of the kernel. */
    DJ_PERF_RECORD_EVENT = 64,
    DJ_PERF_RECORD_TRACING = 66,
    DJ_PERF_RECORD_BUILD_ID = 67,
    DJ_PERF_RECORD_AUXTRACE = 71,
    DJ_PERF_RECORD_SECTION = 80,
    DJ_PERF_RECORD_COMPRESSED = 81,
    DJ_PERF_RECORD_COMPRESSED_2 = 83,
    /* Types from this number on are records of simpleperf. */
    DJ_PERF_RECORD_SIMPLEPERF = 32768,
    DJ_PERF_RECORD_EVENT_IDS = 32774
};

/* A complete record of the file. */
struct dj_perf_record {
    uint32_t type;
    uint16_t misc;
    struct dj_str body; /* The bytes of the record after its header. */
    /* Size in bytes, including the header and any data that follows the record. */
    size_t size;
};

/* Reads the header of the record at the start of the bytes. Returns false if the record
 * is incomplete or too short. record->size is valid in both cases. */
bool dj_perf_data_record_read(const uint8_t *bytes, size_t size,
                              struct dj_perf_record *record);

/* The event, thread, CPU and time of a record of the kernel. */
struct dj_perf_record_id {
    size_t event;  /* Index of the event in file->events. */
    bool has_time; /* True if the time of the record is known. */
    uint64_t time_ns;
    int32_t pid, tid; /* Ids of the process and the thread, or −1 if unknown. */
    int32_t cpu;      /* Number of the CPU, or −1 if unknown. */
};

/* Reads the event, thread, CPU and time of a record of the kernel. Returns false if the
 * record is too short or belongs to no known event. */
bool dj_perf_data_record_read_id(const struct dj_perf_data *file,
                                 const struct dj_perf_record *record,
                                 struct dj_perf_record_id *id);

/* The fields of a sample. If the sample lacks a field, its pointer is NULL and its count
 * is 0. */
struct dj_perf_sample {
    struct dj_perf_record_id id;
    uint64_t ip;
    /* Call chain: numbers of 8 bytes each, the innermost address first. */
    const uint8_t *chain;
    size_t chain_count;
    struct dj_str raw; /* Raw record of a tracepoint, as the kernel writes it. */
    /* Values of registers, 8 bytes each, one for each bit that is set in
     * sample_regs_user. */
    const uint8_t *registers;
    const uint8_t *stack;
    size_t stack_size;
};

bool dj_perf_data_record_read_sample(const struct dj_perf_data *file,
                                     const struct dj_perf_record *record,
                                     struct dj_perf_sample *sample);

/* Reads a PERF_RECORD_MMAP or PERF_RECORD_MMAP2 into *mapping. If the record contains a
 * build-id, stores it in *id. Returns false if the record is damaged or the mapping
 * contains no code. */
bool dj_perf_data_record_read_mapping(const struct dj_perf_record *record,
                                      struct dj_stacks_new_mapping *mapping,
                                      struct dj_stacks_build_id *id);

#endif
