/* The file of a writer. It is mapped as a whole and its disk space is reserved piece
 * by piece. */
#ifndef DEJANK_SEGMENT_MAPPED_FILE_H
#define DEJANK_SEGMENT_MAPPED_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Returns the meaning of an errno without locale, locks or memory, because this runs
 * inside an app. */
const char *dj_mapped_file_describe_errno(int failure);

struct dj_mapped_file {
    void *memory; /* NULL: not mapped */
    size_t bytes;
    dev_t device; /* with `inode`: identifies the file even if its path is reused */
    ino_t inode;
};

/* Sets the length of the new file at `path`, just opened as `fd`, reserves its first
 * page and maps it. Closes the descriptor. A negative `fd` means that opening failed
 * with errno. After DJ_E_IO the path does not exist. */
int dj_mapped_file_create(struct dj_mapped_file *mapped, const char *path, int fd,
                          size_t bytes, struct dj_error *err);

/* Reserves bytes of the file, so that a full disk is an error now and never a SIGBUS
 * in the app. Opens the file again by its path, because the app could close and reuse
 * an open descriptor. Returns 0 or an errno; ESTALE if the path is another file. */
int dj_mapped_file_reserve(const struct dj_mapped_file *mapped, const char *path,
                           off_t offset, size_t bytes);

/* Unmaps the file, which remains on disk. */
void dj_mapped_file_unmap(struct dj_mapped_file *mapped);

#endif
