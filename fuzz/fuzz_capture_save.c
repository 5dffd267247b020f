/* Writes any bytes to a captured file, as a whole and in pieces. Bit 0 of the first byte
 * sets whether atrace's title must precede the trace. The other bits set the length of
 * the pieces. Both files must have the same content. Both must end with the same
 * result. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/android/captured_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 16 };

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Writes the data in pieces of `step` bytes. Even after an error, save->fd contains the
 * data that was written before. */
static int take(struct dj_captured_file *save, bool titled, const uint8_t *data,
                size_t size, size_t step)
{
    int code = 0;
    *save = (struct dj_captured_file){.fd = memfd_create("fuzz", MFD_CLOEXEC),
                                      .path = strdup("fuzz"),
                                      .maximum = MOST_BYTES,
                                      .titled = titled};
    check(save->fd >= 0 && save->path != NULL);
    for (size_t at = 0; at < size && code == 0; at += step) {
        size_t length = size - at < step ? size - at : step;
        code = dj_captured_file_write(save, (const char *)data + at, length, NULL);
    }
    return code == 0 ? dj_captured_file_end(save, NULL) : code;
}

static void check_same(const struct dj_captured_file *a, const struct dj_captured_file *b)
{
    size_t length = (size_t)a->bytes;
    char *left = malloc(length + 1);
    char *right = malloc(length + 1);
    check(a->bytes == b->bytes && a->bytes <= MOST_BYTES && left != NULL &&
          right != NULL);
    check(pread(a->fd, left, length + 1, 0) == (ssize_t)length);
    check(pread(b->fd, right, length + 1, 0) == (ssize_t)length);
    check(memcmp(left, right, length) == 0);
    free(left);
    free(right);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_captured_file whole, pieces;
    if (size == 0) {
        return 0;
    }
    bool titled = (data[0] & 1) != 0;
    size_t step = 1 + (data[0] >> 1);
    data++;
    size--;
    int code = take(&whole, titled, data, size, size + 1);
    check(take(&pieces, titled, data, size, step) == code);
    check_same(&whole, &pieces);
    dj_captured_file_finish(&whole);
    dj_captured_file_finish(&pieces);
    return 0;
}
