#include "gfxinfo/proto_wire.h"

enum { VARINT_BYTES = 10 };

static enum dj_wire_outcome read_varint(struct dj_wire *wire, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < VARINT_BYTES; i++) {
        if (wire->at == wire->end) {
            return wire->open ? DJ_WIRE_CUT : DJ_WIRE_DAMAGE;
        }
        unsigned char byte = (unsigned char)*wire->at;
        wire->at++;
        *value |= (uint64_t)(byte & 0x7F) << (7 * i); /* of the tenth, one bit is left */
        if (byte < 0x80) {
            return DJ_WIRE_FIELD;
        }
    }
    return DJ_WIRE_DAMAGE;
}

static enum dj_wire_outcome read_fixed(struct dj_wire *wire, size_t bytes,
                                       uint64_t *value)
{
    if ((size_t)(wire->end - wire->at) < bytes) {
        return wire->open ? DJ_WIRE_CUT : DJ_WIRE_DAMAGE;
    }
    *value = 0;
    for (size_t i = bytes; i-- > 0;) {
        *value = *value << 8 | (unsigned char)wire->at[i];
    }
    wire->at += bytes;
    return DJ_WIRE_FIELD;
}

static enum dj_wire_outcome read_span(struct dj_wire *wire, struct dj_wire *span)
{
    uint64_t length;
    enum dj_wire_outcome outcome = read_varint(wire, &length);
    if (outcome != DJ_WIRE_FIELD) {
        return outcome;
    }
    size_t left = (size_t)(wire->end - wire->at);
    bool cut = length > left;
    if (cut && !wire->open) {
        return DJ_WIRE_DAMAGE;
    }
    const char *end = cut ? wire->end : wire->at + length;
    *span = (struct dj_wire){wire->at, end, .open = cut, .cut = cut};
    wire->at = end;
    return DJ_WIRE_FIELD;
}

static enum dj_wire_outcome read_field(struct dj_wire *wire, struct dj_wire_field *field)
{
    uint64_t tag;
    enum dj_wire_outcome outcome = read_varint(wire, &tag);
    if (outcome != DJ_WIRE_FIELD) {
        return outcome;
    }
    if (tag >> 3 == 0 || tag > UINT32_MAX) {
        return DJ_WIRE_DAMAGE;
    }
    field->number = (uint32_t)(tag >> 3);
    field->type = (enum dj_wire_type)(tag & 7);
    switch (field->type) {
    case DJ_WIRE_VARINT:
        return read_varint(wire, &field->value);
    case DJ_WIRE_FIXED64:
        return read_fixed(wire, 8, &field->value);
    case DJ_WIRE_FIXED32:
        return read_fixed(wire, 4, &field->value);
    case DJ_WIRE_BYTES:
        return read_span(wire, &field->span);
    }
    return DJ_WIRE_DAMAGE;
}

enum dj_wire_outcome dj_wire_next(struct dj_wire *wire, struct dj_wire_field *field)
{
    if (wire->at == wire->end) {
        return DJ_WIRE_END;
    }
    *field = (struct dj_wire_field){.at = wire->at};
    enum dj_wire_outcome outcome = read_field(wire, field);
    if (outcome != DJ_WIRE_FIELD) {
        wire->at = field->at;
    }
    return outcome;
}
