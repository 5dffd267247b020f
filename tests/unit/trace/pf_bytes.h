/* Writes protobuf messages for tests, from the innermost message outwards. */
#ifndef DEJANK_TESTS_PF_BYTES_H
#define DEJANK_TESTS_PF_BYTES_H

#include <stdint.h>
#include <string.h>

struct pf {
    size_t length;
    uint8_t bytes[1 << 14];
};

static inline void pf_varint(struct pf *pf, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        pf->bytes[pf->length++] = (uint8_t)(value | 0x80);
    }
    pf->bytes[pf->length++] = (uint8_t)value;
}

static inline void pf_int(struct pf *pf, uint32_t number, int64_t value)
{
    pf_varint(pf, (uint64_t)number << 3);
    pf_varint(pf, (uint64_t)value);
}

static inline void pf_double(struct pf *pf, uint32_t number, double value)
{
    pf_varint(pf, (uint64_t)number << 3 | 1);
    memcpy(pf->bytes + pf->length, &value, 8);
    pf->length += 8;
}

static inline void pf_raw(struct pf *pf, uint32_t number, const void *bytes,
                          size_t length)
{
    pf_varint(pf, (uint64_t)number << 3 | 2);
    pf_varint(pf, length);
    memcpy(pf->bytes + pf->length, bytes, length);
    pf->length += length;
}

static inline void pf_string(struct pf *pf, uint32_t number, const char *string)
{
    pf_raw(pf, number, string, strlen(string));
}

static inline void pf_message(struct pf *pf, uint32_t number, const struct pf *inner)
{
    pf_raw(pf, number, inner->bytes, inner->length);
}

#endif
