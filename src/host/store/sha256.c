#include "store/sha256.h"

#include <endian.h>
#include <string.h>

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t rotate_right(uint32_t x, unsigned bits)
{
    return (x >> bits) | (x << (32 - bits));
}

static uint32_t load_word(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof(word));
    return be32toh(word);
}

static void expand_block(const uint8_t *block, uint32_t w[64])
{
    for (size_t i = 0; i < 16; i++) {
        w[i] = load_word(block + 4 * i);
    }
    for (size_t i = 16; i < 64; i++) {
        uint32_t s0 =
            rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t s1 =
            rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

/* Processes one block of 64 bytes. s[0] … s[7] are the variables a … h of the
 * standard. */
static void compress_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t s[8];
    expand_block(block, w);
    memcpy(s, state, sizeof(s));
    for (size_t i = 0; i < 64; i++) {
        uint32_t sum1 =
            rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t t1 = s[7] + sum1 + choice + constants[i] + w[i];
        uint32_t sum0 =
            rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        memmove(s + 1, s, 7 * sizeof(*s));
        s[4] += t1;
        s[0] = t1 + sum0 + majority;
    }
    for (size_t i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

void dj_store_sha256_init(struct dj_sha256 *hash)
{
    /* The first 32 bits of the fractions of the square roots of the first 8 primes. */
    *hash = (struct dj_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void dj_store_sha256_add(struct dj_sha256 *hash, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    while (length > 0) {
        size_t filled = (size_t)(hash->length % sizeof(hash->block));
        size_t more = sizeof(hash->block) - filled;
        more = more < length ? more : length;
        memcpy(hash->block + filled, from, more);
        if (filled + more == sizeof(hash->block)) {
            compress_block(hash->state, hash->block);
        }
        hash->length += more;
        from += more;
        length -= more;
    }
}

void dj_store_sha256_end(struct dj_sha256 *hash, char hex[DJ_SHA256_HEX_BYTES])
{
    static const uint8_t padding[64] = {0x80};
    static const char digits[] = "0123456789abcdef";
    uint64_t bits = htobe64(hash->length * 8);
    size_t filled = (size_t)(hash->length % 64);
    dj_store_sha256_add(hash, padding, filled < 56 ? 56 - filled : 120 - filled);
    dj_store_sha256_add(hash, &bits, sizeof(bits));
    for (size_t i = 0; i < DJ_SHA256_HEX_BYTES - 1; i++) {
        hex[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
    hex[DJ_SHA256_HEX_BYTES - 1] = '\0';
}

void dj_store_sha256_add_text(struct dj_sha256 *hash, const char *text)
{
    text = text != NULL ? text : "";
    dj_store_sha256_add(hash, text, strlen(text) + 1);
}

void dj_store_sha256_of_texts(const char *const *texts, size_t count,
                              char hex[DJ_SHA256_HEX_BYTES])
{
    struct dj_sha256 hash;
    dj_store_sha256_init(&hash);
    for (size_t i = 0; i < count; i++) {
        dj_store_sha256_add_text(&hash, texts[i]);
    }
    dj_store_sha256_end(&hash, hex);
}

void dj_store_sha256_of_bytes(const void *bytes, size_t length,
                              char hex[DJ_SHA256_HEX_BYTES])
{
    struct dj_sha256 hash;
    dj_store_sha256_init(&hash);
    dj_store_sha256_add(&hash, bytes, length);
    dj_store_sha256_end(&hash, hex);
}
