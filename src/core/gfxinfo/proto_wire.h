/* The wire format of protocol buffers, one field after the other, with the byte of each:
 * of a message that is cut short or damaged, all that stands before can be told. */
#ifndef DEJANK_GFXINFO_PROTO_WIRE_H
#define DEJANK_GFXINFO_PROTO_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dj_wire_type {
    DJ_WIRE_VARINT = 0,
    DJ_WIRE_FIXED64 = 1,
    DJ_WIRE_BYTES = 2,
    DJ_WIRE_FIXED32 = 5 /* 3 and 4, groups, are long out of use and count as damage */
};

/* A message, or what is left of it. */
struct dj_wire {
    const char *at, *end;
    bool open; /* the text ends at `end`, perhaps before the message does */
    bool cut;  /* it does: the message's length says so */
};

struct dj_wire_field {
    const char *at;  /* where it begins */
    uint32_t number; /* from 1 */
    enum dj_wire_type type;
    uint64_t value;      /* of a number */
    struct dj_wire span; /* of bytes; cut where they should go on */
};

enum dj_wire_outcome {
    DJ_WIRE_FIELD,
    DJ_WIRE_END,
    DJ_WIRE_CUT,   /* the text ends in the middle of the field */
    DJ_WIRE_DAMAGE /* this is no field */
};

/* Reads the next field. Bytes that are cut short are still a field, with a cut span; the
 * next call then says DJ_WIRE_END. After CUT and DAMAGE wire->at stays at the field. */
enum dj_wire_outcome dj_wire_next(struct dj_wire *wire, struct dj_wire_field *field);

#endif
