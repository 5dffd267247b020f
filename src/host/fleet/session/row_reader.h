/* Reads the values of ClickHouse's format RowBinary. */
#ifndef DEJANK_FLEET_SESSION_ROW_READER_H
#define DEJANK_FLEET_SESSION_ROW_READER_H

#include <string.h>

#include "base/error.h"
#include "base/proto.h"

/* A position in the bytes. After an error, all further reads return 0 or NULL. */
struct dj_row_reader {
    struct dj_str rest;
    int code; /* 0, DJ_E_TRUNCATED or DJ_E_INVALID. */
};

/* Sets the code, unless there was an error before. */
static inline void dj_row_reader_fail(struct dj_row_reader *reader, int code)
{
    reader->code = reader->code != 0 ? reader->code : code;
}

/* Returns the next bytes. */
static inline const char *dj_row_reader_read_bytes(struct dj_row_reader *reader,
                                                   size_t length)
{
    if (reader->code != 0 || reader->rest.length < length) {
        dj_row_reader_fail(reader, DJ_E_TRUNCATED);
        return NULL;
    }
    const char *at = reader->rest.at;
    reader->rest = dj_str_from(reader->rest, length);
    return at;
}

/* Reads a number of at most 8 bytes. Bytes of the host are little-endian, like those of
 * RowBinary. */
static inline uint64_t dj_row_reader_read_number(struct dj_row_reader *reader,
                                                 size_t width)
{
    uint64_t value = 0;
    const char *at = dj_row_reader_read_bytes(reader, width);
    if (at != NULL) {
        memcpy(&value, at, width);
    }
    return value;
}

/* Reads the length of a string or of an array, which is a varint as in protobuf. It is
 * invalid if it exceeds `most`. */
static inline size_t dj_row_reader_read_length(struct dj_row_reader *reader, size_t most)
{
    enum { VARINT_MOST = 10 };
    struct dj_proto_message bytes = dj_proto_open(reader->rest);
    uint64_t length = 0;
    if (reader->code != 0) {
        return 0;
    }
    if (!dj_proto_varint(&bytes, &length)) {
        bool is_truncated = reader->rest.length < VARINT_MOST;
        reader->code = is_truncated ? DJ_E_TRUNCATED : DJ_E_INVALID;
        return 0;
    }
    reader->rest = dj_str_between((const char *)bytes.at, (const char *)bytes.end);
    dj_row_reader_fail(reader, length > most ? DJ_E_INVALID : 0);
    return reader->code == 0 ? (size_t)length : 0;
}

#endif
