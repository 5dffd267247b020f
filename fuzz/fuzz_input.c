/* Reads any bytes as an input file, which may be compressed or an archive. Reads it as a
 * whole and in pieces, with and without repairs of the text. The pieces must give the
 * same parts and the same bytes as the whole file, unless the data is damaged. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    TAKEN_MOST = 1 << 24, /* Reading stops after this many decoded bytes. */
    PIECES = 64
};

struct taken {
    uint64_t hash;
    size_t bytes, parts;
    bool failed, whole;
};

static void add(struct taken *taken, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        taken->hash = (taken->hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    }
    taken->bytes += length;
}

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void read_part(struct taken *taken, struct dj_input_reader *reader)
{
    const char *bytes;
    size_t length;
    do {
        struct dj_error err = {0};
        int code = dj_input_read(reader, &bytes, &length, &err);
        check(code == 0 || (length == 0 && err.code == code && err.message[0] != '\0'));
        taken->failed = taken->failed || code != 0;
        add(taken, bytes, length);
    } while (length > 0 && taken->bytes < TAKEN_MOST);
}

static struct taken take(int fd, bool repairs)
{
    struct dj_input_part part = {0};
    struct taken taken = {0};
    struct dj_input_reader *reader = dj_input_open_fd(fd, "input");
    if (repairs) {
        dj_input_repair_text(reader);
    }
    while (taken.bytes < TAKEN_MOST) {
        int code = dj_input_next(reader, &part, NULL);
        taken.failed = taken.failed || code != 0;
        if (code == 0 && part.kind == DJ_PART_NONE) {
            break;
        }
        if (code == 0) {
            taken.parts++;
            add(&taken, part.name, part.name != NULL ? strlen(part.name) : 0);
            read_part(&taken, reader);
        }
    }
    taken.whole = taken.bytes < TAKEN_MOST;
    dj_input_close(reader);
    close(fd);
    return taken;
}

static int at_once(const uint8_t *data, size_t size)
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    check(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    check(lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

/* Sends the pieces as packets, because a read never joins two packets. */
static int in_pieces(const uint8_t *data, size_t size)
{
    int ends[2];
    size_t piece = size / PIECES + 1;
    check(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    for (size_t at = 0; at < size; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        check(send(ends[1], data + at, count, 0) == (ssize_t)count);
    }
    close(ends[1]);
    return ends[0];
}

static void compare(const uint8_t *data, size_t size, bool repairs)
{
    enum { SOCKET_HOLDS = 1 << 16 };
    struct taken once = take(at_once(data, size), repairs);
    if (size > SOCKET_HOLDS) {
        return;
    }
    struct taken pieces = take(in_pieces(data, size), repairs);
    check(once.whole == pieces.whole);
    if (once.whole) {
        check(once.failed == pieces.failed);
    }
    /* In damaged data, the pieces may affect how many bytes a decoder returns. */
    if (once.whole && !once.failed) {
        check(once.hash == pieces.hash && once.bytes == pieces.bytes);
        check(once.parts == pieces.parts);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    compare(data, size, false);
    compare(data, size, true);
    return 0;
}
