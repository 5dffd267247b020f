#include "trace/perf/report_sample.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/map.h"
#include "base/proto.h"
#include "memory/memory.h"
#include "trace/kernel/byte_cursor.h"
#include "trace/perf/sampled_event.h"
#include "trace/rows.h"
#include "trace/trace.h"

static const char magic[] = "SIMPLEPERF";
enum { MAGIC = sizeof(magic) - 1, HEAD = MAGIC + 2, VERSION = 1 };

/* Fields of the messages, as simpleperf's cmd_report_sample.proto numbers them. */
enum {
    RECORD_SAMPLE = 1,
    RECORD_LOST = 2,
    RECORD_FILE = 3,
    RECORD_THREAD = 4,
    RECORD_META = 5,
    RECORD_SWITCH = 6,
    RECORD_FIELDS,

    SAMPLE_TIME = 1,
    SAMPLE_TID = 2,
    SAMPLE_CALL = 3,
    SAMPLE_COUNT = 4,
    SAMPLE_EVENT = 5,
    SAMPLE_UNWINDING = 6,
    SAMPLE_FIELDS,

    CALL_ADDRESS = 1,
    CALL_FILE = 2,
    CALL_SYMBOL = 3,
    CALL_FIELDS,

    UNWINDING_ERROR = 3,
    LOST_COUNT = 2,
    FILE_ID = 1,
    FILE_PATH = 2,
    FILE_SYMBOL = 3,
    THREAD_ID = 1,
    THREAD_PROCESS = 2,
    THREAD_NAME = 3,
    META_EVENT = 1,
    META_PACKAGE = 2,
    SWITCH_ON = 1,
    SWITCH_TIME = 2,
    SWITCH_TID = 3,
};

/* The name of a function: its offset and length in the message of its file. */
struct symbol {
    uint32_t at, length;
};

struct binary {
    const char *message;
    struct symbol *symbols; /* Owned by this struct. */
    size_t symbol_count;
    struct dj_event_mapping mapping;
};

/* A sample or a context switch, with its time and its position in the file. */
struct item {
    int64_t at_ns;
    const char *body;
    uint32_t length;
    bool is_switch;
};

/* Memory for items in bytes. If the items need more, they are sorted in a temporary file.
 */
enum { ITEM_BYTES = 16 << 20 };

struct thread {
    int32_t tid, pid;
    struct dj_str name;
};

struct report {
    const struct dj_trace_file *file;
    struct dj_event_sink sink;
    struct dj_report_sample_summary *summary;
    struct dj_trace_rows items; /* Items in order of time. */
    struct binary *binaries;    /* Owned by this struct. */
    struct thread *threads;     /* Owned by this struct. */
    struct dj_str *event_names; /* Owned by this struct. */
    size_t binary_count, thread_count, event_name_count;
    /* Maps from the id of a file or thread to an index in `binaries` or `threads`. */
    struct dj_map binary_places, thread_places;
    struct dj_str package;
    int64_t last_ns; /* Time of the last item that was sent. */
    struct dj_perf_choice choice;
    struct dj_event_call frames[DJ_STACK_FRAMES_MAX];
};

static void note_damage(struct report *report, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note_damage(struct report *report, size_t at, const char *format, ...)
{
    char what[160];
    va_list arguments;
    if (report->summary->damaged++ > 0) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    snprintf(report->summary->damage, sizeof(report->summary->damage), "byte %zu: %s", at,
             what);
}

static size_t get_place(const struct report *report, const char *at)
{
    return (size_t)((const uint8_t *)at - report->file->bytes);
}

static int32_t read_id(const struct dj_proto_field *field)
{
    int64_t id = dj_proto_int(field);
    return id > 0 && id <= INT32_MAX ? (int32_t)id : 0;
}

static enum dj_perf_sampled classify(const struct report *report,
                                     const struct dj_proto_field *event)
{
    uint64_t id = (uint64_t)dj_proto_int(event);
    return id < report->event_name_count ? dj_perf_classify_event(report->event_names[id])
                                         : DJ_PERF_COUNT;
}

static void add_item(struct report *report, struct dj_str body, bool is_switch)
{
    struct dj_proto_field got[SAMPLE_FIELDS];
    bool valid = dj_proto_collect(body, got, SAMPLE_FIELDS);
    int64_t at_ns = dj_proto_int(&got[is_switch ? SWITCH_TIME : SAMPLE_TIME]);
    if (!valid || at_ns < 0) {
        note_damage(report, get_place(report, body.at), "expected a %s, found invalid %s",
                    is_switch ? "switch" : "sample", valid ? "time" : "fields");
        return;
    }
    if (!is_switch) {
        dj_perf_choose(&report->choice, classify(report, &got[SAMPLE_EVENT]));
    }
    const struct item item = {at_ns, body.at, (uint32_t)body.length, is_switch};
    dj_trace_rows_add(&report->items, &item);
}

static void add_binary(struct report *report, struct dj_str body)
{
    struct binary binary = {.message = body.at};
    struct dj_proto_message message = dj_proto_open(body);
    struct dj_proto_field field = {0};
    uint64_t id = 0;
    while (dj_proto_next(&message, &field)) {
        if (field.number == FILE_ID && field.wire == DJ_PROTO_VARINT) {
            id = field.value;
        } else if (field.number == FILE_PATH && field.wire == DJ_PROTO_BYTES) {
            binary.mapping.path = field.bytes;
        } else if (field.number == FILE_SYMBOL && field.wire == DJ_PROTO_BYTES) {
            struct symbol symbol = {(uint32_t)(field.bytes.at - body.at),
                                    (uint32_t)field.bytes.length};
            DJ_XPUSH(binary.symbols, binary.symbol_count, symbol);
        }
    }
    if (message.failed) {
        note_damage(report, get_place(report, body.at),
                    "expected a file, found invalid fields");
    }
    dj_xcheck(dj_map_set(&report->binary_places, id, report->binary_count));
    DJ_XPUSH(report->binaries, report->binary_count, binary);
}

static void add_thread(struct report *report, struct dj_str body)
{
    struct dj_proto_field got[THREAD_NAME + 1];
    dj_proto_collect(body, got, THREAD_NAME + 1);
    struct thread thread = {read_id(&got[THREAD_ID]), read_id(&got[THREAD_PROCESS]),
                            dj_proto_bytes(&got[THREAD_NAME])};
    if (thread.tid > 0) {
        dj_xcheck(dj_map_set(&report->thread_places, (uint32_t)thread.tid,
                             report->thread_count));
        DJ_XPUSH(report->threads, report->thread_count, thread);
    }
}

static void read_meta(struct report *report, struct dj_str body)
{
    struct dj_proto_message message = dj_proto_open(body);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&message, &field)) {
        if (field.wire == DJ_PROTO_BYTES && field.number == META_EVENT) {
            DJ_XPUSH(report->event_names, report->event_name_count, field.bytes);
        } else if (field.wire == DJ_PROTO_BYTES && field.number == META_PACKAGE) {
            report->package = field.bytes;
        }
    }
}

static void read_record(struct report *report, struct dj_str record)
{
    struct dj_proto_field got[RECORD_FIELDS];
    if (!dj_proto_collect(record, got, RECORD_FIELDS)) {
        note_damage(report, get_place(report, record.at),
                    "expected a record, found invalid fields");
        return;
    }
    if (got[RECORD_SAMPLE].number != 0) {
        add_item(report, dj_proto_bytes(&got[RECORD_SAMPLE]), false);
    } else if (got[RECORD_SWITCH].number != 0) {
        add_item(report, dj_proto_bytes(&got[RECORD_SWITCH]), true);
    } else if (got[RECORD_FILE].number != 0) {
        add_binary(report, dj_proto_bytes(&got[RECORD_FILE]));
    } else if (got[RECORD_THREAD].number != 0) {
        add_thread(report, dj_proto_bytes(&got[RECORD_THREAD]));
    } else if (got[RECORD_META].number != 0) {
        read_meta(report, dj_proto_bytes(&got[RECORD_META]));
    } else if (got[RECORD_LOST].number != 0) {
        struct dj_proto_field lost[LOST_COUNT + 1];
        dj_proto_collect(dj_proto_bytes(&got[RECORD_LOST]), lost, LOST_COUNT + 1);
        int64_t count = dj_proto_int(&lost[LOST_COUNT]);
        report->summary->lost += count > 0 ? (uint64_t)count : 0;
    }
}

static void read_records(struct report *report)
{
    struct dj_byte_cursor cursor = {report->file->bytes, report->file->size, HEAD, false};
    while (true) {
        size_t at = cursor.at;
        uint64_t size = dj_byte_cursor_read_number(&cursor, 4);
        if (cursor.failed) {
            note_damage(report, at, "expected the size of a record, found the end");
            return;
        }
        if (size == 0) {
            return;
        }
        if (size > cursor.size - cursor.at) {
            note_damage(report, at, "expected a record of %" PRIu64 " bytes, found %zu",
                        size, cursor.size - cursor.at);
            return;
        }
        read_record(report, dj_byte_cursor_read_bytes(&cursor, size));
    }
}

static int report_threads(struct report *report)
{
    struct dj_event clock = dj_event_make(DJ_EVENT_CLOCK);
    int code = report->sink.take(report->sink.user, &clock);
    for (size_t i = 0; i < report->thread_count && code == 0; i++) {
        const struct thread *thread = &report->threads[i];
        struct dj_event event = dj_event_make(DJ_EVENT_THREAD);
        event.other = thread->tid;
        event.other_name = thread->name;
        event.pid = thread->pid > 0 ? thread->pid : DJ_PID_UNKNOWN;
        if (thread->tid == thread->pid) {
            event.name = report->package;
        }
        code = report->sink.take(report->sink.user, &event);
    }
    return code;
}

static int32_t find_process(const struct report *report, int32_t tid)
{
    size_t at = dj_map_get(&report->thread_places, (uint32_t)tid);
    int32_t pid = at != DJ_MAP_NONE ? report->threads[at].pid : 0;
    return pid > 0 ? pid : DJ_PID_UNKNOWN;
}

static struct dj_event_call decode_call(const struct report *report, struct dj_str body)
{
    struct dj_proto_field got[CALL_FIELDS];
    dj_proto_collect(body, got, CALL_FIELDS);
    struct dj_event_call call = {.address = (uint64_t)dj_proto_int(&got[CALL_ADDRESS]),
                                 .function = {"", 0}};
    size_t at =
        dj_map_get(&report->binary_places, (uint64_t)dj_proto_int(&got[CALL_FILE]));
    if (at == DJ_MAP_NONE) {
        return call;
    }
    const struct binary *binary = &report->binaries[at];
    int64_t symbol = got[CALL_SYMBOL].number != 0 ? dj_proto_int(&got[CALL_SYMBOL]) : -1;
    if (symbol >= 0 && (uint64_t)symbol < binary->symbol_count) {
        call.function = (struct dj_str){binary->message + binary->symbols[symbol].at,
                                        binary->symbols[symbol].length};
    }
    call.mapping = binary->mapping.path.length > 0 ? &binary->mapping : NULL;
    return call;
}

/* Decodes the stack of a sample, the innermost function first. */
static size_t decode_stack(struct report *report, const struct item *item)
{
    struct dj_proto_message message =
        dj_proto_open((struct dj_str){item->body, item->length});
    struct dj_proto_field field = {0};
    size_t count = 0;
    while (dj_proto_next(&message, &field) && count < DJ_STACK_FRAMES_MAX) {
        if (field.number == SAMPLE_CALL && field.wire == DJ_PROTO_BYTES) {
            report->frames[count++] = decode_call(report, field.bytes);
        }
    }
    return count;
}

static int send_sample(struct report *report, const struct item *item)
{
    struct dj_proto_field got[SAMPLE_FIELDS], unwinding[UNWINDING_ERROR + 1];
    dj_proto_collect((struct dj_str){item->body, item->length}, got, SAMPLE_FIELDS);
    dj_proto_collect(dj_proto_bytes(&got[SAMPLE_UNWINDING]), unwinding,
                     UNWINDING_ERROR + 1);
    enum dj_perf_sampled sampled = classify(report, &got[SAMPLE_EVENT]);
    if (!dj_perf_choose(&report->choice, sampled)) {
        report->summary->unused++;
        return 0;
    }
    size_t count = decode_stack(report, item);
    const struct dj_event_mapping *innermost =
        count > 0 ? report->frames[0].mapping : NULL;
    const struct dj_event_stack stack = {
        .frames = report->frames,
        .count = count,
        .source = sampled == DJ_PERF_SWITCH ? DJ_STACK_WAIT : DJ_STACK_CPU,
        .end = dj_proto_int(&unwinding[UNWINDING_ERROR]) != 0 ? DJ_STACK_INCOMPLETE
                                                              : DJ_STACK_COMPLETE,
        .in_kernel = innermost != NULL && dj_str_begins(innermost->path, "[kernel")};
    struct dj_event event = dj_event_make(DJ_EVENT_STACK);
    event.at_ns = item->at_ns;
    event.tid = read_id(&got[SAMPLE_TID]);
    event.pid = find_process(report, event.tid);
    event.value = dj_perf_get_time(sampled, dj_proto_int(&got[SAMPLE_COUNT]));
    event.stack = &stack;
    report->summary->events++;
    return report->sink.take(report->sink.user, &event);
}

/* Reports that a thread starts or stops running. The record does not contain the
 * reason. */
static int send_switch(struct report *report, const struct item *item)
{
    struct dj_proto_field got[SWITCH_TID + 1];
    dj_proto_collect((struct dj_str){item->body, item->length}, got, SWITCH_TID + 1);
    struct dj_event event = dj_event_make(DJ_EVENT_TASK);
    event.at_ns = item->at_ns;
    event.other = read_id(&got[SWITCH_TID]);
    event.pid = find_process(report, event.other);
    event.thread_state =
        dj_proto_int(&got[SWITCH_ON]) != 0 ? DJ_THREAD_RUNNING : DJ_THREAD_UNKNOWN;
    if (event.other == 0) {
        return 0;
    }
    report->summary->events++;
    return report->sink.take(report->sink.user, &event);
}

static int send_loss(struct report *report)
{
    const struct dj_event_stack stack = {.lost = report->summary->lost};
    struct dj_event event = dj_event_make(DJ_EVENT_STACK);
    event.at_ns = report->last_ns;
    event.stack = &stack;
    return stack.lost > 0 ? report->sink.take(report->sink.user, &event) : 0;
}

static int by_time(const void *a, const void *b)
{
    const struct item *left = a, *right = b;
    int order = DJ_COMPARE(left->at_ns, right->at_ns);
    return order != 0 ? order : DJ_COMPARE(left->body, right->body);
}

static int send_events(struct report *report, struct dj_error *err)
{
    const struct item *item;
    /* Only now are all names of files read, so the addresses of mappings no longer
     * change. */
    int code = report_threads(report);
    dj_trace_rows_sort(&report->items);
    while (code == 0 && (item = dj_trace_rows_next(&report->items)) != NULL) {
        report->last_ns = item->at_ns;
        code = (item->is_switch ? send_switch : send_sample)(report, item);
    }
    code = code != 0 ? code : dj_trace_rows_get_error(&report->items, err);
    return code != 0 ? code : send_loss(report);
}

static void finish(struct report *report)
{
    for (size_t i = 0; i < report->binary_count; i++) {
        free(report->binaries[i].symbols);
    }
    free(report->binaries);
    dj_trace_rows_finish(&report->items);
    free(report->threads);
    free(report->event_names);
    dj_map_finish(&report->binary_places);
    dj_map_finish(&report->thread_places);
    free(report);
}

bool dj_report_sample_sniff(const char *bytes, size_t length)
{
    return length >= HEAD && memcmp(bytes, magic, MAGIC) == 0;
}

int dj_report_sample_read(const struct dj_trace_file *file, struct dj_event_sink sink,
                          struct dj_report_sample_summary *summary, struct dj_error *err)
{
    uint64_t version = dj_byte_cursor_decode_number(file->bytes + MAGIC, 2);
    if (version != VERSION) {
        return dj_error_set_at(err, DJ_E_UNSUPPORTED, MAGIC,
                               "byte %d: expected version %d of simpleperf's report, "
                               "found %" PRIu64,
                               MAGIC, VERSION, version);
    }
    struct report *report = dj_xcalloc(1, sizeof(*report));
    report->file = file;
    report->sink = sink;
    report->summary = summary;
    report->package = (struct dj_str){"", 0};
    report->items = (struct dj_trace_rows){
        .row_bytes = sizeof(struct item), .order = by_time, .memory_bytes = ITEM_BYTES};
    read_records(report);
    int code = send_events(report, err);
    finish(report);
    return code;
}
