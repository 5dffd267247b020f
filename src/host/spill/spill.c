#include "spill/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/count_of.h"

static int set_file(struct dj_spill *spill, int fd)
{
    *spill = (struct dj_spill){.file = fd + 1};
    return fd >= 0 ? 0 : errno;
}

/* Creates a file and removes its name. Needed for file systems without O_TMPFILE. Returns
 * −1 and sets errno on failure. */
static int open_unlinked(const char *folder)
{
    char *path;
    if (asprintf(&path, "%s/.dejank-XXXXXX", folder) < 0) {
        errno = ENOMEM;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    int failure = errno;
    if (fd >= 0) {
        unlink(path);
    }
    free(path);
    errno = failure;
    return fd;
}

int dj_spill_open_in(struct dj_spill *spill, const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
        fd = open_unlinked(folder);
    }
    return set_file(spill, fd);
}

int dj_spill_open_memory(struct dj_spill *spill)
{
    return set_file(spill, memfd_create("dejank", MFD_CLOEXEC));
}

int dj_spill_open(struct dj_spill *spill, size_t reserved_bytes)
{
    const char *const folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    int failure = 0;
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        if (folders[i] == NULL || folders[i][0] == '\0') {
            continue;
        }
        int refused = dj_spill_open_in(spill, folders[i]);
        if (refused == 0 && reserved_bytes > 0) {
            refused = posix_fallocate(spill->file - 1, 0, (off_t)reserved_bytes);
        }
        if (refused == 0) {
            return 0;
        }
        dj_spill_close(spill);
        failure = failure == 0 ? refused : failure;
    }
    return failure;
}

void dj_spill_close(struct dj_spill *spill)
{
    if (spill->file > 0) {
        close(spill->file - 1);
    }
    *spill = (struct dj_spill){0};
}

int dj_spill_write(const struct dj_spill *spill, uint64_t at, const void *data,
                   size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t wrote = pwrite(spill->file - 1, (const char *)data + done, length - done,
                               (off_t)(at + done));
        if (wrote == 0 || (wrote < 0 && errno != EINTR)) {
            return wrote == 0 ? EIO : errno;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return 0;
}

int dj_spill_append(struct dj_spill *spill, const void *data, size_t length)
{
    int failure = dj_spill_write(spill, spill->bytes, data, length);
    spill->bytes += failure == 0 ? length : 0;
    return failure;
}

int dj_spill_read(const struct dj_spill *spill, uint64_t at, void *data, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(spill->file - 1, (char *)data + done, length - done,
                            (off_t)(at + done));
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return got == 0 ? EIO : errno;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

int dj_spill_map(const struct dj_spill *spill, const void **data)
{
    void *mapped = spill->bytes > 0 ? mmap(NULL, (size_t)spill->bytes, PROT_READ,
                                           MAP_PRIVATE, spill->file - 1, 0)
                                    : NULL;
    *data = mapped != MAP_FAILED ? mapped : NULL;
    return mapped != MAP_FAILED ? 0 : errno;
}
