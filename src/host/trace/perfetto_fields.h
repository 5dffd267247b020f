/*
 * Going through a message of protobuf, field by field, within its bytes: a length that
 * lies ends it, groups and field 0 too. What is not known is passed over by whoever asks.
 * Of this room only. Source: protobuf's encoding, as docs/format/pftrace.md has it.
 */
#ifndef DEJANK_TRACE_PERFETTO_FIELDS_H
#define DEJANK_TRACE_PERFETTO_FIELDS_H

#include <stdbool.h>
#include <string.h>

#include "trace/event.h"
#include "trace/perfetto_wire.h"

struct dj_pf_message {
    const uint8_t *at, *end;
    bool failed; /* it does not end where a field does */
};

struct dj_pf_field {
    uint32_t number; /* 0: it is not there */
    uint8_t wire;    /* enum dj_wire */
    uint64_t value;  /* of numbers; of fixed64 and fixed32 their bits */
    struct dj_words bytes;
};

static inline struct dj_pf_message dj_pf_open(struct dj_words bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    return (struct dj_pf_message){at, bytes.length > 0 ? at + bytes.length : at, false};
}

/* A varint of more than two bytes. False: it does not end. */
bool dj_pf_long_varint(struct dj_pf_message *message, uint64_t *value);

/* The next varint of a packed array, or part of a field. */
static inline bool dj_pf_varint(struct dj_pf_message *message, uint64_t *value)
{
    const uint8_t *at = message->at;
    if (at < message->end && at[0] < 0x80) {
        *value = at[0];
        message->at = at + 1;
        return true;
    }
    if (message->end - at > 1 && at[1] < 0x80) {
        *value = (uint64_t)at[1] << 7 | (at[0] & 0x7f);
        message->at = at + 2;
        return true;
    }
    return dj_pf_long_varint(message, value);
}

/* What is neither a number nor bytes. */
bool dj_pf_fixed(struct dj_pf_message *message, struct dj_pf_field *field);

/* The next field. False: there is none, or the rest makes no sense (`failed`). All that
 * is read goes through here: called, it would cost as much as it does. */
__attribute__((always_inline)) static inline bool
dj_pf_next(struct dj_pf_message *message, struct dj_pf_field *field)
{
    uint64_t tag;
    if (message->at == message->end) {
        return false;
    }
    if (!dj_pf_varint(message, &tag) || tag >> 3 == 0 || tag > UINT32_MAX) {
        message->failed = true;
        return false;
    }
    field->number = (uint32_t)(tag >> 3);
    field->wire = (uint8_t)(tag & 7);
    if (field->wire == DJ_WIRE_VARINT) {
        message->failed = !dj_pf_varint(message, &field->value);
    } else if (field->wire == DJ_WIRE_BYTES) {
        message->failed = !dj_pf_varint(message, &field->value) ||
                          field->value > (uint64_t)(message->end - message->at);
        if (!message->failed) {
            field->bytes =
                (struct dj_words){(const char *)message->at, (size_t)field->value};
            message->at += field->value;
        }
    } else {
        message->failed = !dj_pf_fixed(message, field);
    }
    return !message->failed;
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
