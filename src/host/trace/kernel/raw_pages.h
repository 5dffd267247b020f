/*
 * Reads files with pages of the kernel's ring buffers, one file per CPU (copies of
 * per_cpu/cpuN/trace_pipe_raw), and the kernel's descriptions next to them.
 */
#ifndef DEJANK_TRACE_KERNEL_RAW_PAGES_H
#define DEJANK_TRACE_KERNEL_RAW_PAGES_H

#include "trace/kernel_trace.h"

/* Returns true if a file of that size may be one, by the start of its first page. */
bool dj_raw_pages_sniff(const uint8_t *bytes, size_t length, size_t file_size);

/* The same for pages with the layout of the header_page file next to it: from 32-bit
 * kernels, or longer than 4096 bytes. */
bool dj_raw_pages_sniff_described(const char *path, const uint8_t *bytes, size_t length,
                                  size_t file_size);

/* Reads the file and its companions. Their names differ only in the number after "cpu".
 * The folder `formats` or `events` next to them contains header_page and the events'
 * formats (SYSTEM.EVENT.format, or SYSTEM/EVENT/format), and if available saved_cmdlines
 * and saved_tgids. Returns DJ_E_INVALID if the descriptions are missing or wrong. */
int dj_raw_pages_read(const char *path, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary, struct dj_error *err);

#endif
