#include "trace/text/line.h"

#include <string.h>

#include "trace/kernel/marker.h"
#include "trace/text/html_page.h"
#include "trace/text/numbers.h"

static const char *find_text(struct dj_str in, const char *what)
{
    return memmem(in.at, in.length, what, strlen(what));
}

/* Returns the number whose digits end at `place`, or 0 if there are no digits. */
static int64_t read_number_before(struct dj_str line, const char *place)
{
    int64_t number = 0;
    const char *digits = dj_line_find_digits_before(line.at, place);
    if (digits != NULL) {
        dj_number_parse_int(dj_line_slice(digits, place), &number);
    }
    return number;
}

/* Parses a line such as "##### CPU 2 buffer started ####", "CPU:2 [LOST 13 EVENTS]" or
 * "CPU:2 [EVENTS DROPPED]". */
static bool read_lost(struct dj_str line, struct dj_event *event)
{
    const char *cpu = find_text(line, "CPU");
    const char *events = find_text(line, " EVENTS");
    bool started = cpu != NULL && find_text(line, " buffer started") != NULL;
    bool lost = cpu != NULL &&
                (find_text(line, "[LOST") != NULL || find_text(line, "DROPPED]") != NULL);
    if ((!started && !lost) || cpu + 4 > line.at + line.length) {
        return false;
    }
    const char *digits_end = dj_line_find_digits_end(cpu + 4, line.at + line.length);
    int64_t number = -1;
    dj_number_parse_int(dj_line_slice(cpu + 4, digits_end), &number);
    event->kind = DJ_EVENT_LOST;
    event->cpu = (int32_t)number;
    event->value = lost && events != NULL ? read_number_before(line, events) : 0;
    return event->cpu >= 0;
}

/* Returns true if the event is a marker. The name of a marker is "tracing_mark_write",
 * "print", "0" or an address, depending on the kernel and the tool. In the text of a
 * "print" event, such a name may precede the marker. */
static bool is_marker(struct dj_str name)
{
    static const char *const names[] = {"tracing_mark_write", "print", "0", "bprint"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (dj_str_is(name, names[i])) {
            return true;
        }
    }
    return name.length > 2 && dj_str_begins(name, "0x");
}

/* Removes the names of fields from a text such as "ip=tracing_mark_write buf=B|5|name".
 * `trace-cmd report -R` writes such a text. */
static struct dj_str skip_fields(struct dj_str text)
{
    struct dj_str after;
    return dj_str_begins(text, "ip=") && dj_str_after(text, " buf=", &after)
               ? dj_line_trim(after)
               : text;
}

static void read_marker(struct dj_str text, struct dj_event *event)
{
    text = skip_fields(text);
    const char *colon = memchr(text.at, ':', text.length);
    if (dj_marker_parse(text, event) || colon == NULL) {
        return;
    }
    struct dj_str inner = dj_line_trim_between(colon + 1, text.at + text.length);
    if (is_marker(dj_line_slice(text.at, colon))) {
        dj_marker_parse(inner, event);
    }
}

/* Removes the address from a name such as "tracing_mark_write+0x8a/0x170
 * <ffffffff81498b1a>". The kernel writes the address if the options sym-offset and
 * sym-addr are set. */
static struct dj_str remove_address(struct dj_str name)
{
    const char *space = memchr(name.at, ' ', name.length);
    name.length = space != NULL ? (size_t)(space - name.at) : name.length;
    const char *offset = memmem(name.at, name.length, "+0x", 3);
    name.length = offset != NULL ? (size_t)(offset - name.at) : name.length;
    return name;
}

/* Returns true for the title of a stack trace. If the option stacktrace is set, a line
 * with such a title follows each event. The title is at the place of the event's name.
 * Lines such as " => function" follow the title. */
static bool is_stack_title(struct dj_str what)
{
    return dj_str_begins(what, "<stack trace") ||
           dj_str_begins(what, "<user stack trace");
}

static bool is_stack_entry(struct dj_str line)
{
    return dj_str_begins(dj_line_trim(line), "=> ");
}

void dj_line_event_read(struct dj_str text, struct dj_event *event)
{
    enum { MICROSECOND_NS = 1000 };
    if (!is_marker(event->name)) {
        dj_line_fields_read(text, event);
        return;
    }
    read_marker(text, event);
    if (event->kind == DJ_EVENT_CLOCK && event->at_ns % MICROSECOND_NS == 0) {
        /* The time of the line is also rounded to microseconds. */
        event->value_2 += MICROSECOND_NS;
    }
}

enum dj_text_line dj_text_line_read(struct dj_str line, struct dj_event *event)
{
    struct dj_line_head head;
    *event = (struct dj_event){.pid = DJ_PID_UNKNOWN, .cpu = -1};
    if (line.length == 0 || line.at[0] == '#') {
        return line.length > 0 && read_lost(line, event) ? DJ_LINE_LOST : DJ_LINE_NOISE;
    }
    if (is_stack_entry(line)) {
        return DJ_LINE_NOISE;
    }
    if (!dj_line_head_read(line, &head, event)) {
        return read_lost(line, event) ? DJ_LINE_LOST : DJ_LINE_STRANGE;
    }
    const char *end = line.at + line.length;
    struct dj_str what = {line.at + head.length, line.length - head.length};
    if (is_stack_title(what)) {
        return DJ_LINE_NOISE;
    }
    const char *colon = memchr(what.at, ':', what.length);
    if (colon == NULL) {
        return DJ_LINE_STRANGE;
    }
    event->name = remove_address(dj_line_slice(what.at, colon));
    dj_line_event_read(dj_line_skip_indent(dj_line_slice(colon + 1, end)), event);
    return head.counted ? DJ_LINE_COUNTED : DJ_LINE_EVENT;
}
