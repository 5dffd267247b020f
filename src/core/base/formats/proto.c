#include "base/proto.h"

#include "base/utf8.h"

enum { VARINT_MOST = 10 };

static const struct dj_proto_number no_number = {NULL, 0};

static struct dj_proto_number decode_varint_bytewise(const uint8_t *at,
                                                     const uint8_t *end)
{
    uint64_t got = 0;
    for (unsigned shift = 0; shift < 7 * VARINT_MOST && at < end; shift += 7) {
        uint8_t byte = *at++;
        got |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return (struct dj_proto_number){at, got};
        }
    }
    return no_number;
}

struct dj_proto_number dj_proto_long_varint(const uint8_t *at, const uint8_t *end)
{
    struct dj_proto_number number =
        end - at < DJ_PROTO_WORD ? no_number : dj_proto_varint_of_word(at);
    return number.next != NULL ? number : decode_varint_bytewise(at, end);
}

/* Most varints have up to three bytes. The loop itself decodes these, without a check for
 * the end, as long as more than VARINT_MOST bytes remain. */
size_t dj_proto_varints(struct dj_proto_message *message, uint64_t *values, size_t count)
{
    const uint8_t *at = message->at;
    const uint8_t *end = message->end;
    const uint8_t *near = end - at > VARINT_MOST ? end - VARINT_MOST : at;
    size_t read = 0;
    while (read < count) {
        struct dj_proto_number number;
        if (at < near && at[0] < 0x80) {
            number = (struct dj_proto_number){at + 1, at[0]};
        } else if (at < near && at[1] < 0x80) {
            number =
                (struct dj_proto_number){at + 2, (uint64_t)at[1] << 7 | (at[0] & 0x7f)};
        } else if (at < near && at[2] < 0x80) {
            number = (struct dj_proto_number){at + 3, (uint64_t)at[2] << 14 |
                                                          (uint64_t)(at[1] & 0x7f) << 7 |
                                                          (at[0] & 0x7f)};
        } else {
            number = dj_proto_varint_at(at, end);
        }
        if (number.next == NULL) {
            break;
        }
        values[read++] = number.value;
        at = number.next;
    }
    message->at = at;
    return read;
}

struct dj_proto_number dj_proto_fixed(const uint8_t *at, const uint8_t *end, uint8_t wire)
{
    size_t size = wire == DJ_PROTO_FIXED64 ? 8 : wire == DJ_PROTO_FIXED32 ? 4 : 0;
    uint64_t value = 0;
    if (size == 0 || (size_t)(end - at) < size) {
        return no_number;
    }
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return (struct dj_proto_number){at + size, value};
}

/* Returns whether the varint continues after the end of the bytes. */
static bool is_truncated(const uint8_t *at, const uint8_t *end)
{
    return end - at < VARINT_MOST && dj_proto_varint_at(at, end).next == NULL;
}

enum dj_proto_outcome dj_proto_next_part(struct dj_proto_message *message,
                                         struct dj_proto_field *field)
{
    const uint8_t *start = message->at, *end = message->end;
    bool truncated = false;
    *field = (struct dj_proto_field){0};
    if (dj_proto_next(message, field)) {
        return DJ_PROTO_FIELD;
    }
    if (!message->failed) {
        return DJ_PROTO_END;
    }
    if (field->number == 0) {
        truncated = is_truncated(start, end);
    } else if (field->wire == DJ_PROTO_BYTES && field->value > 0) {
        field->bytes =
            (struct dj_str){(const char *)message->at, (size_t)(end - message->at)};
        message->at = end;
        message->failed = false;
        return DJ_PROTO_PART;
    } else if (field->wire == DJ_PROTO_VARINT || field->wire == DJ_PROTO_BYTES) {
        truncated = is_truncated(message->at, end);
    } else {
        truncated = field->wire == DJ_PROTO_FIXED64 || field->wire == DJ_PROTO_FIXED32;
    }
    message->at = start;
    return truncated ? DJ_PROTO_TRUNCATED : DJ_PROTO_INVALID;
}

bool dj_proto_collect(struct dj_str bytes, struct dj_proto_field *got, size_t count)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    for (size_t i = 0; i < count; i++) {
        got[i] = (struct dj_proto_field){0};
    }
    while (dj_proto_next(&message, &field)) {
        if (field.number < count) {
            got[field.number] = field;
        }
    }
    return !message.failed;
}

int64_t dj_proto_read_whole(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    if (!(value > -9.2e18)) {
        return value < 0 ? INT64_MIN : 0; /* NaN becomes 0. */
    }
    return value > 9.2e18 ? INT64_MAX : (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

static size_t encode_varint(unsigned char *at, uint64_t value)
{
    size_t length = 0;
    while (value >= 0x80) {
        at[length++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    at[length++] = (unsigned char)value;
    return length;
}

static size_t encode_tag(unsigned char *at, uint32_t field, enum dj_proto_wire wire)
{
    return encode_varint(at, (uint64_t)field << 3 | (unsigned)wire);
}

static void append(struct dj_text *text, const unsigned char *bytes, size_t length)
{
    dj_text_append(text, (const char *)bytes, length);
}

void dj_proto_add_varint(struct dj_text *text, uint64_t value)
{
    unsigned char bytes[VARINT_MOST];
    append(text, bytes, encode_varint(bytes, value));
}

void dj_proto_add_uint(struct dj_text *text, uint32_t field, uint64_t value)
{
    unsigned char bytes[2 * VARINT_MOST];
    size_t length = encode_tag(bytes, field, DJ_PROTO_VARINT);
    length += encode_varint(bytes + length, value);
    append(text, bytes, length);
}

void dj_proto_add_int(struct dj_text *text, uint32_t field, int64_t value)
{
    dj_proto_add_uint(text, field, (uint64_t)value);
}

void dj_proto_add_fixed64(struct dj_text *text, uint32_t field, uint64_t value)
{
    unsigned char bytes[VARINT_MOST + 8];
    size_t length = encode_tag(bytes, field, DJ_PROTO_FIXED64);
    for (size_t i = 0; i < 8; i++) {
        bytes[length++] = (unsigned char)(value >> (8 * i));
    }
    append(text, bytes, length);
}

void dj_proto_add_bytes(struct dj_text *text, uint32_t field, struct dj_str bytes)
{
    unsigned char head[2 * VARINT_MOST];
    size_t length = encode_tag(head, field, DJ_PROTO_BYTES);
    length += encode_varint(head + length, bytes.length);
    append(text, head, length);
    dj_text_append(text, bytes.length > 0 ? bytes.at : "", bytes.length);
}

/* Returns the number of ASCII bytes at the beginning of the text. */
static size_t plain_length(struct dj_str words)
{
    size_t length = 0;
    while (length < words.length && (unsigned char)words.at[length] < 0x80) {
        length++;
    }
    return length;
}

static void append_repaired(struct dj_text *text, struct dj_str words)
{
    static const char replacement[] = "\xef\xbf\xbd";
    while (words.length > 0) {
        struct dj_utf8 next = dj_utf8_at(words.at, words.length);
        if (next.code < 0) {
            dj_text_append(text, replacement, sizeof(replacement) - 1);
        } else {
            dj_text_append(text, words.at, next.bytes);
        }
        words.at += next.bytes;
        words.length -= next.bytes;
    }
}

void dj_proto_add_text(struct dj_text *text, uint32_t field, struct dj_str words)
{
    size_t plain = plain_length(words);
    if (plain < words.length) {
        size_t opened = dj_proto_begin(text, field);
        append_repaired(text, words);
        dj_proto_end(text, opened);
        return;
    }
    dj_proto_add_bytes(text, field, words);
}

void dj_proto_add_string(struct dj_text *text, uint32_t field, const char *string)
{
    dj_proto_add_text(text, field, dj_str_of(string));
}

size_t dj_proto_begin(struct dj_text *text, uint32_t field)
{
    unsigned char bytes[VARINT_MOST + 1];
    size_t length = encode_tag(bytes, field, DJ_PROTO_BYTES);
    bytes[length++] = 0; /* Space for the length. One byte is enough for most messages. */
    append(text, bytes, length);
    return text->length;
}

void dj_proto_end(struct dj_text *text, size_t opened)
{
    unsigned char bytes[VARINT_MOST];
    if (text->failed) {
        return;
    }
    size_t inner = text->length - opened;
    size_t length = encode_varint(bytes, inner);
    if (length > 1 && dj_text_reserve(text, length - 1) == NULL) {
        return;
    }
    char *at = text->data + opened - 1;
    if (length > 1) {
        memmove(at + length, at + 1, inner);
    }
    memcpy(at, bytes, length);
}
