#include "trace/unpack.h"

#include <stdbool.h>
#include <zlib.h>
#include <zstd.h>

static bool unpack_zlib(struct dj_str packed, uint8_t *bytes, size_t size)
{
    uLongf got = size;
    return uncompress(bytes, &got, (const Bytef *)packed.at, packed.length) == Z_OK &&
           got == size;
}

static bool unpack_zstd(struct dj_str packed, uint8_t *bytes, size_t size)
{
    return ZSTD_decompress(bytes, size, packed.at, packed.length) == size;
}

int dj_unpack(struct dj_str method, struct dj_str packed, uint8_t *bytes, size_t size,
              struct dj_error *err)
{
    static const struct {
        const char *name, *package;
        bool (*unpack)(struct dj_str packed, uint8_t *bytes, size_t size);
    } methods[] = {{"zlib", "zlib1g-dev", unpack_zlib},
                   {"zstd", "libzstd-dev", unpack_zstd}};
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        if (!dj_str_is(method, methods[i].name)) {
            continue;
        }
        return methods[i].unpack(packed, bytes, size)
                   ? 0
                   : dj_error_set(err, DJ_E_INVALID,
                                  "a part compressed with %s is damaged",
                                  methods[i].name);
    }
    return dj_error_set(err, DJ_E_UNSUPPORTED, "compressed with %.*s, which is not known",
                        (int)(method.length < 40 ? method.length : 40), method.at);
}
