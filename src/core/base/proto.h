/*
 * The wire format of protocol buffers: messages are read field by field, within their
 * bytes, and written field by field into a text that grows. What the fields mean is the
 * caller's business: it skips those that it does not know. Source: protobuf's encoding
 * guide. Groups (wire types 3 and 4), field number 0 and field numbers of more than 29
 * bits are invalid.
 */
#ifndef DEJANK_BASE_PROTO_H
#define DEJANK_BASE_PROTO_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/text.h"

enum dj_proto_wire {
    DJ_PROTO_VARINT = 0,
    DJ_PROTO_FIXED64 = 1,
    DJ_PROTO_BYTES = 2, /* a string, a message or a packed array */
    DJ_PROTO_FIXED32 = 5
};

/* ---- reading ---- */

struct dj_proto_message {
    const uint8_t *at, *end;
    bool failed; /* it does not end where a field does */
};

/* The number and the wire lie apart: side by side gcc asks for both by one load, which
 * then waits until both stores are through. */
struct dj_proto_field {
    uint32_t number; /* 0: it is not there */
    uint64_t value;  /* of numbers; of fixed64 and fixed32 their bits */
    struct dj_str bytes;
    uint8_t wire; /* enum dj_proto_wire */
};

static inline struct dj_proto_message dj_proto_open(struct dj_str bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    return (struct dj_proto_message){at, bytes.length > 0 ? at + bytes.length : at,
                                     false};
}

/* A number that was read, and what follows it; NULL: it does not end. */
struct dj_proto_number {
    const uint8_t *next;
    uint64_t value;
};

enum { DJ_PROTO_WORD = 8 };

/* A varint in a word's bytes, all of which are there, at once: those behind its last one
 * are cut off, and the groups of seven bits pushed together, two, then four, then eight
 * of them. */
static inline struct dj_proto_number dj_proto_varint_of_word(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    word = le64toh(word);
    uint64_t ends = ~word & UINT64_C(0x8080808080808080);
    if (ends == 0) {
        return (struct dj_proto_number){NULL, 0};
    }
    word &= (ends ^ (ends - 1)) & UINT64_C(0x7f7f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) |
           (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) |
           (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    word = (word & UINT64_C(0x000000000fffffff)) |
           (word & UINT64_C(0x0fffffff00000000)) >> 4;
    return (struct dj_proto_number){at + (__builtin_ctzll(ends) + 1) / 8, word};
}

/* A varint of more than two bytes. */
struct dj_proto_number dj_proto_long_varint(const uint8_t *at, const uint8_t *end);

/* What is neither a varint nor bytes, of a field of that wire. */
struct dj_proto_number dj_proto_fixed(const uint8_t *at, const uint8_t *end,
                                      uint8_t wire);

/* Numbers come back by value, in registers: where a message had an address, each step
 * through it would wait for memory. */
static inline struct dj_proto_number dj_proto_varint_at(const uint8_t *at,
                                                        const uint8_t *end)
{
    if (at < end && at[0] < 0x80) {
        return (struct dj_proto_number){at + 1, at[0]};
    }
    if (end - at > 1 && at[1] < 0x80) {
        return (struct dj_proto_number){at + 2, (uint64_t)at[1] << 7 | (at[0] & 0x7f)};
    }
    return dj_proto_long_varint(at, end);
}

/* The next varint of a packed array, or part of a field. False: it does not end. */
static inline bool dj_proto_varint(struct dj_proto_message *message, uint64_t *value)
{
    struct dj_proto_number number = dj_proto_varint_at(message->at, message->end);
    if (number.next == NULL) {
        return false;
    }
    message->at = number.next;
    *value = number.value;
    return true;
}

/* The next `count` varints of a packed array, or as many as there are: returns that. */
size_t dj_proto_varints(struct dj_proto_message *message, uint64_t *values, size_t count);

/* A field of any size, as dj_proto_next(). */
__attribute__((always_inline)) static inline bool
dj_proto_next_of_any_size(struct dj_proto_message *message, struct dj_proto_field *field)
{
    struct dj_proto_number tag = dj_proto_varint_at(message->at, message->end);
    if (tag.next == NULL || tag.value >> 3 == 0 || tag.value > UINT32_MAX) {
        message->failed = true;
        return false;
    }
    field->number = (uint32_t)(tag.value >> 3);
    field->wire = (uint8_t)(tag.value & 7);
    bool fixed = field->wire != DJ_PROTO_VARINT && field->wire != DJ_PROTO_BYTES;
    struct dj_proto_number value =
        fixed ? dj_proto_fixed(tag.next, message->end, field->wire)
              : dj_proto_varint_at(tag.next, message->end);
    if (value.next == NULL) {
        message->at = tag.next;
        message->failed = true;
        return false;
    }
    field->value = value.value;
    message->at = value.next;
    if (field->wire == DJ_PROTO_BYTES) {
        if (value.value > (uint64_t)(message->end - value.next)) {
            message->failed = true;
            return false;
        }
        field->bytes = (struct dj_str){(const char *)value.next, (size_t)value.value};
        message->at = value.next + value.value;
    }
    return true;
}

/* The next field. False: there is none, or the rest makes no sense (`failed`; of a field
 * that is cut off, its number, wire and, of bytes, their length are there). All that is
 * read goes through here: called, it would cost as much as it does. Most fields have a
 * number below 16, and a value or a length of one byte or two. */
__attribute__((always_inline)) static inline bool
dj_proto_next(struct dj_proto_message *message, struct dj_proto_field *field)
{
    const uint8_t *at = message->at;
    ptrdiff_t left = message->end - at;
    /* More bytes follow neither, the wire is one of those two, and there is a number. */
    enum { MORE = 0x80, OTHER_WIRES = 5, NUMBER = 0x78 };
    uint16_t both;
    if (left < 2) {
        return left > 0 && dj_proto_next_of_any_size(message, field);
    }
    memcpy(&both, at, sizeof(both));
    both = le16toh(both);
    if ((both & (MORE | OTHER_WIRES)) != 0 || (both & NUMBER) == 0) {
        return dj_proto_next_of_any_size(message, field);
    }
    size_t value = both >> 8;
    if (value >= MORE) {
        if (left < 3 || at[2] >= MORE) {
            return dj_proto_next_of_any_size(message, field);
        }
        value = (value & ~(size_t)MORE) | (size_t)at[2] << 7;
        at++;
        left--;
    }
    field->number = (both & NUMBER) >> 3;
    field->wire = both & DJ_PROTO_BYTES;
    field->value = value;
    at += 2;
    if ((both & DJ_PROTO_BYTES) != 0) {
        if ((ptrdiff_t)value > left - 2) {
            message->at = at;
            message->failed = true;
            return false;
        }
        field->bytes = (struct dj_str){(const char *)at, value};
        at += value;
    }
    message->at = at;
    return true;
}

enum dj_proto_outcome {
    DJ_PROTO_FIELD,
    DJ_PROTO_END,
    DJ_PROTO_PART,      /* the message ends within the bytes of this field */
    DJ_PROTO_TRUNCATED, /* the message ends within the field's number, length or value */
    DJ_PROTO_INVALID    /* no field begins here */
};

/* As dj_proto_next(), and says why there is no further field. What a field does not have
 * is 0. Of DJ_PROTO_PART, field->bytes is what is there, and the message is at its end.
 * After the two errors the message is at the beginning of the field. */
enum dj_proto_outcome dj_proto_next_part(struct dj_proto_message *message,
                                         struct dj_proto_field *field);

/* The last of each field below `count`, in got[number]; those that are not there have
 * number 0. False: the message makes no sense; what came before that is there. */
bool dj_proto_collect(struct dj_str bytes, struct dj_proto_field *got, size_t count);

/* Of a field that may not be there, or be of another type: 0 or none then. */
static inline int64_t dj_proto_int(const struct dj_proto_field *field)
{
    return field->number != 0 && field->wire != DJ_PROTO_BYTES ? (int64_t)field->value
                                                               : 0;
}

static inline struct dj_str dj_proto_bytes(const struct dj_proto_field *field)
{
    return field->number != 0 && field->wire == DJ_PROTO_BYTES ? field->bytes
                                                               : (struct dj_str){"", 0};
}

/* A double, to the nearest whole number; what does not fit is the nearest that does. */
int64_t dj_proto_whole(uint64_t bits);

/* ---- writing ---- */

/* Fields are appended; text->failed says whether all of them fit. */

/* An element of a packed array. */
void dj_proto_add_varint(struct dj_text *text, uint64_t value);
void dj_proto_add_uint(struct dj_text *text, uint32_t field, uint64_t value);
/* int32, int64, enum: below 0 it takes ten bytes. */
void dj_proto_add_int(struct dj_text *text, uint32_t field, int64_t value);
void dj_proto_add_fixed64(struct dj_text *text, uint32_t field, uint64_t value);

void dj_proto_add_bytes(struct dj_text *text, uint32_t field, struct dj_str bytes);

/* A string: what is no UTF-8 in it becomes U+FFFD, byte by byte, as readers refuse the
 * whole message otherwise. */
void dj_proto_add_text(struct dj_text *text, uint32_t field, struct dj_str words);
void dj_proto_add_string(struct dj_text *text, uint32_t field, const char *string);

/* A message within: what is written between the two calls is its fields. Its length goes
 * before it, so that its bytes may move when it is closed. */
size_t dj_proto_begin(struct dj_text *text, uint32_t field);
void dj_proto_end(struct dj_text *text, size_t opened);

#endif
