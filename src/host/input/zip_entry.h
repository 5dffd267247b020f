/* An entry of a zip archive. The length and checksum of the unpacked bytes are compared
 * with the header or the data descriptor of the entry. */
#ifndef DEJANK_INPUT_ZIP_ENTRY_H
#define DEJANK_INPUT_ZIP_ENTRY_H

#include "input/stream.h"

enum {
    DJ_ZIP_ENCRYPTED = 1 << 0, /* Bits of dj_zip_entry.flags. */
    DJ_ZIP_DESCRIBED = 1 << 3,
    /* Size of the longest data descriptor and two bytes after it. */
    DJ_ZIP_DESCRIPTOR_PEEK = 24 + 2
};

/* A size in the header that means "see the zip64 field". */
#define DJ_ZIP_SIZE_ELSEWHERE UINT64_C(0xFFFFFFFF)

struct dj_zip_entry {
    struct dj_stream *below; /* The archive, positioned at the data of this entry. */
    /* Values of the local header. */
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed_size, size;
    /* The following fields describe the data. dj_zip_entry_open() sets them. */
    long long packed_at; /* Offset of the data in the archive. */
    /* The packed data, or NULL if only a data descriptor shows where the data ends. */
    struct dj_stream *slice;
    /* The stream that unpacks the data, or NULL. Equals `slice` if the data is stored. */
    struct dj_stream *inner;
    uint32_t crc_read;
    uint64_t size_read;
    /* `ended` is set when all data has been unpacked, `failed` after an error. */
    bool ended, failed;
};

int dj_zip_entry_open(struct dj_zip_entry *entry, struct dj_error *err);

/* Frees the streams. The entry is empty afterwards. Allowed also after a failed open. */
void dj_zip_entry_close(struct dj_zip_entry *entry);

/* Unpacks the next bytes, with the parameters of dj_stream_kind.produce. At the end,
 * returns DJ_E_INVALID if the length or the checksum is wrong. */
int dj_zip_entry_unpack(struct dj_zip_entry *entry, char *into, size_t room, size_t *got,
                        struct dj_error *err);

extern const char dj_zip_descriptor[4]; /* The first bytes of most data descriptors. */

/* Returns the length of the data descriptor at the current position of the archive, or 0
 * if there is none with the sizes of this entry. The plain size is compared only if
 * `whole` is set, which means that the entry was unpacked completely. */
size_t dj_zip_find_descriptor(const struct dj_zip_entry *entry, uint64_t packed_size,
                              bool whole);

/* Reads a little-endian number of `count` bytes. */
uint64_t dj_zip_get_number(const char *bytes, size_t count);

#endif
