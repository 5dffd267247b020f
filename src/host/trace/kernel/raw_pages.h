/*
 * Reads files that contain pages of the kernel's ring buffers. Each file is a copy of
 * per_cpu/cpuN/trace_pipe_raw of one CPU. Also reads the descriptions of the events from
 * a folder next to these files.
 */
#ifndef DEJANK_TRACE_KERNEL_RAW_PAGES_H
#define DEJANK_TRACE_KERNEL_RAW_PAGES_H

#include "trace/kernel_trace.h"

/* Returns true if the start of the file looks like a page of a ring buffer. */
bool dj_raw_pages_sniff(const uint8_t *bytes, size_t length, size_t file_size);

/* Returns true if the start of the file looks like a page with the layout in the file
 * header_page next to `path`. In contrast to dj_raw_pages_sniff(), this function also
 * detects pages of 32-bit kernels and pages larger than 4096 bytes. Returns false if
 * there is no header_page. */
bool dj_raw_pages_sniff_described(const char *path, const uint8_t *bytes, size_t length,
                                  size_t file_size);

/* Reads the file `path` and the files of the other CPUs in the same folder. The names of
 * these files differ only in the number after "cpu". A folder `formats` or `events` in
 * the same folder must contain header_page and the formats of events (SYSTEM.EVENT.format
 * or SYSTEM/EVENT/format). It may contain saved_cmdlines and saved_tgids. Returns
 * DJ_E_INVALID if the descriptions are missing or malformed. */
int dj_raw_pages_read(const char *path, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary, struct dj_error *err);

#endif
