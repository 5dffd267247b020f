#include "trace/text/line.h"

#include <string.h>

#include "trace/kernel/tracepoints.h"
#include "trace/text/numbers.h"

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '(' || c == ')';
}

/* Returns the text after "key=", or NULL if there is none. Searches from `from` on. "key"
 * must be at the start of a field. */
static const char *find_key(struct dj_str text, const char *from, const char *key)
{
    size_t length = strlen(key);
    const char *end = text.at + text.length;
    for (const char *at = from;
         (at = memmem(at, (size_t)(end - at), key, length)) != NULL; at += length) {
        bool first = at == text.at || is_separator(at[-1]);
        if (first && end - at > (ptrdiff_t)length && at[length] == '=') {
            return at + length + 1;
        }
    }
    return NULL;
}

/* Returns the value of a field, or NULL if there is none. `after` is the end of the
 * previous field. The search starts there, because the fields usually have the order of
 * the table. */
static const char *find_value(struct dj_str text, const char *after,
                              const struct dj_tracepoint_field *field)
{
    size_t length = strlen(field->name);
    const char *end = text.at + text.length;
    const char *at = after;
    while (at < end && is_separator(*at)) {
        at++;
    }
    if ((size_t)(end - at) > length && at[length] == '=' &&
        memcmp(at, field->name, length) == 0) {
        return at + length + 1;
    }
    const char *value = find_key(text, after, field->name);
    value =
        value != NULL || after == text.at ? value : find_key(text, text.at, field->name);
    return value != NULL || field->old == NULL ? value
                                               : find_key(text, text.at, field->old);
}

/* Returns the last occurrence of `words`, or NULL if there is none. Earlier occurrences
 * may be inside a name. For speed, first searches for the last letter of `words`, which
 * is rare in a line. */
static const char *find_last(const char *from, const char *end, const char *words)
{
    size_t length = strlen(words);
    const char *letter;
    while ((letter = memrchr(from, words[length - 1], (size_t)(end - from))) != NULL) {
        size_t fits = (size_t)(letter + 1 - from);
        if (fits >= length && memcmp(letter + 1 - length, words, length) == 0) {
            return letter + 1 - length;
        }
        end = letter;
    }
    return NULL;
}

/* Returns the end of a value. A name may contain spaces, so a name ends before the next
 * field of the event, or at the end of the line. All other values end at a space. */
static const char *find_value_end(struct dj_str text, const char *value,
                                  const struct dj_tracepoint_field *field)
{
    static const struct {
        /* Field whose value is a name, and start of the next field, or NULL if there is
         * no next field. */
        const char *field, *next;
    } names[] = {{"prev_comm", " prev_pid="}, {"next_comm", " next_pid="},
                 {"comm", " pid="},           {"newcomm", " oom_score_adj="},
                 {"comm", " clone_flags="},   {"thermal_zone", " id="},
                 {"driver", " timeline="},    {"timeline", " context="},
                 {"type", " target="},        {"name", NULL}};
    const char *end = text.at + text.length;
    for (size_t i = 0; dj_event_slot_is_text(field->slot) && i < COUNT_OF(names); i++) {
        if (strcmp(field->name, names[i].field) != 0) {
            continue;
        }
        const char *next =
            names[i].next != NULL ? find_last(value, end, names[i].next) : end;
        if (next != NULL) {
            return next;
        }
    }
    const char *space = memchr(value, ' ', (size_t)(end - value));
    return space != NULL ? space : end;
}

/* Reads a field. *after is the end of the previous field. The function sets it to the end
 * of this field. */
static bool read_field(struct dj_str text, const char **after,
                       const struct dj_tracepoint_field *field, struct dj_event *event)
{
    const char *value = find_value(text, *after, field);
    if (value == NULL) {
        return false;
    }
    const char *end = find_value_end(text, value, field);
    struct dj_str words = dj_line_slice(value, end);
    int64_t number;
    if (!dj_event_slot_is_text(field->slot) && dj_number_parse_int(words, &number)) {
        dj_event_slot_set_number(event, field->slot, number);
    }
    dj_event_slot_set_text(event, field->slot, words);
    *after = end;
    return true;
}

/* Parses a task such as "work:18450 [120]". Parses it from its end, because the name may
 * contain colons. */
static bool read_short_task(struct dj_str text, struct dj_str *name, int32_t *tid)
{
    const char *bracket = memrchr(text.at, '[', text.length);
    const char *colon =
        bracket == NULL ? NULL : memrchr(text.at, ':', (size_t)(bracket - text.at));
    int64_t number;
    if (colon == NULL || bracket - colon < 3 ||
        !dj_number_parse_int(dj_line_slice(colon + 1, bracket - 1), &number) ||
        number < 0 || number > INT32_MAX) {
        return false;
    }
    *name = dj_line_slice(text.at, colon);
    *tid = (int32_t)number;
    return true;
}

/* Splits the text at the first occurrence of `word`. Returns false if the text does not
 * contain `word`. */
static bool split_text(struct dj_str text, const char *word, struct dj_str *before,
                       struct dj_str *after)
{
    bool found = dj_str_after(text, word, after);
    *before = found ? dj_line_slice(text.at, after->at - strlen(word)) : text;
    return found;
}

/* Parses a context switch in the format of trace-cmd, for example "work:18450 [120] R ==>
 * grep:18443 [120]". */
static bool read_short_switch(struct dj_str text, struct dj_event *event)
{
    struct dj_str left, next;
    int32_t tid;
    if (!split_text(text, " ==> ", &left, &next) ||
        !read_short_task(left, &event->task, &tid)) {
        return false;
    }
    const char *state = memrchr(left.at, ' ', left.length);
    if (state != NULL) {
        event->state = (uint8_t)dj_event_parse_task_state(
            dj_line_slice(state + 1, left.at + left.length));
    }
    return read_short_task(next, &event->other_name, &event->other);
}

/* Parses a wakeup in the format of trace-cmd, for example "work:18451 [120] CPU:000".
 * Older versions write "success=1" before "CPU". */
static bool read_short_wakeup(struct dj_str text, struct dj_event *event)
{
    struct dj_str task, cpu;
    if (!split_text(text, " CPU:", &task, &cpu)) {
        return false;
    }
    dj_number_parse_int(cpu, &event->value);
    return read_short_task(task, &event->other_name, &event->other);
}

/* Parses a disk request such as "8,0 WS 4096 () 1234 + 8 [fsync]". Sets event->value to
 * the device: its two numbers (here 8 and 0) are combined as in the kernel. Sets
 * event->value_2 to the sector, which is the number before the plus sign (here 1234). The
 * largest possible number means that there is no sector. value_2 is then −1. */
static bool read_block(struct dj_str text, struct dj_event *event)
{
    enum { MINOR_BITS = 20 };
    int64_t major, minor;
    struct dj_str before, rest, first, numbers;
    if (!split_text(text, " + ", &before, &rest) ||
        !split_text(before, ",", &first, &numbers)) {
        return false;
    }
    const char *space = memrchr(before.at, ' ', before.length);
    if (space == NULL || !dj_number_parse_int(first, &major) ||
        !dj_number_parse_int(dj_str_until(numbers, " "), &minor) || major < 0 ||
        major > 0xfff || minor < 0 || minor >= 1 << MINOR_BITS) {
        return false;
    }
    const struct dj_str digits = dj_line_slice(space + 1, before.at + before.length);
    event->value = major << MINOR_BITS | minor;
    event->value_2 = -1;
    return dj_str_is(digits, "18446744073709551615") ||
           dj_number_parse_int(digits, &event->value_2);
}

/* Parses the reason of an IPI, for example "(Rescheduling interrupts)". */
static bool read_ipi(struct dj_str text, struct dj_event *event)
{
    const char *close = text.length > 2 ? memrchr(text.at, ')', text.length) : NULL;
    if (close == NULL || *text.at != '(') {
        return false;
    }
    event->name = dj_line_slice(text.at + 1, close);
    return true;
}

/* Functions for events whose text contains no names of fields, at least in some versions
 * of the kernel or of trace-cmd. */
static const struct {
    uint8_t kind;
    bool (*read)(struct dj_str text, struct dj_event *event);
} keyless[] = {
    {DJ_EVENT_SWITCH, read_short_switch}, {DJ_EVENT_WAKING, read_short_wakeup},
    {DJ_EVENT_WAKEUP, read_short_wakeup}, {DJ_EVENT_WAKE_NEW, read_short_wakeup},
    {DJ_EVENT_BLOCK_ISSUE, read_block},   {DJ_EVENT_BLOCK_COMPLETE, read_block},
    {DJ_EVENT_IPI_BEGIN, read_ipi},       {DJ_EVENT_IPI_END, read_ipi},
};

static bool read_keyless(enum dj_event_kind kind, struct dj_str text,
                         struct dj_event *event)
{
    for (size_t i = 0; i < COUNT_OF(keyless); i++) {
        if (keyless[i].kind == kind) {
            return keyless[i].read(text, event);
        }
    }
    return false;
}

void dj_line_fields_read(struct dj_str text, struct dj_event *event)
{
    const struct dj_tracepoint *tracepoint = dj_tracepoint_find(event->name);
    if (tracepoint == NULL) {
        return;
    }
    struct dj_event filled = *event;
    const struct dj_tracepoint_field *fields = dj_tracepoint_fields[tracepoint->kind];
    bool any = fields[0].name == NULL;
    const char *after = text.at;
    for (size_t i = 0; i < DJ_TRACEPOINT_FIELDS && fields[i].name != NULL; i++) {
        any |= read_field(text, &after, &fields[i], &filled);
    }
    if (any || read_keyless(tracepoint->kind, text, &filled)) {
        *event = filled;
        event->kind = (uint8_t)tracepoint->kind;
    }
}
