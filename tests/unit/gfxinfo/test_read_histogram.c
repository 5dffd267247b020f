#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_histogram, .fini = finish_reading);

Test(parse_histogram, unknown_buckets_cause_warnings)
{
    cr_assert_eq(parse("HISTOGRAM: 5ms=1 33ms=9 34ms=2 x 36ms=3\n"), 0);
    const struct dj_stats *stats = &dump.processes[0].stats.stats;
    cr_assert_eq(stats->frame_histogram[0], 1);
    cr_assert_eq(stats->frame_histogram[28], 2);
    cr_assert_eq(stats->frame_histogram[29], 3, "pairs after an invalid pair are read");
    cr_assert(warned_of("33ms"));
    cr_assert(warned_of("truncated or malformed"));
}

Test(parse_histogram, the_last_number_of_a_truncated_text_is_ignored)
{
    cr_assert_eq(parse("HISTOGRAM: 5ms=1 6ms=12"), 0);
    cr_assert_eq(dump.processes[0].stats.stats.frame_histogram[0], 1);
    cr_assert_eq(dump.processes[0].stats.stats.frame_histogram[1], 0);
    cr_assert_eq(warnings_in(&report), 1);
}

/* The labels of both histograms, repeated here so that the test does not depend on the
 * product's table. Source: ProfileData.cpp of hwui. */
enum { BUCKETS = 154, GPU = 26 };

static unsigned label_of(size_t n)
{
    return (unsigned)(n < 28   ? n + 5
                      : n < 36 ? 34 + 2 * (n - 28)
                      : n < 57 ? 53 + 4 * (n - 36)
                               : 150 + 50 * (n - 57));
}

static unsigned gpu_label_of(size_t n)
{
    return n < 25 ? (unsigned)n + 1 : 4950;
}

/* Returns a count with one to six digits. */
static unsigned count_of(size_t n)
{
    return n % 7 == 0 ? 0 : (unsigned)(n * 7919 % (n % 3 == 0 ? 10 : 1000000));
}

/* Appends both histogram lines and other lines between them. */
static void append_histograms(struct dj_text *out)
{
    dj_text_add(out, "HISTOGRAM:");
    for (size_t i = 0; i < BUCKETS; i++) {
        dj_text_format(out, " %ums=%u", label_of(i), count_of(i));
    }
    dj_text_add(out, "\n50th gpu percentile: 2ms\nGPU HISTOGRAM:");
    for (size_t i = 0; i < GPU; i++) {
        dj_text_format(out, " %ums=%u", gpu_label_of(i), count_of(i + 3));
    }
    dj_text_add(out, "\n");
}

static const struct dj_stats_block *only_block(void)
{
    cr_assert(only_process()->stats.present);
    return &only_process()->stats;
}

static size_t missing(const uint64_t *mask, size_t count)
{
    size_t missing_count = 0;
    for (size_t i = 0; i < count; i++) {
        missing_count += dj_gfxinfo_bucket_is_missing(mask, i);
    }
    return missing_count;
}

/* Fails the test unless exactly the buckets from `from` to `to` − 1 have counts. */
static void expect_buckets(size_t from, size_t to)
{
    const struct dj_stats_block *block = only_block();
    for (size_t i = 0; i < BUCKETS; i++) {
        bool there = i >= from && i < to;
        cr_assert_eq(dj_gfxinfo_bucket_is_missing(block->missing_frame, i), !there,
                     "bucket %zu", i);
        cr_assert_eq(block->stats.frame_histogram[i], there ? count_of(i) : 0,
                     "bucket %zu: %u", i, block->stats.frame_histogram[i]);
    }
}

static void expect_whole(const char *context, size_t number)
{
    const struct dj_stats_block *block = only_block();
    cr_assert_eq(missing(block->missing_frame, BUCKETS), 0, "%s %zu", context, number);
    cr_assert_eq(missing(block->missing_gpu, GPU), 0, "%s %zu", context, number);
    expect_buckets(0, BUCKETS);
    for (size_t i = 0; i < GPU; i++) {
        cr_assert_eq(block->stats.gpu_histogram[i], count_of(i + 3), "%s %zu, bucket %zu",
                     context, number, i);
    }
    cr_assert_eq(block->printed_gpu_percentile_ms[0], 2);
    cr_assert_eq(warnings_in(&report), 0, "%s %zu: %s", context, number,
                 report.warning[0].message);
}

Test(parse_histogram, every_bucket_is_read)
{
    struct dj_text text = {0};
    append_histograms(&text);
    cr_assert_eq(parse_text(&text), 0);
    expect_whole("plain", 0);
    dj_text_finish(&text);
}

Test(parse_histogram, histograms_wrapped_at_any_width_are_joined)
{
    struct dj_text text = {0};
    append_histograms(&text);
    for (size_t width = 20; width <= 200; width++) {
        for (int soft = 0; soft < 2; soft++) {
            struct dj_text wrapped = {0};
            struct dj_text lines = {0};
            /* The line "50th gpu percentile: 2ms" is short, so it is not wrapped. */
            const char *at = strstr(text.data, "50th");
            struct dj_text part = {0};
            dj_text_append(&part, text.data, (size_t)(at - text.data));
            wrap(&wrapped, &part, width, soft != 0);
            dj_text_add(&wrapped, "50th gpu percentile: 2ms\n");
            dj_text_clear(&part);
            dj_text_add(&part, strstr(at, "GPU"));
            wrap(&wrapped, &part, width, soft != 0);
            dj_text_add(&wrapped, "Total frames rendered: 12\n");
            cr_assert_eq(parse_text(&wrapped), 0);
            expect_whole(soft ? "at blanks, width" : "width", width);
            cr_assert_eq(only_block()->stats.counter[DJ_COUNTER_TOTAL], 12);
            append_with_prefix(&lines, &wrapped, "> ", "\r\n");
            cr_assert_eq(parse_text(&lines), 0);
            expect_whole("quoted, width", width);
            dj_text_finish(&part);
            dj_text_finish(&lines);
            dj_text_finish(&wrapped);
        }
    }
    dj_text_finish(&text);
}

/* If the text is truncated anywhere, each pair before that has its full count, and no
 * other pair is read. */
Test(parse_histogram, a_histogram_truncated_anywhere_has_no_wrong_count)
{
    struct dj_text text = {0};
    append_histograms(&text);
    size_t end = (size_t)(strchr(text.data, '\n') - text.data);
    for (size_t length = strlen("HISTOGRAM:"); length < end; length++) {
        cr_assert_eq(parse_bytes(text.data, length), 0);
        size_t pairs = 0;
        for (size_t i = 0; i + 1 < length; i++) {
            pairs += text.data[i] == ' ';
        }
        /* A pair is complete when the next pair has begun. */
        expect_buckets(0, pairs > 0 ? pairs - 1 : 0);
        cr_assert_eq(warnings_in(&report), 1, "truncated at %zu", length);
        cr_assert_eq(report.warning[0].line, 1);
        cr_assert_eq(report.warning[0].byte, 0);
    }
    dj_text_finish(&text);
}

/* The newline of a truncated line shows that the last number may be truncated too. */
Test(parse_histogram, a_truncated_line_among_complete_ones_is_reported)
{
    cr_assert_eq(parse("Total frames rendered: 3\nHISTOGRAM: 5ms=1 6ms=2 7m\n"
                       "50th gpu percentile: 2ms\nGPU HISTOGRAM: 1ms=7 2ms\n"
                       "View hierarchy:\n"),
                 0);
    const struct dj_stats_block *block = only_block();
    cr_assert_eq(block->stats.frame_histogram[0], 1);
    cr_assert_eq(block->stats.frame_histogram[1], 2);
    cr_assert_eq(missing(block->missing_frame, BUCKETS), BUCKETS - 2);
    cr_assert_eq(block->stats.gpu_histogram[0], 7);
    cr_assert_eq(missing(block->missing_gpu, GPU), GPU - 1);
    cr_assert_eq(block->printed_gpu_percentile_ms[0], 2);
    cr_assert_eq(warnings_in(&report), 2);
    cr_assert_eq(report.warning[0].line, 2);
    cr_assert_eq(report.warning[0].byte, 25);
    cr_assert_eq(report.warning[1].line, 4);
}

Test(parse_histogram, a_shortened_histogram_is_reported)
{
    static const char *const dots[] = {"…", "...", "[...]", "(snip)", "<...>"};
    for (size_t i = 0; i < sizeof(dots) / sizeof(dots[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text,
                       "50th percentile: 6ms\nHISTOGRAM: 5ms=1 6ms=2 %s 4900ms=3 "
                       "4950ms=4\n",
                       dots[i]);
        cr_assert_eq(parse_text(&text), 0);
        const struct dj_stats_block *block = only_block();
        cr_assert_eq(missing(block->missing_frame, BUCKETS), BUCKETS - 4, "%s: %zu",
                     dots[i], missing(block->missing_frame, BUCKETS));
        cr_assert_eq(block->stats.frame_histogram[0], 1);
        cr_assert_eq(block->stats.frame_histogram[1], 2);
        cr_assert_eq(block->stats.frame_histogram[BUCKETS - 2], 3);
        cr_assert_eq(block->stats.frame_histogram[BUCKETS - 1], 4);
        cr_assert_eq(block->printed_percentile_ms[0], 6, "the count is the printed one");
        cr_assert_eq(warnings_in(&report), 1);
        cr_assert(warned_of("4 of 154 buckets"));
        dj_text_finish(&text);
    }
}

Test(parse_histogram, a_histogram_with_dots_at_its_end_is_reported)
{
    static const char *const texts[] = {"HISTOGRAM: 5ms=1 6ms=2 …\n",
                                        "HISTOGRAM: 5ms=1 6ms=2...\n",
                                        "HISTOGRAM: 5ms=1 6ms=2 …\nmore\n"};
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(parse(texts[i]), 0);
        cr_assert_eq(only_block()->stats.frame_histogram[0], 1);
        cr_assert_eq(missing(only_block()->missing_frame, BUCKETS),
                     BUCKETS - (i == 1 ? 1 : 2), "\"%s\"", texts[i]);
        cr_assert_eq(warnings_in(&report), 1);
    }
}

/* A line that omits buckets with 0 is not an error. */
Test(parse_histogram, omitted_buckets_are_missing)
{
    cr_assert_eq(parse("HISTOGRAM: 5ms=1 8ms=2 53ms=3 150ms=4\nGPU HISTOGRAM: 3ms=5\n"),
                 0);
    const struct dj_stats_block *block = only_block();
    cr_assert_eq(block->stats.frame_histogram[0], 1);
    cr_assert_eq(block->stats.frame_histogram[3], 2);
    cr_assert_eq(block->stats.frame_histogram[36], 3);
    cr_assert_eq(block->stats.frame_histogram[57], 4);
    cr_assert_eq(missing(block->missing_frame, BUCKETS), BUCKETS - 4);
    cr_assert_eq(missing(block->missing_gpu, GPU), GPU - 1);
    cr_assert_eq(warnings_in(&report), 0);
}

Test(parse_histogram, the_last_of_repeated_labels_is_used)
{
    cr_assert_eq(parse("HISTOGRAM: 5ms=1 6ms=2 5ms=3\n"), 0);
    cr_assert_eq(only_block()->stats.frame_histogram[0], 3, "the last value is used");
    cr_assert_eq(missing(only_block()->missing_frame, BUCKETS), BUCKETS - 2);
}

Test(parse_histogram, unknown_labels_are_ignored)
{
    static const unsigned wrong[] = {0,   4,   33,  35,   49,   50,        54,
                                     134, 149, 151, 4951, 5000, 4294967295};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "HISTOGRAM: 5ms=1 %ums=9 6ms=2\n", wrong[i]);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(missing(only_block()->missing_frame, BUCKETS), BUCKETS - 2, "%u",
                     wrong[i]);
        cr_assert_eq(only_block()->stats.frame_histogram[1], 2);
        cr_assert_eq(warnings_in(&report), 1);
        cr_assert(warned_of("which no known release has"));
        dj_text_finish(&text);
    }
    cr_assert_eq(parse("GPU HISTOGRAM: 1ms=1 26ms=2 0ms=3 4949ms=4\n"), 0);
    cr_assert_eq(missing(only_block()->missing_gpu, GPU), GPU - 1);
    cr_assert_eq(warnings_in(&report), 3);
}

Test(parse_histogram, invalid_pairs_are_ignored)
{
    static const char *const texts[] = {
        "HISTOGRAM:\n",
        "HISTOGRAM: 5ms\n",
        "HISTOGRAM: 5ms=\n",
        "HISTOGRAM: 5=1\n",
        "HISTOGRAM: ms=1\n",
        "HISTOGRAM: 5ms=-1\n",
        "HISTOGRAM: 5ms=4294967296\n",
        "HISTOGRAM: 5 ms=1\n",
        "HISTOGRAM: 99999999999ms=1\n",
        "HISTOGRAM: nothing\n",
        "HISTOGRAM: 5ms=1.5\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_assert_eq(parse(texts[i]), 0);
        cr_assert_eq(missing(only_block()->missing_frame, BUCKETS), BUCKETS, "%s",
                     texts[i]);
        cr_assert_eq(warnings_in(&report), 1, "%s", texts[i]);
        cr_assert(warned_of("0 of 154 buckets"), "%s", report.warning[0].message);
    }
}

/* Numbers after a complete histogram are not a part of it. */
Test(parse_histogram, numbers_after_a_complete_histogram_are_ignored)
{
    struct dj_text text = {0};
    append_histograms(&text);
    dj_text_add(&text, "3\n12 13\n");
    cr_assert_eq(parse_text(&text), 0);
    expect_whole("numbers below", 0);
    dj_text_finish(&text);
}

Test(parse_histogram, endless_digits_are_limited)
{
    struct dj_text text = {0};
    dj_text_add(&text, "HISTOGRAM: 5ms=1 6ms=2\n");
    for (size_t i = 0; i < 100000; i++) {
        dj_text_add(&text, "0000000000\n");
    }
    dj_text_add(&text, "Total frames rendered: 3\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(only_block()->stats.frame_histogram[0], 1);
    cr_assert_eq(only_block()->stats.counter[DJ_COUNTER_TOTAL], 3);
    dj_text_finish(&text);
}

/* Histograms of a window, a process and a graphicsstats entry belong to different
 * blocks. */
Test(parse_histogram, a_histogram_belongs_to_its_own_block)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nHISTOGRAM: 5ms=1 6ms=2\n"
                       "\ta/a (visibility=0)\nWindow: a\nHISTOGRAM: 5ms=3\n"
                       "Package: com.x\nVersion: 1\nStats since: 5ns\nHISTOGRAM: 5ms=4\n"
                       "7ms=9\n"),
                 0);
    cr_assert_eq(only_block()->stats.frame_histogram[0], 1);
    cr_assert_eq(only_window()->stats.stats.frame_histogram[0], 3);
    cr_assert_eq(dump.graphicsstats_count, 1);
    const struct dj_stats_block *block = &dump.graphicsstats[0].stats;
    cr_assert_eq(block->stats.frame_histogram[0], 4);
    cr_assert_eq(missing(block->missing_frame, BUCKETS), BUCKETS - 2);
}
