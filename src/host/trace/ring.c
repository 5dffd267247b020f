#include "trace/ring.h"

#include <stdarg.h>
#include <stdio.h>

#include "trace/kernel/byte_cursor.h"

/* The two highest bits of the commit field of a page. The first means that events before
 * the page are missing. The second means that their number is stored after the data of
 * the page. */
#define MISSED_EVENTS (UINT64_C(1) << 31)
#define MISSED_STORED (UINT64_C(1) << 30)

enum {
    TYPE_LONG = 0, /* The next word contains the length of the event. */
    TYPE_SHORT_MOST = 28,
    TYPE_PADDING = 29,
    TYPE_EXTEND = 30,
    TYPE_STAMP = 31,
    DELTA_BITS = 27
};

static bool read_field(struct dj_str text, const char *name, int64_t *offset,
                       int64_t *size)
{
    struct dj_str rest;
    return dj_str_after(text, name, &rest) &&
           dj_trace_format_read_number(rest, "offset:", INT32_MAX, offset) &&
           dj_trace_format_read_number(rest, "size:", INT32_MAX, size);
}

int dj_trace_ring_read_layout(struct dj_str header_page,
                              struct dj_trace_ring_layout *layout, struct dj_error *err)
{
    int64_t commit_at = 8, commit_size = 8, data_at = 16, data_size = 4080;
    if (header_page.length > 0 &&
        (!read_field(header_page, " commit;", &commit_at, &commit_size) ||
         !read_field(header_page, " data;", &data_at, &data_size))) {
        return dj_error_set(err, DJ_E_INVALID,
                            "header_page: expected the fields commit and data, each with "
                            "offset and size");
    }
    if (commit_at != 8 || (commit_size != 4 && commit_size != 8) ||
        data_at < 8 + commit_size || data_at > 64 || data_size < 64 ||
        data_size > 1 << 24) {
        return dj_error_set(err, DJ_E_INVALID,
                            "header_page: impossible page layout: commit has %lld bytes "
                            "at offset %lld, data has %lld bytes at offset %lld",
                            (long long)commit_size, (long long)commit_at,
                            (long long)data_size, (long long)data_at);
    }
    *layout = (struct dj_trace_ring_layout){.page_size = (uint32_t)(data_at + data_size),
                                            .commit_size = (uint32_t)commit_size,
                                            .data_offset = (uint32_t)data_at};
    return 0;
}

void dj_trace_ring_note_damage(struct dj_trace_ring_summary *summary, const char *format,
                               ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (summary->damage[0] == '\0') {
        vsnprintf(summary->damage, sizeof(summary->damage), format, arguments);
    }
    va_end(arguments);
}

/* Reads the header of a page. If the length in the header is larger than the page, counts
 * this as damage and uses the data that is in the page. */
static void enter_page(const struct dj_trace_ring_layout *layout,
                       struct dj_trace_ring_cpu *cpu,
                       struct dj_trace_ring_summary *summary)
{
    uint64_t commit = dj_byte_cursor_decode_number(cpu->page + 8, layout->commit_size);
    uint64_t length = commit & DJ_RING_LENGTH;
    size_t room = layout->page_size - layout->data_offset;
    if (length > room) {
        summary->damaged++;
        length = room;
    }
    cpu->stamp_ns = dj_byte_cursor_decode_number(cpu->page, 8);
    cpu->at = layout->data_offset;
    cpu->end = layout->data_offset + (size_t)length;
    if ((commit & MISSED_EVENTS) != 0) {
        bool stored = (commit & MISSED_STORED) != 0 && room - length >= 8;
        cpu->lost += stored ? dj_byte_cursor_decode_number(cpu->page + cpu->end, 8) : 1;
    }
}

/* Counts the page as damaged and skips its rest. */
static void end_damaged_page(struct dj_trace_ring_cpu *cpu,
                             struct dj_trace_ring_summary *summary)
{
    summary->damaged++;
    cpu->at = cpu->end;
}

static void set_record(struct dj_trace_ring_cpu *cpu,
                       struct dj_trace_ring_summary *summary, size_t from, size_t size)
{
    if (from > cpu->end || size > cpu->end - from) {
        end_damaged_page(cpu, summary);
        return;
    }
    cpu->record = cpu->page + from;
    cpu->record_size = size;
    cpu->at = from + size;
}

/* Reads one entry of the page. An entry is an event, padding, or a time. */
static void read_entry(struct dj_trace_ring_cpu *cpu,
                       struct dj_trace_ring_summary *summary)
{
    uint32_t header = (uint32_t)dj_byte_cursor_decode_number(cpu->page + cpu->at, 4);
    uint32_t type = header & 31;
    uint64_t delta = header >> 5;
    size_t left = cpu->end - cpu->at - 4;
    uint64_t next =
        left >= 4 ? dj_byte_cursor_decode_number(cpu->page + cpu->at + 4, 4) : 0;
    if (type >= 1 && type <= TYPE_SHORT_MOST) {
        cpu->stamp_ns += delta;
        set_record(cpu, summary, cpu->at + 4, 4 * (size_t)type);
    } else if (type == TYPE_PADDING && delta == 0) {
        cpu->at = cpu->end;
    } else if (left < 4) {
        end_damaged_page(cpu, summary);
    } else if (type == TYPE_LONG && next == 0 && delta == 0) {
        /* In some kernels, the length of the data includes zero bytes after the last
         * entry. */
        cpu->at = cpu->end;
    } else if (type == TYPE_LONG && next < 4) {
        end_damaged_page(cpu, summary);
    } else if (type == TYPE_LONG) {
        cpu->stamp_ns += delta;
        set_record(cpu, summary, cpu->at + 8, (size_t)(next - 4));
        cpu->at = cpu->record != NULL && cpu->at < cpu->end ? (cpu->at + 3) & ~(size_t)3
                                                            : cpu->at;
    } else if (type == TYPE_PADDING) {
        cpu->stamp_ns += delta;
        cpu->at = next + 4 > left + 4 ? cpu->end : cpu->at + 4 + (size_t)next;
    } else if (type == TYPE_EXTEND) {
        cpu->stamp_ns += (next << DELTA_BITS) + delta;
        cpu->at += 8;
    } else {
        /* The entry contains the lower 59 bits of an absolute time. The upper bits are
         * taken from the header of the page. */
        uint64_t top = cpu->stamp_ns & ~((UINT64_C(1) << 59) - 1);
        cpu->stamp_ns = top | ((next << DELTA_BITS) + delta);
        cpu->at += 8;
    }
}

/* Reads entries and pages until an event of the CPU is found or its pages end. */
static int find_next_event(const struct dj_trace_ring_layout *layout,
                           struct dj_trace_ring_cpu *cpu,
                           struct dj_trace_ring_summary *summary, struct dj_error *err)
{
    cpu->record = NULL;
    while (cpu->record == NULL && !cpu->ended) {
        if (cpu->page != NULL && cpu->at + 4 <= cpu->end) {
            read_entry(cpu, summary);
            continue;
        }
        int code = cpu->source.next(cpu->source.user, &cpu->page, err);
        if (code != 0) {
            return code;
        }
        if (cpu->page == NULL) {
            cpu->ended = true;
        } else {
            enter_page(layout, cpu, summary);
        }
    }
    return 0;
}

static int64_t convert_stamp(const struct dj_trace_ring_time *time, uint64_t stamp)
{
    unsigned __int128 ns = stamp;
    if (time->multiplier != 0) {
        ns = ns * time->multiplier >> (time->shift & 63);
    }
    return (int64_t)((uint64_t)ns + (uint64_t)time->moved_ns);
}

static int send_event(const struct dj_trace_ring_layout *layout,
                      const struct dj_trace_formats *formats,
                      struct dj_trace_ring_cpu *cpu, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary)
{
    struct dj_event event = {.at_ns = convert_stamp(&layout->time, cpu->stamp_ns),
                             .pid = DJ_PID_UNKNOWN,
                             .cpu = cpu->cpu};
    int code = 0;
    if (cpu->lost > 0) {
        struct dj_event lost = event;
        lost.kind = DJ_EVENT_LOST;
        lost.value = (int64_t)cpu->lost;
        cpu->lost = 0;
        code = sink.take(sink.user, &lost);
    }
    if (code == 0 &&
        dj_trace_formats_read_record(formats, cpu->record, cpu->record_size, &event)) {
        summary->events++;
        code = sink.take(sink.user, &event);
    }
    return code;
}

int dj_trace_ring_read(const struct dj_trace_ring_layout *layout,
                       const struct dj_trace_formats *formats,
                       struct dj_trace_ring_cpu *cpus, size_t count,
                       struct dj_event_sink sink, struct dj_trace_ring_summary *summary,
                       struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code = find_next_event(layout, &cpus[i], summary, err);
    }
    while (code == 0) {
        struct dj_trace_ring_cpu *first = NULL;
        for (size_t i = 0; i < count; i++) {
            if (!cpus[i].ended && (first == NULL || cpus[i].stamp_ns < first->stamp_ns)) {
                first = &cpus[i];
            }
        }
        if (first == NULL) {
            return 0;
        }
        code = send_event(layout, formats, first, sink, summary);
        code = code != 0 ? code : find_next_event(layout, first, summary, err);
    }
    return code;
}
