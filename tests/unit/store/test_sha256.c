#include "store/sha256.h"

#include <criterion/criterion.h>
#include <string.h>

Test(sha256, vectors_of_the_standard_have_their_hashes)
{
    static const struct {
        const char *text;
        size_t times;
        const char *hex;
    } cases[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000,
         "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_sha256 hash;
        char hex[DJ_SHA256_HEX_BYTES];
        dj_store_sha256_init(&hash);
        for (size_t k = 0; k < cases[i].times; k++) {
            dj_store_sha256_add(&hash, cases[i].text, strlen(cases[i].text));
        }
        dj_store_sha256_end(&hash, hex);
        cr_assert_str_eq(hex, cases[i].hex);
    }
}

Test(sha256, split_input_gives_the_same_hash)
{
    char bytes[300];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(i * 7);
    }
    for (size_t length = 0; length <= sizeof(bytes); length++) {
        char once[DJ_SHA256_HEX_BYTES];
        char pieces[DJ_SHA256_HEX_BYTES];
        struct dj_sha256 hash;
        dj_store_sha256_of_bytes(bytes, length, once);
        dj_store_sha256_init(&hash);
        dj_store_sha256_add(&hash, bytes, length / 3);
        dj_store_sha256_add(&hash, bytes + length / 3, length - length / 3);
        dj_store_sha256_end(&hash, pieces);
        cr_assert_str_eq(once, pieces);
    }
}
