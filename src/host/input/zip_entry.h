/* One entry of a zip archive: its bytes unpacked, held against what its header or its
 * data descriptor says. */
#ifndef DEJANK_INPUT_ZIP_ENTRY_H
#define DEJANK_INPUT_ZIP_ENTRY_H

#include "input/stream.h"

enum {
    DJ_ZIP_ENCRYPTED = 1 << 0, /* flags */
    DJ_ZIP_DESCRIBED = 1 << 3,
    DJ_ZIP_DESCRIPTOR_PEEK = 24 + 2 /* the longest, and how the archive goes on */
};

/* A size that stands in the zip64 field instead. */
#define DJ_ZIP_SIZE_ELSEWHERE UINT64_C(0xFFFFFFFF)

struct dj_zip_entry {
    struct dj_stream *below; /* the archive, at the entry's data */
    /* What its header says. */
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed_size, size;
    /* Its data, from dj_zip_entry_open() on. */
    long long packed_at;     /* offset in the archive */
    struct dj_stream *slice; /* all of it; NULL: where it ends is told behind it */
    struct dj_stream *inner; /* what unpacks it, perhaps the slice; NULL: nothing does */
    uint32_t crc_read;
    uint64_t size_read;
    bool ended, failed; /* all of it was unpacked; it cannot be */
};

int dj_zip_entry_open(struct dj_zip_entry *entry, struct dj_error *err);

/* Leaves an empty one, also where opening failed. */
void dj_zip_entry_close(struct dj_zip_entry *entry);

/* Further bytes, as a stream produces them; at their end, what is wrong with them. */
int dj_zip_entry_unpack(struct dj_zip_entry *entry, char *into, size_t room, size_t *got,
                        struct dj_error *err);

extern const char dj_zip_descriptor[4]; /* the mark most data descriptors begin with */

/* The length of the data descriptor at hand in the archive if it is this entry's, else 0.
 * The plain size counts only if the entry was read whole. */
size_t dj_zip_descriptor_at(const struct dj_zip_entry *entry, uint64_t packed_size,
                            bool whole);

/* A number of that many bytes, lowest first. */
uint64_t dj_zip_number_at(const char *bytes, size_t count);

#endif
