/* Makes perf.data files in memory. */
#ifndef DEJANK_TESTS_MADE_PERF_DATA_H
#define DEJANK_TESTS_MADE_PERF_DATA_H

#include <linux/perf_event.h>

#include "base/text.h"
#include "trace/perf_data/file.h"

enum { MADE_SECTIONS_MOST = 4 };

/* The parts of a file. Zero it before use. */
struct made_perf_data {
    struct dj_text events;  /* Attributes, and the place of a list of ids. */
    struct dj_text records; /* Whole records. */
    struct {
        size_t number; /* A value of DJ_PERF_DATA_…. */
        struct dj_text bytes;
    } sections[MADE_SECTIONS_MOST];
    size_t section_count;
    uint64_t ids_at, ids_size; /* The place of the next event's ids. */
    /* If not 0, samples of the next event also have these registers and a stack. */
    uint64_t register_mask;
    struct dj_text file; /* The result of made_perf_data_build(). */
};

void made_number(struct dj_text *bytes, uint64_t number, size_t size);
/* Adds an event. Its samples have the fields TID, TIME and CALLCHAIN. */
void made_event(struct made_perf_data *made, uint32_t type, uint64_t config);
/* Returns the bytes of a new section. */
struct dj_text *made_section(struct made_perf_data *made, size_t number);
/* Adds a record. Appends process, thread and time to all records but samples. */
void made_record(struct made_perf_data *made, uint32_t type, const struct dj_text *body,
                 int32_t pid, int32_t tid, uint64_t at_ns);
/* A mapping of 64 KiB at 0x10000. */
void made_mapping(struct made_perf_data *made, int32_t pid, const char *path);
void made_task(struct made_perf_data *made, uint32_t type, int32_t pid, int32_t tid,
               uint64_t at_ns);
/* A sample with one address. */
void made_sample(struct made_perf_data *made, int32_t pid, int32_t tid, uint64_t at_ns,
                 uint64_t address);
/* A sample with an empty call chain, registers and a copy of the stack. */
void made_stack_sample(struct made_perf_data *made, int32_t pid, uint64_t at_ns,
                       const struct dj_text *registers, const struct dj_text *stack);
void made_build_id(struct dj_text *list, uint16_t misc, const char *id, size_t length,
                   const char *path);

/* Builds the file. The bytes are valid until made_perf_data_finish(). */
struct dj_str made_perf_data_build(struct made_perf_data *made);
void made_perf_data_finish(struct made_perf_data *made);

#endif
