#include "trace/perfetto_packet.h"

static void read_number(struct dj_pf_packet *packet, uint32_t number, uint64_t value)
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
        packet->cleared |= (value & DJ_PF_FLAG_CLEARED) != 0;
        packet->needs_state = (value & DJ_PF_FLAG_NEEDS_STATE) != 0;
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

bool dj_pf_packet_read(struct dj_words bytes, struct dj_pf_packet *packet)
{
    struct dj_pf_message message = dj_pf_open(bytes);
    struct dj_pf_field field = {0};
    *packet = (struct dj_pf_packet){0};
    while (dj_pf_next(&message, &field)) {
        if (field.wire == DJ_WIRE_VARINT) {
            read_number(packet, field.number, field.value);
        } else if (field.wire != DJ_WIRE_BYTES) {
            continue;
        } else if (field.number == DJ_PF_PACKET_INTERNED_DATA) {
            packet->interned = field.bytes;
        } else if (field.number == DJ_PF_PACKET_DEFAULTS) {
            packet->defaults = field.bytes;
        } else {
            packet->kind = field.number;
            packet->body = field.bytes;
        }
    }
    return !message.failed;
}

/* No field of packets has a higher number, but extensions. */
enum { HIGHEST = 9999, PACKET = DJ_PF_TRACE_PACKET << 3 | DJ_WIRE_BYTES };

bool dj_pf_sniff(const uint8_t *bytes, size_t length, bool whole)
{
    struct dj_pf_message file = {bytes, bytes + length, false};
    uint64_t tag = PACKET;
    uint64_t size = 0;
    while (tag == PACKET && size == 0) { /* some begin with empty ones */
        if (!dj_pf_varint(&file, &tag) || !dj_pf_varint(&file, &size)) {
            return false;
        }
    }
    if (tag != PACKET) {
        return false;
    }
    size_t left = (size_t)(file.end - file.at);
    bool cut = size > left;
    const uint8_t *end = cut ? file.end : file.at + size;
    struct dj_pf_message packet = {file.at, end, false};
    struct dj_pf_field field = {0};
    size_t fields = 0;
    while (dj_pf_next(&packet, &field)) {
        if (field.number > HIGHEST) {
            return false;
        }
        fields++;
    }
    if (!packet.failed) {
        return fields > 0 && (cut || end == file.end || *end == PACKET);
    }
    /* The field that the bytes cut: its length must fit into the packet. */
    return cut && !whole ? fields > 0 || (field.wire == DJ_WIRE_BYTES &&
                                          field.number <= HIGHEST && field.value < size)
                         : cut && fields > 0;
}
