#include "measure/spill_array.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/count_of.h"

enum { STEP_BYTES = 16 << 20 }; /* a file grows by so much, so that little is unused */

/* Returns the descriptor of a file of this length without a name, or -1. */
static int open_nameless(size_t bytes)
{
    const char *const folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        int fd = folders[i] != NULL
                     ? open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)
                     : -1;
        /* Reserved, as a full disk would be a SIGBUS later. */
        if (fd >= 0 && posix_fallocate(fd, 0, (off_t)bytes) == 0) {
            return fd;
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    return -1;
}

static bool grow_in_memory(struct dj_spill_array *array, size_t bytes,
                           struct dj_spill_budget *budget)
{
    void *data = realloc(array->data, bytes);
    if (data == NULL) {
        return false;
    }
    budget->used_bytes += bytes - array->bytes;
    array->data = data;
    array->bytes = bytes;
    return true;
}

/* False: no file has room; the array is unchanged. */
static bool move_to_file(struct dj_spill_array *array, size_t bytes,
                         struct dj_spill_budget *budget)
{
    int fd = open_nameless(bytes);
    if (fd < 0) {
        return false;
    }
    void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED) {
        close(fd);
        return false;
    }
    if (array->bytes > 0) {
        memcpy(data, array->data, array->bytes);
    }
    free(array->data);
    budget->used_bytes -= array->bytes;
    *array = (struct dj_spill_array){.data = data, .bytes = bytes, .file = fd + 1};
    return true;
}

static bool grow_file(struct dj_spill_array *array, size_t bytes)
{
    if (posix_fallocate(array->file - 1, 0, (off_t)bytes) != 0) {
        return false;
    }
    void *data = mremap(array->data, array->bytes, bytes, MREMAP_MAYMOVE);
    if (data == MAP_FAILED) {
        return false;
    }
    array->data = data;
    array->bytes = bytes;
    return true;
}

static bool move_to_memory(struct dj_spill_array *array, size_t bytes,
                           struct dj_spill_budget *budget)
{
    void *data = malloc(bytes);
    if (data == NULL) {
        return false;
    }
    memcpy(data, array->data, array->bytes);
    dj_spill_array_finish(array, budget);
    *array = (struct dj_spill_array){.data = data, .bytes = bytes};
    budget->used_bytes += bytes;
    return true;
}

bool dj_spill_array_grow(struct dj_spill_array *array, size_t bytes,
                         struct dj_spill_budget *budget)
{
    size_t most =
        budget->most_bytes != 0 ? budget->most_bytes : (size_t)DJ_SPILL_MEMORY_BYTES;
    size_t file_bytes = (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    if (bytes <= array->bytes) {
        return true;
    }
    if (array->file > 0) {
        return grow_file(array, file_bytes) || move_to_memory(array, bytes, budget);
    }
    bool fits = budget->used_bytes - array->bytes + bytes <= most;
    return (!fits && move_to_file(array, file_bytes, budget)) ||
           grow_in_memory(array, bytes, budget);
}

void dj_spill_array_finish(struct dj_spill_array *array, struct dj_spill_budget *budget)
{
    if (array->file > 0) {
        munmap(array->data, array->bytes);
        close(array->file - 1);
    } else {
        free(array->data);
        budget->used_bytes -= array->bytes;
    }
    *array = (struct dj_spill_array){0};
}
