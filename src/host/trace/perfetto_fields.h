/*
 * Going through a message of protobuf, field by field, within its bytes: a length that
 * lies ends it, groups and field 0 too. What is not known is passed over by whoever asks.
 * Of this room only. Source: protobuf's encoding, as docs/format/pftrace.md has it.
 */
#ifndef DEJANK_TRACE_PERFETTO_FIELDS_H
#define DEJANK_TRACE_PERFETTO_FIELDS_H

#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "trace/event.h"
#include "trace/perfetto_wire.h"

struct dj_pf_message {
    const uint8_t *at, *end;
    bool failed; /* it does not end where a field does */
};

/* The number and the wire lie apart: side by side gcc asks for both by one load, which
 * then waits until both stores are through. */
struct dj_pf_field {
    uint32_t number; /* 0: it is not there */
    uint64_t value;  /* of numbers; of fixed64 and fixed32 their bits */
    struct dj_words bytes;
    uint8_t wire; /* enum dj_wire */
};

static inline struct dj_pf_message dj_pf_open(struct dj_words bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    return (struct dj_pf_message){at, bytes.length > 0 ? at + bytes.length : at, false};
}

/* A number that was read, and what follows it; NULL: it does not end. */
struct dj_pf_number {
    const uint8_t *next;
    uint64_t value;
};

enum { DJ_PF_WORD = 8 };

/* A varint in a word's bytes, all of which are there, at once: those behind its last one
 * are cut off, and the groups of seven bits pushed together, two, then four, then eight
 * of them. */
static inline struct dj_pf_number dj_pf_varint_of_word(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    word = le64toh(word);
    uint64_t ends = ~word & UINT64_C(0x8080808080808080);
    if (ends == 0) {
        return (struct dj_pf_number){NULL, 0};
    }
    word &= (ends ^ (ends - 1)) & UINT64_C(0x7f7f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) |
           (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) |
           (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    word = (word & UINT64_C(0x000000000fffffff)) |
           (word & UINT64_C(0x0fffffff00000000)) >> 4;
    return (struct dj_pf_number){at + (__builtin_ctzll(ends) + 1) / 8, word};
}

/* A varint of more than two bytes. */
struct dj_pf_number dj_pf_long_varint(const uint8_t *at, const uint8_t *end);

/* What is neither a varint nor bytes, of a field of that wire. */
struct dj_pf_number dj_pf_fixed(const uint8_t *at, const uint8_t *end, uint8_t wire);

/* Numbers come back by value, in registers: where a message had an address, each step
 * through it would wait for memory. */
static inline struct dj_pf_number dj_pf_varint_at(const uint8_t *at, const uint8_t *end)
{
    if (at < end && at[0] < 0x80) {
        return (struct dj_pf_number){at + 1, at[0]};
    }
    if (end - at > 1 && at[1] < 0x80) {
        return (struct dj_pf_number){at + 2, (uint64_t)at[1] << 7 | (at[0] & 0x7f)};
    }
    return dj_pf_long_varint(at, end);
}

/* The next varint of a packed array, or part of a field. False: it does not end. */
static inline bool dj_pf_varint(struct dj_pf_message *message, uint64_t *value)
{
    struct dj_pf_number number = dj_pf_varint_at(message->at, message->end);
    if (number.next == NULL) {
        return false;
    }
    message->at = number.next;
    *value = number.value;
    return true;
}

/* The next `count` varints of a packed array, or as many as there are: returns that. */
size_t dj_pf_varints(struct dj_pf_message *message, uint64_t *values, size_t count);

/* A field of any size, as dj_pf_next(). */
__attribute__((always_inline)) static inline bool
dj_pf_next_of_any_size(struct dj_pf_message *message, struct dj_pf_field *field)
{
    struct dj_pf_number tag = dj_pf_varint_at(message->at, message->end);
    if (tag.next == NULL || tag.value >> 3 == 0 || tag.value > UINT32_MAX) {
        message->failed = true;
        return false;
    }
    field->number = (uint32_t)(tag.value >> 3);
    field->wire = (uint8_t)(tag.value & 7);
    bool fixed = field->wire != DJ_WIRE_VARINT && field->wire != DJ_WIRE_BYTES;
    struct dj_pf_number value = fixed ? dj_pf_fixed(tag.next, message->end, field->wire)
                                      : dj_pf_varint_at(tag.next, message->end);
    if (value.next == NULL) {
        message->at = tag.next;
        message->failed = true;
        return false;
    }
    field->value = value.value;
    message->at = value.next;
    if (field->wire == DJ_WIRE_BYTES) {
        if (value.value > (uint64_t)(message->end - value.next)) {
            message->failed = true;
            return false;
        }
        field->bytes = (struct dj_words){(const char *)value.next, (size_t)value.value};
        message->at = value.next + value.value;
    }
    return true;
}

/* The next field. False: there is none, or the rest makes no sense (`failed`; of a field
 * that is cut off, its number, wire and, of bytes, their length are there). All that is
 * read goes through here: called, it would cost as much as it does. Most fields have a
 * number below 16, and a value or a length of one byte or two. */
__attribute__((always_inline)) static inline bool
dj_pf_next(struct dj_pf_message *message, struct dj_pf_field *field)
{
    const uint8_t *at = message->at;
    ptrdiff_t left = message->end - at;
    /* More bytes follow neither, the wire is one of those two, and there is a number. */
    enum { MORE = 0x80, OTHER_WIRES = 5, NUMBER = 0x78 };
    uint16_t both;
    if (left < 2) {
        return left > 0 && dj_pf_next_of_any_size(message, field);
    }
    memcpy(&both, at, sizeof(both));
    both = le16toh(both);
    if ((both & (MORE | OTHER_WIRES)) != 0 || (both & NUMBER) == 0) {
        return dj_pf_next_of_any_size(message, field);
    }
    size_t value = both >> 8;
    if (value >= MORE) {
        if (left < 3 || at[2] >= MORE) {
            return dj_pf_next_of_any_size(message, field);
        }
        value = (value & ~(size_t)MORE) | (size_t)at[2] << 7;
        at++;
        left--;
    }
    field->number = (both & NUMBER) >> 3;
    field->wire = both & DJ_WIRE_BYTES;
    field->value = value;
    at += 2;
    if ((both & DJ_WIRE_BYTES) != 0) {
        if ((ptrdiff_t)value > left - 2) {
            message->at = at;
            message->failed = true;
            return false;
        }
        field->bytes = (struct dj_words){(const char *)at, value};
        at += value;
    }
    message->at = at;
    return true;
}

/* The last of each field below `count`, in got[number]; those that are not there have
 * number 0. False: the message makes no sense; what came before that is there. */
bool dj_pf_collect(struct dj_words bytes, struct dj_pf_field *got, size_t count);

/* Of a field that may not be there, or be of another type: 0 or none then. */
static inline int64_t dj_pf_int(const struct dj_pf_field *field)
{
    return field->number != 0 && field->wire != DJ_WIRE_BYTES ? (int64_t)field->value : 0;
}

static inline struct dj_words dj_pf_bytes(const struct dj_pf_field *field)
{
    return field->number != 0 && field->wire == DJ_WIRE_BYTES ? field->bytes
                                                              : (struct dj_words){"", 0};
}

/* A double, to the nearest whole number; what does not fit is the nearest that does. */
int64_t dj_pf_whole(uint64_t bits);

#endif
