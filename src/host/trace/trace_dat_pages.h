/* A CPU's pages in trace.dat: as they are, or in compressed chunks. Of this room only. */
#ifndef DEJANK_TRACE_TRACE_DAT_PAGES_H
#define DEJANK_TRACE_TRACE_DAT_PAGES_H

#include "trace/cursor.h"
#include "trace/event.h"
#include "trace/mapped.h"

/* No part may unfold to more. */
enum { DJ_UNPACK_MOST = 256 << 20 };

/* The head of a compressed part, both sizes, and its bytes. False: they are not there. */
bool dj_packed_read(struct dj_cursor *at, struct dj_str *packed, size_t *size);

/* Unfolds bytes by the method of that name ("zstd", "zlib") into exactly `size` bytes.
 * DJ_E_INVALID: they are damaged, or not of that size; DJ_E_UNSUPPORTED: another method.
 */
int dj_unpack(struct dj_str method, struct dj_str packed, uint8_t *bytes, size_t size,
              struct dj_error *err);

/* The first five are the maker's; zero the rest. */
struct dj_dat_pages {
    struct dj_cursor data;
    struct dj_mapped_trail trail;
    uint32_t page_size;
    bool packed;
    struct dj_str compression;
    bool begun;
    uint64_t chunks_left;
    uint8_t *chunk; /* what is unpacked; owned */
    size_t chunk_size, chunk_at, chunk_room;
};

/* A struct dj_ring_source's `next`; user is the struct dj_dat_pages. */
int dj_dat_pages_next(void *pages, const uint8_t **page, struct dj_error *err);
void dj_dat_pages_finish(struct dj_dat_pages *pages);

#endif
