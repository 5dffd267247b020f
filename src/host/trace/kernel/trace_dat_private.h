/* What both versions of trace.dat share. */
#ifndef DEJANK_TRACE_KERNEL_TRACE_DAT_PRIVATE_H
#define DEJANK_TRACE_KERNEL_TRACE_DAT_PRIVATE_H

#include "trace/kernel/byte_cursor.h"
#include "trace/kernel_trace.h"
#include "trace/mapped_file.h"
#include "trace/ring.h"

/* ---- options about the stamps ---- */

/* All zero: nothing is known. */
struct dj_trace_dat_clock {
    char clocks[256]; /* as the kernel lists them, or only the selected one */
    struct dj_trace_ring_time tsc;
    bool listed_after_cpus; /* version 6: the clocks are listed after the CPUs */
    int64_t moved_ns;       /* offset that the user added to all stamps */
};

/* Stores the option if it is about the clock. */
void dj_trace_dat_clock_read_option(struct dj_trace_dat_clock *clock, uint64_t id,
                                    struct dj_str data);
/* Sets the clock of a buffer, which overrides that of the file. */
void dj_trace_dat_clock_set_names(struct dj_trace_dat_clock *clock, struct dj_str name);

/* Sets how stamps become nanoseconds, and reports the clock to the sink. */
int dj_trace_dat_clock_report(const struct dj_trace_dat_clock *clock,
                              struct dj_trace_ring_time *time, struct dj_event_sink sink);

/* ---- the pages of a CPU, plain or in compressed chunks ---- */

/* Maximum unpacked size of a part. */
enum { DJ_TRACE_DAT_UNPACKED_MAX = 256 << 20 };

/* Reads the header of a compressed part (both sizes) and its bytes. Returns false if they
 * are incomplete. */
bool dj_trace_dat_read_packed(struct dj_byte_cursor *at, struct dj_str *packed,
                              size_t *size);

/* Unpacks bytes with the named method ("zstd", "zlib") to exactly `size` bytes. Returns
 * DJ_E_INVALID if they are damaged or have another size, DJ_E_UNSUPPORTED for another
 * method. */
int dj_trace_dat_unpack(struct dj_str method, struct dj_str packed, uint8_t *bytes,
                        size_t size, struct dj_error *err);

/* The creator sets the first five members and zeroes the rest. */
struct dj_trace_dat_pages {
    struct dj_byte_cursor data;
    struct dj_trace_file_trail trail;
    uint32_t page_size;
    bool packed;
    struct dj_str compression;
    bool begun;
    uint64_t chunks_left;
    uint8_t *chunk; /* unpacked bytes; owned */
    size_t chunk_size, chunk_at, chunk_room;
};

/* The `next` of a struct dj_trace_ring_source; the user pointer is the struct
 * dj_trace_dat_pages. */
int dj_trace_dat_pages_next(void *pages, const uint8_t **page, struct dj_error *err);
void dj_trace_dat_pages_finish(struct dj_trace_dat_pages *pages);

enum { DJ_DAT_OPTION_DONE = 0, DJ_DAT_OPTION_BUFFER = 3 };

/* The state of reading a file. */
struct dj_trace_dat {
    struct dj_byte_cursor at;
    struct dj_trace_kernel kernel;
    struct dj_event_sink sink;
    struct dj_trace_ring_summary *summary;
    struct dj_error *err;
    uint32_t page_size;
    struct dj_trace_dat_clock clock;
    struct dj_str compression;        /* "none", "zstd", … */
    struct dj_trace_dat_pages *pages; /* of each CPU; owned */
    size_t page_count;
    bool mapped;     /* the file is mapped */
    bool has_events; /* a buffer with events was found */
};

/* Sets the error "byte N: PART ends before it should" and returns DJ_E_INVALID. */
int dj_trace_dat_set_truncated(struct dj_trace_dat *dat, const struct dj_byte_cursor *at,
                               const char *part);

/* Reads header_page and header_event. */
int dj_trace_dat_read_header_info(struct dj_trace_dat *dat, struct dj_byte_cursor *at);
/* Reads a list of event descriptions. An invalid description loses only its own events.
 */
int dj_trace_dat_read_formats(struct dj_trace_dat *dat, struct dj_byte_cursor *at);
int dj_trace_dat_read_systems(struct dj_trace_dat *dat, struct dj_byte_cursor *at);
int dj_trace_dat_read_names(struct dj_trace_dat *dat, struct dj_byte_cursor *at);

/* Adds a CPU with `size` bytes of events from `offset`. If the file ends earlier, uses
 * what is there and reports the damage. */
int dj_trace_dat_add_cpu(struct dj_trace_dat *dat, int32_t cpu, uint64_t offset,
                         uint64_t size, bool packed);
/* Returns true if any CPU of a list has events. In each entry, `before` bytes come before
 * offset and size. */
bool dj_trace_dat_has_events(struct dj_byte_cursor list, uint64_t cpus, size_t before);
/* Reads the events of all CPUs that were added. */
int dj_trace_dat_read_events(struct dj_trace_dat *dat);

/* Reads a file of version 6, after its header. */
int dj_trace_dat_read_6(struct dj_trace_dat *dat);

#endif
