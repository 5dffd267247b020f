#include "trace/perfetto_fields.h"

enum { VARINT_MOST = 10 };

static const struct dj_pf_number endless = {NULL, 0};

static struct dj_pf_number short_of_end(const uint8_t *at, const uint8_t *end)
{
    uint64_t got = 0;
    for (unsigned shift = 0; shift < 7 * VARINT_MOST && at < end; shift += 7) {
        uint8_t byte = *at++;
        got |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return (struct dj_pf_number){at, got};
        }
    }
    return endless;
}

struct dj_pf_number dj_pf_long_varint(const uint8_t *at, const uint8_t *end)
{
    struct dj_pf_number number =
        end - at < DJ_PF_WORD ? endless : dj_pf_varint_of_word(at);
    return number.next != NULL ? number : short_of_end(at, end);
}

/* Far from the array's end, numbers of up to three bytes, as most are, need not ask where
 * that is. */
size_t dj_pf_varints(struct dj_pf_message *message, uint64_t *values, size_t count)
{
    const uint8_t *at = message->at;
    const uint8_t *end = message->end;
    const uint8_t *near = end - at > VARINT_MOST ? end - VARINT_MOST : at;
    size_t read = 0;
    while (read < count) {
        struct dj_pf_number number;
        if (at < near && at[0] < 0x80) {
            number = (struct dj_pf_number){at + 1, at[0]};
        } else if (at < near && at[1] < 0x80) {
            number = (struct dj_pf_number){at + 2, (uint64_t)at[1] << 7 | (at[0] & 0x7f)};
        } else if (at < near && at[2] < 0x80) {
            number = (struct dj_pf_number){at + 3, (uint64_t)at[2] << 14 |
                                                       (uint64_t)(at[1] & 0x7f) << 7 |
                                                       (at[0] & 0x7f)};
        } else {
            number = dj_pf_varint_at(at, end);
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

struct dj_pf_number dj_pf_fixed(const uint8_t *at, const uint8_t *end, uint8_t wire)
{
    size_t size = wire == DJ_WIRE_64 ? 8 : wire == DJ_WIRE_32 ? 4 : 0;
    uint64_t value = 0;
    if (size == 0 || (size_t)(end - at) < size) {
        return endless;
    }
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return (struct dj_pf_number){at + size, value};
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
