
#include "base/hash.h"
#include "memory/memory.h"
#include "trace/chrome_said.h"
#include "trace/numbers.h"

/* Pid of the process that has the CPUs as threads, in files of older dejank versions. No
 * kernel assigns it. */
enum { CPUS_PID = INT32_MAX };

static struct dj_str words_of(const struct dj_chrome_said *said,
                              enum dj_chrome_field field)
{
    return dj_chrome_said_words(said, &said->fields[field]);
}

static uint64_t hash_of(struct dj_str words, uint64_t hash)
{
    return dj_hash_fnv(hash, words.at, words.length);
}

/* An id is a number, a string with a hexadecimal number, or any string. */
static int64_t id_of(struct dj_str words)
{
    int64_t number;
    return dj_number_int(words, &number) ? number : (int64_t)hash_of(words, DJ_HASH_FNV);
}

/* Returns the id of a process or thread; 0 if it is no number. */
static int64_t number_of(const struct dj_chrome_said *said, enum dj_chrome_field field)
{
    int64_t number = 0;
    return dj_number_float(words_of(said, field), 1, &number) ? number : 0;
}

static struct dj_event thread_of(const struct dj_chrome_events *events, int32_t lane)
{
    struct dj_event event = dj_event_of(DJ_EVENT_THREAD);
    event.other = events->lanes[lane].tid;
    event.pid = events->lanes[lane].pid;
    return event;
}

static int tell(const struct dj_chrome_events *events, const struct dj_event *event)
{
    return events->sink.take(events->sink.user, event);
}

/* Reports the process of a new thread, and its name if its id is not a number. */
static int tell_lane(const struct dj_chrome_events *events, int32_t lane,
                     struct dj_str tid)
{
    int64_t number;
    struct dj_event event = thread_of(events, lane);
    if (!dj_number_float(tid, 1, &number)) {
        event.other_name = tid;
    }
    return event.pid > 0 || event.other_name.length > 0 ? tell(events, &event) : 0;
}

/* Programs other than kernels number the threads of each process separately. An event
 * without a thread belongs to the first thread of its process. */
static int find_lane(const struct dj_chrome_said *said, const struct dj_chrome_file *file,
                     int32_t *lane)
{
    struct dj_chrome_events *events = file->events;
    size_t before = events->lane_count;
    bool threadless = !said->fields[DJ_CHROME_TID].told;
    enum dj_chrome_field field = threadless ? DJ_CHROME_PID : DJ_CHROME_TID;
    int64_t pid = number_of(said, DJ_CHROME_PID);
    bool known = pid > 0 && pid <= INT32_MAX;
    uint64_t key = file->ours ? 0 : hash_of(words_of(said, DJ_CHROME_PID), 1);
    key = hash_of((struct dj_str){"/", 1}, key);
    key = hash_of(words_of(said, field), key);
    *lane = dj_chrome_events_lane(events, key, number_of(said, field),
                                  known ? (int32_t)pid : DJ_PID_UNKNOWN);
    if (known) {
        events->lanes[*lane].pid = (int32_t)pid;
    }
    if (file->ours && number_of(said, field) == 0) {
        events->lanes[*lane].tid = 0; /* no thread */
    }
    return events->lane_count > before && !file->ours
               ? tell_lane(events, *lane, words_of(said, field))
               : 0;
}

/* An event during conversion. */
struct making {
    const struct dj_chrome_said *said;
    struct dj_chrome_file *file;
    struct dj_chrome_event event;
    const char *fault;
};

typedef int make_event(struct making *making);

static int put(struct making *making)
{
    return dj_chrome_events_put(making->file->events, &making->event);
}

static int put_section(struct making *making)
{
    struct dj_str bind = words_of(making->said, DJ_CHROME_BIND_ID);
    making->event.value_2 = bind.length > 0 ? id_of(bind) : 0;
    return put(making);
}

static int put_end(struct making *making)
{
    making->event.name.length = 0;
    return put(making);
}

static int put_complete(struct making *making)
{
    const struct dj_chrome_part *dur = &making->said->fields[DJ_CHROME_DUR];
    if (dur->told && (!dj_number_float(words_of(making->said, DJ_CHROME_DUR), 1000,
                                       &making->event.value) ||
                      making->event.value < 0)) {
        making->fault = "a length in microseconds (dur)";
        return 0;
    }
    return put_section(making);
}

/* The name is "name", or "name SERIES" if the counter has other series than one called
 * "value". */
static int put_series(struct making *making, size_t i, struct dj_text *text)
{
    const struct dj_chrome_said *said = making->said;
    struct dj_str which = dj_chrome_said_words(said, &said->series[i].name);
    struct dj_str id = words_of(said, DJ_CHROME_ID);
    dj_text_clear(text);
    dj_text_append(text, making->event.name.at, making->event.name.length);
    if (id.length > 0) {
        dj_text_append(text, "[", 1);
        dj_text_append(text, id.at, id.length);
        dj_text_append(text, "]", 1);
    }
    if (!dj_str_is(which, "value")) {
        dj_text_append(text, " ", 1);
        dj_text_append(text, which.at, which.length);
    }
    struct dj_chrome_event event = making->event;
    event.name = (struct dj_str){dj_xtext(text), text->length};
    if (!dj_number_float(dj_chrome_said_words(said, &said->series[i].value), 1,
                         &event.value)) {
        making->fault = said->series[i].string ? making->fault : "a counter's number";
        return 0;
    }
    return dj_chrome_events_put(making->file->events, &event);
}

static int put_counter(struct making *making)
{
    struct dj_text text = {0};
    int code = 0;
    for (size_t i = 0; i < making->said->series_count && code == 0; i++) {
        code = put_series(making, i, &text);
    }
    dj_text_finish(&text);
    return code;
}

/* In files of dejank, frames and states have an id that is global in the file. They are
 * no sections. Sections of a track have it as their category. Other async sections are
 * identified by their name. */
static int put_async(struct making *making)
{
    const struct dj_chrome_said *said = making->said;
    bool local = said->fields[DJ_CHROME_ID2].told;
    if (making->file->ours && !local) {
        return 0;
    }
    struct dj_str category = words_of(said, DJ_CHROME_CATEGORY);
    struct dj_str name = making->event.name;
    bool same = dj_str_equal(category, name);
    making->event.value = id_of(words_of(said, local ? DJ_CHROME_ID2 : DJ_CHROME_ID));
    making->event.anywhere = !local;
    if (making->file->ours && !same) {
        making->event.track = category;
    }
    return put(making);
}

static const struct {
    char phase;
    uint8_t kind;
    make_event *make;
} phases[] = {
    {'B', DJ_EVENT_BEGIN, put_section},
    {'E', DJ_EVENT_END, put_end},
    {'X', DJ_CHROME_COMPLETE, put_complete},
    {'C', DJ_EVENT_COUNTER, put_counter},
    {'i', DJ_EVENT_INSTANT, put},
    {'I', DJ_EVENT_INSTANT, put},
    {'R', DJ_EVENT_INSTANT, put},
    {'b', DJ_EVENT_ASYNC_BEGIN, put_async},
    {'e', DJ_EVENT_ASYNC_END, put_async},
    {'S', DJ_EVENT_ASYNC_BEGIN, put_async},
    {'F', DJ_EVENT_ASYNC_END, put_async},
};

/* Reports the name of a thread or process. */
static int tell_name(const struct dj_chrome_said *said, struct dj_chrome_file *file)
{
    bool process = dj_str_is(words_of(said, DJ_CHROME_NAME), "process_name");
    bool thread = dj_str_is(words_of(said, DJ_CHROME_NAME), "thread_name");
    struct dj_str name = words_of(said, DJ_CHROME_ARGS_NAME);
    int64_t pid = number_of(said, DJ_CHROME_PID);
    struct dj_event event = dj_event_of(DJ_EVENT_THREAD);
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
        code = find_lane(said, file, &lane);
        event = thread_of(file->events, lane);
        event.other_name = name;
    }
    return code == 0 && name.length > 0 && (process || thread)
               ? tell(file->events, &event)
               : code;
}

/* Reads only losses of CPUs. What the CPUs ran was not among the sections of the original
 * trace. */
static int take_cpus(struct making *making)
{
    const struct dj_chrome_said *said = making->said;
    if (!dj_str_is(making->event.name, "events lost")) {
        return 0;
    }
    making->event.kind = DJ_EVENT_LOST;
    making->event.value_2 = number_of(said, DJ_CHROME_TID);
    if (said->series_count > 0) {
        dj_number_float(dj_chrome_said_words(said, &said->series[0].value), 1,
                        &making->event.value);
    }
    int code = find_lane(said, making->file, &making->event.lane);
    return code != 0 ? code : put(making);
}

static int make(struct making *making, size_t phase)
{
    const struct dj_chrome_said *said = making->said;
    making->event.kind = phases[phase].kind;
    making->event.name = words_of(said, DJ_CHROME_NAME);
    making->event.track = (struct dj_str){"", 0};
    if (!dj_number_float(words_of(said, DJ_CHROME_TS), 1000, &making->event.at_ns)) {
        making->fault = "a stamp in microseconds (ts)";
        return 0;
    }
    if (making->file->ours && number_of(said, DJ_CHROME_PID) == CPUS_PID) {
        return take_cpus(making);
    }
    int code = find_lane(said, making->file, &making->event.lane);
    return code != 0 ? code : phases[phase].make(making);
}

int dj_chrome_said_end(const struct dj_chrome_said *said, struct dj_chrome_file *file,
                       bool *known, const char **fault)
{
    struct dj_str phase = words_of(said, DJ_CHROME_PHASE);
    struct making making = {.said = said, .file = file};
    int code = 0;
    *known = false;
    *fault = phase.length == 0 && said->text.length > 0 ? "an event's phase (ph)" : NULL;
    for (size_t i = 0; i < COUNT_OF(phases); i++) {
        if (phase.length > 0 && *phase.at == phases[i].phase) {
            code = make(&making, i);
            *fault = making.fault;
            *known = making.fault == NULL;
        }
    }
    return phase.length > 0 && *phase.at == 'M' ? tell_name(said, file) : code;
}
