/*
 * spill: temporary files for data that is larger than memory. The files have no name, so
 * the kernel deletes a file when the process closes it or ends. Each file may be used by
 * one thread at a time. Functions return 0 or an errno value. Callers add the purpose of
 * the file to their error messages.
 */
#ifndef DEJANK_SPILL_SPILL_H
#define DEJANK_SPILL_SPILL_H

#include <stddef.h>
#include <stdint.h>

/* A temporary file. Set it to zero before use. */
struct dj_spill {
    int file;       /* The file descriptor plus 1, or 0 if the file is not open. */
    uint64_t bytes; /* Number of bytes appended so far. */
};

/* Creates a file in the first of $TMPDIR, /var/tmp and /tmp in which this is possible and
 * which has space. Reserves disk space for `reserved_bytes`, which may be 0. If no folder
 * works, returns the error of the first folder. */
int dj_spill_open(struct dj_spill *spill, size_t reserved_bytes);
/* Creates a file in `folder`. */
int dj_spill_open_in(struct dj_spill *spill, const char *folder);
/* Creates a file in memory, for functions that read from a descriptor. */
int dj_spill_open_memory(struct dj_spill *spill);
/* Closes the file if it is open, and sets *spill to zero. */
void dj_spill_close(struct dj_spill *spill);

int dj_spill_append(struct dj_spill *spill, const void *data, size_t length);
/* Writes at byte `at` of the file. Does not change spill->bytes. */
int dj_spill_write(const struct dj_spill *spill, uint64_t at, const void *data,
                   size_t length);
/* Reads exactly `length` bytes. Returns EIO if the file is shorter. */
int dj_spill_read(const struct dj_spill *spill, uint64_t at, void *data, size_t length);

/* Maps all appended data for reading. The mapping stays valid after dj_spill_close(), and
 * the caller unmaps it. Sets *data to NULL and returns 0 if nothing was appended. */
int dj_spill_map(const struct dj_spill *spill, const void **data);

#endif
