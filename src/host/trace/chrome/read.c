#include "trace/chrome/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/chrome/event_fields.h"
#include "trace/text/numbers.h"

/* The file has the form {"traceEvents": [{…}, …], "systemTraceEvents": "# tracer: …", …}.
 * The members may have any order. The file may also contain only the array of events. */
enum member {
    MEMBER_OTHER,
    MEMBER_EVENTS,
    MEMBER_TEXT,
    MEMBER_LIST, /* List of processes as text. */
    MEMBER_ABOUT /* Metadata of the trace. It may contain the name of the clock. */
};

static const struct {
    const char *key;
    uint8_t member;
} members[] = {
    {"traceEvents", MEMBER_EVENTS},      {"systemTraceEvents", MEMBER_TEXT},
    {"androidProcessDump", MEMBER_LIST}, {"atraceProcessDump", MEMBER_LIST},
    {"metadata", MEMBER_ABOUT},          {"otherData", MEMBER_ABOUT},
};

struct dj_chrome_reader {
    struct dj_chrome_file file;
    struct dj_text_summary summary;
    uint8_t member;
    const char *key; /* Name of the current member. */
    /* Nesting depth of event objects, or 0 outside the array of events. */
    uint32_t events_depth;
    bool in_event;
    bool in_text;
    bool about_clock; /* True if the next value is the name of the clock. */
    bool mono;        /* True if the clock is CLOCK_MONOTONIC. */
    /* True if the file contains trace text of the kernel. This text describes the clock.
     */
    bool any_text;
    struct dj_chrome_fields raw;
    struct dj_ftrace_text text;
    struct dj_json_scan scan;
};

/* Checks the first two characters. The first one is not sufficient: trace text of the
 * kernel may begin with the name of a thread, and this name may begin with any character.
 */
int dj_chrome_reader_sniff(const char *bytes, size_t length)
{
    char marks[2] = "";
    size_t count = 0;
    for (size_t i = 0; i < length && count < sizeof(marks); i++) {
        if (!dj_number_is_space(bytes[i])) {
            marks[count++] = bytes[i];
        }
    }
    if (count > 0 && marks[0] != '{' && marks[0] != '[') {
        return 0;
    }
    if (count < sizeof(marks)) {
        return -1;
    }
    return marks[0] == '{' ? marks[1] == '"' || marks[1] == '}'
                           : marks[1] == '{' || marks[1] == ']';
}

static int end_text(struct dj_chrome_reader *reader, struct dj_error *err)
{
    int code = 0;
    if (reader->in_text) {
        code = dj_ftrace_text_end(&reader->text, err);
        reader->any_text |= reader->text.summary.events > 0;
        dj_text_summary_add(&reader->summary, &reader->text.summary, reader->key);
        dj_ftrace_text_finish(&reader->text);
        reader->in_text = false;
    }
    return code;
}

static int read_member_text(struct dj_chrome_reader *reader, struct dj_str text,
                            struct dj_error *err)
{
    if (!reader->in_text) {
        reader->text = (struct dj_ftrace_text){
            .sink = dj_chrome_events_get_merging_sink(reader->file.events), .part = true};
        reader->in_text = true;
    }
    return dj_ftrace_text_read(&reader->text, text.at, text.length, err);
}

static void start_member(struct dj_chrome_reader *reader, struct dj_str key)
{
    reader->member = MEMBER_OTHER;
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        if (dj_str_is(key, members[i].key)) {
            reader->member = members[i].member;
            reader->key = members[i].key;
        }
    }
}

/* Reads the metadata of the trace, which is in the member `metadata` in files of Chrome,
 * and in the member `otherData` in files of older versions of dejank. */
static void read_about(struct dj_chrome_reader *reader, enum dj_json_token token,
                       struct dj_str text)
{
    if (token == DJ_JSON_KEY) {
        reader->about_clock = dj_str_is(text, "clock-domain") || dj_str_is(text, "clock");
    } else if (token == DJ_JSON_STRING && reader->about_clock) {
        reader->mono |= dj_str_is(text, "CLOCK_MONOTONIC") ||
                        dj_str_is(text, "LINUX_CLOCK_MONOTONIC");
    }
}

static void note_fault(struct dj_chrome_reader *reader, const char *expected)
{
    if (reader->summary.unreadable++ == 0) {
        snprintf(reader->summary.damage, sizeof(reader->summary.damage),
                 "byte %llu: expected %s", (unsigned long long)reader->scan.place,
                 expected);
    }
}

static int end_event(struct dj_chrome_reader *reader)
{
    const char *fault;
    bool known;
    int code = dj_chrome_fields_convert(&reader->raw, &reader->file, &known, &fault);
    reader->in_event = false;
    reader->summary.events += known ? 1 : 0;
    if (code == 0 && fault != NULL) {
        note_fault(reader, fault);
    }
    return code;
}

static int handle_event_token(struct dj_chrome_reader *reader, enum dj_json_token token,
                              struct dj_str text)
{
    uint32_t depth = reader->scan.depth;
    if (token == DJ_JSON_CLOSE && depth < reader->events_depth) {
        return end_event(reader);
    }
    dj_chrome_fields_add_token(&reader->raw, token, text, depth - reader->events_depth);
    return 0;
}

/* Handles the start or end of an object or array outside of events. */
static void handle_bracket(struct dj_chrome_reader *reader, enum dj_json_token token)
{
    uint32_t depth = reader->scan.depth;
    bool alone = depth == 1 && reader->events_depth == 0;
    if (token == DJ_JSON_ARRAY &&
        (alone || (depth == 2 && reader->member == MEMBER_EVENTS))) {
        reader->events_depth = depth + 1;
    } else if (token == DJ_JSON_OBJECT && depth == reader->events_depth) {
        reader->in_event = true;
        dj_chrome_fields_reset(&reader->raw);
    } else if (token == DJ_JSON_CLOSE && depth + 2 == reader->events_depth) {
        reader->events_depth = 0;
    }
}

static int handle_token(void *user, enum dj_json_token token, struct dj_str text,
                        struct dj_error *err)
{
    struct dj_chrome_reader *reader = user;
    uint32_t depth = reader->scan.depth;
    bool texts = reader->member == MEMBER_TEXT || reader->member == MEMBER_LIST;
    if (reader->in_event) {
        return handle_event_token(reader, token, text);
    }
    if (token <= DJ_JSON_CLOSE) {
        handle_bracket(reader, token);
    } else if (token == DJ_JSON_KEY && depth == 1) {
        start_member(reader, text);
    } else if (depth == 1 && texts && token == DJ_JSON_STRING) {
        return read_member_text(reader, text, err);
    } else if (depth == 1 && texts && token == DJ_JSON_STRING_END) {
        return end_text(reader, err);
    } else if (depth == 2 && reader->member == MEMBER_ABOUT) {
        read_about(reader, token, text);
    }
    return 0;
}

struct dj_chrome_reader *dj_chrome_reader_create(struct dj_chrome_events *events)
{
    struct dj_chrome_reader *reader = dj_xcalloc(1, sizeof(*reader));
    reader->file.events = events;
    reader->key = "";
    reader->scan.on_token = handle_token;
    reader->scan.user = reader;
    return reader;
}

void dj_chrome_reader_destroy(struct dj_chrome_reader *reader)
{
    if (reader != NULL) {
        dj_ftrace_text_finish(&reader->text);
        dj_text_finish(&reader->raw.text);
        free(reader);
    }
}

int dj_chrome_reader_read(struct dj_chrome_reader *reader, const char *bytes,
                          size_t length, struct dj_error *err)
{
    return dj_json_scan_read(&reader->scan, bytes, length, err);
}

int dj_chrome_reader_end(struct dj_chrome_reader *reader, struct dj_error *err)
{
    struct dj_event_sink sink = reader->file.events->sink;
    int code = dj_json_scan_end(&reader->scan, err);
    int ended = end_text(reader, err);
    code = code != 0 ? code : ended;
    if (code != 0 || !reader->mono || reader->any_text) {
        return code;
    }
    /* Reports that the trace's clock is CLOCK_MONOTONIC: at time 0, both clocks show 0.
     */
    struct dj_event event = dj_event_make(DJ_EVENT_CLOCK);
    event.name = event.other_name = dj_str_of("mono");
    return sink.take(sink.user, &event);
}

struct dj_text_summary dj_chrome_reader_get_summary(const struct dj_chrome_reader *reader)
{
    struct dj_text_summary summary = reader->summary;
    struct dj_text_summary json = {.unreadable = reader->scan.faults};
    memcpy(json.damage, reader->scan.fault, sizeof(json.damage));
    if (reader->in_text) {
        dj_text_summary_add(&summary, &reader->text.summary, reader->key);
    }
    dj_text_summary_add(&json, &summary, NULL);
    return json;
}
