
#include <string.h>

#include "trace/text/line.h"
#include "trace/text/numbers.h"

/* The part of a line that was not parsed yet. */
struct scan {
    const char *at, *end;
    bool counted; /* True if the time is a whole number. */
};

static void skip_spaces(struct scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t')) {
        scan->at++;
    }
}

/* Sets the name of the task. The kernel writes at most 15 bytes of a name. systrace.py
 * writes the full name of the process instead, which is shortened here. Returns false if
 * a long text contains a quotation mark. The line is then a part of another format, for
 * example of JSON. */
static bool read_name(struct dj_str task, struct dj_event *event)
{
    enum { KERNEL_NAME = 15, QUOTED = 32 };
    event->task = task.length > KERNEL_NAME ? dj_event_shorten_task_name(task) : task;
    return task.length <= QUOTED || memchr(task.at, '"', task.length) == NULL;
}

/* Removes the name of a tracing instance or file from a text such as "app: RenderThread".
 * If `trace-cmd report` prints several instances or files, it writes this name before the
 * name of the thread, and the name of the thread has 16 columns. */
static struct dj_str skip_instance(struct dj_str task)
{
    enum { NAME = 15 };
    struct dj_str after;
    return task.length > NAME && dj_str_after(task, ":  ", &after) ? dj_line_trim(after)
                                                                   : task;
}

/* Parses "name-PID". In some layouts, the id of the process follows, as "( TGID)", or as
 * "(-----)" if it is unknown. */
static bool read_task(const char *begin, const char *end, struct dj_event *event)
{
    int64_t number;
    struct dj_str text = dj_line_trim_between(begin, end);
    end = text.at + text.length;
    if (end > begin && end[-1] == ')') {
        const char *open = memrchr(begin, '(', (size_t)(end - begin));
        if (open == NULL) {
            return false;
        }
        if (dj_number_parse_int(dj_line_trim_between(open + 1, end - 1), &number) &&
            number <= INT32_MAX) {
            event->pid = (int32_t)number;
        }
        text = dj_line_trim_between(begin, open);
        end = text.at + text.length;
    }
    const char *digits = dj_line_find_digits_before(begin, end);
    if (digits == NULL || digits == begin || digits[-1] != '-' ||
        !dj_number_parse_int(dj_line_slice(digits, end), &number) || number > INT32_MAX) {
        return false;
    }
    event->tid = (int32_t)number;
    return read_name(skip_instance(dj_line_trim_between(begin, digits - 1)), event);
}

/* Parses flags such as "d.h5.". The third character shows whether the event happened in
 * an interrupt. The oldest kernels and trace-cmd write no flags. */
static void read_flags(struct scan *scan, struct dj_event *event)
{
    enum { INTERRUPT = 2 };
    const char *flags = scan->at;
    if (scan->at == scan->end || dj_gfxinfo_is_digit(*flags)) {
        event->interrupted = DJ_LINE_WITHOUT_FLAGS;
        return;
    }
    while (scan->at < scan->end && *scan->at != ' ') {
        scan->at++;
    }
    event->interrupted =
        scan->at - flags > INTERRUPT && memchr("hsHzZ", flags[INTERRUPT], 5) != NULL;
    skip_spaces(scan);
}

/* Parses the time. A time such as "2003.472557:" is in seconds. A time such as
 * "2142687068873:" is in nanoseconds or ticks. */
static bool read_stamp(struct scan *scan, struct dj_event *event)
{
    const char *colon = memchr(scan->at, ':', (size_t)(scan->end - scan->at));
    if (colon == NULL) {
        return false;
    }
    struct dj_str stamp = dj_line_slice(scan->at, colon);
    bool seconds = memchr(stamp.at, '.', stamp.length) != NULL;
    scan->at = colon + 1;
    scan->counted = !seconds;
    return dj_number_parse_decimal(stamp, seconds ? 1000000000 : 1, &event->at_ns);
}

static bool read_cpu(const char *from, const char *to, struct dj_event *event)
{
    int64_t cpu;
    bool known = dj_number_parse_int(dj_line_slice(from, to), &cpu) && cpu <= INT32_MAX;
    event->cpu = known ? (int32_t)cpu : -1;
    return known;
}

/* Parses "name-PID [002] flags time:". scan->at must point to the opening bracket. After
 * the call, it points to the text after the colon. */
static bool read_bracketed(const char *begin, struct scan *scan, struct dj_event *event)
{
    const char *open = scan->at;
    const char *close = dj_line_find_digits_end(open + 1, scan->end);
    if (close == scan->end || *close != ']' || !read_cpu(open + 1, close, event) ||
        !read_task(begin, open, event)) {
        return false;
    }
    scan->at = close + 1;
    skip_spaces(scan);
    read_flags(scan, event);
    return read_stamp(scan, event);
}

/* Returns the end of the flags in the latency format, or NULL if the text does not start
 * with such flags. The flags are three letters and then counters of one character each.
 * Kernels with two counters write at least five characters. The time may follow without
 * a space. The flags then end after the last character that is not a digit, but not
 * before the fifth character. */
static const char *find_flags_end(const char *flags, const char *end)
{
    enum { LETTERS = 3, USUAL = 5, MOST = 8 };
    static const char *const letters[LETTERS] = {".dDbX", ".NnpLBbl", ".hHsZz"};
    const char *at = flags;
    for (size_t i = 0; i < LETTERS; i++, at++) {
        if (at == end || *at == '\0' || strchr(letters[i], *at) == NULL) {
            return NULL;
        }
    }
    const char *last = at;
    while (at < end && *at != ' ' && *at != ':') {
        at++;
        last = dj_gfxinfo_is_digit(at[-1]) ? last : at;
    }
    if (at < end && *at == ':') {
        at = last - flags < USUAL && at - flags > USUAL ? flags + USUAL : last;
    }
    return at - flags > LETTERS && at - flags <= MOST ? at : NULL;
}

/* Parses a line in the format of `trace-cmd report -l`, for example "kworker/-18450
 * 0d.h2.2142687661482:". Names are truncated to eight bytes. scan->at must point to the
 * dash. */
static bool read_latency(const char *begin, struct scan *scan, struct dj_event *event)
{
    const char *task_end = dj_line_find_digits_end(scan->at + 1, scan->end);
    scan->at = task_end;
    skip_spaces(scan);
    const char *flags = dj_line_find_digits_end(scan->at, scan->end);
    const char *flags_end = find_flags_end(flags, scan->end);
    if (scan->at == task_end || flags_end == NULL || !read_cpu(scan->at, flags, event) ||
        !read_task(begin, task_end, event)) {
        return false;
    }
    struct scan letters = {flags, flags_end, false};
    read_flags(&letters, event);
    scan->at = flags_end;
    skip_spaces(scan);
    return read_stamp(scan, event);
}

/* Parses a line from its bracket or dash (`mark`). The name of a thread may also contain
 * brackets or dashes. So all of them are tried, and the first one is used after which the
 * line can be parsed. */
static bool read_from(char mark, struct scan *scan, struct dj_event *event)
{
    const char *begin = scan->at;
    for (const char *at = begin;
         (at = memchr(at, mark, (size_t)(scan->end - at))) != NULL; at++) {
        struct dj_event parsed = *event;
        struct scan rest = {at, scan->end, false};
        if (mark == '[' ? read_bracketed(begin, &rest, &parsed)
                        : read_latency(begin, &rest, &parsed)) {
            *event = parsed;
            *scan = rest;
            return true;
        }
    }
    return false;
}

/* Skips a text such as "(+578)" between the time and the event. `trace-cmd report
 * --ts-diff` writes it: the time that has passed after the previous line. */
static void skip_difference(struct scan *scan)
{
    struct scan rest = *scan;
    if (scan->end - scan->at < 3 || scan->at[0] != '(' ||
        (scan->at[1] != '+' && scan->at[1] != '-')) {
        return;
    }
    rest.at = dj_line_find_digits_end(scan->at + 2, scan->end);
    if (rest.at < scan->end && *rest.at == ')') {
        rest.at++;
        skip_spaces(&rest);
        *scan = rest;
    }
}

bool dj_line_head_read(struct dj_str line, struct dj_line_head *head,
                       struct dj_event *event)
{
    struct scan scan = {line.at, line.at + line.length, false};
    if (!read_from('[', &scan, event) && !read_from('-', &scan, event)) {
        return false;
    }
    skip_spaces(&scan);
    skip_difference(&scan);
    *head = (struct dj_line_head){(size_t)(scan.at - line.at), scan.counted};
    return true;
}
