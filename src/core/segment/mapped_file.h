/* The file under a writer: mapped whole, reserved piece by piece. Of this room only. */
#ifndef DEJANK_SEGMENT_MAPPED_FILE_H
#define DEJANK_SEGMENT_MAPPED_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* What an errno means, without locale, locks or memory: this runs inside an app. */
const char *dj_segment_reason(int failure);

struct dj_mapped_file {
    void *memory; /* NULL: none is mapped */
    size_t bytes;
    dev_t device; /* with `inode`: the file, whatever now stands at its path */
    ino_t inode;
};

/* Gives the new file at `path`, just opened as `fd`, its length, reserves its first page
 * and maps it. The descriptor is closed; negative: it could not be opened, errno says why
 * not. DJ_E_IO: nothing stands at `path` then. */
int dj_mapped_file_make(struct dj_mapped_file *mapped, const char *path, int fd,
                        size_t bytes, struct dj_error *err);

/* Reserves bytes of the file, so that a full disk is an error now and never a SIGBUS in
 * the app. It is found again by its path: a descriptor kept open could be closed by the
 * app and be another file by now. 0, or an errno: ESTALE where another file is there. */
int dj_mapped_file_reserve(const struct dj_mapped_file *mapped, const char *path,
                           off_t offset, size_t bytes);

/* Unmaps; the file stays. */
void dj_mapped_file_drop(struct dj_mapped_file *mapped);

#endif
