#include "trace/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int set_error(const char *path, struct dj_error *err)
{
    return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s", path,
                        strerror(errno));
}

int dj_trace_file_open(const char *path, struct dj_trace_file *mapped,
                       struct dj_error *err)
{
    struct stat status;
    int code = 0;
    *mapped = (struct dj_trace_file){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return set_error(path, err);
    }
    if (fstat(fd, &status) != 0) {
        code = set_error(path, err);
    } else if (!S_ISREG(status.st_mode)) {
        code = dj_error_set(err, DJ_E_IO, "%s: not a regular file", path);
    } else if (status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED) {
            code = set_error(path, err);
        } else {
            *mapped = (struct dj_trace_file){bytes, (size_t)status.st_size, true};
        }
    }
    close(fd);
    return code;
}

void dj_trace_file_free_before(struct dj_trace_file_trail *trail, const uint8_t *at)
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

void dj_trace_file_close(struct dj_trace_file *mapped)
{
    if (mapped->bytes != NULL) {
        munmap((void *)mapped->bytes, mapped->size);
    }
    *mapped = (struct dj_trace_file){0};
}

static uint64_t compute_maximum(uint64_t packed_size)
{
    if (packed_size == 0 || packed_size > UINT64_MAX / DJ_TRACE_SCRATCH_RATIO) {
        return UINT64_MAX;
    }
    uint64_t most = packed_size * DJ_TRACE_SCRATCH_RATIO;
    return most > DJ_TRACE_SCRATCH_FREE_BYTES ? most : DJ_TRACE_SCRATCH_FREE_BYTES;
}

int dj_trace_scratch_open(struct dj_trace_scratch *scratch, uint64_t packed_size,
                          struct dj_error *err)
{
    *scratch = (struct dj_trace_scratch){.most = compute_maximum(packed_size)};
    int failure = dj_spill_open(&scratch->spill, 0);
    if (failure == 0 || dj_spill_open_memory(&scratch->spill) == 0) {
        return 0;
    }
    const char *folder = getenv("TMPDIR");
    return dj_error_set(err, DJ_E_IO,
                        "cannot create a temporary file to unpack the trace: %s: %s",
                        folder != NULL ? folder : "/tmp", strerror(failure));
}

int dj_trace_scratch_refuse_size(uint64_t most, struct dj_error *err)
{
    return dj_error_set(
        err, DJ_E_INVALID,
        "it unpacks to more than %llu bytes, which is too large for a trace",
        (unsigned long long)most);
}

int dj_trace_scratch_append(struct dj_trace_scratch *scratch, const void *bytes,
                            size_t length, struct dj_error *err)
{
    if (length > scratch->most - scratch->spill.bytes) {
        return dj_trace_scratch_refuse_size(scratch->most, err);
    }
    int failure = dj_spill_append(&scratch->spill, bytes, length);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_IO, "cannot unpack the trace: %s",
                                       strerror(failure));
}

int dj_trace_scratch_map(const struct dj_trace_scratch *scratch,
                         struct dj_trace_file *mapped, struct dj_error *err)
{
    const void *bytes;
    int failure = dj_spill_map(&scratch->spill, &bytes);
    *mapped = (struct dj_trace_file){bytes, (size_t)scratch->spill.bytes, bytes != NULL};
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_IO, "cannot map the unpacked trace: %s",
                                       strerror(failure));
}
