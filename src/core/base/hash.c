#include "base/hash.h"

#include <string.h>

uint64_t dj_hash_fnv(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t load(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* Loads fewer than eight bytes. The upper bytes of the result are zero. If there are at
 * least four bytes, the two loads may overlap. */
static uint64_t load_few(const char *bytes, size_t length)
{
    uint32_t first, last;
    if (length >= sizeof(first)) {
        memcpy(&first, bytes, sizeof(first));
        memcpy(&last, bytes + length - sizeof(last), sizeof(last));
        return first | (uint64_t)last << 8 * (length - sizeof(last));
    }
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++) {
        word |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    }
    return word;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Reads eight bytes at a time. The last eight bytes are read in one step, so some of them
 * may be read twice. */
uint64_t dj_hash_bytes(const void *bytes, size_t length)
{
    const char *at = bytes;
    uint64_t hash = length;
    if (length < sizeof(hash)) {
        return mix(hash, load_few(at, length));
    }
    for (size_t i = 0; i + sizeof(hash) < length; i += sizeof(hash)) {
        hash = mix(hash, load(at + i));
    }
    return mix(hash, load(at + length - sizeof(hash)));
}
