#include "trace/perf_data/order.h"

#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "trace/perf_data/unpack.h"

enum { MEMORY_BYTES = 16 << 20 };

/* Bit of `place`: the record is in order->unpacked and not in the file. */
#define UNPACKED (UINT64_C(1) << 63)

struct row {
    uint64_t time_ns;
    uint64_t place; /* Offset of the record, combined with the bit UNPACKED. */
};

static int by_time(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    int order = DJ_COMPARE(left->time_ns, right->time_ns);
    return order != 0 ? order : DJ_COMPARE(left->place, right->place);
}

/* Reads the record that describes an event in a file that was written to a pipe. */
static void add_event(struct dj_perf_data *file, struct dj_str body)
{
    struct dj_byte_cursor at = {(const uint8_t *)body.at, body.length, 4, false};
    uint64_t size = dj_byte_cursor_read_number(&at, 4);
    at.at = 0;
    struct dj_str attributes = dj_byte_cursor_read_bytes(&at, size);
    if (at.failed || size < PERF_ATTR_SIZE_VER0) {
        dj_perf_data_note_damage(file, "the description of an event is incomplete");
    } else if (dj_perf_data_add_event(file, attributes) != NULL) {
        dj_perf_data_add_ids(file, &at, file->event_count - 1);
    }
}

/* Reads simpleperf's record about events of new threads. The record contains pairs of an
 * event's index and an id. */
static void add_ids(struct dj_perf_data *file, struct dj_str body)
{
    struct dj_byte_cursor at = {(const uint8_t *)body.at, body.length, 0, false};
    uint64_t count = dj_byte_cursor_read_number(&at, 8);
    for (uint64_t i = 0; i < count && !at.failed; i++) {
        uint64_t event = dj_byte_cursor_read_number(&at, 8);
        uint64_t id = dj_byte_cursor_read_number(&at, 8);
        if (!at.failed && event < file->event_count) {
            dj_xcheck(dj_map_set(&file->ids, id, (size_t)event));
        }
    }
}

static void read_section(struct dj_perf_data *file, struct dj_str body)
{
    struct dj_byte_cursor at = {(const uint8_t *)body.at, body.length, 0, false};
    uint64_t number = dj_byte_cursor_read_number(&at, 8);
    if (!at.failed && number < DJ_PERF_DATA_SECTIONS) {
        file->sections[number] = (struct dj_str){body.at + at.at, body.length - at.at};
    }
}

static void read_own_record(struct dj_perf_data *file,
                            const struct dj_perf_record *record)
{
    enum { HEADER = 8 };
    const char *start = record->body.at - HEADER;
    switch (record->type) {
    case DJ_PERF_RECORD_EVENT:
        add_event(file, record->body);
        break;
    case DJ_PERF_RECORD_SECTION:
        read_section(file, record->body);
        break;
    case DJ_PERF_RECORD_BUILD_ID:
        dj_perf_data_add_build_ids(file, (struct dj_str){start, record->size});
        break;
    case DJ_PERF_RECORD_TRACING: {
        size_t length = HEADER + record->body.length;
        file->sections[DJ_PERF_DATA_TRACING] =
            (struct dj_str){start + length, record->size - length};
        break;
    }
    case DJ_PERF_RECORD_EVENT_IDS:
        add_ids(file, record->body);
        break;
    default:
        break;
    }
}

static bool is_used(uint32_t type)
{
    static const uint32_t used[] = {
        PERF_RECORD_MMAP,     PERF_RECORD_LOST,        PERF_RECORD_COMM,
        PERF_RECORD_EXIT,     PERF_RECORD_FORK,        PERF_RECORD_SAMPLE,
        PERF_RECORD_MMAP2,    PERF_RECORD_SWITCH,      PERF_RECORD_SWITCH_CPU_WIDE,
        PERF_RECORD_THROTTLE, PERF_RECORD_LOST_SAMPLES};
    for (size_t i = 0; i < COUNT_OF(used); i++) {
        if (used[i] == type) {
            return true;
        }
    }
    return false;
}

/* State while all records are visited to find their order. */
struct walk {
    struct dj_perf_order *order;
    /* Unpacks compressed records. NULL while unpacked records are visited. */
    struct dj_perf_unpacker *unpacker;
    /* UNPACKED while unpacked records are visited, otherwise 0. */
    uint64_t base;
    uint64_t last_ns;
};

static void add_record(struct walk *walk, const struct dj_perf_record *record,
                       uint64_t offset)
{
    struct dj_perf_record_id id;
    if (!is_used(record->type)) {
        return;
    }
    if (!dj_perf_data_record_read_id(walk->order->file, record, &id)) {
        dj_perf_data_note_damage(walk->order->file,
                                 "byte %llu%s: a record of type %u is incomplete, or its "
                                 "event is unknown",
                                 (unsigned long long)offset,
                                 walk->base != 0 ? " of the unpacked records" : "",
                                 record->type);
        return;
    }
    /* perf gives its records about processes that already run the time 0. */
    walk->last_ns = id.has_time ? id.time_ns : walk->last_ns;
    const struct row row = {walk->last_ns, offset | walk->base};
    dj_trace_rows_add(&walk->order->rows, &row);
}

/* Adds the records in a part of the file, or in the unpacked bytes. */
static int add_records(struct walk *walk, const uint8_t *bytes, size_t from, size_t size,
                       struct dj_error *err)
{
    struct dj_perf_data *file = walk->order->file;
    size_t at = from;
    int code = 0;
    while (at < from + size && code == 0) {
        struct dj_perf_record record;
        if (!dj_perf_data_record_read(bytes + at, from + size - at, &record)) {
            dj_perf_data_note_damage(
                file,
                "byte %zu%s: expected a record of at least 8 bytes, found one of %zu "
                "bytes, and the records end %zu bytes after its start",
                at, walk->base != 0 ? " of the unpacked records" : "", record.size,
                from + size - at);
            return 0;
        }
        if (walk->unpacker != NULL && dj_perf_data_unpacker_accepts(record.type)) {
            code = dj_perf_data_unpacker_add(walk->unpacker, &record, at, err);
        } else if (record.type < DJ_PERF_RECORD_USER) {
            add_record(walk, &record, at);
        } else {
            read_own_record(file, &record);
        }
        at += record.size;
    }
    return code;
}

int dj_perf_data_order_find(struct dj_perf_order *order, struct dj_perf_data *file,
                            struct dj_error *err)
{
    struct dj_perf_unpacker unpacker = {.file = file};
    struct walk walk = {.order = order, .unpacker = &unpacker};
    order->file = file;
    order->rows = (struct dj_trace_rows){
        .row_bytes = sizeof(struct row), .order = by_time, .memory_bytes = MEMORY_BYTES};
    int code = add_records(&walk, file->bytes, file->records_at, file->records_size, err);
    code = code != 0 ? code : dj_perf_data_unpacker_map(&unpacker, &order->unpacked, err);
    dj_perf_data_unpacker_finish(&unpacker);
    if (code == 0) {
        walk = (struct walk){.order = order, .base = UNPACKED};
        code = add_records(&walk, order->unpacked.bytes, 0, order->unpacked.size, err);
    }
    if (code == 0 && file->is_piped) {
        dj_perf_data_read_sections(file);
        dj_perf_data_name_events(file);
        dj_perf_data_choose_events(file);
    }
    dj_trace_rows_sort(&order->rows);
    return code;
}

bool dj_perf_data_order_next(struct dj_perf_order *order, struct dj_perf_record *record,
                             uint64_t *time_ns)
{
    const struct row *row = dj_trace_rows_next(&order->rows);
    if (row == NULL) {
        return false;
    }
    size_t at = (size_t)(row->place & ~UNPACKED);
    const struct dj_perf_data *file = order->file;
    bool is_unpacked = (row->place & UNPACKED) != 0;
    const uint8_t *bytes = is_unpacked ? order->unpacked.bytes : file->bytes;
    size_t end =
        is_unpacked ? order->unpacked.size : file->records_at + file->records_size;
    *time_ns = row->time_ns;
    return dj_perf_data_record_read(bytes + at, end - at, record);
}

void dj_perf_data_order_finish(struct dj_perf_order *order)
{
    dj_trace_rows_finish(&order->rows);
    dj_trace_file_close(&order->unpacked);
}
