/* The wire format of protocol buffers: reads messages field by field from their bytes,
 * and writes them field by field into a growing text. The caller knows the meaning of
 * the fields and skips unknown ones. Source: protobuf's encoding guide. Groups (wire
 * types 3 and 4), field number 0 and field numbers of more than 29 bits are invalid. */
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

/* Reading. */

struct dj_proto_message {
    const uint8_t *at, *end;
    bool failed; /* it does not end at the end of a field */
};

/* Number and wire are apart: if they were adjacent, gcc would load both at once, which
 * waits until both stores are complete. */
struct dj_proto_field {
    uint32_t number; /* 0: absent */
    uint64_t value;  /* of numbers; for fixed64 and fixed32 their bits */
    struct dj_str bytes;
    uint8_t wire; /* enum dj_proto_wire */
};

static inline struct dj_proto_message dj_proto_open(struct dj_str bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    return (struct dj_proto_message){at, bytes.length > 0 ? at + bytes.length : at,
                                     false};
}

/* A number that was read, and the position after it; NULL: it does not end. */
struct dj_proto_number {
    const uint8_t *next;
    uint64_t value;
};

enum { DJ_PROTO_WORD = 8 };

/* Decodes a varint from the bytes of a word that contains all of it: removes the bytes
 * after its last one, and joins the groups of seven bits, two, then four, then eight
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

/* Reads a field that is neither a varint nor bytes, with this wire. */
struct dj_proto_number dj_proto_fixed(const uint8_t *at, const uint8_t *end,
                                      uint8_t wire);

/* Numbers are returned by value, in registers: if the message had an address, each
 * step would wait for memory. */
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

/* Reads the next varint of a packed array, or part of a field. Returns false if it
 * does not end. */
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

/* Reads the next `count` varints of a packed array, or as many as there are. Returns
 * their number. */
size_t dj_proto_varints(struct dj_proto_message *message, uint64_t *values, size_t count);

/* Reads a field of any size, like dj_proto_next(). */
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

/* Reads the next field. Returns false if there is none, or if the rest is invalid
 * (`failed`; for a truncated field, its number, wire and length of bytes are set). All
 * reading uses this function: a call would cost as much as its work. Most fields have
 * a number below 16 and a value or length of one or two bytes. */
__attribute__((always_inline)) static inline bool
dj_proto_next(struct dj_proto_message *message, struct dj_proto_field *field)
{
    const uint8_t *at = message->at;
    ptrdiff_t left = message->end - at;
    /* Neither continues in more bytes, the wire is one of those two, and the number is
     * not 0. */
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
    DJ_PROTO_PART,      /* the message ends inside the bytes of this field */
    DJ_PROTO_TRUNCATED, /* the message ends inside the field's number, length or value */
    DJ_PROTO_INVALID    /* no valid field begins here */
};

/* Like dj_proto_next(), and returns why there is no further field. Absent parts of a
 * field are 0. For DJ_PROTO_PART, field->bytes is the available part, and the message
 * is at its end. After both errors the message is at the beginning of the field. */
enum dj_proto_outcome dj_proto_next_part(struct dj_proto_message *message,
                                         struct dj_proto_field *field);

/* Stores the last occurrence of each field below `count` in got[number]; absent ones
 * have number 0. Returns false if the message is invalid; the fields before the error
 * are stored. */
bool dj_proto_collect(struct dj_str bytes, struct dj_proto_field *got, size_t count);

/* Return a field that may be absent or have another type: 0 or none in these cases. */
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

/* Rounds a double to the nearest integer; values out of range become the nearest
 * limit. */
int64_t dj_proto_read_whole(uint64_t bits);

/* Writing. */

/* Each appends a field; text->failed shows whether all of them fit. */

/* An element of a packed array. */
void dj_proto_add_varint(struct dj_text *text, uint64_t value);
void dj_proto_add_uint(struct dj_text *text, uint32_t field, uint64_t value);
/* int32, int64, enum: a negative one takes ten bytes. */
void dj_proto_add_int(struct dj_text *text, uint32_t field, int64_t value);
void dj_proto_add_fixed64(struct dj_text *text, uint32_t field, uint64_t value);

void dj_proto_add_bytes(struct dj_text *text, uint32_t field, struct dj_str bytes);

/* A string: each byte that is not UTF-8 becomes U+FFFD, because readers would reject
 * the whole message. */
void dj_proto_add_text(struct dj_text *text, uint32_t field, struct dj_str words);
void dj_proto_add_string(struct dj_text *text, uint32_t field, const char *string);

/* A nested message: the fields written between the two calls. Its length precedes it,
 * so its bytes may move when it is closed. */
size_t dj_proto_begin(struct dj_text *text, uint32_t field);
void dj_proto_end(struct dj_text *text, size_t opened);

#endif
