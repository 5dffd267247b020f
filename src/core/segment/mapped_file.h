/* The file under a writer: mapped whole, reserved piece by piece. Of this room only. */
#ifndef DEJANK_SEGMENT_MAPPED_FILE_H
#define DEJANK_SEGMENT_MAPPED_FILE_H

#include <stddef.h>
#include <sys/types.h>

struct dj_mapped_file {
    void *memory; /* NULL: none is mapped */
    size_t bytes;
    dev_t device; /* with `inode`: the file, whatever now stands at its path */
    ino_t inode;
};

/* Gives the file its length, reserves its first page and maps it. 0, or an errno. The
 * descriptor stays the caller's, and is needed no longer. */
int dj_mapped_file_make(struct dj_mapped_file *mapped, int fd, size_t bytes);

/* Reserves bytes of the file, so that a full disk is an error now and never a SIGBUS in
 * the app. It is found again by its path: a descriptor kept open could be closed by the
 * app and be another file by now. 0, or an errno: ESTALE where another file is there. */
int dj_mapped_file_reserve(const struct dj_mapped_file *mapped, const char *path,
                           off_t offset, size_t bytes);

/* Unmaps; the file stays. */
void dj_mapped_file_drop(struct dj_mapped_file *mapped);

#endif
