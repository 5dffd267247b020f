#include "made_perf_data.h"

#include <string.h>

#include "memory/memory.h"

enum { HEADER = 104, PLACE = 16, ALIGNED = 8 };

void made_number(struct dj_text *bytes, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char byte = (char)(number >> (8 * i));
        dj_text_append(bytes, &byte, 1);
    }
}

/* Appends a string with its NUL, to a multiple of 8 bytes. */
static void add_string(struct dj_text *bytes, const char *string)
{
    static const char zeros[ALIGNED];
    size_t length = strlen(string);
    dj_text_append(bytes, string, length);
    dj_text_append(bytes, zeros, ALIGNED - length % ALIGNED);
}

void made_event(struct made_perf_data *made, uint32_t type, uint64_t config)
{
    struct perf_event_attr attr = {.type = type,
                                   .config = config,
                                   .size = sizeof(attr),
                                   .sample_freq = 1000,
                                   .freq = 1,
                                   .sample_id_all = 1,
                                   .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                                                  PERF_SAMPLE_CALLCHAIN,
                                   .sample_regs_user = made->register_mask};
    if (made->register_mask != 0) {
        attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    }
    dj_text_append(&made->events, (const char *)&attr, sizeof(attr));
    made_number(&made->events, made->ids_at, 8);
    made_number(&made->events, made->ids_size, 8);
}

struct dj_text *made_section(struct made_perf_data *made, size_t number)
{
    made->sections[made->section_count].number = number;
    return &made->sections[made->section_count++].bytes;
}

/* ---- records ---- */

static void add_header(struct dj_text *bytes, uint32_t type, uint16_t misc, size_t body)
{
    made_number(bytes, type, 4);
    made_number(bytes, misc, 2);
    made_number(bytes, 8 + body, 2);
}

void made_record(struct made_perf_data *made, uint32_t type, const struct dj_text *body,
                 int32_t pid, int32_t tid, uint64_t at_ns)
{
    bool is_sample = type == PERF_RECORD_SAMPLE;
    add_header(&made->records, type, PERF_RECORD_MISC_USER,
               body->length + (is_sample ? 0 : 16));
    dj_text_append(&made->records, body->data, body->length);
    if (!is_sample) {
        made_number(&made->records, (uint32_t)pid, 4);
        made_number(&made->records, (uint32_t)tid, 4);
        made_number(&made->records, at_ns, 8);
    }
}

void made_mapping(struct made_perf_data *made, int32_t pid, const char *path)
{
    struct dj_text body = {0};
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, 0x10000, 8);
    made_number(&body, 0x10000, 8);
    made_number(&body, 0, 8);
    add_string(&body, path);
    made_record(made, PERF_RECORD_MMAP, &body, pid, pid, 0);
    dj_text_finish(&body);
}

void made_task(struct made_perf_data *made, uint32_t type, int32_t pid, int32_t tid,
               uint64_t at_ns)
{
    struct dj_text body = {0};
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, (uint32_t)tid, 4);
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, at_ns, 8);
    made_record(made, type, &body, pid, tid, at_ns);
    dj_text_finish(&body);
}

void made_sample(struct made_perf_data *made, int32_t pid, int32_t tid, uint64_t at_ns,
                 uint64_t address)
{
    struct dj_text body = {0};
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, (uint32_t)tid, 4);
    made_number(&body, at_ns, 8);
    made_number(&body, 1, 8);
    made_number(&body, address, 8);
    made_record(made, PERF_RECORD_SAMPLE, &body, pid, tid, at_ns);
    dj_text_finish(&body);
}

void made_stack_sample(struct made_perf_data *made, int32_t pid, uint64_t at_ns,
                       const struct dj_text *registers, const struct dj_text *stack)
{
    struct dj_text body = {0};
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, (uint32_t)pid, 4);
    made_number(&body, at_ns, 8);
    made_number(&body, 0, 8);
    made_number(&body, PERF_SAMPLE_REGS_ABI_64, 8);
    dj_text_append(&body, registers->data, registers->length);
    made_number(&body, stack->length, 8);
    dj_text_append(&body, stack->data, stack->length);
    made_number(&body, stack->length, 8);
    made_record(made, PERF_RECORD_SAMPLE, &body, pid, pid, at_ns);
    dj_text_finish(&body);
}

void made_build_id(struct dj_text *list, uint16_t misc, const char *id, size_t length,
                   const char *path)
{
    enum { ROOM = 24 };
    char bytes[ROOM] = "";
    memcpy(bytes, id, length);
    bytes[20] = (char)length;
    struct dj_text body = {0};
    made_number(&body, UINT32_MAX, 4);
    dj_text_append(&body, bytes, ROOM);
    add_string(&body, path);
    add_header(list, 0, misc, body.length);
    dj_text_append(list, body.data, body.length);
    dj_text_finish(&body);
}

/* ---- the file ---- */

static void add_place(struct dj_text *file, uint64_t at, uint64_t size)
{
    made_number(file, at, 8);
    made_number(file, size, 8);
}

static void add_sections(struct made_perf_data *made)
{
    uint64_t at = made->file.length + PLACE * made->section_count;
    for (size_t i = 0; i < made->section_count; i++) {
        add_place(&made->file, at, made->sections[i].bytes.length);
        at += made->sections[i].bytes.length;
    }
    for (size_t i = 0; i < made->section_count; i++) {
        const struct dj_text *bytes = &made->sections[i].bytes;
        dj_text_append(&made->file, bytes->data, bytes->length);
    }
}

struct dj_str made_perf_data_build(struct made_perf_data *made)
{
    uint8_t bits[DJ_PERF_DATA_SECTIONS / 8] = {0};
    for (size_t i = 0; i < made->section_count; i++) {
        bits[made->sections[i].number / 8] |=
            (uint8_t)(1 << made->sections[i].number % 8);
    }
    dj_text_append(&made->file, "PERFILE2", 8);
    made_number(&made->file, HEADER, 8);
    made_number(&made->file, sizeof(struct perf_event_attr) + PLACE, 8);
    add_place(&made->file, HEADER, made->events.length);
    add_place(&made->file, HEADER + made->events.length, made->records.length);
    add_place(&made->file, 0, 0);
    dj_text_append(&made->file, (const char *)bits, sizeof(bits));
    dj_text_append(&made->file, dj_xtext(&made->events), made->events.length);
    dj_text_append(&made->file, dj_xtext(&made->records), made->records.length);
    add_sections(made);
    return dj_text_str(&made->file);
}

void made_perf_data_finish(struct made_perf_data *made)
{
    dj_text_finish(&made->events);
    dj_text_finish(&made->records);
    dj_text_finish(&made->file);
    for (size_t i = 0; i < made->section_count; i++) {
        dj_text_finish(&made->sections[i].bytes);
    }
    *made = (struct made_perf_data){.section_count = 0};
}
