/* Reads and writes the wire format of protocol buffers, as protobuf's encoding guide
 * defines it. Reads messages field by field from their bytes, and writes fields into a
 * growable text. The caller knows the meaning of the fields and skips unknown ones.
 * Groups (wire types 3 and 4), field number 0 and field numbers of more than 29 bits are
 * invalid. */
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
    DJ_PROTO_BYTES = 2, /* A string, a nested message or a packed array. */
    DJ_PROTO_FIXED32 = 5
};

struct dj_proto_message {
    const uint8_t *at, *end;
    bool failed; /* The bytes do not end at the end of a field. */
};

/* A field of a message. `number` and `wire` are not adjacent. If they were, gcc would
 * read both with one load, and this load would have to wait for the two separate
 * stores. */
struct dj_proto_field {
    uint32_t number; /* 0 if the field is absent. */
    /* The value of a number. For fixed32 and fixed64, the bits of the value. */
    uint64_t value;
    struct dj_str bytes;
    uint8_t wire; /* A value of enum dj_proto_wire. */
};

static inline struct dj_proto_message dj_proto_open(struct dj_str bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    return (struct dj_proto_message){at, bytes.length > 0 ? at + bytes.length : at,
                                     false};
}

/* A decoded number and the position after the number. `next` is NULL if the number is
 * truncated or invalid. */
struct dj_proto_number {
    const uint8_t *next;
    uint64_t value;
};

enum { DJ_PROTO_WORD = 8 };

/* Decodes a varint of at most eight bytes. Eight bytes must be readable. Clears the bytes
 * after the last byte of the varint, then joins the groups of seven bits: pairs of
 * groups, then fours, then all eight. `next` is NULL if the varint has more than eight
 * bytes. */
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

/* Decodes a varint of more than two bytes. */
struct dj_proto_number dj_proto_long_varint(const uint8_t *at, const uint8_t *end);

/* Decodes a number with wire type fixed32 or fixed64. Any other wire type is invalid. */
struct dj_proto_number dj_proto_fixed(const uint8_t *at, const uint8_t *end,
                                      uint8_t wire);

/* Decodes a varint of any length. Returns the position instead of updating a struct
 * dj_proto_message, so that the position stays in a register. Otherwise each varint would
 * wait until the position of the previous one is stored in memory. */
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

/* Reads the next varint of a packed array. Returns false at the end of the array, or if
 * the next varint is truncated or invalid. */
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

/* Reads up to `count` varints of a packed array. Returns how many were read. */
size_t dj_proto_varints(struct dj_proto_message *message, uint64_t *values, size_t count);

/* Reads the next field. Unlike dj_proto_next(), does not check for the end of the message
 * and has no faster code for short fields. */
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

/* Reads the next field. Returns false at the end of the message, or with `failed` set if
 * the rest is invalid. If the field's value or bytes are truncated, its number and wire
 * type are set, and for DJ_PROTO_BYTES `value` is the length that the field claims. The
 * function is inlined, because a call would cost as much as its work. Fields with a
 * number below 16 and a value or length of one or two bytes, which are most fields, have
 * faster code. */
__attribute__((always_inline)) static inline bool
dj_proto_next(struct dj_proto_message *message, struct dj_proto_field *field)
{
    const uint8_t *at = message->at;
    ptrdiff_t left = message->end - at;
    /* The faster code has three conditions. The tag has only one byte (MORE is not set).
     * The wire type is DJ_PROTO_VARINT or DJ_PROTO_BYTES. The field number is not 0. */
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
    DJ_PROTO_PART, /* The message ends inside the bytes of this field. */
    /* The message ends inside the number, length or value of a field. */
    DJ_PROTO_TRUNCATED,
    DJ_PROTO_INVALID /* No valid field begins here. */
};

/* Reads the next field. The result says whether there is one, and if not, why. Parts of
 * the field that were not read are 0. If the result is DJ_PROTO_PART, field->bytes has
 * the available bytes, and the message is at its end. After an error, the message is at
 * the beginning of the invalid field. */
enum dj_proto_outcome dj_proto_next_part(struct dj_proto_message *message,
                                         struct dj_proto_field *field);

/* Reads all fields, and stores the last occurrence of each field number below `count` in
 * got[number]. For an absent field, got[number].number is 0. Returns false if the message
 * is invalid; the fields before the error are then stored. */
bool dj_proto_collect(struct dj_str bytes, struct dj_proto_field *got, size_t count);

/* Return the value of a field of dj_proto_collect(), or 0 or an empty text if the field
 * is absent or has another wire type. */
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

/* Interprets the bits as a double and returns the nearest integer. A value outside the
 * range of int64_t becomes the nearest limit. */
int64_t dj_proto_read_whole(uint64_t bits);

/* The dj_proto_add_*() functions append a field. If there is no space, text->failed is
 * set. */

/* Appends an element of a packed array. */
void dj_proto_add_varint(struct dj_text *text, uint64_t value);
void dj_proto_add_uint(struct dj_text *text, uint32_t field, uint64_t value);
/* dj_proto_add_int() appends a field of type int32, int64 or enum. A negative value
 * needs ten bytes. */
void dj_proto_add_int(struct dj_text *text, uint32_t field, int64_t value);
void dj_proto_add_fixed64(struct dj_text *text, uint32_t field, uint64_t value);

void dj_proto_add_bytes(struct dj_text *text, uint32_t field, struct dj_str bytes);

/* Append a string. Each byte that is not UTF-8 becomes U+FFFD, because otherwise readers
 * would reject the whole message. */
void dj_proto_add_text(struct dj_text *text, uint32_t field, struct dj_str words);
void dj_proto_add_string(struct dj_text *text, uint32_t field, const char *string);

/* Begin and end a nested message. It contains the fields that are written between the two
 * calls. dj_proto_begin() returns a position to pass to dj_proto_end(). dj_proto_end()
 * inserts the length of the message, which may move the message's bytes. */
size_t dj_proto_begin(struct dj_text *text, uint32_t field);
void dj_proto_end(struct dj_text *text, size_t opened);

#endif
