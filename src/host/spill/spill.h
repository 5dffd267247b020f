/*
 * spill: data larger than memory, in temporary files without names. The kernel removes
 * such a file when it is closed, however the process ends. A file belongs to one thread.
 * Functions return 0 or an errno value; callers say in their messages what the file is
 * for.
 */
#ifndef DEJANK_SPILL_SPILL_H
#define DEJANK_SPILL_SPILL_H

#include <stddef.h>
#include <stdint.h>

/* Zero it. */
struct dj_spill {
    int file;       /* 1 + its descriptor; 0: not open */
    uint64_t bytes; /* appended so far */
};

/* Creates the file in the first of $TMPDIR, /var/tmp and /tmp that allows it and has
 * space. Reserves that many bytes; 0: none. Returns the error of the first folder. */
int dj_spill_open(struct dj_spill *spill, size_t reserved_bytes);
/* Creates the file in this folder. */
int dj_spill_open_in(struct dj_spill *spill, const char *folder);
/* Creates the file in memory, for readers that need a descriptor. */
int dj_spill_open_memory(struct dj_spill *spill);
/* Closes the file and zeroes *spill. It need not be open. */
void dj_spill_close(struct dj_spill *spill);

int dj_spill_append(struct dj_spill *spill, const void *data, size_t length);
/* Writes at this byte of the file, and does not change spill->bytes. */
int dj_spill_write(const struct dj_spill *spill, uint64_t at, const void *data,
                   size_t length);
/* Reads exactly that many bytes. EIO: the file is shorter. */
int dj_spill_read(const struct dj_spill *spill, uint64_t at, void *data, size_t length);

/* Maps everything that was appended, for reading. The mapping outlives the file; the
 * caller unmaps it. NULL and 0 if nothing was appended. */
int dj_spill_map(const struct dj_spill *spill, const void **data);

#endif
