#include "trace/perfetto/packet.h"

#include "trace/perfetto/stack_fields.h"

static inline void read_flags(struct dj_perfetto_packet *packet, uint64_t flags)
{
    packet->cleared |= (flags & DJ_PF_FLAG_CLEARED) != 0;
    packet->needs_state = (flags & DJ_PF_FLAG_NEEDS_STATE) != 0;
}

static inline void read_number(struct dj_perfetto_packet *packet, uint32_t number,
                               uint64_t value)
{
    switch (number) {
    case DJ_PF_PACKET_TIMESTAMP:
        packet->timestamp = value;
        packet->timed = true;
        break;
    case DJ_PF_PACKET_CLOCK_ID:
        packet->clock = value;
        break;
    case DJ_PF_PACKET_SEQUENCE_ID:
        packet->sequence = value;
        break;
    case DJ_PF_PACKET_SEQUENCE_FLAGS:
        read_flags(packet, value);
        break;
    case DJ_PF_PACKET_STATE_CLEARED:
        packet->cleared |= value != 0;
        break;
    case DJ_PF_PACKET_PREVIOUS_DROPPED:
        packet->dropped = value != 0;
        break;
    case DJ_PF_PACKET_FIRST_ON_SEQUENCE:
        packet->first = value != 0;
        break;
    default:
        break;
    }
}

/* Decodes the timestamp, the sequence and the flags. Nearly every packet contains these
 * fields. Their tags are single bytes, so this function can omit checks that other fields
 * need. It stops at any other field and at an incomplete field. The loop in
 * dj_perfetto_packet_read() handles these fields. */
static inline void read_frame(struct dj_proto_message *message,
                              struct dj_perfetto_packet *packet)
{
    enum {
        STAMP = DJ_PF_PACKET_TIMESTAMP << 3 | DJ_PROTO_VARINT,
        SEQUENCE = DJ_PF_PACKET_SEQUENCE_ID << 3 | DJ_PROTO_VARINT,
        FLAGS = DJ_PF_PACKET_SEQUENCE_FLAGS << 3 | DJ_PROTO_VARINT
    };
    const uint8_t *at = message->at;
    const uint8_t *end = message->end;
    struct dj_proto_number number = {at, 0};
    while (at < end && number.next != NULL) {
        message->at = at;
        if (*at == STAMP) {
            number = end - at > DJ_PROTO_WORD ? dj_proto_varint_of_word(at + 1)
                                              : dj_proto_varint_at(at + 1, end);
            packet->timestamp = number.next != NULL ? number.value : packet->timestamp;
            packet->timed |= number.next != NULL;
        } else if (*at == SEQUENCE) {
            number = dj_proto_varint_at(at + 1, end);
            packet->sequence = number.next != NULL ? number.value : packet->sequence;
        } else if (*at == FLAGS) {
            number = dj_proto_varint_at(at + 1, end);
            if (number.next != NULL) {
                read_flags(packet, number.value);
            }
        } else {
            return;
        }
        at = number.next;
    }
    message->at = at != NULL ? at : message->at;
}

/* A packet may contain an unknown message in addition to its main message. Unknown
 * messages have field numbers above LAST_KIND. */
enum { LAST_KIND = DJ_PF_PACKET_STACK_SAMPLE };

bool dj_perfetto_packet_read(struct dj_str bytes, struct dj_perfetto_packet *packet)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field;
    *packet = (struct dj_perfetto_packet){0};
    read_frame(&message, packet);
    while (dj_proto_next(&message, &field)) {
        if (field.wire == DJ_PROTO_VARINT) {
            read_number(packet, field.number, field.value);
        } else if (field.wire == DJ_PROTO_BYTES) {
            if (field.number == DJ_PF_PACKET_INTERNED_DATA) {
                packet->interned = field.bytes;
            } else if (field.number == DJ_PF_PACKET_DEFAULTS) {
                packet->defaults = field.bytes;
            } else if (field.number <= LAST_KIND || packet->kind == 0) {
                packet->kind = field.number;
                packet->body = field.bytes;
            }
        }
        read_frame(&message, packet);
    }
    return !message.failed;
}
