/* An entry of a zip archive. Its unpacked bytes are compared with its header or its data
 * descriptor. */
#ifndef DEJANK_INPUT_ZIP_ENTRY_H
#define DEJANK_INPUT_ZIP_ENTRY_H

#include "input/stream.h"

enum {
    DJ_ZIP_ENCRYPTED = 1 << 0, /* flags */
    DJ_ZIP_DESCRIBED = 1 << 3,
    DJ_ZIP_DESCRIPTOR_PEEK = 24 + 2 /* the longest descriptor, and the beginning of what
                                     * follows */
};

/* A size that is in the zip64 field instead. */
#define DJ_ZIP_SIZE_ELSEWHERE UINT64_C(0xFFFFFFFF)

struct dj_zip_entry {
    struct dj_stream *below; /* the archive, at the entry's data */
    /* From its header: */
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed_size, size;
    /* Of its data, after dj_zip_entry_open(): */
    long long packed_at;     /* offset in the archive */
    struct dj_stream *slice; /* the whole data; NULL: only a descriptor after it shows its
                              * end */
    struct dj_stream *inner; /* the stream that unpacks it, perhaps the slice; NULL:
                              * none */
    uint32_t crc_read;
    uint64_t size_read;
    bool ended, failed; /* all of it was unpacked; it cannot be unpacked */
};

int dj_zip_entry_open(struct dj_zip_entry *entry, struct dj_error *err);

/* Leaves an empty entry, also after a failed open. */
void dj_zip_entry_close(struct dj_zip_entry *entry);

/* Produces further bytes, as a stream does. At the end, returns the error of a wrong size
 * or checksum. */
int dj_zip_entry_unpack(struct dj_zip_entry *entry, char *into, size_t room, size_t *got,
                        struct dj_error *err);

extern const char dj_zip_descriptor[4]; /* most data descriptors begin with this mark */

/* Returns the length of the data descriptor that is buffered in the archive if it belongs
 * to this entry, otherwise 0. The plain size counts only if the entry was read
 * completely. */
size_t dj_zip_find_descriptor(const struct dj_zip_entry *entry, uint64_t packed_size,
                              bool whole);

/* Reads a little-endian number of that many bytes. */
uint64_t dj_zip_get_number(const char *bytes, size_t count);

#endif
