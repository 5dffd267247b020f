#include "trace/perfetto_file.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "memory/memory.h"

/* ---- compressed packets ---- */

/* Destination of unpacked bytes. */
struct unfolded {
    uint8_t *bytes;
    size_t length, capacity;
    uint64_t most;
};

/* Allocates more memory. Returns false if the maximum is reached. */
static bool grow(struct unfolded *into)
{
    if (into->length < into->most) {
        DJ_XRESERVE(into->bytes, into->capacity, 2 * into->capacity + (1 << 16));
    }
    return into->length < into->most;
}

enum { ANY_HEADER = 15 + 32 }; /* zlib or gzip */

static bool unfold_zlib(struct dj_str packed, struct unfolded *into)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed.at};
    if (packed.length > UINT32_MAX) {
        return false;
    }
    dj_xcheck(inflateInit2(&stream, ANY_HEADER) == Z_OK);
    stream.avail_in = (uInt)packed.length;
    int said = Z_OK;
    while (said == Z_OK && grow(into)) {
        size_t room = into->capacity - into->length;
        stream.next_out = into->bytes + into->length;
        stream.avail_out = (uInt)room;
        said = inflate(&stream, Z_NO_FLUSH);
        into->length += room - stream.avail_out;
        if (said == Z_OK && stream.avail_out > 0) {
            break; /* the input is incomplete */
        }
    }
    inflateEnd(&stream);
    return said == Z_STREAM_END;
}

static bool unfold_zstd(struct dj_str packed, struct unfolded *into)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer from = {packed.at, packed.length, 0};
    size_t left = 1;
    dj_xcheck(stream != NULL);
    while (!ZSTD_isError(left) && left != 0 && grow(into)) {
        size_t taken = from.pos;
        ZSTD_outBuffer to = {into->bytes, into->capacity, into->length};
        left = ZSTD_decompressStream(stream, &to, &from);
        if (to.pos == into->length && from.pos == taken) {
            break;
        }
        into->length = to.pos;
    }
    ZSTD_freeDStream(stream);
    return left == 0;
}

bool dj_perfetto_unfold(uint32_t kind, struct dj_str packed, uint64_t most,
                        uint8_t **bytes, size_t *length)
{
    struct unfolded into = {.most = most};
    bool is_whole = kind == DJ_PF_PACKET_COMPRESSED_ZSTD ? unfold_zstd(packed, &into)
                                                         : unfold_zlib(packed, &into);
    *bytes = into.bytes;
    *length = into.length;
    return is_whole;
}

/* ---- packets within packets ---- */

/* Finds the compressed part of a packet. Returns its field number; 0: none. */
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

/* Returns the offset of the first compressed packet; the file's size if there is none. */
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

/* Returns the length of the complete packets. An incomplete packet would include the
 * bytes that follow it. */
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

/* `bytes` counts what all packets unpacked to, including bytes that were dropped. */
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
    /* The reader reports a truncated end. */
    size_t left = (size_t)(file->bytes + file->size - at);
    return code != 0 ? code : dj_aside_put(&unfolding->aside, at, left, err);
}

static int read_mapped(const struct dj_mapped *file, bool unfolded,
                       struct dj_event_sink sink, struct dj_perfetto_told *told)
{
    static const uint8_t none = 0; /* mmap does not map an empty file */
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
    int code = dj_aside_open(&unfolding.aside, packed_size, err);
    if (code == 0) {
        code = dj_aside_put(&unfolding.aside, file->bytes, from, err);
        code = code != 0 ? code : unfold_rest(file, from, &unfolding, told, err);
        code = code != 0 ? code : dj_aside_map(&unfolding.aside, unfolded, err);
        dj_spill_close(&unfolding.aside.spill);
    }
    return code;
}

/* packed_size: size of the compressed input. */
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

int dj_perfetto_read_stream(struct dj_wrapped *part, struct dj_event_sink sink,
                            struct dj_perfetto_told *told, struct dj_error *err)
{
    struct dj_mapped file;
    int code = dj_wrapped_map(part, &file, &told->damaged, err);
    if (code == 0) {
        uint64_t packed_size = part->packed_size > 0 ? part->packed_size : file.size;
        code = read_unfolded(&file, packed_size, sink, told, err);
        dj_mapped_close(&file);
    }
    return code;
}
