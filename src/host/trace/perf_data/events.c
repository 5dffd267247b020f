/* Reads which events a file contains, and chooses the events that are used. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/perf/sampled_event.h"
#include "trace/perf_data/file.h"

/* Maximum number of events. perf opens one event per kind and type of CPU, so even
 * hundreds are unusual. */
enum { EVENTS_MOST = 4096 };

/* Returns what the samples of an event show. A generic event of the kernel is recognized
 * by its type and number, because the file may give it another name. */
static enum dj_perf_sampled classify(const struct dj_perf_data_event *event)
{
    const char *generic = dj_perf_get_event_name(event->attr.type, event->attr.config);
    return generic != NULL          ? dj_perf_classify_event(dj_str_of(generic))
           : event->name[0] != '\0' ? dj_perf_classify_event(dj_str_of(event->name))
                                    : DJ_PERF_NO_TIME;
}

static int64_t compute_interval_ns(const struct dj_perf_data_event *event)
{
    static const uint64_t second_ns = 1000000000;
    const struct perf_event_attr *attr = &event->attr;
    if (attr->freq != 0) {
        return attr->sample_freq > 0 && attr->sample_freq <= second_ns
                   ? (int64_t)(second_ns / attr->sample_freq)
                   : 0;
    }
    return classify(event) >= DJ_PERF_TASK_CLOCK &&
                   attr->sample_period <= 3600 * second_ns
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
    const char *generic = dj_perf_get_event_name(event.attr.type, event.attr.config);
    snprintf(event.name, sizeof(event.name), "%s", generic != NULL ? generic : "");
    event.interval_ns = compute_interval_ns(&event);
    DJ_XPUSH(file->events, file->event_count, event);
    return &file->events[file->event_count - 1];
}

void dj_perf_data_add_ids(struct dj_perf_data *file, struct dj_byte_cursor *ids,
                          size_t event)
{
    while (ids->size - ids->at >= 8) {
        if (file->ids_read++ >= file->size / 8) {
            dj_perf_data_note_damage(file, "the lists of the events' ids are larger than "
                                           "the file");
            return;
        }
        dj_xcheck(dj_map_set(&file->ids, dj_byte_cursor_read_number(ids, 8), event));
    }
}

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

/* Reads the event names from the section of Linux perf. It contains the attributes, the
 * number of ids, the name and the ids of each event. */
static void read_descriptions(struct dj_perf_data *file, struct dj_str section)
{
    struct dj_byte_cursor at = {(const uint8_t *)section.at, section.length, 0, false};
    uint64_t count = dj_byte_cursor_read_number(&at, 4);
    uint64_t size = dj_byte_cursor_read_number(&at, 4);
    for (uint64_t i = 0; i < count && i < EVENTS_MOST && !at.failed; i++) {
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

/* Reads the event names from simpleperf's list. Its lines have the form
 * "NAME,TYPE,CONFIG", for example "sched:sched_switch,2,45". */
static void read_lines(struct dj_perf_data *file, struct dj_str lines)
{
    for (int i = 0; i < EVENTS_MOST && lines.length > 0; i++) {
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

static enum dj_perf_data_use choose_use(const struct dj_perf_data_event *event,
                                        enum dj_perf_sampled best)
{
    enum dj_perf_sampled sampled = classify(event);
    return sampled == DJ_PERF_SWITCH                     ? DJ_PERF_DATA_WAIT
           : event->attr.type == PERF_TYPE_TRACEPOINT    ? DJ_PERF_DATA_TRACEPOINT
           : sampled >= DJ_PERF_COUNT && sampled == best ? DJ_PERF_DATA_TIME
                                                         : DJ_PERF_DATA_UNUSED;
}

void dj_perf_data_choose_events(struct dj_perf_data *file)
{
    enum dj_perf_sampled best = DJ_PERF_NO_TIME;
    for (size_t i = 0; i < file->event_count; i++) {
        enum dj_perf_sampled sampled = classify(&file->events[i]);
        best = sampled > best ? sampled : best;
    }
    for (size_t i = 0; i < file->event_count; i++) {
        file->events[i].use = (uint8_t)choose_use(&file->events[i], best);
    }
}
