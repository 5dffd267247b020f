#include "input/sniff.h"

#include <string.h>

#include "input/decode.h"
#include "input/tar.h"

/* First bytes of formats. No entry begins with the bytes of another entry. */
static const struct {
    const char *bytes;
    size_t length;
    struct dj_sniffed sniffed;
} magics[] = {
    {"\xff\xfe", 2, {DJ_WRAPPING_CODED, "UTF-16", NULL, dj_input_stream_of_utf16_le}},
    {"\xfe\xff", 2, {DJ_WRAPPING_CODED, "UTF-16", NULL, dj_input_stream_of_utf16_be}},
    {"\x1f\x8b\x08", 3, {DJ_WRAPPING_CODED, "gzip", NULL, dj_input_stream_of_gzip}},
    {"\x28\xb5\x2f\xfd", 4, {DJ_WRAPPING_CODED, "zstd", NULL, dj_input_stream_of_zstd}},
    {"\xfd"
     "7zXZ\0",
     6,
     {DJ_WRAPPING_CODED, "xz", NULL, dj_input_stream_of_xz}},
    {"PK\3\4", 4, {DJ_WRAPPING_ZIP, "zip", NULL, NULL}},
    {"PK\7\10PK\3\4", 8, {DJ_WRAPPING_ZIP, "zip", NULL, NULL}},
    {"PK\5\6", 4, {DJ_WRAPPING_ZIP, "zip", NULL, NULL}}, /* An archive without entries. */
    {"BZh", 3, {DJ_WRAPPING_FOREIGN, "bzip2", "bunzip2", NULL}},
    {"\x04\x22\x4d\x18", 4, {DJ_WRAPPING_FOREIGN, "lz4", "unlz4", NULL}},
    {"7z\xbc\xaf\x27\x1c", 6, {DJ_WRAPPING_FOREIGN, "7-Zip", "7z x", NULL}},
    {"Rar!\x1a\x07", 6, {DJ_WRAPPING_FOREIGN, "RAR", "unrar x", NULL}},
};

/* Returns whether the data begins with a skippable frame, with a number from 0x184D2A50
 * to 0x184D2A5F. Both zstd and lz4 have such frames. */
static bool is_skippable_frame(const char *bytes, size_t length)
{
    return length >= 4 && (bytes[0] & 0xF0) == 0x50 &&
           memcmp(bytes + 1, "\x2a\x4d\x18", 3) == 0;
}

/* Returns whether the data is UTF-16 without a byte order mark. Then most characters are
 * ASCII, and in each of them one byte is 0: the first one if high_first is set, or else
 * the second one. In other data, zeros occur in both places. */
static bool is_unmarked_utf16(const char *bytes, size_t length, bool high_first)
{
    enum { LEAST_BYTES = 64 };
    size_t ascii = 0;
    size_t units = length / 2;
    for (size_t i = 0; i < units; i++) {
        unsigned char low = (unsigned char)bytes[2 * i + high_first];
        unsigned char high = (unsigned char)bytes[2 * i + !high_first];
        if (low == 0 && high == 0) {
            return false;
        }
        ascii += high == 0 &&
                 (low >= 0x20 || low == '\n' || low == '\r' || low == '\t') && low < 0x7F;
    }
    return length >= LEAST_BYTES && ascii > units - units / 4;
}

const struct dj_sniffed *dj_sniff(const char *bytes, size_t length)
{
    static const struct dj_sniffed nothing = {DJ_WRAPPING_NONE, NULL, NULL, NULL};
    static const struct dj_sniffed skippable = {DJ_WRAPPING_CODED, "zstd", NULL,
                                                dj_input_stream_of_zstd};
    static const struct dj_sniffed utf16_le = {DJ_WRAPPING_CODED, "UTF-16", NULL,
                                               dj_input_stream_of_utf16_le};
    static const struct dj_sniffed utf16_be = {DJ_WRAPPING_CODED, "UTF-16", NULL,
                                               dj_input_stream_of_utf16_be};
    static const struct dj_sniffed tar = {DJ_WRAPPING_TAR, "tar", NULL, NULL};
    for (size_t i = 0; i < COUNT_OF(magics); i++) {
        if (length >= magics[i].length &&
            memcmp(bytes, magics[i].bytes, magics[i].length) == 0) {
            return &magics[i].sniffed;
        }
    }
    if (dj_tar_is_header(bytes, length)) {
        return &tar;
    }
    if (is_unmarked_utf16(bytes, length, false)) {
        return &utf16_le;
    }
    if (is_unmarked_utf16(bytes, length, true)) {
        return &utf16_be;
    }
    return is_skippable_frame(bytes, length) ? &skippable : &nothing;
}

bool dj_sniff_binary(const char *bytes, size_t length)
{
    return memchr(bytes, '\0', length) != NULL;
}

char dj_input_sniff_find_first(const char *bytes, size_t length)
{
    size_t at = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length && memchr(" \t\r\n", bytes[at], 4) != NULL) {
        at++;
    }
    return at < length ? bytes[at] : '\0';
}
