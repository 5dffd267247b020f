/* Pages of the kernel's ring buffers as files, one for each CPU (copies of
 * per_cpu/cpuN/trace_pipe_raw), and the kernel's descriptions beside them. Of this room
 * only. */
#ifndef DEJANK_TRACE_RAW_FILES_H
#define DEJANK_TRACE_RAW_FILES_H

#include "trace/kernel.h"

/* Whether a file of that size may be one, by how its first page begins. */
bool dj_raw_files_sniff(const uint8_t *bytes, size_t length, size_t file_size);

/* The same of pages that are laid out as the header_page beside the file says: of kernels
 * of 32 bits, or longer than 4096 bytes. */
bool dj_raw_files_described(const char *path, const uint8_t *bytes, size_t length,
                            size_t file_size);

/*
 * Reads the file and its companions, whose names differ in the number behind "cpu" alone.
 * In the folder `formats` or `events` beside them lie header_page and the events' formats
 * (SYSTEM.EVENT.format, or SYSTEM/EVENT/format), and where they are known saved_cmdlines
 * and saved_tgids. DJ_E_INVALID where the descriptions are missing or make no sense.
 */
int dj_raw_files_read(const char *path, struct dj_event_sink sink,
                      struct dj_ring_told *told, struct dj_error *err);

#endif
