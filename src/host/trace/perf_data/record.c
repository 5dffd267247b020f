#include "trace/perf_data/record.h"

#include <string.h>
#include <sys/sysmacros.h>

enum { HEADER = 8, MMAP_PROT_EXEC = 4, MMAP_BUILD_ID = 20 };

static struct dj_byte_cursor open_body(const struct dj_perf_record *record)
{
    return (struct dj_byte_cursor){(const uint8_t *)record->body.at, record->body.length,
                                   0, false};
}

/* Returns the number of data bytes after the record that the size in its header does not
 * include. */
static uint64_t measure_trailer(const struct dj_perf_record *record)
{
    struct dj_byte_cursor at = open_body(record);
    if (record->type == DJ_PERF_RECORD_AUXTRACE) {
        return dj_byte_cursor_read_number(&at, 8);
    }
    uint64_t size =
        record->type == DJ_PERF_RECORD_TRACING ? dj_byte_cursor_read_number(&at, 4) : 0;
    return (size + 7) / 8 * 8;
}

/* simpleperf's own records may be larger than 64 KiB. In these records, the field `misc`
 * of the header contains the upper half of the size. */
bool dj_perf_data_record_read(const uint8_t *bytes, size_t size,
                              struct dj_perf_record *record)
{
    struct dj_byte_cursor at = {bytes, size, 0, false};
    *record =
        (struct dj_perf_record){.type = (uint32_t)dj_byte_cursor_read_number(&at, 4)};
    uint64_t misc = dj_byte_cursor_read_number(&at, 2);
    uint64_t length = dj_byte_cursor_read_number(&at, 2);
    if (record->type >= DJ_PERF_RECORD_SIMPLEPERF) {
        length |= misc << 16;
        misc = 0;
    }
    record->misc = (uint16_t)misc;
    record->size = (size_t)length;
    if (at.failed || length < HEADER || length > size) {
        return false;
    }
    record->body = (struct dj_str){(const char *)bytes + HEADER, (size_t)length - HEADER};
    uint64_t trailer = measure_trailer(record);
    if (trailer > size - length) {
        return false;
    }
    record->size += (size_t)trailer;
    return true;
}

/* Returns the index of the event with this id, or SIZE_MAX. */
static size_t find_event(const struct dj_perf_data *file, uint64_t id)
{
    size_t event = dj_map_get(&file->ids, id);
    return event < file->event_count ? event : SIZE_MAX;
}

/* Returns the number of 8-byte fields that follow the content of a record that is not a
 * sample. */
static size_t count_id_fields(uint64_t sample_type)
{
    return (size_t)__builtin_popcountll(
        sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER));
}

/* Returns the offset of the event's id in the record's body, or SIZE_MAX if the record
 * does not store an id. All events of a file store their ids at the same offset. */
static size_t find_id_offset(uint64_t sample_type, bool is_sample, size_t length)
{
    static const uint64_t before[] = {PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
                                      PERF_SAMPLE_ADDR};
    size_t fields = 0;
    if (is_sample && (sample_type & PERF_SAMPLE_IDENTIFIER) != 0) {
        return 0;
    }
    if (is_sample && (sample_type & PERF_SAMPLE_ID) != 0) {
        for (size_t i = 0; i < COUNT_OF(before); i++) {
            fields += (sample_type & before[i]) != 0;
        }
        return fields * 8;
    }
    if ((sample_type & PERF_SAMPLE_IDENTIFIER) != 0) {
        fields = 1;
    } else if ((sample_type & PERF_SAMPLE_ID) != 0) {
        fields = 1 + ((sample_type & PERF_SAMPLE_STREAM_ID) != 0) +
                 ((sample_type & PERF_SAMPLE_CPU) != 0);
    }
    return !is_sample && fields > 0 && length >= fields * 8 ? length - fields * 8
                                                            : SIZE_MAX;
}

/* Finds the event to which the record belongs. A record that is not a sample belongs to
 * event 0 if its id is unknown. Returns false if the id of a sample is unknown or
 * missing. */
static bool find_event_of_record(const struct dj_perf_data *file,
                                 const struct dj_perf_record *record, size_t *event)
{
    const struct perf_event_attr *first = &file->events[0].attr;
    bool is_sample = record->type == PERF_RECORD_SAMPLE;
    size_t offset = find_id_offset(first->sample_type, is_sample, record->body.length);
    *event = 0;
    if (offset == SIZE_MAX || file->ids.count == 0 ||
        (!is_sample && !first->sample_id_all)) {
        return true;
    }
    if (record->body.length < 8 || offset > record->body.length - 8) {
        return false;
    }
    size_t found = find_event(
        file, dj_byte_cursor_decode_number((const uint8_t *)record->body.at + offset, 8));
    *event = found != SIZE_MAX ? found : 0;
    return found != SIZE_MAX || !is_sample;
}

static void read_thread(struct dj_byte_cursor *at, struct dj_perf_record_id *id)
{
    id->pid = (int32_t)dj_byte_cursor_read_number(at, 4);
    id->tid = (int32_t)dj_byte_cursor_read_number(at, 4);
}

static void read_time(struct dj_byte_cursor *at, struct dj_perf_record_id *id)
{
    id->time_ns = dj_byte_cursor_read_number(at, 8);
    id->has_time = true;
}

static void read_cpu(struct dj_byte_cursor *at, struct dj_perf_record_id *id)
{
    uint64_t cpu = dj_byte_cursor_read_number(at, 8) & UINT32_MAX;
    id->cpu = cpu < DJ_CPUS_MAX ? (int32_t)cpu : -1;
}

/* Reads the fields at the end of a record that is not a sample. */
static bool read_trailing_id(const struct dj_perf_data *file,
                             const struct dj_perf_record *record,
                             struct dj_perf_record_id *id)
{
    const struct perf_event_attr *attr = &file->events[id->event].attr;
    size_t size = 8 * count_id_fields(attr->sample_type);
    if (!attr->sample_id_all) {
        return true;
    }
    if (size > record->body.length) {
        return false;
    }
    struct dj_byte_cursor at = {
        (const uint8_t *)record->body.at + record->body.length - size, size, 0, false};
    if ((attr->sample_type & PERF_SAMPLE_TID) != 0) {
        read_thread(&at, id);
    }
    if ((attr->sample_type & PERF_SAMPLE_TIME) != 0) {
        read_time(&at, id);
    }
    if ((attr->sample_type & PERF_SAMPLE_ID) != 0) {
        dj_byte_cursor_read_bytes(&at, 8);
    }
    if ((attr->sample_type & PERF_SAMPLE_STREAM_ID) != 0) {
        dj_byte_cursor_read_bytes(&at, 8);
    }
    if ((attr->sample_type & PERF_SAMPLE_CPU) != 0) {
        read_cpu(&at, id);
    }
    return !at.failed;
}

/* Reads the fields of a sample that precede the values of its counters. */
static void read_start(uint64_t type, struct dj_byte_cursor *at,
                       struct dj_perf_sample *sample)
{
    static const uint64_t skipped[] = {PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
                                       PERF_SAMPLE_STREAM_ID};
    if ((type & PERF_SAMPLE_IDENTIFIER) != 0) {
        dj_byte_cursor_read_bytes(at, 8);
    }
    if ((type & PERF_SAMPLE_IP) != 0) {
        sample->ip = dj_byte_cursor_read_number(at, 8);
    }
    if ((type & PERF_SAMPLE_TID) != 0) {
        read_thread(at, &sample->id);
    }
    if ((type & PERF_SAMPLE_TIME) != 0) {
        read_time(at, &sample->id);
    }
    for (size_t i = 0; i < COUNT_OF(skipped); i++) {
        if ((type & skipped[i]) != 0) {
            dj_byte_cursor_read_bytes(at, 8);
        }
    }
    if ((type & PERF_SAMPLE_CPU) != 0) {
        read_cpu(at, &sample->id);
    }
    if ((type & PERF_SAMPLE_PERIOD) != 0) {
        dj_byte_cursor_read_bytes(at, 8);
    }
}

/* Skips `count` elements of `element` bytes each. */
static void skip(struct dj_byte_cursor *at, uint64_t count, size_t element)
{
    at->failed |= count > at->size / element;
    if (!at->failed) {
        dj_byte_cursor_read_bytes(at, count * element);
    }
}

static void skip_counters(uint64_t format, struct dj_byte_cursor *at)
{
    uint64_t times = ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) +
                     ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0);
    /* PERF_FORMAT_LOST is the bit after PERF_FORMAT_GROUP. */
    uint64_t value =
        1 + ((format & PERF_FORMAT_ID) != 0) + ((format & PERF_FORMAT_GROUP << 1) != 0);
    uint64_t count =
        (format & PERF_FORMAT_GROUP) != 0 ? dj_byte_cursor_read_number(at, 8) : 1;
    skip(at, times, 8);
    skip(at, count, 8 * (size_t)value);
}

static void skip_branches(const struct perf_event_attr *attr, struct dj_byte_cursor *at)
{
    enum { ENTRY = 24 };
    uint64_t count = dj_byte_cursor_read_number(at, 8);
    if ((attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) != 0) {
        dj_byte_cursor_read_bytes(at, 8);
    }
    skip(at, count, ENTRY);
}

static void read_chain(struct dj_byte_cursor *at, struct dj_perf_sample *sample)
{
    uint64_t count = dj_byte_cursor_read_number(at, 8);
    const uint8_t *chain = at->bytes + at->at;
    skip(at, count, 8);
    if (!at->failed) {
        sample->chain = chain;
        sample->chain_count = (size_t)count;
    }
}

static void read_registers(const struct perf_event_attr *attr, struct dj_byte_cursor *at,
                           struct dj_perf_sample *sample)
{
    uint64_t abi = dj_byte_cursor_read_number(at, 8);
    if (abi == PERF_SAMPLE_REGS_ABI_NONE) {
        return;
    }
    const uint8_t *registers = at->bytes + at->at;
    skip(at, (uint64_t)__builtin_popcountll(attr->sample_regs_user), 8);
    sample->registers = abi == PERF_SAMPLE_REGS_ABI_64 && !at->failed ? registers : NULL;
}

static void read_stack(struct dj_byte_cursor *at, struct dj_perf_sample *sample)
{
    uint64_t size = dj_byte_cursor_read_number(at, 8);
    if (size == 0 || at->failed) {
        return;
    }
    struct dj_str bytes = dj_byte_cursor_read_bytes(at, size);
    uint64_t filled = dj_byte_cursor_read_number(at, 8);
    if (!at->failed) {
        sample->stack = (const uint8_t *)bytes.at;
        sample->stack_size = (size_t)(filled < size ? filled : size);
    }
}

static void read_rest(const struct perf_event_attr *attr, struct dj_byte_cursor *at,
                      struct dj_perf_sample *sample)
{
    uint64_t type = attr->sample_type;
    if ((type & PERF_SAMPLE_READ) != 0) {
        skip_counters(attr->read_format, at);
    }
    if ((type & PERF_SAMPLE_CALLCHAIN) != 0) {
        read_chain(at, sample);
    }
    if ((type & PERF_SAMPLE_RAW) != 0) {
        sample->raw = dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 4));
    }
    if ((type & PERF_SAMPLE_BRANCH_STACK) != 0) {
        skip_branches(attr, at);
    }
    if ((type & PERF_SAMPLE_REGS_USER) != 0) {
        read_registers(attr, at, sample);
    }
    if ((type & PERF_SAMPLE_STACK_USER) != 0) {
        read_stack(at, sample);
    }
}

bool dj_perf_data_record_read_sample(const struct dj_perf_data *file,
                                     const struct dj_perf_record *record,
                                     struct dj_perf_sample *sample)
{
    struct dj_byte_cursor at = open_body(record);
    *sample = (struct dj_perf_sample){.id = {.pid = -1, .tid = -1, .cpu = -1}};
    if (!find_event_of_record(file, record, &sample->id.event)) {
        return false;
    }
    const struct perf_event_attr *attr = &file->events[sample->id.event].attr;
    read_start(attr->sample_type, &at, sample);
    read_rest(attr, &at, sample);
    return !at.failed;
}

bool dj_perf_data_record_read_id(const struct dj_perf_data *file,
                                 const struct dj_perf_record *record,
                                 struct dj_perf_record_id *id)
{
    *id = (struct dj_perf_record_id){.pid = -1, .tid = -1, .cpu = -1};
    if (file->event_count == 0 || !find_event_of_record(file, record, &id->event)) {
        return false;
    }
    if (record->type != PERF_RECORD_SAMPLE) {
        return read_trailing_id(file, record, id);
    }
    struct dj_perf_sample sample = {.id = *id};
    struct dj_byte_cursor at = open_body(record);
    read_start(file->events[id->event].attr.sample_type, &at, &sample);
    *id = sample.id;
    return !at.failed;
}

/* Reads the fields that PERF_RECORD_MMAP2 has in addition to those of
 * PERF_RECORD_MMAP. */
static bool read_details(const struct dj_perf_record *record, struct dj_byte_cursor *at,
                         struct dj_stacks_new_mapping *mapping,
                         struct dj_stacks_build_id *id)
{
    if ((record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
        uint64_t length = dj_byte_cursor_read_number(at, 4) & 0xff;
        struct dj_str bytes = dj_byte_cursor_read_bytes(at, MMAP_BUILD_ID);
        id->length = (uint8_t)(length <= bytes.length ? length : 0);
        memcpy(id->bytes, bytes.at, id->length);
        mapping->build_id = id->length > 0 ? id : NULL;
    } else {
        uint64_t major = dj_byte_cursor_read_number(at, 4);
        uint64_t minor = dj_byte_cursor_read_number(at, 4);
        mapping->device = makedev((unsigned)major, (unsigned)minor);
        mapping->inode = dj_byte_cursor_read_number(at, 8);
        dj_byte_cursor_read_bytes(at, 8); /* Skip the generation of the inode. */
    }
    uint64_t protection = dj_byte_cursor_read_number(at, 4);
    dj_byte_cursor_read_bytes(at, 4); /* Skip the flags. */
    return (protection & MMAP_PROT_EXEC) != 0;
}

bool dj_perf_data_record_read_mapping(const struct dj_perf_record *record,
                                      struct dj_stacks_new_mapping *mapping,
                                      struct dj_stacks_build_id *id)
{
    struct dj_byte_cursor at = open_body(record);
    *mapping =
        (struct dj_stacks_new_mapping){.pid = (pid_t)dj_byte_cursor_read_number(&at, 4)};
    dj_byte_cursor_read_number(&at, 4); /* Skip the thread id. */
    mapping->start = dj_byte_cursor_read_number(&at, 8);
    mapping->size = dj_byte_cursor_read_number(&at, 8);
    mapping->file_offset = dj_byte_cursor_read_number(&at, 8);
    bool is_code = record->type == PERF_RECORD_MMAP2
                       ? read_details(record, &at, mapping, id)
                       : (record->misc & PERF_RECORD_MISC_MMAP_DATA) == 0;
    mapping->path = dj_byte_cursor_read_string(&at).at;
    /* If perf stores a build-id, it stores no protection for mappings of the kernel, so
     * they cannot be checked. */
    return (is_code || mapping->pid < 0) && !at.failed;
}
