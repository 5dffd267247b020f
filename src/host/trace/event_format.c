#include "trace/event_format.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/kernel/byte_cursor.h"
#include "trace/kernel/marker.h"
#include "trace/text/numbers.h"

enum kind { KIND_NUMBER, KIND_TEXT, KIND_DATA_LOC, KIND_REL_LOC };

enum {
    IN_INTERRUPT = 0x08 | 0x10, /* Bits of common_flags: hard and soft interrupt. */
    /* Maximum offset and size of a field, and maximum id of an event. */
    MOST_BYTES = 0xffff
};

/* Finds the text between `key` and the next semicolon. */
static bool read_value(struct dj_str line, const char *key, struct dj_str *value)
{
    if (!dj_str_after(line, key, value)) {
        return false;
    }
    const char *end = memchr(value->at, ';', value->length);
    *value = dj_line_slice(value->at, end != NULL ? end : value->at);
    return end != NULL;
}

bool dj_trace_format_read_number(struct dj_str line, const char *key, int64_t most,
                                 int64_t *number)
{
    struct dj_str value;
    return read_value(line, key, &value) && dj_number_parse_int(value, number) &&
           *number >= 0 && *number <= most;
}

/* Parses a line such as "field:char prev_comm[16]; offset:8; size:16; signed:0;". */
static bool read_field(struct dj_str line, struct dj_trace_format_field *field,
                       struct dj_str *name)
{
    struct dj_str type;
    int64_t offset, size, is_signed = 0;
    if (!read_value(line, "field:", &type) ||
        !dj_trace_format_read_number(line, "offset:", MOST_BYTES, &offset) ||
        !dj_trace_format_read_number(line, "size:", MOST_BYTES, &size)) {
        return false;
    }
    dj_trace_format_read_number(line, "signed:", MOST_BYTES, &is_signed);
    const char *bracket = memchr(type.at, '[', type.length);
    bool data_loc = dj_str_begins(type, "__data_loc ");
    bool rel_loc = dj_str_begins(type, "__rel_loc ");
    bool text = bracket != NULL && memmem(type.at, type.length, "char ", 5) != NULL;
    const char *end =
        bracket != NULL && !data_loc && !rel_loc ? bracket : type.at + type.length;
    const char *space = memrchr(type.at, ' ', (size_t)(end - type.at));
    if (space == NULL) {
        return false;
    }
    *name = dj_line_slice(space + 1, end);
    *field = (struct dj_trace_format_field){
        .offset = (uint16_t)offset,
        .size = (uint16_t)size,
        .kind = data_loc  ? KIND_DATA_LOC
                : rel_loc ? KIND_REL_LOC
                : text    ? KIND_TEXT
                          : KIND_NUMBER,
        .is_signed = is_signed != 0,
    };
    return true;
}

static void add_field(struct dj_trace_formats *formats, struct dj_trace_format *format,
                      struct dj_str line)
{
    struct dj_trace_format_field field;
    struct dj_str name;
    if (!read_field(line, &field, &name)) {
        return;
    }
    if (dj_str_is(name, "common_flags")) {
        formats->flags = field;
    } else if (dj_str_is(name, "common_pid")) {
        formats->pid = field;
    } else {
        field.slot = format->marker && dj_str_is(name, "buf") ? DJ_SLOT_NAME
                     : format->tracepoint != NULL
                         ? dj_tracepoint_find_slot(format->tracepoint->kind, name)
                         : DJ_SLOT_NONE;
        if (field.slot != DJ_SLOT_NONE && format->field_count < DJ_TRACEPOINT_FIELDS) {
            format->fields[format->field_count++] = field;
        }
    }
}

/* Parses the part of sched_switch's print format that assigns letters to bits: "… {
 * 0x00000001, "S" }, { 0x00000002, "D" } …". */
static void read_task_bits(struct dj_trace_formats *formats, struct dj_str line)
{
    formats->task_bit_count = 0;
    while (formats->task_bit_count < DJ_TASK_BITS && dj_str_after(line, "{", &line)) {
        struct dj_str letter;
        int64_t bit;
        if (dj_number_parse_int(dj_str_until(line, ","), &bit) && bit > 0 &&
            dj_str_after(line, "\"", &letter) && letter.length > 0) {
            formats->task_bits[formats->task_bit_count++] = (struct dj_task_bit){
                (uint64_t)bit, dj_event_parse_task_state((struct dj_str){letter.at, 1})};
        }
    }
}

static void read_line(struct dj_trace_formats *formats, struct dj_trace_format *format,
                      struct dj_str line, int64_t *id)
{
    struct dj_str rest;
    if (dj_line_skip_prefix(line, "name: ", &rest)) {
        format->tracepoint = dj_tracepoint_find(rest);
        format->marker = dj_str_is(rest, "print");
        size_t length =
            rest.length < sizeof(format->name) ? rest.length : sizeof(format->name) - 1;
        memcpy(format->name, rest.at, length);
    } else if (dj_line_skip_prefix(line, "ID: ", &rest)) {
        dj_number_parse_int(rest, id);
    } else if (!dj_str_begins(line, "print fmt: ")) {
        add_field(formats, format, line);
    } else if (format->tracepoint != NULL &&
               format->tracepoint->kind == DJ_EVENT_SWITCH) {
        read_task_bits(formats, line);
    }
}

int dj_trace_formats_add(struct dj_trace_formats *formats, struct dj_str text,
                         struct dj_error *err)
{
    struct dj_trace_format format = {0};
    int64_t id = -1;
    struct dj_str line;
    while (dj_str_next_line(&text, &line)) {
        read_line(formats, &format, line, &id);
    }
    if (format.name[0] == '\0' || id < 0 || id > MOST_BYTES) {
        return dj_error_set(err, DJ_E_INVALID,
                            "expected a name and an ID in the format of an event");
    }
    dj_xcheck(dj_map_set(&formats->places, (uint64_t)id, formats->count));
    DJ_XPUSH(formats->formats, formats->count, format);
    return 0;
}

void dj_trace_formats_finish(struct dj_trace_formats *formats)
{
    free(formats->formats);
    dj_map_finish(&formats->places);
    *formats = (struct dj_trace_formats){0};
}

static bool read_number(const struct dj_trace_format_field *field, const uint8_t *record,
                        size_t size, int64_t *number)
{
    unsigned bits = 8U * field->size;
    if (bits == 0 || bits > 64 || field->offset + field->size > size) {
        return false;
    }
    uint64_t read = dj_byte_cursor_decode_number(record + field->offset, field->size);
    if (field->is_signed && bits < 64 && (read >> (bits - 1) & 1) != 0) {
        read |= ~UINT64_C(0) << bits;
    }
    *number = (int64_t)read;
    return true;
}

/* Finds the text of a field. The text ends at its first NUL or at the end of the field.
 */
static bool read_text(const struct dj_trace_format_field *field, const uint8_t *record,
                      size_t size, struct dj_str *words)
{
    size_t from = field->offset;
    size_t room = field->size;
    int64_t place;
    if (field->kind != KIND_TEXT) {
        if (!read_number(field, record, size, &place)) {
            return false;
        }
        from = (uint64_t)place & MOST_BYTES;
        from += field->kind == KIND_REL_LOC ? field->offset + (size_t)field->size : 0;
        room = (uint64_t)place >> 16 & MOST_BYTES;
    } else if (room == 0 && from < size) {
        room = size - from;
    }
    if (from > size || room > size - from) {
        return false;
    }
    words->at = (const char *)record + from;
    words->length = room == 0 ? 0 : strnlen(words->at, room);
    return true;
}

/* Converts the bits of a state. Uses the meanings of the bits in this kernel if they are
 * known. If none of the known bits is set, the task is runnable. */
static enum dj_task_state decode_state(const struct dj_trace_formats *formats,
                                       int64_t bits)
{
    for (size_t i = 0; i < formats->task_bit_count; i++) {
        if (((uint64_t)bits & formats->task_bits[i].bit) != 0) {
            return formats->task_bits[i].state;
        }
    }
    return formats->task_bit_count > 0 ? DJ_TASK_RUNNABLE
                                       : dj_event_decode_task_state(bits);
}

static void fill_event(const struct dj_trace_formats *formats,
                       const struct dj_trace_format *format, const uint8_t *record,
                       size_t size, struct dj_event *event)
{
    for (size_t i = 0; i < format->field_count; i++) {
        const struct dj_trace_format_field *field = &format->fields[i];
        struct dj_str words;
        int64_t number;
        if (field->kind != KIND_NUMBER && read_text(field, record, size, &words)) {
            dj_event_slot_set_text(event, field->slot, words);
        } else if (field->kind == KIND_NUMBER &&
                   read_number(field, record, size, &number)) {
            if (field->slot == DJ_SLOT_STATE) {
                event->state = (uint8_t)decode_state(formats, number);
            } else {
                dj_event_slot_set_number(event, field->slot, number);
            }
        }
    }
}

bool dj_trace_formats_read_record(const struct dj_trace_formats *formats,
                                  const uint8_t *record, size_t size,
                                  struct dj_event *event)
{
    int64_t number;
    if (size < 2) {
        return false;
    }
    size_t place = dj_map_get(&formats->places, (uint64_t)(record[0] | record[1] << 8));
    if (read_number(&formats->pid, record, size, &number)) {
        event->tid = (int32_t)number;
    }
    if (read_number(&formats->flags, record, size, &number)) {
        event->interrupted = (number & IN_INTERRUPT) != 0;
    }
    if (place == DJ_MAP_NONE) {
        return true;
    }
    const struct dj_trace_format *format = &formats->formats[place];
    event->name = dj_str_of(format->name);
    if (format->tracepoint != NULL) {
        event->kind = (uint8_t)format->tracepoint->kind;
    }
    fill_event(formats, format, record, size, event);
    if (format->marker) {
        dj_marker_parse(event->name, event);
    }
    return true;
}
