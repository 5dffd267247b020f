#include "trace/kernel/marker.h"

#include <string.h>

#include "trace/text/numbers.h"

/* The form of a marker's text after the first letter and the process id ("X|PID|").
 * FORM_NAME, FORM_TRACK and FORM_COOKIE are bits: together they describe
 * "[TRACK|]NAME[|COOKIE]". Counters have the form "NAME|VALUE[|CATEGORY]". */
enum form {
    FORM_NONE,
    /* The text is ignored. */
    FORM_END,
    FORM_COUNTER,
    FORM_NAME = 4,
    FORM_TRACK = 8,
    FORM_COOKIE = 16,
    /* The text may contain only the cookie. */
    FORM_NAMELESS = 32
};

static const struct {
    uint8_t form, kind;
} letters[128] = {
    ['B'] = {FORM_NAME, DJ_EVENT_BEGIN},
    ['E'] = {FORM_END, DJ_EVENT_END},
    ['I'] = {FORM_NAME, DJ_EVENT_INSTANT},
    ['C'] = {FORM_COUNTER, DJ_EVENT_COUNTER},
    ['S'] = {FORM_NAME | FORM_COOKIE, DJ_EVENT_ASYNC_BEGIN},
    ['F'] = {FORM_NAME | FORM_COOKIE, DJ_EVENT_ASYNC_END},
    ['N'] = {FORM_TRACK | FORM_NAME, DJ_EVENT_INSTANT},
    ['G'] = {FORM_TRACK | FORM_NAME | FORM_COOKIE, DJ_EVENT_ASYNC_BEGIN},
    ['H'] = {FORM_TRACK | FORM_COOKIE | FORM_NAMELESS, DJ_EVENT_ASYNC_END},
};

static struct dj_str skip_bytes(struct dj_str text, size_t offset)
{
    return (struct dj_str){text.at + offset, text.length - offset};
}

/* Returns the text before the first '|', or the whole text if it contains no '|'. Sets
 * *rest to the text after the '|', or to NULL. */
static struct dj_str split_at_bar(struct dj_str text, struct dj_str *rest)
{
    const char *bar = text.length > 0 ? memchr(text.at, '|', text.length) : NULL;
    if (bar == NULL) {
        *rest = (struct dj_str){NULL, 0};
        return text;
    }
    size_t length = (size_t)(bar - text.at);
    *rest = skip_bytes(text, length + 1);
    return (struct dj_str){text.at, length};
}

/* Removes "|NUMBER" from the end of the text and parses the number. Returns false if
 * the text does not end in a number. */
static bool cut_number(struct dj_str *text, int64_t *number)
{
    const char *bar = text->length > 0 ? memrchr(text->at, '|', text->length) : NULL;
    size_t length = bar == NULL ? 0 : (size_t)(bar - text->at);
    if (bar == NULL || !dj_number_parse_int(skip_bytes(*text, length + 1), number)) {
        return false;
    }
    text->length = length;
    return true;
}

/* The fields of a marker. They are copied to the event only if the whole marker is
 * valid. */
struct marked {
    struct dj_str name, other_name;
    int64_t value;
};

static bool read_fields(unsigned form, struct dj_str text, struct marked *marked)
{
    struct dj_str rest;
    if (form == FORM_END) {
        marked->name.length = 0;
        return true;
    }
    if (form == FORM_COUNTER) {
        marked->name = split_at_bar(text, &rest);
        return rest.at != NULL &&
               dj_number_parse_int(split_at_bar(rest, &rest), &marked->value);
    }
    if ((form & FORM_TRACK) != 0) {
        marked->other_name = split_at_bar(text, &text);
    }
    marked->name = text;
    return text.at != NULL &&
           ((form & FORM_COOKIE) == 0 || cut_number(&marked->name, &marked->value) ||
            ((form & FORM_NAMELESS) != 0 && dj_number_parse_int(text, &marked->value)));
}

/* Returns the number before the first '|', or DJ_PID_UNKNOWN. Sets *rest as
 * split_at_bar() does. Nearly all numbers have few digits. This function parses such
 * numbers without calling another function. */
static int64_t read_pid(struct dj_str text, struct dj_str *rest)
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
        *rest = skip_bytes(text, digits + 1);
        return pid;
    }
    pid = DJ_PID_UNKNOWN;
    dj_number_parse_int(split_at_bar(text, rest), &pid);
    return pid;
}

/* Returns the maximum error in ns of a time that atrace printed. Some versions of atrace
 * convert the seconds to a float and then print six decimals. At an uptime of ten days, a
 * float has a resolution of 62 ms. */
static int64_t compute_error(int64_t ns)
{
    enum { SECOND = 1000000000, MICROSECOND = 1000, MANTISSA = 23 };
    double seconds = (double)ns / SECOND;
    double rounded = (double)(float)seconds;
    int bits = 63 - __builtin_clzll((uint64_t)ns / SECOND | 1);
    int64_t step_ns = bits >= MANTISSA ? (int64_t)SECOND << (bits - MANTISSA)
                                       : (int64_t)SECOND >> (MANTISSA - bits);
    bool is_float = (int64_t)(rounded * 1e6 + 0.5) == (int64_t)(seconds * 1e6 + 0.5);
    return is_float && step_ns > MICROSECOND ? step_ns : MICROSECOND;
}

static bool read_clock(struct dj_str text, struct dj_event *event)
{
    enum { MILLISECOND = 1000000, SECOND = 1000000000 };
    struct dj_str stamp;
    bool is_mono =
        dj_line_skip_prefix(text, "trace_event_clock_sync: parent_ts=", &stamp);
    int64_t value;
    if ((!is_mono &&
         !dj_line_skip_prefix(text, "trace_event_clock_sync: realtime_ts=", &stamp)) ||
        !dj_number_parse_decimal(stamp, is_mono ? SECOND : MILLISECOND, &value)) {
        return false;
    }
    event->kind = DJ_EVENT_CLOCK;
    event->value = value;
    event->value_2 = is_mono ? compute_error(value) : MILLISECOND;
    event->name = dj_str_of(is_mono ? "mono" : "realtime");
    return true;
}

bool dj_marker_parse(struct dj_str text, struct dj_event *event)
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
    int64_t pid = text.length > 1 ? read_pid(skip_bytes(text, 2), &rest) : DJ_PID_UNKNOWN;
    if (!read_fields(letters[letter].form, rest, &marked)) {
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
