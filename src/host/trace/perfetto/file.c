#include "trace/perfetto/file.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "memory/memory.h"

/* Memory for unpacked bytes. */
struct unpacked {
    uint8_t *bytes;
    size_t length, capacity;
    uint64_t most;
};

/* Allocates more memory. Returns false if the maximum size is reached. */
static bool grow(struct unpacked *into)
{
    if (into->length < into->most) {
        DJ_XRESERVE(into->bytes, into->capacity, 2 * into->capacity + (1 << 16));
    }
    return into->length < into->most;
}

/* Makes zlib accept both a zlib header and a gzip header. */
enum { ANY_HEADER = 15 + 32 };

static bool unpack_zlib(struct dj_str packed, struct unpacked *into)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed.at};
    if (packed.length > UINT32_MAX) {
        return false;
    }
    dj_xcheck(inflateInit2(&stream, ANY_HEADER) == Z_OK);
    stream.avail_in = (uInt)packed.length;
    int result = Z_OK;
    while (result == Z_OK && grow(into)) {
        size_t room = into->capacity - into->length;
        stream.next_out = into->bytes + into->length;
        stream.avail_out = (uInt)room;
        result = inflate(&stream, Z_NO_FLUSH);
        into->length += room - stream.avail_out;
        if (result == Z_OK && stream.avail_out > 0) {
            break; /* The input is incomplete. */
        }
    }
    inflateEnd(&stream);
    return result == Z_STREAM_END;
}

static bool unpack_zstd(struct dj_str packed, struct unpacked *into)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer from = {packed.at, packed.length, 0};
    size_t left = 1;
    dj_xcheck(stream != NULL);
    while (!ZSTD_isError(left) && left != 0 && grow(into)) {
        size_t consumed = from.pos;
        ZSTD_outBuffer to = {into->bytes, into->capacity, into->length};
        left = ZSTD_decompressStream(stream, &to, &from);
        if (to.pos == into->length && from.pos == consumed) {
            break;
        }
        into->length = to.pos;
    }
    ZSTD_freeDStream(stream);
    return left == 0;
}

bool dj_perfetto_unpack(uint32_t kind, struct dj_str packed, uint64_t most,
                        uint8_t **bytes, size_t *length)
{
    struct unpacked into = {.most = most};
    bool is_whole = kind == DJ_PF_PACKET_COMPRESSED_ZSTD ? unpack_zstd(packed, &into)
                                                         : unpack_zlib(packed, &into);
    *bytes = into.bytes;
    *length = into.length;
    return is_whole;
}

/* Finds the compressed data in a packet. Returns the number of the field that contains
 * it, or 0 if the packet contains no compressed data. */
static uint32_t find_compressed_part(struct dj_str packet, struct dj_str *packed)
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

/* Returns the offset of the first compressed packet, or the size of the file if no packet
 * is compressed. */
static size_t find_first_compressed(const struct dj_trace_file *file)
{
    struct dj_proto_message message = {file->bytes, file->bytes + file->size, false};
    struct dj_str packet, packed;
    const uint8_t *from = message.at;
    struct dj_trace_file_trail trail = {NULL, file->mapped};
    while (dj_perfetto_find_next_bytes(&message, DJ_PF_TRACE_PACKET, &packet)) {
        dj_trace_file_free_before(&trail, from);
        if (find_compressed_part(packet, &packed) != 0) {
            return (size_t)(from - file->bytes);
        }
        from = message.at;
    }
    return file->size;
}

/* Returns the total length of the complete packets. An incomplete packet at the end must
 * not be copied. Otherwise the reader would treat the bytes after it as a part of it. */
static size_t measure_whole_packets(const uint8_t *bytes, size_t length)
{
    struct dj_proto_message message = {bytes, bytes + length, false};
    struct dj_proto_field field = {0};
    const uint8_t *whole = bytes;
    while (length > 0 && dj_proto_next(&message, &field)) {
        whole = message.at;
    }
    return length > 0 ? (size_t)(whole - bytes) : 0;
}

/* The state of unpacking. `bytes` is the unpacked size of all packets. It includes
 * incomplete packets, which are not copied. */
struct unpacking {
    struct dj_trace_scratch scratch;
    uint64_t bytes;
};

static int unpack_packet(uint32_t kind, struct dj_str packed, struct unpacking *unpacking,
                         struct dj_perfetto_summary *summary, struct dj_error *err)
{
    uint8_t *bytes = NULL;
    size_t length = 0;
    uint64_t left = unpacking->scratch.most - unpacking->bytes;
    uint64_t most = left < DJ_PERFETTO_PACKET_MAX ? left : DJ_PERFETTO_PACKET_MAX;
    bool is_whole = dj_perfetto_unpack(kind, packed, most, &bytes, &length);
    if (length >= most) {
        free(bytes);
        return dj_trace_scratch_refuse_size(left == most ? unpacking->scratch.most : most,
                                            err);
    }
    unpacking->bytes += length;
    size_t whole = measure_whole_packets(bytes, length);
    summary->damaged += !is_whole || whole < length;
    int code = dj_trace_scratch_append(&unpacking->scratch, bytes, whole, err);
    free(bytes);
    return code;
}

static int unpack_rest(const struct dj_trace_file *file, size_t from,
                       struct unpacking *unpacking, struct dj_perfetto_summary *summary,
                       struct dj_error *err)
{
    struct dj_proto_message message = {file->bytes + from, file->bytes + file->size,
                                       false};
    struct dj_str packet, packed;
    const uint8_t *at = message.at;
    int code = 0;
    while (code == 0 &&
           dj_perfetto_find_next_bytes(&message, DJ_PF_TRACE_PACKET, &packet)) {
        uint32_t kind = find_compressed_part(packet, &packed);
        code = kind != 0 ? unpack_packet(kind, packed, unpacking, summary, err)
                         : dj_trace_scratch_append(&unpacking->scratch, at,
                                                   (size_t)(message.at - at), err);
        at = message.at;
    }
    /* Also copies a truncated packet at the end of the file, so that the reader reports
     * it. */
    size_t left = (size_t)(file->bytes + file->size - at);
    return code != 0 ? code : dj_trace_scratch_append(&unpacking->scratch, at, left, err);
}

static int read_mapped(const struct dj_trace_file *file, bool unpacked,
                       struct dj_event_sink sink, struct dj_perfetto_summary *summary)
{
    /* Used for an empty file, because an empty file cannot be mapped. */
    static const uint8_t none = 0;
    const struct dj_perfetto_file packets = {file->size > 0 ? file->bytes : &none,
                                             file->size, unpacked, file->size > 0};
    return dj_perfetto_read(&packets, sink, summary);
}

static int unpack(const struct dj_trace_file *file, uint64_t packed_size,
                  struct dj_trace_file *unpacked, struct dj_perfetto_summary *summary,
                  struct dj_error *err)
{
    struct unpacking unpacking = {.bytes = 0};
    size_t from = find_first_compressed(file);
    int code = dj_trace_scratch_open(&unpacking.scratch, packed_size, err);
    if (code == 0) {
        code = dj_trace_scratch_append(&unpacking.scratch, file->bytes, from, err);
        code = code != 0 ? code : unpack_rest(file, from, &unpacking, summary, err);
        code = code != 0 ? code : dj_trace_scratch_map(&unpacking.scratch, unpacked, err);
        dj_spill_close(&unpacking.scratch.spill);
    }
    return code;
}

/* Reads the packets of a file. If the file contains compressed packets, unpacks them
 * first. `packed_size` is the size of the compressed input in bytes. */
static int read_unpacked(const struct dj_trace_file *file, uint64_t packed_size,
                         struct dj_event_sink sink, struct dj_perfetto_summary *summary,
                         struct dj_error *err)
{
    struct dj_trace_file unpacked;
    const struct dj_perfetto_summary before = *summary;
    int code = read_mapped(file, false, sink, summary);
    if (code != DJ_E_UNSUPPORTED) {
        return code;
    }
    *summary = before;
    code = unpack(file, packed_size, &unpacked, summary, err);
    if (code == 0) {
        code = read_mapped(&unpacked, true, sink, summary);
        dj_trace_file_close(&unpacked);
    }
    return code;
}

int dj_perfetto_read_path(const char *path, struct dj_event_sink sink,
                          struct dj_perfetto_summary *summary, struct dj_error *err)
{
    struct dj_trace_file file;
    int code = dj_trace_file_open(path, &file, err);
    if (code == 0) {
        code = read_unpacked(&file, file.size, sink, summary, err);
        dj_trace_file_close(&file);
    }
    return code;
}

int dj_perfetto_read_stream(struct dj_packed_input *part, struct dj_event_sink sink,
                            struct dj_perfetto_summary *summary, struct dj_error *err)
{
    struct dj_trace_file file;
    int code = dj_packed_input_map(part, &file, &summary->damaged, err);
    if (code == 0) {
        uint64_t packed_size = part->packed_size > 0 ? part->packed_size : file.size;
        code = read_unpacked(&file, packed_size, sink, summary, err);
        dj_trace_file_close(&file);
    }
    return code;
}
