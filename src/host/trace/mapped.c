#include "trace/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"

static int fail(const char *path, struct dj_error *err)
{
    return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s", path,
                        strerror(errno));
}

int dj_mapped_open(const char *path, struct dj_mapped *mapped, struct dj_error *err)
{
    struct stat status;
    int code = 0;
    *mapped = (struct dj_mapped){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return fail(path, err);
    }
    if (fstat(fd, &status) != 0) {
        code = fail(path, err);
    } else if (!S_ISREG(status.st_mode)) {
        code = dj_error_set(err, DJ_E_IO, "%s: not a regular file", path);
    } else if (status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED) {
            code = fail(path, err);
        } else {
            *mapped = (struct dj_mapped){bytes, (size_t)status.st_size, true};
        }
    }
    close(fd);
    return code;
}

void dj_mapped_leave(struct dj_mapped_trail *trail, const uint8_t *at)
{
    enum { PIECE = 4 << 20, LARGEST_PAGE = 1 << 16 };
    if (trail->from == NULL || at < trail->from) {
        trail->from = at;
    }
    if (trail->mapped && at - trail->from >= PIECE) {
        uintptr_t from = (uintptr_t)trail->from & ~(uintptr_t)(LARGEST_PAGE - 1);
        uintptr_t to = (uintptr_t)at & ~(uintptr_t)(LARGEST_PAGE - 1);
        from = from < (uintptr_t)trail->from ? from + LARGEST_PAGE : from;
        madvise((void *)from, to - from, MADV_DONTNEED);
        trail->from = (const uint8_t *)to;
    }
}

void dj_mapped_close(struct dj_mapped *mapped)
{
    if (mapped->bytes != NULL) {
        munmap((void *)mapped->bytes, mapped->size);
    }
    *mapped = (struct dj_mapped){0};
}

/* ---- bytes put aside ---- */

int dj_aside_open(struct dj_aside *aside, uint64_t most, struct dj_error *err)
{
    *aside = (struct dj_aside){.most = most};
    int failure = dj_spill_open(&aside->spill, 0);
    if (failure == 0 || dj_spill_open_memory(&aside->spill) == 0) {
        return 0;
    }
    const char *folder = getenv("TMPDIR");
    return dj_error_set(err, DJ_E_IO, "no room to unfold a trace: %s: %s",
                        folder != NULL ? folder : "/tmp", strerror(failure));
}

int dj_aside_refuse(uint64_t most, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_INVALID,
                        "it unfolds to more than %llu bytes, as no trace does",
                        (unsigned long long)most);
}

int dj_aside_put(struct dj_aside *aside, const void *bytes, size_t length,
                 struct dj_error *err)
{
    if (length > aside->most - aside->spill.bytes) {
        return dj_aside_refuse(aside->most, err);
    }
    int failure = dj_spill_append(&aside->spill, bytes, length);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_IO, "a trace cannot be unfolded: %s",
                                       strerror(failure));
}

int dj_aside_map(const struct dj_aside *aside, struct dj_mapped *mapped,
                 struct dj_error *err)
{
    const void *bytes;
    int failure = dj_spill_map(&aside->spill, &bytes);
    *mapped = (struct dj_mapped){bytes, (size_t)aside->spill.bytes, bytes != NULL};
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_IO, "a trace cannot be mapped: %s",
                                       strerror(failure));
}

void dj_aside_close(struct dj_aside *aside)
{
    dj_spill_close(&aside->spill);
}

uint64_t dj_aside_most(uint64_t packed_size)
{
    uint64_t most = packed_size > UINT64_MAX / DJ_ASIDE_RATIO
                        ? UINT64_MAX
                        : packed_size * DJ_ASIDE_RATIO;
    return most > DJ_ASIDE_FREE ? most : DJ_ASIDE_FREE;
}

static int append_stream(const struct dj_aside_stream *stream, struct dj_aside *aside,
                         uint64_t *damaged, struct dj_error *err)
{
    const char *bytes = stream->first;
    size_t length = stream->first_length;
    struct dj_error fault = {0};
    int code = 0;
    while (code == 0 && length > 0) {
        int put = dj_aside_put(aside, bytes, length, err);
        if (put != 0) {
            return put;
        }
        code = dj_xcode(stream->next(stream->user, &bytes, &length, &fault));
    }
    if (code == DJ_E_UNSUPPORTED) {
        if (err != NULL) {
            *err = fault;
        }
        return code;
    }
    *damaged += code != 0;
    return 0;
}

int dj_aside_read(const struct dj_aside_stream *stream, struct dj_mapped *mapped,
                  uint64_t *damaged, struct dj_error *err)
{
    struct dj_aside aside;
    /* The length of a pipe is unknown: only the disk limits it. */
    uint64_t most =
        stream->packed_size > 0 ? dj_aside_most(stream->packed_size) : UINT64_MAX;
    int code = dj_aside_open(&aside, most, err);
    if (code == 0) {
        code = append_stream(stream, &aside, damaged, err);
        code = code != 0 ? code : dj_aside_map(&aside, mapped, err);
        dj_aside_close(&aside);
    }
    return code;
}
