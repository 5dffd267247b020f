
#include "base/hash.h"
#include "memory/memory.h"
#include "trace/chrome/event_fields.h"
#include "trace/text/numbers.h"

/* Older versions of dejank wrote the CPUs as threads of a process with this id. The
 * kernel never assigns this id. */
enum { CPUS_PID = INT32_MAX };

static struct dj_str get_text(const struct dj_chrome_fields *raw,
                              enum dj_chrome_field field)
{
    return dj_chrome_fields_get(raw, &raw->fields[field]);
}

static uint64_t hash_text(struct dj_str words, uint64_t hash)
{
    return dj_hash_fnv(hash, words.at, words.length);
}

/* Converts an id to a number. An id in JSON is a number, a string with a hexadecimal
 * number, or any other string, which is hashed. */
static int64_t parse_id(struct dj_str words)
{
    int64_t number;
    return dj_number_parse_int(words, &number) ? number
                                               : (int64_t)hash_text(words, DJ_HASH_FNV);
}

/* Returns the id of a process or thread, or 0 if it is not a number. */
static int64_t get_number(const struct dj_chrome_fields *raw, enum dj_chrome_field field)
{
    int64_t number = 0;
    return dj_number_parse_float(get_text(raw, field), 1, &number) ? number : 0;
}

static struct dj_event make_thread_event(const struct dj_chrome_events *events,
                                         int32_t lane)
{
    struct dj_event event = dj_event_make(DJ_EVENT_THREAD);
    event.other = events->lanes[lane].tid;
    event.pid = events->lanes[lane].pid;
    return event;
}

static int send_event(const struct dj_chrome_events *events, const struct dj_event *event)
{
    return events->sink.take(events->sink.user, event);
}

/* Reports a new lane: the id and the process of its thread. If the thread's id in the
 * file is not a number, reports it as the thread's name. */
static int report_lane(const struct dj_chrome_events *events, int32_t lane,
                       struct dj_str tid)
{
    int64_t number;
    struct dj_event event = make_thread_event(events, lane);
    if (!dj_number_parse_float(tid, 1, &number)) {
        event.other_name = tid;
    }
    return event.pid > 0 || event.other_name.length > 0 ? send_event(events, &event) : 0;
}

/* Finds the lane (the thread) of an event. Many programs number the threads of each
 * process separately, so two threads may have the same thread id if their processes
 * differ. If an event has no thread, the id of its process is used as the id of the
 * thread. */
static int find_lane(const struct dj_chrome_fields *raw,
                     const struct dj_chrome_file *file, int32_t *lane)
{
    struct dj_chrome_events *events = file->events;
    size_t before = events->lane_count;
    bool threadless = !raw->fields[DJ_CHROME_TID].is_set;
    enum dj_chrome_field field = threadless ? DJ_CHROME_PID : DJ_CHROME_TID;
    int64_t pid = get_number(raw, DJ_CHROME_PID);
    bool known = pid > 0 && pid <= INT32_MAX;
    uint64_t key = file->ours ? 0 : hash_text(get_text(raw, DJ_CHROME_PID), 1);
    key = hash_text((struct dj_str){"/", 1}, key);
    key = hash_text(get_text(raw, field), key);
    *lane = dj_chrome_events_get_lane(events, key, get_number(raw, field),
                                      known ? (int32_t)pid : DJ_PID_UNKNOWN);
    if (known) {
        events->lanes[*lane].pid = (int32_t)pid;
    }
    if (file->ours && get_number(raw, field) == 0) {
        events->lanes[*lane].tid = 0; /* The event belongs to no thread. */
    }
    return events->lane_count > before && !file->ours
               ? report_lane(events, *lane, get_text(raw, field))
               : 0;
}

/* The conversion of one event. */
struct conversion {
    const struct dj_chrome_fields *raw;
    struct dj_chrome_file *file;
    struct dj_chrome_event event;
    const char *fault;
};

typedef int convert_event(struct conversion *conversion);

static int add(struct conversion *conversion)
{
    return dj_chrome_events_add(conversion->file->events, &conversion->event);
}

static int add_section(struct conversion *conversion)
{
    struct dj_str bind = get_text(conversion->raw, DJ_CHROME_BIND_ID);
    conversion->event.value_2 = bind.length > 0 ? parse_id(bind) : 0;
    return add(conversion);
}

static int add_end(struct conversion *conversion)
{
    conversion->event.name.length = 0;
    return add(conversion);
}

static int add_complete(struct conversion *conversion)
{
    const struct dj_chrome_text_range *dur = &conversion->raw->fields[DJ_CHROME_DUR];
    if (dur->is_set && (!dj_number_parse_float(get_text(conversion->raw, DJ_CHROME_DUR),
                                               1000, &conversion->event.value) ||
                        conversion->event.value < 0)) {
        conversion->fault = "a duration in microseconds (dur)";
        return 0;
    }
    return add_section(conversion);
}

/* Adds one value of a counter. The counter is named after the event. If the name of the
 * value is not "value", the name of the counter is the event's name, a space, and the
 * value's name. */
static int add_series(struct conversion *conversion, size_t i, struct dj_text *text)
{
    const struct dj_chrome_fields *raw = conversion->raw;
    struct dj_str which = dj_chrome_fields_get(raw, &raw->series[i].name);
    struct dj_str id = get_text(raw, DJ_CHROME_ID);
    dj_text_clear(text);
    dj_text_append(text, conversion->event.name.at, conversion->event.name.length);
    if (id.length > 0) {
        dj_text_append(text, "[", 1);
        dj_text_append(text, id.at, id.length);
        dj_text_append(text, "]", 1);
    }
    if (!dj_str_is(which, "value")) {
        dj_text_append(text, " ", 1);
        dj_text_append(text, which.at, which.length);
    }
    struct dj_chrome_event event = conversion->event;
    event.name = (struct dj_str){dj_xtext(text), text->length};
    if (!dj_number_parse_float(dj_chrome_fields_get(raw, &raw->series[i].value), 1,
                               &event.value)) {
        conversion->fault =
            raw->series[i].string ? conversion->fault : "a counter's number";
        return 0;
    }
    return dj_chrome_events_add(conversion->file->events, &event);
}

static int add_counter(struct conversion *conversion)
{
    struct dj_text text = {0};
    int code = 0;
    for (size_t i = 0; i < conversion->raw->series_count && code == 0; i++) {
        code = add_series(conversion, i, &text);
    }
    dj_text_finish(&text);
    return code;
}

/* Adds the begin or end of an async section. In files of dejank, an async section with a
 * global id is a frame or a state, which is ignored. The category of any other async
 * section in these files is the name of its track. */
static int add_async(struct conversion *conversion)
{
    const struct dj_chrome_fields *raw = conversion->raw;
    bool local = raw->fields[DJ_CHROME_ID2].is_set;
    if (conversion->file->ours && !local) {
        return 0;
    }
    struct dj_str category = get_text(raw, DJ_CHROME_CATEGORY);
    struct dj_str name = conversion->event.name;
    bool same = dj_str_equal(category, name);
    conversion->event.value =
        parse_id(get_text(raw, local ? DJ_CHROME_ID2 : DJ_CHROME_ID));
    conversion->event.anywhere = !local;
    if (conversion->file->ours && !same) {
        conversion->event.track = category;
    }
    return add(conversion);
}

static const struct {
    char phase;
    uint8_t kind;
    convert_event *convert;
} phases[] = {
    {'B', DJ_EVENT_BEGIN, add_section},
    {'E', DJ_EVENT_END, add_end},
    {'X', DJ_CHROME_COMPLETE, add_complete},
    {'C', DJ_EVENT_COUNTER, add_counter},
    {'i', DJ_EVENT_INSTANT, add},
    {'I', DJ_EVENT_INSTANT, add},
    {'R', DJ_EVENT_INSTANT, add},
    {'b', DJ_EVENT_ASYNC_BEGIN, add_async},
    {'e', DJ_EVENT_ASYNC_END, add_async},
    {'S', DJ_EVENT_ASYNC_BEGIN, add_async},
    {'F', DJ_EVENT_ASYNC_END, add_async},
};

/* Reports the name of a thread or process. */
static int report_name(const struct dj_chrome_fields *raw, struct dj_chrome_file *file)
{
    bool process = dj_str_is(get_text(raw, DJ_CHROME_NAME), "process_name");
    bool thread = dj_str_is(get_text(raw, DJ_CHROME_NAME), "thread_name");
    struct dj_str name = get_text(raw, DJ_CHROME_ARGS_NAME);
    int64_t pid = get_number(raw, DJ_CHROME_PID);
    struct dj_event event = dj_event_make(DJ_EVENT_THREAD);
    int code = 0;
    if (process && pid == CPUS_PID && dj_str_is(name, "processors")) {
        file->ours = true;
    }
    if (file->ours && pid == CPUS_PID) {
        return 0;
    }
    if (process && pid > 0 && pid <= INT32_MAX) {
        event.pid = (int32_t)pid;
        event.name = name;
    } else if (thread) {
        int32_t lane;
        code = find_lane(raw, file, &lane);
        event = make_thread_event(file->events, lane);
        event.other_name = name;
    }
    return code == 0 && name.length > 0 && (process || thread)
               ? send_event(file->events, &event)
               : code;
}

/* Reports lost events of a CPU. Files of dejank also contain other events of CPUs. They
 * are ignored, because they were not sections in the original trace. */
static int add_cpu_loss(struct conversion *conversion)
{
    const struct dj_chrome_fields *raw = conversion->raw;
    if (!dj_str_is(conversion->event.name, "events lost")) {
        return 0;
    }
    conversion->event.kind = DJ_EVENT_LOST;
    conversion->event.value_2 = get_number(raw, DJ_CHROME_TID);
    if (raw->series_count > 0) {
        dj_number_parse_float(dj_chrome_fields_get(raw, &raw->series[0].value), 1,
                              &conversion->event.value);
    }
    int code = find_lane(raw, conversion->file, &conversion->event.lane);
    return code != 0 ? code : add(conversion);
}

static int convert(struct conversion *conversion, size_t phase)
{
    const struct dj_chrome_fields *raw = conversion->raw;
    conversion->event.kind = phases[phase].kind;
    conversion->event.name = get_text(raw, DJ_CHROME_NAME);
    conversion->event.track = (struct dj_str){"", 0};
    if (!dj_number_parse_float(get_text(raw, DJ_CHROME_TS), 1000,
                               &conversion->event.at_ns)) {
        conversion->fault = "a time in microseconds (ts)";
        return 0;
    }
    if (conversion->file->ours && get_number(raw, DJ_CHROME_PID) == CPUS_PID) {
        return add_cpu_loss(conversion);
    }
    int code = find_lane(raw, conversion->file, &conversion->event.lane);
    return code != 0 ? code : phases[phase].convert(conversion);
}

int dj_chrome_fields_convert(const struct dj_chrome_fields *raw,
                             struct dj_chrome_file *file, bool *known, const char **fault)
{
    struct dj_str phase = get_text(raw, DJ_CHROME_PHASE);
    struct conversion conversion = {.raw = raw, .file = file};
    int code = 0;
    *known = false;
    *fault = phase.length == 0 && raw->text.length > 0 ? "an event's phase (ph)" : NULL;
    for (size_t i = 0; i < COUNT_OF(phases); i++) {
        if (phase.length > 0 && *phase.at == phases[i].phase) {
            code = convert(&conversion, i);
            *fault = conversion.fault;
            *known = conversion.fault == NULL;
        }
    }
    return phase.length > 0 && *phase.at == 'M' ? report_name(raw, file) : code;
}
