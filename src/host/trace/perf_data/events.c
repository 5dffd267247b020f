/* Which events a file contains, and which of them are used. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/perf/sampled_event.h"
#include "trace/perf_data/file.h"

/* perf opens an event per kind and CPU type, so even hundreds are unusual. */
enum { EVENTS_MOST = 4096 };

/* The generic events that measure time. Of these, the first kind in the file is used. */
static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} time_events[] = {
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
};
enum { CLOCKS = 2 }; /* The period of the first two is in ns. */

/* Returns the index of the event's kind in time_events, or its length. On machines with
 * different CPUs, the high half of config is the type of the CPU. */
static size_t find_time_event(const struct perf_event_attr *attr)
{
    size_t i = 0;
    while (i < COUNT_OF(time_events) &&
           (attr->type != time_events[i].type ||
            (attr->config & UINT32_MAX) != time_events[i].config)) {
        i++;
    }
    return i;
}

static int64_t compute_interval_ns(const struct perf_event_attr *attr)
{
    static const uint64_t second_ns = 1000000000;
    if (attr->freq != 0) {
        return attr->sample_freq > 0 && attr->sample_freq <= second_ns
                   ? (int64_t)(second_ns / attr->sample_freq)
                   : 0;
    }
    bool is_clock = find_time_event(attr) < CLOCKS;
    return is_clock && attr->sample_period <= 3600 * second_ns
               ? (int64_t)attr->sample_period
               : 0;
}

struct dj_perf_data_event *dj_perf_data_add_event(struct dj_perf_data *file,
                                                  struct dj_str attributes)
{
    struct dj_perf_data_event event = {.use = DJ_PERF_DATA_UNUSED};
    size_t size =
        attributes.length < sizeof(event.attr) ? attributes.length : sizeof(event.attr);
    if (file->event_count >= EVENTS_MOST) {
        dj_perf_data_note_damage(file, "the file lists more than %d events", EVENTS_MOST);
        return NULL;
    }
    memcpy(&event.attr, attributes.at, size);
    size_t kind = find_time_event(&event.attr);
    if (kind < COUNT_OF(time_events)) {
        snprintf(event.name, sizeof(event.name), "%s", time_events[kind].name);
    }
    event.interval_ns = compute_interval_ns(&event.attr);
    DJ_XPUSH(file->events, file->event_count, event);
    return &file->events[file->event_count - 1];
}

void dj_perf_data_add_ids(struct dj_perf_data *file, struct dj_byte_cursor *ids,
                          size_t event)
{
    while (!ids->failed && ids->size - ids->at >= 8) {
        dj_xcheck(dj_map_set(&file->ids, dj_byte_cursor_read_number(ids, 8), event));
    }
}

/* ---- names ---- */

static void set_name(struct dj_perf_data *file, uint32_t type, uint64_t config,
                     struct dj_str name)
{
    for (size_t i = 0; i < file->event_count; i++) {
        struct dj_perf_data_event *event = &file->events[i];
        if (event->attr.type == type && event->attr.config == config) {
            snprintf(event->name, sizeof(event->name), "%.*s",
                     (int)strnlen(name.at, name.length), name.at);
        }
    }
}

/* The section of perf: attributes, number of ids, name and ids of each event. */
static void read_descriptions(struct dj_perf_data *file, struct dj_str section)
{
    struct dj_byte_cursor at = {(const uint8_t *)section.at, section.length, 0, false};
    uint64_t count = dj_byte_cursor_read_number(&at, 4);
    uint64_t size = dj_byte_cursor_read_number(&at, 4);
    for (uint64_t i = 0; i < count && !at.failed; i++) {
        struct perf_event_attr attr = {.type = 0};
        struct dj_str attributes = dj_byte_cursor_read_bytes(&at, size);
        memcpy(&attr, attributes.at,
               attributes.length < sizeof(attr) ? attributes.length : sizeof(attr));
        uint64_t ids = dj_byte_cursor_read_number(&at, 4);
        struct dj_str name =
            dj_byte_cursor_read_bytes(&at, dj_byte_cursor_read_number(&at, 4));
        dj_byte_cursor_read_bytes(&at, 8 * ids);
        if (!at.failed) {
            set_name(file, attr.type, attr.config, name);
        }
    }
    if (at.failed) {
        dj_perf_data_note_damage(file, "the section with the names of events is "
                                       "incomplete");
    }
}

/* The list of simpleperf, with lines such as "sched:sched_switch,2,45". */
static void read_lines(struct dj_perf_data *file, struct dj_str lines)
{
    while (lines.length > 0) {
        const char *newline = memchr(lines.at, '\n', lines.length);
        size_t length = newline != NULL ? (size_t)(newline - lines.at) : lines.length;
        char line[128];
        uint32_t type;
        uint64_t config;
        snprintf(line, sizeof(line), "%.*s", (int)(length < 127 ? length : 127),
                 lines.at);
        char *comma = strchr(line, ',');
        if (comma != NULL &&
            sscanf(comma, ",%" SCNu32 ",%" SCNu64, &type, &config) == 2) {
            set_name(file, type, config, (struct dj_str){line, (size_t)(comma - line)});
        }
        length += newline != NULL;
        lines = (struct dj_str){lines.at + length, lines.length - length};
    }
}

void dj_perf_data_name_events(struct dj_perf_data *file)
{
    if (file->sections[DJ_PERF_DATA_EVENTS].length > 0) {
        read_descriptions(file, file->sections[DJ_PERF_DATA_EVENTS]);
    }
    read_lines(file, dj_perf_data_find_meta(file, "event_type_info"));
}

/* ---- choice ---- */

enum { CYCLES = 2, NO_RANK = COUNT_OF(time_events) + 1 };

/* Returns a low number for events that show well where CPU time was spent. Some machines
 * have an event of their own type instead of "cycles", for example
 * "armv8_pmuv3/cpu_cycles/". */
static size_t find_rank(const struct dj_perf_data_event *event)
{
    size_t kind = find_time_event(&event->attr);
    enum dj_perf_sampled sampled = dj_perf_classify_event(dj_str_of(event->name));
    bool is_named = event->name[0] != '\0';
    return kind < COUNT_OF(time_events)            ? kind
           : is_named && sampled == DJ_PERF_CYCLES ? CYCLES
           : is_named && sampled == DJ_PERF_COUNT  ? COUNT_OF(time_events)
                                                   : NO_RANK;
}

void dj_perf_data_choose_events(struct dj_perf_data *file)
{
    size_t best = NO_RANK;
    for (size_t i = 0; i < file->event_count; i++) {
        size_t rank = find_rank(&file->events[i]);
        best = rank < best ? rank : best;
    }
    for (size_t i = 0; i < file->event_count; i++) {
        struct dj_perf_data_event *event = &file->events[i];
        bool is_tracepoint = event->attr.type == PERF_TYPE_TRACEPOINT;
        event->use = is_tracepoint && strstr(event->name, "sched_switch") != NULL
                         ? DJ_PERF_DATA_WAIT
                     : is_tracepoint ? DJ_PERF_DATA_TRACEPOINT
                     : best < NO_RANK && find_rank(event) == best ? DJ_PERF_DATA_TIME
                                                                  : DJ_PERF_DATA_UNUSED;
    }
}
