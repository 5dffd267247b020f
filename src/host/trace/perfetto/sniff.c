#include "trace/perfetto/fields.h"
#include "trace/perfetto/read.h"

/* Highest field number of a TracePacket. Only extensions have larger numbers. */
enum { HIGHEST = 9999, PACKET = DJ_PF_TRACE_PACKET << 3 | DJ_PROTO_BYTES };

/* Returns true if the field can be a field of a TracePacket. The fields that are listed
 * here must be varints, and no field may have a fixed size. */
static bool is_likely(const struct dj_proto_field *field)
{
    bool number = field->number == DJ_PF_PACKET_TIMESTAMP ||
                  field->number == DJ_PF_PACKET_SEQUENCE_ID ||
                  field->number == DJ_PF_PACKET_SEQUENCE_FLAGS ||
                  field->number == DJ_PF_PACKET_UID ||
                  field->number == DJ_PF_PACKET_CLOCK_ID;
    return field->number != 0 && field->number <= HIGHEST &&
           field->wire == (number                          ? DJ_PROTO_VARINT
                           : field->wire == DJ_PROTO_BYTES ? DJ_PROTO_BYTES
                                                           : DJ_PROTO_VARINT);
}

/* Reads the header of the first packet that is not empty, because some traces begin with
 * empty packets. */
static bool open_first(struct dj_proto_message *file, uint64_t *size)
{
    uint64_t tag = PACKET;
    *size = 0;
    while (tag == PACKET && *size == 0) {
        if (!dj_proto_varint(file, &tag) || !dj_proto_varint(file, size)) {
            return false;
        }
    }
    return tag == PACKET;
}

bool dj_perfetto_sniff(const uint8_t *bytes, size_t length, bool whole)
{
    struct dj_proto_message file = {bytes, bytes + length, false};
    struct dj_proto_field field = {0};
    uint64_t size;
    size_t fields = 0;
    if (!open_first(&file, &size)) {
        return false;
    }
    bool cut = size > (uint64_t)(file.end - file.at);
    const uint8_t *end = cut ? file.end : file.at + size;
    struct dj_proto_message packet = {file.at, end, false};
    while (dj_proto_next(&packet, &field)) {
        if (!is_likely(&field)) {
            return false;
        }
        fields++;
    }
    if (!packet.failed) {
        return fields > 0 && (cut || end == file.end || *end == PACKET);
    }
    /* The bytes end inside a field. This is accepted if the field fits into the packet
     * and the packet is also incomplete. */
    bool fits = is_likely(&field) && (field.wire != DJ_PROTO_BYTES || field.value < size);
    return cut && fits && (fields > 0 || (!whole && field.wire == DJ_PROTO_BYTES));
}
