/* Reads any bytes as a Perfetto trace and copies only the packets around janky frames.
 * Each of the first four bytes adds a janky frame: it starts at the byte's value in
 * tenths of a second and is 50 ms long. The remaining bytes are the trace. The reader
 * must not read past the trace. The sum of kept and dropped packets must be the number of
 * packets in the trace. The output must contain as many packets as were kept. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/proto.h"
#include "capture/android/conversion.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STRETCHES = 4, STEP_NS = 100000000, PACKET = 1 };

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static int open_memory(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    check(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    return fd;
}

static uint64_t count_packets(const char *at, size_t size)
{
    struct dj_proto_message all = dj_proto_open((struct dj_str){at, size});
    struct dj_proto_field field = {0};
    uint64_t count = 0;
    while (dj_proto_next(&all, &field)) {
        count += field.number == PACKET && field.wire == DJ_PROTO_BYTES;
    }
    return count;
}

static int cut(int input, int output, const struct dj_keep *keep,
               struct dj_capture_converted *shaped)
{
    char path[32];
    struct dj_error err = {0};
    snprintf(path, sizeof(path), "/proc/self/fd/%d", input);
    const struct dj_capture_conversion shape = {
        .input = path, .output = output, .name = "output", .keep = keep};
    return dj_conversion_cut_packets(&shape, shaped, &err);
}

static void check_written(int output, uint64_t kept)
{
    off_t length = lseek(output, 0, SEEK_END);
    char *bytes = malloc((size_t)length + 1);
    check(length >= 0 && bytes != NULL &&
          pread(output, bytes, (size_t)length, 0) == (ssize_t)length);
    check(count_packets(bytes, (size_t)length) == kept);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_keep keep = {0};
    struct dj_capture_converted shaped;
    size_t head = size < STRETCHES ? size : STRETCHES;
    for (size_t i = 0; i < head; i++) {
        int64_t from_ns = (int64_t)data[i] * STEP_NS;
        check(dj_janky_keep_add_frame(&keep, from_ns, from_ns + STEP_NS / 2, data[i], 1,
                                      NULL) == 0);
    }
    int input = open_memory(data + head, size - head);
    int output = open_memory(NULL, 0);
    int code = cut(input, output, &keep, &shaped);
    check(code == 0 || code == DJ_E_NO_DATA || (code == DJ_E_IO && size == head));
    if (code == 0) {
        check(shaped.kept + shaped.dropped ==
              count_packets((const char *)data + head, size - head));
        check_written(output, shaped.kept);
    }
    close(input);
    close(output);
    dj_janky_keep_finish(&keep);
    return 0;
}
