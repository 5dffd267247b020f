/* What both versions of trace.dat have. Of this room only. */
#ifndef DEJANK_TRACE_TRACE_DAT_PARTS_H
#define DEJANK_TRACE_TRACE_DAT_PARTS_H

#include "trace/cursor.h"
#include "trace/kernel.h"
#include "trace/mapped.h"
#include "trace/ring.h"

/* ---- trace_dat_clock.c: what the options say of the stamps ---- */

/* All zero: nothing was said. */
struct dj_dat_clock {
    char clocks[256]; /* as the kernel lists them, or the one alone */
    struct dj_ring_time tsc;
    bool told_behind; /* version 6: they are listed behind the CPUs */
    int64_t moved_ns; /* what the user had added to all stamps */
};

/* Takes an option in, if it is one of these. */
void dj_dat_clock_option(struct dj_dat_clock *clock, uint64_t id, struct dj_str data);
/* What a buffer says of itself goes before. */
void dj_dat_clock_of_buffer(struct dj_dat_clock *clock, struct dj_str name);

/* How stamps become nanoseconds; and which clock they are of is told to the sink. */
int dj_dat_clock_end(const struct dj_dat_clock *clock, struct dj_ring_time *time,
                     struct dj_event_sink sink);

/* ---- trace_dat_pages.c: a CPU's pages, as they are, or in compressed chunks ---- */

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

/* ---- trace_dat_parts.c ---- */

enum { DJ_DAT_OPTION_DONE = 0, DJ_DAT_OPTION_BUFFER = 3 };

/* A file while it is read. */
struct dj_dat {
    struct dj_cursor at;
    struct dj_kernel kernel;
    struct dj_event_sink sink;
    struct dj_ring_told *told;
    struct dj_error *err;
    uint32_t page_size;
    struct dj_dat_clock clock;
    struct dj_str compression;  /* "none", "zstd", … */
    struct dj_dat_pages *pages; /* of each CPU; owned */
    size_t page_count;
    bool mapped;     /* the file is */
    bool has_events; /* a buffer with events was found */
};

/* DJ_E_INVALID: "byte N: PART ends before it should". */
int dj_dat_broken(struct dj_dat *dat, const struct dj_cursor *at, const char *part);

/* header_page and header_event. */
int dj_dat_read_header_info(struct dj_dat *dat, struct dj_cursor *at);
/* A list of descriptions. One that makes no sense loses its own events alone. */
int dj_dat_read_formats(struct dj_dat *dat, struct dj_cursor *at);
int dj_dat_read_systems(struct dj_dat *dat, struct dj_cursor *at);
int dj_dat_read_names(struct dj_dat *dat, struct dj_cursor *at);

/* A CPU's events are `size` bytes from there on. Where the file ends before them, those
 * that are there, and the damage is told. */
int dj_dat_add_cpu(struct dj_dat *dat, int32_t cpu, uint64_t offset, uint64_t size,
                   bool packed);
/* Whether any CPU of a list has events; before its place and size stand as many bytes. */
bool dj_dat_has_events(struct dj_cursor list, uint64_t cpus, size_t before);
/* Of all CPUs that were added. */
int dj_dat_read_events(struct dj_dat *dat);

/* Version 6, behind the head. */
int dj_dat_read_6(struct dj_dat *dat);

#endif
