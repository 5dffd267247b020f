/*
 * Reads files with pages of the kernel's ring buffers: copies of
 * per_cpu/cpuN/trace_pipe_raw, one per CPU. Also reads the descriptions of the events
 * in a folder next to these files.
 */
#ifndef DEJANK_TRACE_KERNEL_RAW_PAGES_H
#define DEJANK_TRACE_KERNEL_RAW_PAGES_H

#include "trace/kernel_trace.h"

/* Returns true if the file may contain ring-buffer pages, according to the start of its
 * first page. */
bool dj_raw_pages_sniff(const uint8_t *bytes, size_t length, size_t file_size);

/* Like dj_raw_pages_sniff(), but checks for the page layout in the file header_page
 * next to `path`. It detects pages of 32-bit kernels and pages larger than 4096 bytes. */
bool dj_raw_pages_sniff_described(const char *path, const uint8_t *bytes, size_t length,
                                  size_t file_size);

/* Reads the file `path` and the files of the other CPUs in the same folder. Their names
 * differ only in the number after "cpu". The folder `formats` or `events` next to them
 * contains header_page and the formats of events (SYSTEM.EVENT.format or
 * SYSTEM/EVENT/format). saved_cmdlines and saved_tgids in that folder are optional.
 * Returns DJ_E_INVALID if the descriptions are missing or malformed. */
int dj_raw_pages_read(const char *path, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary, struct dj_error *err);

#endif
