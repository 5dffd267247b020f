#include <string.h>

#include "fleet/cluster.h"

void dj_sql_append_text(struct dj_text *sql, const char *text)
{
    dj_text_add(sql, "unhex('");
    for (const char *at = text; *at != '\0'; at++) {
        dj_text_format(sql, "%02X", (unsigned char)*at);
    }
    dj_text_add(sql, "')");
}

void dj_fleet_cluster_append_name(struct dj_text *sql, const struct dj_cluster *cluster)
{
    dj_text_format(sql, "`%s`", cluster->name);
}

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static void mix(uint64_t v[4], unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] = rotate(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] = rotate(v[2], 32);
    }
}

uint64_t dj_fleet_cluster_hash(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    uint64_t v[4] = {UINT64_C(0x736f6d6570736575), UINT64_C(0x646f72616e646f6d),
                     UINT64_C(0x6c7967656e657261), UINT64_C(0x7465646279746573)};
    uint64_t word = 0;
    for (size_t i = 0; i + 8 <= length; i += 8) {
        memcpy(&word, at + i, sizeof(word));
        v[3] ^= word;
        mix(v, 2);
        v[0] ^= word;
    }
    word = (uint64_t)length << 56;
    for (size_t i = 0; i < length % 8; i++) {
        word |= (uint64_t)at[length - length % 8 + i] << 8 * i;
    }
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
    v[2] ^= 0xff;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
