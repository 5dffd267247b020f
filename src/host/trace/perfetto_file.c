#include "trace/perfetto_file.h"

#include <stdlib.h>

#include "trace/mapped.h"
#include "trace/perfetto_unfold.h"

/* ---- packets within packets ---- */

/* What of a packet is compressed; 0: nothing is. */
static uint32_t compressed_part(struct dj_str packet, struct dj_str *packed)
{
    struct dj_proto_message message = dj_proto_open(packet);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&message, &field)) {
        if (field.wire == DJ_PROTO_BYTES &&
            (field.number == DJ_PF_PACKET_COMPRESSED ||
             field.number == DJ_PF_PACKET_COMPRESSED_ZSTD)) {
            *packed = field.bytes;
            return field.number;
        }
    }
    return 0;
}

/* Where the first such packet begins; the file's size: there is none. */
static size_t first_compressed(const struct dj_mapped *file)
{
    struct dj_proto_message message = {file->bytes, file->bytes + file->size, false};
    struct dj_str packet, packed;
    const uint8_t *from = message.at;
    struct dj_mapped_trail trail = {NULL, file->mapped};
    while (dj_pf_next_bytes(&message, DJ_PF_TRACE_PACKET, &packet)) {
        dj_mapped_leave(&trail, from);
        if (compressed_part(packet, &packed) != 0) {
            return (size_t)(from - file->bytes);
        }
        from = message.at;
    }
    return file->size;
}

/* Whole packets only: half a one would swallow what follows it. */
static size_t whole_packets(const uint8_t *bytes, size_t length)
{
    struct dj_proto_message message = {bytes, bytes + length, false};
    struct dj_proto_field field = {0};
    const uint8_t *whole = bytes;
    while (length > 0 && dj_proto_next(&message, &field)) {
        whole = message.at;
    }
    return length > 0 ? (size_t)(whole - bytes) : 0;
}

/* What came of all packets so far counts, kept or not. */
struct unfolding {
    struct dj_aside aside;
    uint64_t bytes;
};

static int unfold_packet(uint32_t kind, struct dj_str packed, struct unfolding *unfolding,
                         struct dj_perfetto_told *told, struct dj_error *err)
{
    uint8_t *bytes = NULL;
    size_t length = 0;
    uint64_t left = unfolding->aside.most - unfolding->bytes;
    uint64_t most = left < DJ_PERFETTO_PACKET_MOST ? left : DJ_PERFETTO_PACKET_MOST;
    bool is_whole = dj_perfetto_unfold(kind, packed, most, &bytes, &length);
    if (length >= most) {
        free(bytes);
        return dj_aside_refuse(left == most ? unfolding->aside.most : most, err);
    }
    unfolding->bytes += length;
    size_t whole = whole_packets(bytes, length);
    told->damaged += !is_whole || whole < length;
    int code = dj_aside_put(&unfolding->aside, bytes, whole, err);
    free(bytes);
    return code;
}

static int unfold_rest(const struct dj_mapped *file, size_t from,
                       struct unfolding *unfolding, struct dj_perfetto_told *told,
                       struct dj_error *err)
{
    struct dj_proto_message message = {file->bytes + from, file->bytes + file->size,
                                       false};
    struct dj_str packet, packed;
    const uint8_t *at = message.at;
    int code = 0;
    while (code == 0 && dj_pf_next_bytes(&message, DJ_PF_TRACE_PACKET, &packet)) {
        uint32_t kind = compressed_part(packet, &packed);
        code = kind != 0
                   ? unfold_packet(kind, packed, unfolding, told, err)
                   : dj_aside_put(&unfolding->aside, at, (size_t)(message.at - at), err);
        at = message.at;
    }
    /* What is cut off at the end is the reader's to tell. */
    size_t left = (size_t)(file->bytes + file->size - at);
    return code != 0 ? code : dj_aside_put(&unfolding->aside, at, left, err);
}

static int read_mapped(const struct dj_mapped *file, bool unfolded,
                       struct dj_event_sink sink, struct dj_perfetto_told *told)
{
    static const uint8_t none = 0; /* of an empty file nothing is mapped */
    const struct dj_perfetto_file packets = {file->size > 0 ? file->bytes : &none,
                                             file->size, unfolded, file->size > 0};
    return dj_perfetto_read(&packets, sink, told);
}

static int unfold(const struct dj_mapped *file, uint64_t packed_size,
                  struct dj_mapped *unfolded, struct dj_perfetto_told *told,
                  struct dj_error *err)
{
    struct unfolding unfolding = {.bytes = 0};
    size_t from = first_compressed(file);
    int code = dj_aside_open(&unfolding.aside, dj_aside_most(packed_size), err);
    if (code == 0) {
        code = dj_aside_put(&unfolding.aside, file->bytes, from, err);
        code = code != 0 ? code : unfold_rest(file, from, &unfolding, told, err);
        code = code != 0 ? code : dj_aside_map(&unfolding.aside, unfolded, err);
        dj_aside_close(&unfolding.aside);
    }
    return code;
}

/* packed_size: of what all this comes from. */
static int read_unfolded(const struct dj_mapped *file, uint64_t packed_size,
                         struct dj_event_sink sink, struct dj_perfetto_told *told,
                         struct dj_error *err)
{
    struct dj_mapped unfolded;
    const struct dj_perfetto_told before = *told;
    int code = read_mapped(file, false, sink, told);
    if (code != DJ_E_UNSUPPORTED) {
        return code;
    }
    *told = before;
    code = unfold(file, packed_size, &unfolded, told, err);
    if (code == 0) {
        code = read_mapped(&unfolded, true, sink, told);
        dj_mapped_close(&unfolded);
    }
    return code;
}

int dj_perfetto_read_path(const char *path, struct dj_event_sink sink,
                          struct dj_perfetto_told *told, struct dj_error *err)
{
    struct dj_mapped file;
    int code = dj_mapped_open(path, &file, err);
    if (code == 0) {
        code = read_unfolded(&file, file.size, sink, told, err);
        dj_mapped_close(&file);
    }
    return code;
}

/* ---- streams ---- */

int dj_perfetto_read_stream(const struct dj_aside_stream *stream,
                            struct dj_event_sink sink, struct dj_perfetto_told *told,
                            struct dj_error *err)
{
    struct dj_mapped file;
    int code = dj_aside_read(stream, &file, &told->damaged, err);
    if (code == 0) {
        uint64_t packed_size = stream->packed_size > 0 ? stream->packed_size : file.size;
        code = read_unfolded(&file, packed_size, sink, told, err);
        dj_mapped_close(&file);
    }
    return code;
}
