/*
 * Tests Perfetto packets that are truncated, damaged or compressed, and files without
 * packets.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "pf_bytes.h"
#include "trace/model/builder.h"
#include "trace/perfetto/file.h"

static struct dj_perfetto_summary summary;

/* Creates a file with one packet of each kind that dejank reads. */
static void make_file(struct pf *file)
{
    static const uint32_t kinds[] = {1, 2, 6, 11, 34, 35, 43, 44, 52, 59, 60, 76, 117};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct pf inner = {0}, body = {0}, packet = {0};
        for (uint32_t field = 1; field < 12; field++) {
            if (field % 3 == 2) {
                pf_string(&inner, field, "B|5|words");
            } else {
                pf_int(&inner, field, 3 + field);
            }
        }
        for (uint32_t field = 1; field < 10; field++) {
            if (field == 2 || (field == 4 && kinds[i] != 1)) {
                pf_message(&body, field, &inner);
            } else {
                pf_int(&body, field, field);
            }
        }
        pf_int(&packet, 8, (int64_t)(100 - i));
        pf_int(&packet, 10, 1);
        pf_message(&packet, kinds[i], &body);
        pf_message(file, 1, &packet);
    }
}

static uint64_t read_bytes(const uint8_t *bytes, size_t length)
{
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    /* The buffer has exactly this size, so that sanitizers detect reads after its end. */
    uint8_t *copy = malloc(length + (length == 0));
    memcpy(copy, bytes, length);
    const struct dj_perfetto_file file = {copy, length, true, false};
    summary = (struct dj_perfetto_summary){0};
    cr_assert_eq(dj_perfetto_read(&file,
                                  (struct dj_event_sink){dj_builder_add_event, &build},
                                  &summary),
                 0);
    cr_assert_eq(dj_builder_complete(&build, NULL), 0);
    for (size_t i = 0; i < trace.state_count; i++) {
        cr_assert(trace.states[i].end_ns >= trace.states[i].start_ns);
    }
    for (size_t i = 0; i < trace.frame_count; i++) {
        cr_assert(trace.frames[i].layer != NULL);
    }
    dj_trace_finish(&trace);
    free(copy);
    return summary.events;
}

/* The file contains more packets than one block. */
Test(perfetto_bad, empty_packets_are_ignored)
{
    enum { EMPTY = 300000 };
    struct pf file = {0};
    make_file(&file);
    uint64_t events = read_bytes((const uint8_t *)file.bytes, file.length);
    uint64_t packets = summary.packets;
    cr_assert(events > 0 && packets > 0);
    uint8_t *bytes = malloc(2 * file.length + 2 * EMPTY);
    cr_assert_not_null(bytes);
    memcpy(bytes, file.bytes, file.length);
    for (size_t i = 0; i < EMPTY; i++) {
        bytes[file.length + 2 * i] = 0x0a;
        bytes[file.length + 2 * i + 1] = 0;
    }
    memcpy(bytes + file.length + 2 * EMPTY, file.bytes, file.length);
    cr_expect_eq(read_bytes(bytes, 2 * file.length + 2 * EMPTY), 2 * events);
    cr_expect_eq(summary.damaged, 0);
    cr_expect(summary.packets >= 2 * packets && summary.packets < 2 * packets + 10);
    free(bytes);
}

Test(perfetto_bad, every_truncation_keeps_complete_packets_and_is_reported)
{
    static struct pf file;
    make_file(&file);
    uint64_t whole = read_bytes(file.bytes, file.length);
    cr_assert_geq(whole, 5);
    cr_expect_eq(summary.damaged, 0);
    uint64_t before = 0;
    for (size_t length = 0; length < file.length; length++) {
        uint64_t events = read_bytes(file.bytes, length);
        cr_expect(events >= before && events <= whole, "%zu bytes", length);
        before = events;
        struct dj_perfetto_summary cut = summary;
        bool between = cut.packets > 0 && cut.damaged == 0;
        cr_expect(length == 0 || cut.damaged > 0 || between, "%zu bytes", length);
    }
}

Test(perfetto_bad, flipped_bits_are_only_damage)
{
    static struct pf file;
    make_file(&file);
    for (size_t bit = 0; bit < 8 * file.length; bit++) {
        file.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        read_bytes(file.bytes, file.length);
        file.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

Test(perfetto_bad, wrong_lengths_end_at_the_last_byte)
{
    static const uint8_t beyond[] = {0x0a, 0x06, 0x0a, 0x7f, 0x12, 0x00, 0x00, 0x00};
    static const uint8_t huge[] = {0x0a, 0xff, 0xff, 0xff, 0xff,
                                   0xff, 0xff, 0xff, 0xff, 0x7f};
    static const uint8_t endless[] = {0x0a, 0x0b, 0x40, 0xff, 0xff, 0xff, 0xff,
                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const uint8_t group[] = {0x0a, 0x02, 0x0b, 0x0c};
    cr_expect_eq(read_bytes(beyond, sizeof(beyond)), 0);
    cr_expect_gt(summary.damaged, 0);
    cr_expect_eq(read_bytes(huge, sizeof(huge)), 0);
    cr_expect_gt(summary.damaged, 0);
    cr_expect_eq(read_bytes(endless, sizeof(endless)), 0);
    cr_expect_gt(summary.damaged, 0);
    cr_expect_eq(read_bytes(group, sizeof(group)), 0);
    cr_expect_gt(summary.damaged, 0);
}

Test(perfetto_bad, the_first_packet_identifies_a_trace)
{
    static struct pf file;
    static const uint8_t empty_first[] = {0x0a, 0x00, 0x0a, 0x02, 0x40, 0x05};
    make_file(&file);
    cr_expect(dj_perfetto_sniff(file.bytes, file.length, true));
    cr_expect(dj_perfetto_sniff(file.bytes, 16, false));
    cr_expect(dj_perfetto_sniff(empty_first, sizeof(empty_first), true));
    static const char *const others[] = {
        "\n# tracer: nop\n#\n",   "\n\n\n\n\n\n\n", "\n", "",
        "\n{\"traceEvents\":[]}", "\n<html>\n"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        cr_expect_not(
            dj_perfetto_sniff((const uint8_t *)others[i], strlen(others[i]), true), "%s",
            others[i]);
    }
}

/* ---- compressed ---- */

static void write_compressed(struct pf *file, const struct pf *packets, bool zstd)
{
    static uint8_t packed[1 << 13];
    struct pf packet = {0};
    uLongf length = sizeof(packed);
    if (zstd) {
        length =
            ZSTD_compress(packed, sizeof(packed), packets->bytes, packets->length, 3);
    } else {
        cr_assert_eq(compress(packed, &length, packets->bytes, packets->length), Z_OK);
    }
    pf_raw(&packet, zstd ? 133 : 50, packed, length);
    pf_message(file, 1, &packet);
}

static uint64_t read_path(const struct pf *file, int *code)
{
    char path[] = "/tmp/dejank-test-perfetto-XXXXXX";
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_error err = {0};
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, file->bytes, file->length), (ssize_t)file->length);
    close(fd);
    summary = (struct dj_perfetto_summary){0};
    *code = dj_perfetto_read_path(
        path, (struct dj_event_sink){dj_builder_add_event, &build}, &summary, &err);
    unlink(path);
    dj_builder_complete(&build, NULL);
    dj_trace_finish(&trace);
    return summary.events;
}

Test(perfetto_bad, compressed_packets_read_like_their_content)
{
    static struct pf packets, file;
    int code;
    make_file(&packets);
    uint64_t events = read_bytes(packets.bytes, packets.length);
    write_compressed(&file, &packets, false);
    write_compressed(&file, &packets, true);
    cr_expect_eq(read_path(&file, &code), 2 * events);
    cr_expect_eq(code, 0);
    cr_expect_eq(summary.damaged, 0);
    file.bytes[file.length / 4] ^= 0xff; /* Damages the first compressed packet. */
    uint64_t damaged = read_path(&file, &code);
    cr_expect(damaged >= events && damaged < 2 * events, "%llu of %llu",
              (unsigned long long)damaged, (unsigned long long)events);
    cr_expect_gt(summary.damaged, 0);
}

Test(perfetto_bad, packets_are_not_unpacked_twice)
{
    static struct pf packets, once, file;
    int code;
    make_file(&packets);
    write_compressed(&once, &packets, true);
    write_compressed(&file, &once, false);
    cr_expect_eq(read_path(&file, &code), 0);
    cr_expect_eq(code, 0);
    cr_expect_gt(summary.damaged, 0);
}

/* Packets that are not used count, too. Otherwise a small file could unpack forever. */
Test(perfetto_bad, the_total_unpacked_size_is_limited, .timeout = 120)
{
    enum { ZEROS = 24 << 20 };
    static struct pf packet, file;
    static uint8_t packed[1 << 12];
    uint8_t *zeros = calloc(1, ZEROS);
    int code;
    size_t length = ZSTD_compress(packed, sizeof(packed), zeros, ZEROS, 1);
    cr_assert_not(ZSTD_isError(length));
    pf_raw(&packet, 133, packed, length);
    pf_message(&file, 1, &packet);
    read_path(&file, &code);
    cr_expect_eq(code, 0, "one alone is damage, and no more");
    pf_message(&file, 1, &packet);
    read_path(&file, &code);
    cr_expect_eq(code, DJ_E_INVALID);
    free(zeros);
}

/* Tests a stream of zeros that unpacks to the maximum size, and a longer one. */
Test(perfetto_bad, a_decompression_bomb_is_refused, .timeout = 120)
{
    enum { PIECE = 1 << 20, PIECES = (DJ_PERFETTO_PACKET_MAX >> 20) * 3 };
    uint8_t *packed = malloc(PIECE);
    uint8_t *zeros = calloc(1, PIECE);
    z_stream stream = {0};
    uint8_t *bytes;
    size_t length;
    cr_assert_eq(deflateInit(&stream, 1), Z_OK);
    stream.next_out = packed;
    stream.avail_out = PIECE;
    /* Three times the maximum size of a packet, which is about 1.5 MiB compressed. */
    for (int i = 0; i < PIECES && stream.avail_out > 0; i++) {
        stream.next_in = zeros;
        stream.avail_in = PIECE;
        deflate(&stream, Z_NO_FLUSH);
    }
    cr_expect_not(dj_perfetto_unpack(
        50, (struct dj_str){(const char *)packed, PIECE - stream.avail_out},
        DJ_PERFETTO_PACKET_MAX, &bytes, &length));
    cr_expect_leq(length, 2 * (size_t)DJ_PERFETTO_PACKET_MAX);
    deflateEnd(&stream);
    free(bytes);
    free(zeros);
    free(packed);
}
