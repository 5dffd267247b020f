#include <math.h>
#include <string.h>

#include "history/sha256.h"
#include "support.h"

Test(metrics, names_are_found_and_differ)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        enum dj_metric found;
        cr_assert(dj_metric_find(dj_metric_name((enum dj_metric)i), &found));
        cr_assert_eq((size_t)found, i, "%s is there twice",
                     dj_metric_name((enum dj_metric)i));
        cr_assert_neq(dj_metric_about((enum dj_metric)i)[0], '\0');
    }
    enum dj_metric none;
    cr_assert_not(dj_metric_find("frame_time_p95", &none));
    cr_assert_eq(dj_metric_sense(DJ_METRIC_FRAME_RATE), DJ_METRIC_MORE);
    cr_assert_eq(dj_metric_sense(DJ_METRIC_FRAME_TIME_P95), DJ_METRIC_LESS);
}

/* ns is in (2^(key/64), 2^((key+1)/64)] just where 2^key < ns^64 ≤ 2^(key+1): the bits of
 * ns^64, counted in 4096-bit arithmetic. */
static int32_t exact_key(uint64_t ns)
{
    uint32_t power[130] = {1};
    for (int times = 0; times < 64; times++) {
        uint32_t next[130] = {0};
        for (size_t i = 0; i + 2 < 130; i++) {
            uint64_t carry = 0;
            const uint64_t factor[2] = {ns & UINT32_MAX, ns >> 32};
            for (size_t half = 0; half < 2; half++) {
                uint64_t add = (uint64_t)power[i] * factor[half];
                carry = add;
                for (size_t k = i + half; carry != 0 && k < 130; k++) {
                    carry += next[k];
                    next[k] = (uint32_t)carry;
                    carry >>= 32;
                }
            }
        }
        memcpy(power, next, sizeof(power));
    }
    /* ns^64 − 1 */
    for (size_t i = 0; power[i]-- == 0; i++) {
    }
    for (size_t i = 130; i-- > 0;) {
        if (power[i] != 0) {
            return (int32_t)(32 * i) + 31 - __builtin_clz(power[i]);
        }
    }
    return -1;
}

Test(metrics, exponential_keys_are_exact)
{
    uint64_t state = 88172645463325252U;
    cr_assert_eq(dj_exponential_key(1), -1);
    cr_assert_eq(dj_exponential_key(2), 63);
    cr_assert_eq(dj_exponential_key(3), 101);
    cr_assert_eq(dj_exponential_key(0), INT32_MIN);
    cr_assert_eq(dj_exponential_key(-5), INT32_MIN);
    for (int i = 0; i < 400; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        int64_t ns = (int64_t)(state >> (1 + i % 60));
        ns = ns > 0 ? ns : 1;
        cr_assert_eq(dj_exponential_key(ns), exact_key((uint64_t)ns), "%lld",
                     (long long)ns);
        cr_assert_leq((double)ns,
                      dj_exponential_upper_ns(dj_exponential_key(ns)) * (1 + 1e-12));
    }
    for (int bit = 0; bit < 62; bit++) {
        int64_t ns = INT64_C(1) << bit;
        cr_assert_eq(dj_exponential_key(ns), 64 * bit - 1);
        cr_assert_eq(dj_exponential_key(ns + 1), exact_key((uint64_t)ns + 1));
    }
}

Test(metrics, histograms_merge_by_adding)
{
    struct dj_histogram_bucket a[] = {{1, 2}, {5, 1}, {9, UINT64_MAX}};
    struct dj_histogram_bucket b[] = {{INT32_MIN, 4}, {5, 3}, {9, 7}};
    struct dj_histogram sum = {0};
    const struct dj_histogram from_a = {a, 3};
    const struct dj_histogram from_b = {b, 3};
    cr_assert(dj_histogram_merge(&sum, &from_a));
    cr_assert(dj_histogram_merge(&sum, &from_b));
    const struct dj_histogram_bucket expected[] = {
        {INT32_MIN, 4}, {1, 2}, {5, 4}, {9, UINT64_MAX}};
    cr_assert_eq(sum.count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(sum.buckets[i].key, expected[i].key);
        cr_assert_eq(sum.buckets[i].count, expected[i].count);
    }
    dj_histogram_finish(&sum);
}

Test(sha256, answers_of_the_standard)
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
        char hex[DJ_SHA256_HEX];
        dj_sha256_init(&hash);
        for (size_t k = 0; k < cases[i].times; k++) {
            dj_sha256_add(&hash, cases[i].text, strlen(cases[i].text));
        }
        dj_sha256_end(&hash, hex);
        cr_assert_str_eq(hex, cases[i].hex);
    }
}

Test(sha256, pieces_do_not_matter)
{
    char bytes[300];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(i * 7);
    }
    for (size_t length = 0; length <= sizeof(bytes); length++) {
        char once[DJ_SHA256_HEX];
        char pieces[DJ_SHA256_HEX];
        struct dj_sha256 hash;
        dj_sha256_of(bytes, length, once);
        dj_sha256_init(&hash);
        dj_sha256_add(&hash, bytes, length / 3);
        dj_sha256_add(&hash, bytes + length / 3, length - length / 3);
        dj_sha256_end(&hash, pieces);
        cr_assert_str_eq(once, pieces);
    }
}
