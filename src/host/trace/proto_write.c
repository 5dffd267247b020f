#include "trace/proto_write.h"

#include <string.h>

#include "base/utf8.h"
#include "trace/perfetto_wire.h"

enum { VARINT_MOST = 10 };

static size_t put_varint(unsigned char *at, uint64_t value)
{
    size_t length = 0;
    while (value >= 0x80) {
        at[length++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    at[length++] = (unsigned char)value;
    return length;
}

static size_t put_tag(unsigned char *at, uint32_t field, enum dj_wire wire)
{
    return put_varint(at, (uint64_t)field << 3 | (unsigned)wire);
}

static void append(struct dj_text *text, const unsigned char *bytes, size_t length)
{
    dj_text_append(text, (const char *)bytes, length);
}

void dj_proto_uint(struct dj_text *text, uint32_t field, uint64_t value)
{
    unsigned char bytes[2 * VARINT_MOST];
    size_t length = put_tag(bytes, field, DJ_WIRE_VARINT);
    length += put_varint(bytes + length, value);
    append(text, bytes, length);
}

void dj_proto_int(struct dj_text *text, uint32_t field, int64_t value)
{
    dj_proto_uint(text, field, (uint64_t)value);
}

void dj_proto_fixed64(struct dj_text *text, uint32_t field, uint64_t value)
{
    unsigned char bytes[VARINT_MOST + 8];
    size_t length = put_tag(bytes, field, DJ_WIRE_64);
    for (size_t i = 0; i < 8; i++) {
        bytes[length++] = (unsigned char)(value >> (8 * i));
    }
    append(text, bytes, length);
}

/* Bytes of plain ASCII that the text begins with. */
static size_t plain_length(struct dj_words words)
{
    size_t length = 0;
    while (length < words.length && (unsigned char)words.at[length] < 0x80) {
        length++;
    }
    return length;
}

static void append_repaired(struct dj_text *text, struct dj_words words)
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

void dj_proto_words(struct dj_text *text, uint32_t field, struct dj_words words)
{
    size_t plain = plain_length(words);
    if (plain < words.length) {
        size_t opened = dj_proto_open(text, field);
        append_repaired(text, words);
        dj_proto_close(text, opened);
        return;
    }
    unsigned char bytes[2 * VARINT_MOST];
    size_t length = put_tag(bytes, field, DJ_WIRE_BYTES);
    length += put_varint(bytes + length, plain);
    append(text, bytes, length);
    dj_text_append(text, plain > 0 ? words.at : "", plain);
}

void dj_proto_string(struct dj_text *text, uint32_t field, const char *string)
{
    dj_proto_words(text, field, (struct dj_words){string, strlen(string)});
}

size_t dj_proto_open(struct dj_text *text, uint32_t field)
{
    unsigned char bytes[VARINT_MOST + 1];
    size_t length = put_tag(bytes, field, DJ_WIRE_BYTES);
    bytes[length++] = 0; /* the length of most */
    append(text, bytes, length);
    return text->length;
}

void dj_proto_close(struct dj_text *text, size_t opened)
{
    unsigned char bytes[VARINT_MOST];
    if (text->failed) {
        return;
    }
    size_t inner = text->length - opened;
    size_t length = put_varint(bytes, inner);
    if (length > 1 && dj_text_room(text, length - 1) == NULL) {
        return;
    }
    char *at = text->data + opened - 1;
    if (length > 1) {
        memmove(at + length, at + 1, inner);
    }
    memcpy(at, bytes, length);
}
