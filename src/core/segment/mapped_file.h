/* The file of a writer. The whole file is mapped, but disk space is reserved only for
 * the parts in use. */
#ifndef DEJANK_SEGMENT_MAPPED_FILE_H
#define DEJANK_SEGMENT_MAPPED_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Returns the meaning of an errno. Uses no locale, locks or memory, because this code
 * runs inside an app. */
const char *dj_mapped_file_describe_errno(int failure);

struct dj_mapped_file {
    void *memory; /* Start of the mapped file, or NULL if the file is not mapped. */
    size_t bytes;
    /* Device and inode of the file, which identify it even if another file now has the
     * same path. */
    dev_t device;
    ino_t inode;
};

/* Sets the length of a new file, reserves its first page and maps it. `fd` is the file
 * at `path`, which the caller has just opened. If opening failed, `fd` is negative and
 * errno is set. Closes the descriptor. Removes the file after DJ_E_IO. */
int dj_mapped_file_create(struct dj_mapped_file *mapped, const char *path, int fd,
                          size_t bytes, struct dj_error *err);

/* Reserves disk space for a part of the file, so that a full disk is an error here and
 * does not cause a SIGBUS in the app later. Opens the file again by its path, because the
 * app could close and reuse an open descriptor. Returns 0 or an errno. The errno is
 * ESTALE if another file has this path. */
int dj_mapped_file_reserve(const struct dj_mapped_file *mapped, const char *path,
                           off_t offset, size_t bytes);

/* Unmaps the file. It remains on disk. */
void dj_mapped_file_unmap(struct dj_mapped_file *mapped);

#endif
