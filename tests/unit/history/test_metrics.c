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

Test(metrics, guide_total_replaces_frame_times_that_no_run_knows)
{
    struct dj_metrics log, dump;
    struct dj_known_metrics known = {0};
    dj_metrics_clear(&log);
    dj_metrics_clear(&dump);
    log.value[DJ_METRIC_GUIDE_TOTAL_P95] = 17e6;
    dump.value[DJ_METRIC_GUIDE_TOTAL_P95] = 18e6;
    dump.value[DJ_METRIC_FRAME_TIME_P95] = 16e6;
    cr_expect_eq(dj_metric_choose(DJ_METRIC_FRAME_TIME_P95, &known),
                 DJ_METRIC_FRAME_TIME_P95, "nothing is known");
    dj_known_metrics_add(&known, &log);
    cr_expect_eq(dj_metric_choose(DJ_METRIC_FRAME_TIME_P95, &known),
                 DJ_METRIC_GUIDE_TOTAL_P95);
    cr_expect_eq(dj_metric_choose(DJ_METRIC_FRAME_TIME_P50, &known),
                 DJ_METRIC_FRAME_TIME_P50, "it has no substitute that is known");
    cr_expect_eq(dj_metric_choose(DJ_METRIC_FRAME_TIME_MAX, &known),
                 DJ_METRIC_FRAME_TIME_MAX);
    cr_expect_eq(dj_metric_choose(DJ_METRIC_GUIDE_TOTAL_P95, &known),
                 DJ_METRIC_GUIDE_TOTAL_P95);
    dj_known_metrics_add(&known, &dump);
    cr_expect_eq(dj_metric_choose(DJ_METRIC_FRAME_TIME_P95, &known),
                 DJ_METRIC_FRAME_TIME_P95);
}
