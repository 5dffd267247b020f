#include "spill/array.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STEP_BYTES = 16 << 20 }; /* Files grow in steps of this size. */

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

/* Moves the array to a file. Returns false if no folder has space for the file. The array
 * is then unchanged. */
static bool move_to_file(struct dj_spill_array *array, size_t bytes,
                         struct dj_spill_budget *budget)
{
    struct dj_spill spill;
    /* Reserves the space, because writing to the mapping of a file on a full disk would
     * raise SIGBUS. */
    if (dj_spill_open(&spill, bytes) != 0) {
        return false;
    }
    void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, spill.file - 1, 0);
    if (data == MAP_FAILED) {
        dj_spill_close(&spill);
        return false;
    }
    if (array->bytes > 0) {
        memcpy(data, array->data, array->bytes);
    }
    free(array->data);
    budget->used_bytes -= array->bytes;
    *array = (struct dj_spill_array){.data = data, .bytes = bytes, .spill = spill};
    return true;
}

static bool grow_file(struct dj_spill_array *array, size_t bytes)
{
    if (posix_fallocate(array->spill.file - 1, 0, (off_t)bytes) != 0) {
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
    if (array->spill.file > 0) {
        return grow_file(array, file_bytes) || move_to_memory(array, bytes, budget);
    }
    bool fits = budget->used_bytes - array->bytes + bytes <= most;
    return (!fits && move_to_file(array, file_bytes, budget)) ||
           grow_in_memory(array, bytes, budget);
}

void dj_spill_array_finish(struct dj_spill_array *array, struct dj_spill_budget *budget)
{
    if (array->spill.file > 0) {
        munmap(array->data, array->bytes);
        dj_spill_close(&array->spill);
    } else {
        free(array->data);
        budget->used_bytes -= array->bytes;
    }
    *array = (struct dj_spill_array){0};
}
