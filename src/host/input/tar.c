/*
 * An entry is a header of 512 bytes and its data, padded to a multiple of 512 bytes.
 * Numbers are octal text. Sizes from 8 GiB on are binary.
 *
 *     0 name[100]   124 size[12]   148 checksum[8]   156 type
 *     257 "ustar"   345 prefix[155]
 *
 * Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Interchange Format"; GNU
 * tar's manual, "Basic Tar Format".
 */
#include "input/tar.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

enum {
    NAME = 100,
    SIZE = 124,
    NUMBER_BYTES = 12,
    CHECKSUM = 148,
    CHECKSUM_BYTES = 8,
    TYPE = 156,
    MAGIC = 257,
    PREFIX = 345,
    PREFIX_BYTES = 155,
    NAME_MOST = 1024,
    /* Maximum size of an extended header that is read. Only names in it are used. */
    RECORDS_MOST = 1 << 16
};

struct dj_tar {
    struct dj_stream *below;
    bool finished;
    /* True while the data of the current entry has not been skipped completely. */
    bool inside;
    /* True if `name` is the name of the next entry, from an extended header. */
    bool named;
    long long data_at; /* Offset of the entry's data in `below`. */
    uint64_t size;
    char name[NAME_MOST];
    char records[RECORDS_MOST];
};

/* Reads octal digits that end with a space, a NUL or the end of the field. Returns false
 * for any other text. */
static bool read_octal(const char *field, size_t length, uint64_t *number)
{
    size_t at = 0;
    *number = 0;
    while (at < length && field[at] == ' ') {
        at++;
    }
    size_t from = at;
    for (; at < length && field[at] >= '0' && field[at] <= '7'; at++) {
        *number = *number << 3 | (uint64_t)(field[at] - '0');
    }
    return at > from && (at == length || field[at] == ' ' || field[at] == '\0');
}

static bool read_size(const char *header, uint64_t *size)
{
    const unsigned char *field = (const unsigned char *)header + SIZE;
    if (field[0] != 0x80) {
        return read_octal(header + SIZE, NUMBER_BYTES, size);
    }
    *size = 0;
    for (size_t i = NUMBER_BYTES - 8; i < NUMBER_BYTES; i++) {
        *size = *size << 8 | field[i];
    }
    return *size <= INT64_MAX;
}

bool dj_tar_is_header(const char *bytes, size_t length)
{
    uint64_t expected, sum = 0, size;
    if (length < DJ_TAR_BLOCK || bytes[0] == '\0' ||
        !read_octal(bytes + CHECKSUM, CHECKSUM_BYTES, &expected)) {
        return false;
    }
    for (size_t i = 0; i < DJ_TAR_BLOCK; i++) {
        bool summed = i < CHECKSUM || i >= CHECKSUM + CHECKSUM_BYTES;
        sum += summed ? (unsigned char)bytes[i] : ' ';
    }
    return sum == expected && read_size(bytes, &size);
}

struct dj_tar *dj_tar_create(struct dj_stream *below)
{
    struct dj_tar *tar = dj_xcalloc(1, sizeof(*tar));
    tar->below = below;
    return tar;
}

void dj_tar_destroy(struct dj_tar *tar)
{
    free(tar);
}

static void set_name(struct dj_tar *tar, const char *name, size_t length)
{
    length = strnlen(name, length);
    length = length < NAME_MOST ? length : NAME_MOST - 1;
    memcpy(tar->name, name, length);
    tar->name[length] = '\0';
}

static void read_name(struct dj_tar *tar, const char *header)
{
    size_t prefix = memcmp(header + MAGIC, "ustar\0", 6) == 0
                        ? strnlen(header + PREFIX, PREFIX_BYTES)
                        : 0;
    char name[PREFIX_BYTES + 1 + NAME];
    size_t length = strnlen(header, NAME);
    memcpy(name, header + PREFIX, prefix);
    if (prefix > 0) {
        name[prefix++] = '/';
    }
    memcpy(name + prefix, header, length);
    set_name(tar, name, prefix + length);
}

/* Reads the records of an extended header and uses those with a path. A record is "27
 * path=folder/some-file.txt\n". The number is the length of the whole record. */
static void read_records(struct dj_tar *tar, size_t length)
{
    static const char path[] = "path=";
    const char *at = tar->records, *end = at + length;
    while (at < end) {
        char *after;
        tar->records[length] = '\0';
        unsigned long bytes = strtoul(at, &after, 10);
        if (bytes == 0 || bytes > (size_t)(end - at) || *after != ' ' ||
            after >= at + bytes) {
            return;
        }
        const char *field = after + 1;
        size_t left = (size_t)(at + bytes - field);
        if (left > sizeof(path) && memcmp(field, path, sizeof(path) - 1) == 0) {
            set_name(tar, field + sizeof(path) - 1, left - sizeof(path));
            tar->named = true;
        }
        at += bytes;
    }
}

/* Skips the rest of the entry, including its padding. The padding of the last entry may
 * be missing. */
static int leave_entry(struct dj_tar *tar, struct dj_error *err)
{
    if (!tar->inside) {
        return 0;
    }
    tar->inside = false;
    uint64_t done = (uint64_t)(tar->below->offset - tar->data_at);
    int code = dj_stream_skip(tar->below, tar->size - done, err);
    if (code == 0 && tar->size % DJ_TAR_BLOCK != 0) {
        dj_stream_skip(tar->below, DJ_TAR_BLOCK - tar->size % DJ_TAR_BLOCK, NULL);
    }
    return code;
}

/* Reads to the end of the input, so that a process that writes to a pipe does not
 * fail. */
static void finish_archive(struct dj_tar *tar)
{
    tar->finished = true;
    while (dj_stream_peek(tar->below, 1, NULL) == 0 && tar->below->left > 0) {
        dj_stream_consume(tar->below, tar->below->left);
    }
}

/* Reads the next header. *type is '\0' at the end of the archive, which is the end of the
 * data or a block of zeros. Only the first byte of the block is tested, because a header
 * starts with a name. */
static int read_header(struct dj_tar *tar, char *type, struct dj_error *err)
{
    struct dj_stream *below = tar->below;
    int code = dj_stream_peek(below, DJ_TAR_BLOCK, err);
    *type = '\0';
    if (code != 0 || below->left == 0 || below->at[0] == '\0') {
        finish_archive(tar);
        return code;
    }
    if (!dj_tar_is_header(below->at, below->left)) {
        tar->finished = true;
        return below->left < DJ_TAR_BLOCK
                   ? dj_stream_set_truncated(below, err)
                   : dj_error_set_at(
                         err, DJ_E_INVALID, below->offset,
                         "damaged at byte %lld: expected the next entry or the "
                         "end of the archive",
                         below->offset);
    }
    if (!tar->named) {
        read_name(tar, below->at);
    }
    read_size(below->at, &tar->size);
    *type = below->at[TYPE] == '\0' ? '0' : below->at[TYPE];
    dj_stream_consume(below, DJ_TAR_BLOCK);
    tar->data_at = below->offset;
    tar->inside = true;
    return 0;
}

/* Reads an entry that contains the name of the next entry: a long name of GNU tar, or
 * records of pax. */
static int read_extension(struct dj_tar *tar, char type, struct dj_error *err)
{
    if (tar->size >= RECORDS_MOST) {
        return 0; /* The entry is skipped, because no name is that long. */
    }
    int code = dj_stream_read(tar->below, tar->records, (size_t)tar->size, err);
    if (code == 0 && type == 'x') {
        read_records(tar, (size_t)tar->size);
    } else if (code == 0) {
        set_name(tar, tar->records, (size_t)tar->size);
        tar->named = true;
    }
    return code;
}

int dj_tar_next(struct dj_tar *tar, struct dj_stream **entry, const char **name,
                struct dj_error *err)
{
    *entry = NULL;
    *name = "";
    tar->named = false;
    while (!tar->finished) {
        char type = '\0';
        int code = leave_entry(tar, err);
        code = code != 0 ? code : read_header(tar, &type, err);
        if (code == 0 && (type == 'x' || type == 'L')) {
            code = read_extension(tar, type, err);
        } else if (code == 0 && (type == '0' || type == '7')) {
            *name = tar->name;
            *entry = dj_stream_of_slice(tar->below, tar->size);
            return 0;
        } else if (type != 'K' && type != 'g') {
            tar->named = false;
        }
        if (code != 0) {
            tar->finished = true;
            return code;
        }
    }
    return 0;
}
