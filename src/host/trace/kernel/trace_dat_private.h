/* Types and functions that the readers of both versions of trace.dat use. */
#ifndef DEJANK_TRACE_KERNEL_TRACE_DAT_PRIVATE_H
#define DEJANK_TRACE_KERNEL_TRACE_DAT_PRIVATE_H

#include "trace/kernel/byte_cursor.h"
#include "trace/kernel_trace.h"
#include "trace/mapped_file.h"
#include "trace/ring.h"

/* What is known about the clock of a file. In a zeroed struct, the clock is unknown. */
struct dj_trace_dat_clock {
    /* The kernel's list of clocks, for example "local global [boot]", or only the name of
     * the selected clock. */
    char clocks[256];
    struct dj_trace_ring_time tsc;
    /* True if the list of clocks comes after the list of CPUs. This is the case in some
     * files of version 6. */
    bool listed_after_cpus;
    /* Offset in ns that the user of trace-cmd has added to all times. */
    int64_t moved_ns;
};

/* Stores an option of the file if it describes the clock. Ignores other options. */
void dj_trace_dat_clock_read_option(struct dj_trace_dat_clock *clock, uint64_t id,
                                    struct dj_str data);
/* Sets the clock of a buffer. If a buffer has a clock, it replaces the clock of the file.
 */
void dj_trace_dat_clock_set_names(struct dj_trace_dat_clock *clock, struct dj_str name);

/* Reports the clock to the sink, and sets *time to the conversion from times in the file
 * to nanoseconds. Returns the sink's result. */
int dj_trace_dat_clock_report(const struct dj_trace_dat_clock *clock,
                              struct dj_trace_ring_time *time, struct dj_event_sink sink);

/* Maximum unpacked size of a compressed part, in bytes. */
enum { DJ_TRACE_DAT_UNPACKED_MAX = 256 << 20 };

/* Reads the header of a compressed part, which contains the packed size and the unpacked
 * size. Sets *packed to the packed bytes and *size to the unpacked size. Returns false if
 * the part is incomplete or too large. */
bool dj_trace_dat_read_packed(struct dj_byte_cursor *at, struct dj_str *packed,
                              size_t *size);

/* Unpacks bytes with the method "zstd" or "zlib". Returns DJ_E_INVALID if the bytes are
 * damaged or the unpacked size is not `size`, and DJ_E_UNSUPPORTED for another method. */
int dj_trace_dat_unpack(struct dj_str method, struct dj_str packed, uint8_t *bytes,
                        size_t size, struct dj_error *err);

/* The pages of one CPU. Set the first five members (data to compression), and zero the
 * others. */
struct dj_trace_dat_pages {
    struct dj_byte_cursor data;
    struct dj_trace_file_trail trail;
    uint32_t page_size;
    bool packed;
    struct dj_str compression;
    bool begun;
    uint64_t chunks_left;
    uint8_t *chunk; /* Unpacked bytes of the current chunk. Owned by this struct. */
    size_t chunk_size, chunk_at, chunk_room;
};

/* Sets *page to the next page of a CPU. `pages` is a struct dj_trace_dat_pages. The
 * function has the type of the member `next` of struct dj_trace_ring_source. */
int dj_trace_dat_pages_next(void *pages, const uint8_t **page, struct dj_error *err);
void dj_trace_dat_pages_finish(struct dj_trace_dat_pages *pages);

enum { DJ_DAT_OPTION_DONE = 0, DJ_DAT_OPTION_BUFFER = 3 };

/* State of reading a file. */
struct dj_trace_dat {
    struct dj_byte_cursor at;
    struct dj_trace_kernel kernel;
    struct dj_event_sink sink;
    struct dj_trace_ring_summary *summary;
    struct dj_error *err;
    uint32_t page_size;
    struct dj_trace_dat_clock clock;
    /* Name of the compression method, for example "none" or "zstd". */
    struct dj_str compression;
    struct dj_trace_dat_pages *pages; /* One element per CPU. Owned by this struct. */
    size_t page_count;
    bool mapped;     /* True if the bytes of the file are mapped from the disk. */
    bool has_events; /* True if a buffer with events was found. */
};

/* Sets the error "PART is truncated" with the position of *at. Returns DJ_E_INVALID. */
int dj_trace_dat_set_truncated(struct dj_trace_dat *dat, const struct dj_byte_cursor *at,
                               const char *part);

/* Reads the parts header_page and header_event. */
int dj_trace_dat_read_header_info(struct dj_trace_dat *dat, struct dj_byte_cursor *at);
/* Reads a list of event formats. If a format is malformed, ignores it. The events of this
 * format then cannot be read. */
int dj_trace_dat_read_formats(struct dj_trace_dat *dat, struct dj_byte_cursor *at);
int dj_trace_dat_read_systems(struct dj_trace_dat *dat, struct dj_byte_cursor *at);
int dj_trace_dat_read_names(struct dj_trace_dat *dat, struct dj_byte_cursor *at);

/* Adds a CPU. Its events are the `size` bytes at `offset` in the file. If the file is too
 * short, uses the available bytes and reports the damage. */
int dj_trace_dat_add_cpu(struct dj_trace_dat *dat, int32_t cpu, uint64_t offset,
                         uint64_t size, bool packed);
/* Returns true if at least one CPU in the list has events. Each element of the list has
 * `before` bytes that are skipped, then the offset and the size of the CPU's events. */
bool dj_trace_dat_has_events(struct dj_byte_cursor list, uint64_t cpus, size_t before);
/* Reads the events of all CPUs that were added. */
int dj_trace_dat_read_events(struct dj_trace_dat *dat);

/* Reads a file of version 6, starting after its header. */
int dj_trace_dat_read_6(struct dj_trace_dat *dat);

#endif
