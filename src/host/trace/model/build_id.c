#include "trace/model/build_id.h"

#include "base/hex.h"

/* Texts of fewer characters are bytes. */
enum { TEXT_LEAST = 16 };

struct dj_stacks_build_id dj_trace_read_build_id(struct dj_str stored)
{
    struct dj_stacks_build_id id = {.length = 0};
    size_t length = stored.length / 2;
    if (stored.length >= TEXT_LEAST && length <= sizeof(id.bytes) &&
        dj_hex_read(stored, id.bytes, length)) {
        id.length = (uint8_t)length;
    } else if (stored.length > 0 && stored.length <= sizeof(id.bytes)) {
        memcpy(id.bytes, stored.at, stored.length);
        id.length = (uint8_t)stored.length;
    }
    return id;
}
