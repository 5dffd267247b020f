#include "base/hash.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Test vectors from the authors of FNV (draft-eastlake-fnv). */
Test(hash, fnv_matches_the_published_vectors)
{
    cr_expect_eq(dj_hash_fnv(DJ_HASH_FNV, "", 0), UINT64_C(0xcbf29ce484222325));
    cr_expect_eq(dj_hash_fnv(DJ_HASH_FNV, "a", 1), UINT64_C(0xaf63dc4c8601ec8c));
    cr_expect_eq(dj_hash_fnv(DJ_HASH_FNV, "foobar", 6), UINT64_C(0x85944171f73967e8));
    uint64_t half = dj_hash_fnv(DJ_HASH_FNV, "foo", 3);
    cr_expect_eq(dj_hash_fnv(half, "bar", 3), UINT64_C(0x85944171f73967e8));
}

/* For bytes of each length: changing any byte or the length changes the hash. Bytes
 * before and after do not affect the hash. */
Test(hash, each_byte_and_the_length_change_the_hash)
{
    enum { MOST = 40 };
    char room[MOST + 16];
    for (size_t length = 0; length <= MOST; length++) {
        for (size_t i = 0; i < sizeof(room); i++) {
            room[i] = (char)(i * 37);
        }
        uint64_t hash = dj_hash_bytes(room + 3, length);
        char *alone = malloc(length + (length == 0));
        memcpy(alone, room + 3, length);
        cr_expect_eq(dj_hash_bytes(alone, length), hash, "%zu", length);
        cr_expect_neq(dj_hash_bytes(room + 3, length + 1), hash, "%zu", length);
        for (size_t i = 0; i < length; i++) {
            alone[i] ^= 1;
            cr_expect_neq(dj_hash_bytes(alone, length), hash, "%zu of %zu", i, length);
            alone[i] ^= 1;
        }
        free(alone);
    }
}
