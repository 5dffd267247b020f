#include "trace/marker.h"

#include <string.h>

#include "trace/numbers.h"

/* How the fields behind "X|PID|" are told apart. */
enum form {
    FORM_NONE,
    FORM_END,          /* none */
    FORM_NAME,         /* all of it is the name */
    FORM_COUNTER,      /* NAME|VALUE[|CATEGORY] */
    FORM_COOKIE,       /* NAME|COOKIE */
    FORM_ON_TRACK,     /* TRACK|NAME */
    FORM_TRACK_COOKIE, /* TRACK|NAME|COOKIE */
    FORM_TRACK_END     /* TRACK|[NAME|]COOKIE */
};

static const struct {
    uint8_t form, kind;
} letters[128] = {
    ['B'] = {FORM_NAME, DJ_EVENT_BEGIN},
    ['E'] = {FORM_END, DJ_EVENT_END},
    ['I'] = {FORM_NAME, DJ_EVENT_INSTANT},
    ['C'] = {FORM_COUNTER, DJ_EVENT_COUNTER},
    ['S'] = {FORM_COOKIE, DJ_EVENT_ASYNC_BEGIN},
    ['F'] = {FORM_COOKIE, DJ_EVENT_ASYNC_END},
    ['N'] = {FORM_ON_TRACK, DJ_EVENT_INSTANT},
    ['G'] = {FORM_TRACK_COOKIE, DJ_EVENT_ASYNC_BEGIN},
    ['H'] = {FORM_TRACK_END, DJ_EVENT_ASYNC_END},
};

static struct dj_str from(struct dj_str text, size_t offset)
{
    return (struct dj_str){text.at + offset, text.length - offset};
}

/* What stands before the first bar; *rest is what stands behind it, NULL where there is
 * no bar. */
static struct dj_str before_bar(struct dj_str text, struct dj_str *rest)
{
    const char *bar = text.length > 0 ? memchr(text.at, '|', text.length) : NULL;
    if (bar == NULL) {
        *rest = (struct dj_str){NULL, 0};
        return text;
    }
    size_t length = (size_t)(bar - text.at);
    *rest = from(text, length + 1);
    return (struct dj_str){text.at, length};
}

/* Cuts "|NUMBER" off the end. */
static bool cut_number(struct dj_str *text, int64_t *number)
{
    const char *bar = text->length > 0 ? memrchr(text->at, '|', text->length) : NULL;
    size_t length = bar == NULL ? 0 : (size_t)(bar - text->at);
    if (bar == NULL || !dj_number_int(from(*text, length + 1), number)) {
        return false;
    }
    text->length = length;
    return true;
}

/* What a marker says of an event; all of it or nothing is taken over. */
struct marked {
    struct dj_str name, other_name;
    int64_t value;
};

static bool read_fields(enum form form, struct dj_str text, struct marked *marked)
{
    struct dj_str rest = {NULL, 0};
    switch (form) {
    case FORM_END:
        marked->name.length = 0;
        return true;
    case FORM_NAME:
        marked->name = text;
        return text.at != NULL;
    case FORM_COUNTER:
        marked->name = before_bar(text, &rest);
        return rest.at != NULL && dj_number_int(before_bar(rest, &rest), &marked->value);
    case FORM_COOKIE:
        marked->name = text;
        return cut_number(&marked->name, &marked->value);
    case FORM_ON_TRACK:
        marked->other_name = before_bar(text, &marked->name);
        return marked->name.at != NULL;
    case FORM_TRACK_COOKIE:
        marked->other_name = before_bar(text, &marked->name);
        return marked->name.at != NULL && cut_number(&marked->name, &marked->value);
    case FORM_TRACK_END:
        marked->other_name = before_bar(text, &marked->name);
        return marked->name.at != NULL && (cut_number(&marked->name, &marked->value) ||
                                           dj_number_int(marked->name, &marked->value));
    default:
        return false;
    }
}

/* The number before the first bar; *rest is what stands behind it, as before_bar() has
 * it. Nearly always it is a few digits, which take fewer steps than calls do. */
static int64_t take_pid(struct dj_str text, struct dj_str *rest)
{
    enum { FEW = 9 };
    int64_t pid = 0;
    size_t digits = 0;
    while (digits < text.length && digits < FEW && text.at[digits] >= '0' &&
           text.at[digits] <= '9') {
        pid = 10 * pid + (text.at[digits++] - '0');
    }
    if (digits > 0 && digits == text.length) {
        *rest = (struct dj_str){NULL, 0};
        return pid;
    }
    if (digits > 0 && text.at[digits] == '|') {
        *rest = from(text, digits + 1);
        return pid;
    }
    pid = DJ_PID_UNKNOWN;
    dj_number_int(before_bar(text, rest), &pid);
    return pid;
}

struct clock_marker {
    const char *prefix;
    const char *clock;
    int64_t unit_ns;
    int64_t (*error_of)(int64_t ns); /* that a value may be off by */
};

/* atrace prints seconds with six places, of a number that it has put into a float: at an
 * uptime of ten days 62 ms are no more than one step of that. */
static int64_t error_of_seconds(int64_t ns)
{
    enum { SECOND = 1000000000, MICROSECOND = 1000, MANTISSA = 23 };
    double seconds = (double)ns / SECOND;
    double kept = (double)(float)seconds;
    int bits = 63 - __builtin_clzll((uint64_t)ns / SECOND | 1);
    int64_t step_ns = bits >= MANTISSA ? (int64_t)SECOND << (bits - MANTISSA)
                                       : (int64_t)SECOND >> (MANTISSA - bits);
    bool is_float = (int64_t)(kept * 1e6 + 0.5) == (int64_t)(seconds * 1e6 + 0.5);
    return is_float && step_ns > MICROSECOND ? step_ns : MICROSECOND;
}

static int64_t error_of_milliseconds(int64_t ns)
{
    (void)ns;
    return 1000000;
}

static const struct clock_marker clock_markers[] = {
    {"trace_event_clock_sync: parent_ts=", "mono", 1000000000, error_of_seconds},
    {"trace_event_clock_sync: realtime_ts=", "realtime", 1000000, error_of_milliseconds},
};

static bool read_clock(struct dj_str text, struct dj_event *event)
{
    for (size_t i = 0; i < COUNT_OF(clock_markers); i++) {
        const struct clock_marker *marker = &clock_markers[i];
        int64_t value;
        if (dj_str_begins(text, marker->prefix) &&
            dj_number_decimal(from(text, strlen(marker->prefix)), marker->unit_ns,
                              &value)) {
            event->kind = DJ_EVENT_CLOCK;
            event->value = value;
            event->value_2 = marker->error_of(value);
            event->name = dj_str_of(marker->clock);
            return true;
        }
    }
    return false;
}

bool dj_marker_read(struct dj_str text, struct dj_event *event)
{
    while (text.length > 0 &&
           (text.at[text.length - 1] == '\n' || text.at[text.length - 1] == '\0')) {
        text.length--;
    }
    unsigned char letter = text.length > 0 ? (unsigned char)text.at[0] : 0;
    if (letter >= 128 || letters[letter].form == FORM_NONE ||
        (text.length > 1 && text.at[1] != '|')) {
        return read_clock(text, event);
    }
    struct marked marked = {event->name, event->other_name, event->value};
    struct dj_str rest = {NULL, 0};
    int64_t pid = text.length > 1 ? take_pid(from(text, 2), &rest) : DJ_PID_UNKNOWN;
    if (!read_fields((enum form)letters[letter].form, rest, &marked)) {
        return false;
    }
    event->kind = letters[letter].kind;
    event->name = marked.name;
    event->other_name = marked.other_name;
    event->value = marked.value;
    if (event->pid == DJ_PID_UNKNOWN && pid > 0 && pid <= INT32_MAX) {
        event->pid = (int32_t)pid;
    }
    return true;
}
