/* Decodes records of perf events that contain samples, mappings and processes. The input
 * has the format of the kernel, with the attributes that the sampler requests. */
#ifndef DEJANK_CAPTURE_SAMPLING_RECORD_H
#define DEJANK_CAPTURE_SAMPLING_RECORD_H

#include "capture/sampling/merge.h"
#include "stacks/unwind.h"

/* Value of sample_type that dj_sampling_record_read() expects. */
#define DJ_SAMPLE_TYPE (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

struct dj_sample {
    bool in_kernel;
    /* False if the sample has no user registers. This is the case for kernel threads and
     * for 32-bit programs. stack.registers is then NULL. */
    bool has_registers;
    struct dj_stacks_sample stack;
};

/* Decodes PERF_RECORD_SAMPLE. Returns false if the record is too short. */
bool dj_sampling_record_read(const struct dj_sampling_record *record,
                             struct dj_sample *sample);

/* Decodes PERF_RECORD_MMAP2. Returns false if the record is too short. */
bool dj_sampling_record_read_mapping(const struct dj_sampling_record *record,
                                     struct dj_stacks_new_mapping *mapping);

/* A thread that has started or ended. */
struct dj_sample_task {
    int32_t pid, parent_pid, tid, parent_tid;
};

/* Decodes PERF_RECORD_FORK and PERF_RECORD_EXIT. */
bool dj_sampling_record_read_task(const struct dj_sampling_record *record,
                                  struct dj_sample_task *task);

/* Returns the process of PERF_RECORD_COMM if the process executes another program, and 0
 * otherwise. */
int32_t dj_sampling_record_read_exec(const struct dj_sampling_record *record);

/* Returns the number of lost records of PERF_RECORD_LOST, or 0 for other records. */
uint64_t dj_sampling_record_read_lost(const struct dj_sampling_record *record);

#endif
