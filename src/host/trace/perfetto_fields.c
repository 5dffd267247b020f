#include "trace/perfetto_fields.h"

#include <endian.h>

enum { VARINT_MOST = 10 };

static bool short_of_end(struct dj_pf_message *message, uint64_t *value)
{
    uint64_t got = 0;
    const uint8_t *at = message->at;
    for (unsigned shift = 0; shift < 7 * VARINT_MOST && at < message->end; shift += 7) {
        uint8_t byte = *at++;
        got |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            message->at = at;
            *value = got;
            return true;
        }
    }
    return false;
}

/* Up to eight bytes at once: those behind the last one are cut off, and the groups of
 * seven bits pushed together, two, then four, then eight of them. */
bool dj_pf_long_varint(struct dj_pf_message *message, uint64_t *value)
{
    uint64_t word, ends;
    if (message->end - message->at < (ptrdiff_t)sizeof(word)) {
        return short_of_end(message, value);
    }
    memcpy(&word, message->at, sizeof(word));
    word = le64toh(word);
    ends = ~word & UINT64_C(0x8080808080808080);
    if (ends == 0) {
        return short_of_end(message, value);
    }
    word &= (ends ^ (ends - 1)) & UINT64_C(0x7f7f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) |
           (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) |
           (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    word = (word & UINT64_C(0x000000000fffffff)) |
           (word & UINT64_C(0x0fffffff00000000)) >> 4;
    message->at += (__builtin_ctzll(ends) + 1) / 8;
    *value = word;
    return true;
}

bool dj_pf_fixed(struct dj_pf_message *message, struct dj_pf_field *field)
{
    size_t size = field->wire == DJ_WIRE_64 ? 8 : field->wire == DJ_WIRE_32 ? 4 : 0;
    if (size == 0 || (size_t)(message->end - message->at) < size) {
        return false;
    }
    field->value = 0;
    for (size_t i = 0; i < size; i++) {
        field->value |= (uint64_t)message->at[i] << (8 * i);
    }
    message->at += size;
    return true;
}

bool dj_pf_collect(struct dj_words bytes, struct dj_pf_field *got, size_t count)
{
    struct dj_pf_message message = dj_pf_open(bytes);
    struct dj_pf_field field = {0};
    for (size_t i = 0; i < count; i++) {
        got[i] = (struct dj_pf_field){0};
    }
    while (dj_pf_next(&message, &field)) {
        if (field.number < count) {
            got[field.number] = field;
        }
    }
    return !message.failed;
}

int64_t dj_pf_whole(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    if (!(value > -9.2e18)) {
        return value < 0 ? INT64_MIN : 0; /* not a number is none */
    }
    return value > 9.2e18 ? INT64_MAX : (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}
