#include "support.h"

#include <criterion/criterion.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "input/input.h"

static const char *const kinds[] = {
    [DJ_PART_TEXT] = "",
    [DJ_PART_GRAPHICSSTATS_DUMP] = "dump:",
    [DJ_PART_GRAPHICSSTATS_FILE] = "stored:",
};

static void put_error(struct dj_text *out, const struct dj_error *err, int code)
{
    cr_assert_eq(err->code, code);
    dj_text_format(out, "{%s}", err->message);
}

static void read_part(struct dj_text *out, struct dj_input_reader *intake)
{
    const char *bytes;
    size_t length;
    do {
        struct dj_error err = {0};
        int code = dj_input_read(intake, &bytes, &length, &err);
        if (code != 0) {
            cr_assert_eq(length, 0);
            put_error(out, &err, code);
            /* The error ends the part. */
            cr_assert_eq(dj_input_read(intake, &bytes, &length, NULL), 0);
        }
        dj_text_append(out, bytes, length);
    } while (length > 0);
}

static void read_all(struct dj_text *out, struct dj_input_reader *intake)
{
    for (;;) {
        struct dj_input_part part;
        struct dj_error err = {0};
        int code = dj_input_next(intake, &part, &err);
        if (code != 0) {
            cr_assert_eq(part.kind, DJ_PART_NONE);
            put_error(out, &err, code);
            continue;
        }
        if (part.kind == DJ_PART_NONE) {
            break;
        }
        dj_text_format(out, "<%s%s>", kinds[part.kind],
                       part.name != NULL ? part.name : "-");
        read_part(out, intake);
    }
}

/* Returns a descriptor from which all bytes can be read at once. */
static int file_of(const char *bytes, size_t length)
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* Returns a descriptor from which each read returns at most `piece` bytes. A socket with
 * packets is used, because a read never joins packets. */
static int packets_of(const char *bytes, size_t length, size_t piece, pid_t *writer)
{
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    *writer = fork();
    if (*writer == 0) {
        close(ends[0]);
        for (size_t at = 0; at < length; at += piece) {
            size_t count = length - at < piece ? length - at : piece;
            if (send(ends[1], bytes + at, count, MSG_NOSIGNAL) < 0) {
                _exit(1);
            }
        }
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

char *taken_from(const char *bytes, size_t length, size_t piece)
{
    struct dj_input_reader *intake;
    struct dj_text out = {0};
    pid_t writer = -1;
    int fd =
        piece == 0 ? file_of(bytes, length) : packets_of(bytes, length, piece, &writer);
    intake = dj_input_open_fd(fd, "input");
    read_all(&out, intake);
    dj_input_close(intake);
    close(fd);
    if (writer >= 0) {
        cr_assert_eq(waitpid(writer, NULL, 0), writer);
    }
    dj_text_append(&out, "", 1);
    cr_assert(!out.failed);
    return out.data;
}

void expect_taken(const struct dj_text *input, const char *expected)
{
    static const size_t pieces[] = {0, 1, 3, 1000};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        char *taken = taken_from(dj_text_get(input), input->length, pieces[i]);
        cr_assert_str_eq(taken, expected, "in pieces of %zu: %.300s\nnot %.300s",
                         pieces[i], taken, expected);
        free(taken);
    }
}

void expect_every_cut(const struct dj_text *input, const char *plain, size_t least)
{
    size_t before = 0;
    for (size_t cut = least; cut < input->length; cut++) {
        char *taken = taken_from(dj_text_get(input), cut, 0);
        char *error = strchr(taken, '{');
        cr_assert(error != NULL, "cut at %zu", cut);
        size_t length = 0;
        /* If the input ends before anything could be decoded, there is no part. */
        if (error != taken) {
            cr_assert_eq(strncmp(taken, "<-", 2), 0);
            const char *bytes = strchr(taken, '>') + 1;
            length = (size_t)(error - bytes);
            cr_assert_leq(length, strlen(plain));
            cr_assert_eq(memcmp(bytes, plain, length), 0, "cut at %zu", cut);
        }
        cr_assert_geq(length, before, "cut at %zu: %zu bytes, before %zu", cut, length,
                      before);
        before = length;
        char where[32];
        snprintf(where, sizeof(where), "at byte %zu", cut);
        cr_assert(strstr(error, where) != NULL, "cut at %zu: %s", cut, error);
        cr_assert_eq(strchr(error + 1, '{'), NULL, "cut at %zu: %s", cut, error);
        free(taken);
    }
    struct dj_text whole = {0};
    dj_text_format(&whole, "<-%s>%s", "", plain);
    expect_taken(input, dj_text_get(&whole));
    dj_text_finish(&whole);
}

void put_lines(struct dj_text *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dj_text_format(text, "0,%zu,%zu\n", i * i * 7919 % 100003, i);
    }
}

static void put_number(struct dj_text *text, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        char byte = (char)(number >> (8 * i));
        dj_text_append(text, &byte, 1);
    }
}

/* Appends compressed bytes. zlib writes a gzip header if window_bits is above 15, and no
 * header if it is negative. */
static void deflate_into(struct dj_text *text, const char *bytes, size_t length,
                         int window_bits)
{
    z_stream z = {0};
    cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY),
                 Z_OK);
    size_t most = deflateBound(&z, length);
    char *packed = malloc(most);
    cr_assert(packed != NULL);
    z.next_in = (Bytef *)bytes;
    z.avail_in = (uInt)length;
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)most;
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    dj_text_append(text, packed, z.total_out);
    deflateEnd(&z);
    free(packed);
}

void gzip_member(struct dj_text *text, const char *bytes, size_t length)
{
    deflate_into(text, bytes, length, 15 + 16);
}

void zstd_frame(struct dj_text *text, const char *bytes, size_t length)
{
    size_t most = ZSTD_compressBound(length);
    char *packed = malloc(most);
    size_t count = ZSTD_compress(packed, most, bytes, length, 3);
    cr_assert(!ZSTD_isError(count));
    dj_text_append(text, packed, count);
    free(packed);
}

void xz_stream(struct dj_text *text, const char *bytes, size_t length)
{
    size_t most = lzma_stream_buffer_bound(length);
    uint8_t *packed = malloc(most);
    size_t count = 0;
    cr_assert_eq(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL,
                                         (const uint8_t *)bytes, length, packed, &count,
                                         most),
                 LZMA_OK);
    dj_text_append(text, (const char *)packed, count);
    free(packed);
}

static void put_header(struct dj_text *zip, const char *name, uint32_t crc,
                       uint64_t packed_size, uint64_t size, unsigned how)
{
    bool zip64 = (how & ZIP64) != 0;
    bool later = (how & DESCRIBED) != 0;
    dj_text_append(zip, "PK\3\4", 4);
    put_number(zip, zip64 ? 45 : 20, 2);
    put_number(zip, (later ? 8 : 0) | ((how & ENCRYPTED) != 0 ? 1 : 0), 2);
    put_number(zip, (how & DEFLATED) != 0 ? 8 : 0, 2);
    put_number(zip, 0, 4); /* time */
    put_number(zip, later ? 0 : crc, 4);
    put_number(zip, zip64 ? UINT32_MAX : later ? 0 : packed_size, 4);
    put_number(zip, zip64 ? UINT32_MAX : later ? 0 : size, 4);
    put_number(zip, strlen(name), 2);
    put_number(zip, 6 + (zip64 ? 20 : 0), 2);
    dj_text_add(zip, name);
    put_number(zip, 0x4444, 2); /* an unknown field */
    put_number(zip, 2, 2);
    put_number(zip, 0, 2);
    if (zip64) {
        put_number(zip, 1, 2);
        put_number(zip, 16, 2);
        put_number(zip, later ? 0 : size, 8);
        put_number(zip, later ? 0 : packed_size, 8);
    }
}

void zip_entry(struct dj_text *zip, const char *name, const char *bytes, size_t length,
               unsigned how)
{
    struct dj_text packed = {0};
    uint32_t crc = (uint32_t)crc32(0, (const Bytef *)bytes, (uInt)length);
    crc ^= (how & WRONG_CRC) != 0;
    if ((how & DEFLATED) != 0) {
        deflate_into(&packed, bytes, length, -15);
    } else {
        dj_text_append(&packed, bytes, length);
    }
    if ((how & BROKEN) != 0) {
        memset(packed.data + packed.length / 2, 0xFF, 8);
    }
    put_header(zip, name, crc, packed.length, length, how);
    dj_text_append(zip, dj_text_get(&packed), packed.length);
    if ((how & DESCRIBED) != 0) {
        dj_text_append(zip, "PK\7\10", (how & UNMARKED) != 0 ? 0 : 4);
        put_number(zip, crc, 4);
        put_number(zip, packed.length, (how & ZIP64) != 0 ? 8 : 4);
        put_number(zip, length, (how & ZIP64) != 0 ? 8 : 4);
    }
    dj_text_finish(&packed);
}

void zip_end(struct dj_text *zip)
{
    dj_text_append(zip, "PK\5\6", 4);
    put_number(zip, 0, 8);
    put_number(zip, 0, 8);
    put_number(zip, 0, 2);
}
