#include "input/zip_entry.h"

#include <string.h>
#include <zlib.h>

#include "input/decode.h"

enum { METHOD_STORED = 0 };

const char dj_zip_descriptor[4] = "PK\7\10";

uint64_t dj_zip_get_number(const char *bytes, size_t count)
{
    uint64_t number = 0;
    while (count > 0) {
        count--;
        number = number << 8 | (unsigned char)bytes[count];
    }
    return number;
}

/* Finds the form of the data descriptor. The descriptor has four forms: with or without a
 * mark, and with sizes of 4 or 8 bytes. A form fits if its sizes are correct. If several
 * forms fit, uses the form after which the next record of the archive ("PK") follows. */
size_t dj_zip_find_descriptor(const struct dj_zip_entry *entry, uint64_t packed_size,
                              bool whole)
{
    const char *bytes = entry->below->at;
    size_t left = entry->below->left;
    size_t fitting = 0;
    for (size_t form = 0; form < 4; form++) {
        size_t mark = form < 2 ? sizeof(dj_zip_descriptor) : 0;
        size_t width = form % 2 == 0 ? 4 : 8;
        size_t length = mark + 4 + 2 * width;
        uint64_t mask = width == 4 ? UINT32_MAX : UINT64_MAX;
        if (left < length || memcmp(bytes, dj_zip_descriptor, mark) != 0 ||
            dj_zip_get_number(bytes + mark + 4, width) != (packed_size & mask) ||
            (whole && dj_zip_get_number(bytes + mark + 4 + width, width) !=
                          (entry->size_read & mask))) {
            continue;
        }
        if (left >= length + 2 && memcmp(bytes + length, dj_zip_descriptor, 2) == 0) {
            return length;
        }
        fitting = fitting == 0 ? length : fitting;
    }
    return fitting;
}

static int set_damage_error(const struct dj_zip_entry *entry, const char *what,
                            struct dj_error *err)
{
    return dj_error_set_at(err, DJ_E_INVALID, entry->packed_at,
                           "damaged: %s the data unpacked from byte %lld", what,
                           entry->packed_at);
}

/* Reads and checks the data descriptor of an entry without a known length. */
static int check_descriptor(struct dj_zip_entry *entry, struct dj_error *err)
{
    struct dj_stream *below = entry->below;
    int code = dj_stream_peek(below, DJ_ZIP_DESCRIPTOR_PEEK, err);
    if (code != 0) {
        return code;
    }
    uint64_t packed_size = (uint64_t)(below->offset - entry->packed_at);
    size_t length = dj_zip_find_descriptor(entry, packed_size, true);
    if (length == 0) {
        return below->left < DJ_ZIP_DESCRIPTOR_PEEK
                   ? dj_stream_set_truncated(below, err)
                   : set_damage_error(
                         entry, "the length in the data descriptor differs from that of",
                         err);
    }
    size_t mark = length % 8 == 0 ? sizeof(dj_zip_descriptor) : 0;
    bool is_same = dj_zip_get_number(below->at + mark, 4) == entry->crc_read;
    dj_stream_consume(below, length);
    return is_same ? 0
                   : set_damage_error(
                         entry,
                         "the checksum in the data descriptor differs from that of", err);
}

/* Compares length and checksum of an entry that has been unpacked completely. */
static int check_entry(struct dj_zip_entry *entry, struct dj_error *err)
{
    if (entry->slice == NULL) {
        return check_descriptor(entry, err);
    }
    /* If a descriptor follows the data, a size of 0 in the header means "unknown". */
    bool is_known = (entry->flags & DJ_ZIP_DESCRIBED) == 0;
    if (entry->size != entry->size_read && (is_known || entry->size != 0)) {
        return set_damage_error(entry, "the length in the header differs from that of",
                                err);
    }
    if (entry->crc != entry->crc_read && (is_known || entry->crc != 0)) {
        return set_damage_error(entry, "the checksum in the header differs from that of",
                                err);
    }
    return 0;
}

int dj_zip_entry_unpack(struct dj_zip_entry *entry, char *into, size_t room, size_t *got,
                        struct dj_error *err)
{
    if (entry->ended) {
        return 0;
    }
    int code = entry->inner->kind->produce(entry->inner, into, room, got, err);
    entry->crc_read = (uint32_t)crc32(entry->crc_read, (const Bytef *)into, (uInt)*got);
    entry->size_read += *got;
    if (code == 0 && *got == 0) {
        entry->ended = true;
        code = check_entry(entry, err);
    }
    entry->failed = code != 0;
    return code;
}

/* Produces stored bytes of unknown length. The stored bytes end at a data descriptor with
 * the length and checksum of the bytes so far. */
static int described_produce(struct dj_stream *stream, char *into, size_t room,
                             size_t *got, struct dj_error *err)
{
    const struct dj_zip_entry *entry = stream->state;
    struct dj_stream *below = stream->below;
    int code = dj_stream_peek(below, DJ_ZIP_DESCRIPTOR_PEEK, err);
    code = code == 0 ? dj_stream_need(below, 1, err) : code;
    if (code != 0) {
        return code;
    }
    const char *mark =
        memmem(below->at, below->left, dj_zip_descriptor, sizeof(dj_zip_descriptor));
    size_t count = below->left;
    if (mark == below->at) {
        if (dj_zip_find_descriptor(entry, entry->size_read, true) != 0 &&
            (uint32_t)dj_zip_get_number(below->at + sizeof(dj_zip_descriptor), 4) ==
                entry->crc_read) {
            return 0;
        }
        count = 1;
    } else if (mark != NULL) {
        count = (size_t)(mark - below->at);
    } else if (below->left >= DJ_ZIP_DESCRIPTOR_PEEK) {
        /* The last bytes may be the beginning of a mark. */
        count = below->left - (sizeof(dj_zip_descriptor) - 1);
    }
    *got = count < room ? count : room;
    memcpy(into, below->at, *got);
    dj_stream_consume(below, *got);
    return 0;
}

static const struct {
    unsigned method;
    struct dj_stream *(*open)(struct dj_stream *below);
} unpackers[] = {
    {8, dj_input_stream_of_deflate},
    {93, dj_input_stream_of_zstd},
    {95, dj_input_stream_of_xz},
};

static int open_inner(struct dj_zip_entry *entry, struct dj_error *err)
{
    static const struct dj_stream_kind described = {described_produce, NULL};
    bool bounded = entry->slice != NULL;
    if ((entry->flags & DJ_ZIP_ENCRYPTED) != 0) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "encrypted; unpack it first with its password");
    }
    if (entry->method == METHOD_STORED) {
        entry->inner =
            bounded ? entry->slice : dj_stream_create(&described, entry, entry->below);
        return 0;
    }
    for (size_t i = 0; i < COUNT_OF(unpackers); i++) {
        /* If the end of the data is unknown, only deflate can be unpacked, because the
         * other decoders read bytes after the end of the data. */
        if (unpackers[i].method == entry->method && (bounded || i == 0)) {
            entry->inner = unpackers[i].open(bounded ? entry->slice : entry->below);
            return 0;
        }
    }
    return dj_error_set(
        err, DJ_E_UNSUPPORTED,
        "zip compression method %u is not supported; unpack it first with unzip or 7z",
        entry->method);
}

int dj_zip_entry_open(struct dj_zip_entry *entry, struct dj_error *err)
{
    entry->packed_at = entry->below->offset;
    bool ends_unknown =
        (entry->flags & DJ_ZIP_DESCRIBED) != 0 &&
        (entry->packed_size == 0 || entry->packed_size == DJ_ZIP_SIZE_ELSEWHERE);
    if (!ends_unknown) {
        entry->slice = dj_stream_of_slice(entry->below, entry->packed_size);
    }
    int code = open_inner(entry, err);
    entry->failed = code != 0;
    return code;
}

void dj_zip_entry_close(struct dj_zip_entry *entry)
{
    if (entry->inner != entry->slice) {
        dj_stream_destroy(entry->inner);
    }
    dj_stream_destroy(entry->slice);
    *entry = (struct dj_zip_entry){.below = entry->below};
}
