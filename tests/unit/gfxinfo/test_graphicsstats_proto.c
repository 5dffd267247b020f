#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "frame/histogram.h"
#include "gfxinfo/graphicsstats_proto.h"
#include "gfxinfo/lines.h"

static void append_varint(struct dj_text *text, uint64_t value)
{
    while (value >= 0x80) {
        char byte = (char)(value | 0x80);
        dj_text_append(text, &byte, 1);
        value >>= 7;
    }
    char last = (char)value;
    dj_text_append(text, &last, 1);
}

static void append_number(struct dj_text *text, unsigned field, int64_t value)
{
    append_varint(text, field << 3);
    append_varint(text, (uint64_t)value);
}

static void append_bytes(struct dj_text *text, unsigned field, const char *bytes,
                         size_t length)
{
    append_varint(text, field << 3 | 2);
    append_varint(text, length);
    dj_text_append(text, bytes, length);
}

static void append_message(struct dj_text *text, unsigned field, struct dj_text *message)
{
    append_bytes(text, field, dj_text_get(message), message->length);
    dj_text_finish(message);
}

static void append_bucket(struct dj_text *entry, unsigned field, uint32_t label_ms,
                          uint32_t count)
{
    struct dj_text bucket = {0};
    append_number(&bucket, 1, label_ms);
    append_number(&bucket, 2, count);
    append_message(entry, field, &bucket);
}

static uint32_t frames_of(size_t bucket)
{
    return bucket % 7 == 0 ? (uint32_t)(200 - bucket) : 0;
}

enum release { RELEASE_8, RELEASE_11, RELEASE_15 };

static uint32_t total_frames(void)
{
    uint32_t total = 0;
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        total += frames_of(i);
    }
    return total;
}

static void append_summary(struct dj_text *entry, enum release release)
{
    struct dj_text summary = {0};
    append_number(&summary, 1, total_frames());
    for (unsigned field = 2; field <= (release >= RELEASE_11 ? 8 : 7); field++) {
        append_number(&summary, field, 10 * field);
    }
    append_message(entry, 5, &summary);
}

static void append_entry(struct dj_text *entry, const char *package, enum release release)
{
    append_bytes(entry, 1, package, strlen(package));
    append_number(entry, 2, 7041500);
    append_number(entry, 3, 1700000000000);
    append_number(entry, 4, 1700000360000);
    append_summary(entry, release);
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        append_bucket(entry, 6, dj_frame_bucket_label_ms(i), frames_of(i));
    }
    for (size_t i = 0; release >= RELEASE_11 && i < DJ_GPU_BUCKETS; i++) {
        append_bucket(entry, 7, dj_frame_gpu_bucket_label_ms(i), (uint32_t)i);
    }
    if (release >= RELEASE_11) {
        append_number(entry, 8, 1);
    }
    if (release >= RELEASE_15) {
        append_number(entry, 9, 10123);
    }
}

static void append_stats(struct dj_text *dump, const char *package, enum release release)
{
    struct dj_text entry = {0};
    append_entry(&entry, package, release);
    append_message(dump, 1, &entry);
}

struct answer {
    int code;
    struct dj_dump dump;
    struct dj_parse_report report;
    struct dj_error err;
};

typedef int parse_bytes(const char *bytes, size_t length, struct dj_dump *dump,
                        struct dj_parse_report *report, struct dj_error *err);

/* Parses a buffer of exactly this size, so that ASan detects a read after its end. */
static struct answer *read_by(parse_bytes *parse, const char *bytes, size_t length)
{
    struct answer *answer = calloc(1, sizeof(*answer));
    char *copy = malloc(length > 0 ? length : 1);
    cr_assert(answer != NULL && copy != NULL);
    memcpy(copy, bytes, length);
    answer->code = parse(copy, length, &answer->dump, &answer->report, &answer->err);
    free(copy);
    return answer;
}

static struct answer *read_dump(const struct dj_text *text)
{
    return read_by(dj_gfxinfo_parse_graphicsstats_dump, dj_text_get(text), text->length);
}

static void finish(struct answer *answer)
{
    dj_gfxinfo_dump_finish(&answer->dump);
    free(answer);
}

static uint32_t bit_of(const char *prefix)
{
    return UINT32_C(1) << dj_lines_find(prefix, strlen(prefix));
}

static bool warned(const struct answer *answer, const char *words)
{
    for (size_t i = 0; i < answer->report.warning_count && i < DJ_PARSE_WARNINGS; i++) {
        cr_assert_eq(answer->report.warning[i].line, 0);
        if (strstr(answer->report.warning[i].message, words) != NULL) {
            return true;
        }
    }
    return false;
}

Test(graphicsstats_proto, all_fields_of_15_are_read)
{
    struct dj_text dump = {0};
    append_stats(&dump, "com.example.app", RELEASE_15);
    struct answer *answer = read_dump(&dump);
    cr_assert_eq(answer->code, 0, "%s", answer->err.message);
    cr_assert_eq(answer->report.warning_count, 0, "%s",
                 answer->report.warning[0].message);
    cr_assert(answer->report.seen);
    cr_assert_eq(answer->report.bytes, dump.length);
    cr_assert_eq(answer->dump.graphicsstats_count, 1);
    const struct dj_graphicsstats *entry = &answer->dump.graphicsstats[0];
    cr_assert_str_eq(entry->package, "com.example.app");
    cr_assert_eq(entry->version, 7041500);
    cr_assert_eq(entry->uid, 10123);
    cr_assert_eq(entry->start_ms, 1700000000000);
    cr_assert_eq(entry->end_ms, 1700000360000);
    cr_assert(entry->stats.present);
    const uint32_t *counter = entry->stats.stats.counter;
    cr_assert_eq(counter[DJ_COUNTER_TOTAL], total_frames());
    cr_assert_eq(counter[DJ_COUNTER_JANKY], 20);
    cr_assert_eq(counter[DJ_COUNTER_MISSED_VSYNC], 30);
    cr_assert_eq(counter[DJ_COUNTER_HIGH_INPUT_LATENCY], 40);
    cr_assert_eq(counter[DJ_COUNTER_SLOW_UI_THREAD], 50);
    cr_assert_eq(counter[DJ_COUNTER_SLOW_BITMAP_UPLOADS], 60);
    cr_assert_eq(counter[DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS], 70);
    cr_assert_eq(counter[DJ_COUNTER_DEADLINE_MISSED], 80);
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        cr_assert_eq(entry->stats.stats.frame_histogram[i], frames_of(i));
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        cr_assert_eq(entry->stats.stats.gpu_histogram[i], i);
    }
    finish(answer);
    dj_text_finish(&dump);
}

/* Appends the text that hwui prints for the same entry. */
static void append_text(struct dj_text *text, const struct dj_stats *stats)
{
    dj_text_add(text, "Package: com.example.app\nVersion: 7041500\n"
                      "Stats since: 1700000000000ns\nStats end: 1700000360000ns\n");
    dj_text_format(text, "Total frames rendered: %u\nJanky frames: 20 (%.2f%%)\n",
                   total_frames(), 20.0F / (float)total_frames() * 100.0F);
    for (size_t i = 0; i < DJ_PERCENTILE_COUNT; i++) {
        dj_text_format(text, "%uth percentile: %ums\n", dj_gfxinfo_percentiles[i],
                       dj_frame_stats_percentile_ms(stats, dj_gfxinfo_percentiles[i]));
    }
    dj_text_add(text, "Number Missed Vsync: 30\nNumber High input latency: 40\n"
                      "Number Slow UI thread: 50\nNumber Slow bitmap uploads: 60\n"
                      "Number Slow issue draw commands: 70\n"
                      "Number Frame deadline missed: 80\nHISTOGRAM:");
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        dj_text_format(text, " %ums=%u", dj_frame_bucket_label_ms(i), frames_of(i));
    }
    for (size_t i = 0; i < DJ_PERCENTILE_COUNT; i++) {
        dj_text_format(
            text, "\n%uth gpu percentile: %ums", dj_gfxinfo_percentiles[i],
            dj_frame_stats_gpu_percentile_ms(stats, dj_gfxinfo_percentiles[i]));
    }
    dj_text_add(text, "\nGPU HISTOGRAM:");
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        dj_text_format(text, " %ums=%zu", dj_frame_gpu_bucket_label_ms(i), i);
    }
    dj_text_add(text, "\n");
}

Test(graphicsstats_proto, the_binary_form_equals_the_text_form)
{
    struct dj_text dump = {0};
    struct dj_text text = {0};
    append_stats(&dump, "com.example.app", RELEASE_11);
    struct answer *binary = read_dump(&dump);
    cr_assert_eq(binary->code, 0);
    const struct dj_graphicsstats *one = &binary->dump.graphicsstats[0];
    append_text(&text, &one->stats.stats);
    struct answer *printed =
        read_by(dj_gfxinfo_parse_dump, dj_text_get(&text), text.length);
    cr_assert_eq(printed->code, 0, "%s", printed->err.message);
    cr_assert_eq(printed->dump.graphicsstats_count, 1);
    const struct dj_graphicsstats *other = &printed->dump.graphicsstats[0];
    cr_assert_str_eq(one->package, other->package);
    cr_assert_eq(one->version, other->version);
    cr_assert_eq(one->uid, other->uid);
    cr_assert_eq(one->start_ms, other->start_ms);
    cr_assert_eq(one->end_ms, other->end_ms);
    /* The block also has the line "Stats since:" of the text. */
    cr_assert_eq(one->stats.lines, other->stats.lines);
    cr_assert_arr_eq(one->stats.stats.counter, other->stats.stats.counter,
                     sizeof(one->stats.stats.counter));
    cr_assert_arr_eq(one->stats.printed_percentile_ms, other->stats.printed_percentile_ms,
                     sizeof(one->stats.printed_percentile_ms));
    cr_assert_arr_eq(one->stats.printed_gpu_percentile_ms,
                     other->stats.printed_gpu_percentile_ms,
                     sizeof(one->stats.printed_gpu_percentile_ms));
    cr_assert_lt(fabs(one->stats.printed_janky_pct - other->stats.printed_janky_pct),
                 0.006);
    finish(binary);
    finish(printed);
    dj_text_finish(&dump);
    dj_text_finish(&text);
}

Test(graphicsstats_proto, fields_missing_in_8_set_no_line)
{
    struct dj_text dump = {0};
    append_stats(&dump, "com.example.app", RELEASE_8);
    struct answer *answer = read_dump(&dump);
    cr_assert_eq(answer->code, 0);
    const struct dj_graphicsstats *entry = &answer->dump.graphicsstats[0];
    cr_assert_eq(entry->uid, -1);
    cr_assert_eq(entry->stats.lines & bit_of("Number Frame deadline missed:"), 0);
    cr_assert_eq(entry->stats.lines & dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_HISTOGRAM), 0);
    cr_assert_eq(entry->stats.lines & dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_PERCENTILE),
                 0);
    cr_assert_neq(entry->stats.lines & bit_of("Number Slow issue draw commands:"), 0);
    cr_assert_neq(entry->stats.lines & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM), 0);
    finish(answer);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, entries_keep_their_order)
{
    struct dj_text dump = {0};
    append_stats(&dump, "a.b", RELEASE_8);
    append_stats(&dump, "c.d", RELEASE_11);
    append_stats(&dump, "e.f", RELEASE_15);
    struct answer *answer = read_dump(&dump);
    cr_assert_eq(answer->dump.graphicsstats_count, 3);
    cr_assert_str_eq(answer->dump.graphicsstats[0].package, "a.b");
    cr_assert_str_eq(answer->dump.graphicsstats[1].package, "c.d");
    cr_assert_str_eq(answer->dump.graphicsstats[2].package, "e.f");
    finish(answer);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, an_entry_without_frames_has_hwuis_percentiles)
{
    struct dj_text entry = {0};
    struct dj_text summary = {0};
    struct dj_text dump = {0};
    append_bytes(&entry, 1, "a.b", 3);
    append_number(&summary, 1, 0);
    append_number(&summary, 2, 0);
    append_message(&entry, 5, &summary);
    append_bucket(&entry, 6, 5, 0);
    append_message(&dump, 1, &entry);
    struct answer *answer = read_dump(&dump);
    const struct dj_stats_block *block = &answer->dump.graphicsstats[0].stats;
    cr_assert(isnan(block->printed_janky_pct));
    cr_assert_eq(block->printed_percentile_ms[0], 4950);
    cr_assert_eq(answer->dump.graphicsstats[0].version, -1);
    cr_assert_eq(answer->dump.graphicsstats[0].start_ms, -1);
    finish(answer);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, truncation_keeps_earlier_entries)
{
    struct dj_text dump = {0};
    append_stats(&dump, "com.first", RELEASE_11);
    size_t first = dump.length;
    append_stats(&dump, "com.second", RELEASE_15);
    struct dj_text counters = {0}; /* The entry up to the end of the counters. */
    append_bytes(&counters, 1, "com.second", 10);
    append_number(&counters, 2, 7041500);
    append_number(&counters, 3, 1700000000000);
    append_number(&counters, 4, 1700000360000);
    append_summary(&counters, RELEASE_15);
    /* The entry's tag and its length take three bytes. */
    size_t counted = first + 3 + counters.length;
    for (size_t cut = 0; cut < dump.length; cut++) {
        struct answer *answer =
            read_by(dj_gfxinfo_parse_graphicsstats_dump, dj_text_get(&dump), cut);
        size_t expected = (cut >= first) + (cut >= counted);
        /* The counters of the first entry end at the same distance after its start. */
        if (cut < first) {
            expected = cut >= counted - first - 1;
        }
        cr_assert_eq(answer->dump.graphicsstats_count, expected, "truncated at %zu: %zu",
                     cut, answer->dump.graphicsstats_count);
        cr_assert_eq(answer->code, expected > 0 ? 0 : DJ_E_NO_DATA);
        bool clean = cut == 0 || cut == first;
        cr_assert_eq(answer->report.warning_count == 0, clean, "truncated at %zu", cut);
        for (size_t i = 0; i < answer->report.warning_count; i++) {
            cr_assert_leq(answer->report.warning[i].byte, cut);
        }
        if (expected > 0 && !clean) {
            const struct dj_stats_block *last =
                &answer->dump.graphicsstats[expected - 1].stats;
            bool whole = expected == 1 && cut >= first;
            cr_assert_eq((last->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM)) != 0,
                         whole);
            cr_assert_eq(last->stats.frame_histogram[0] != 0, whole);
            cr_assert_eq(last->stats.counter[DJ_COUNTER_TOTAL], total_frames());
        }
        finish(answer);
    }
    dj_text_finish(&dump);
    dj_text_finish(&counters);
}

Test(graphicsstats_proto, truncation_is_reported_with_its_byte)
{
    struct dj_text dump = {0};
    append_stats(&dump, "com.first", RELEASE_11);
    struct answer *answer =
        read_by(dj_gfxinfo_parse_graphicsstats_dump, dj_text_get(&dump), 1000);
    cr_assert_eq(answer->report.warning_count, 1);
    cr_assert_eq(answer->report.warning[0].byte, 1000);
    cr_assert(warned(answer, "truncated"));
    finish(answer);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, damage_affects_only_one_entry)
{
    struct dj_text bad = {0};
    struct dj_text dump = {0};
    append_bytes(&bad, 1, "com.bad", 7);
    /* The length of the counters is greater than that of the entry. */
    dj_text_append(&bad, "\x2a\x7f\x08", 3);
    append_message(&dump, 1, &bad);
    append_stats(&dump, "com.good", RELEASE_11);
    struct answer *answer = read_dump(&dump);
    cr_assert_eq(answer->code, 0);
    cr_assert_eq(answer->dump.graphicsstats_count, 1);
    cr_assert_str_eq(answer->dump.graphicsstats[0].package, "com.good");
    cr_assert(warned(answer, "damaged"));
    cr_assert_eq(answer->report.warning[0].byte, 2 + 9);
    finish(answer);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, unknown_fields_are_ignored_and_counted)
{
    struct dj_text entry = {0};
    struct dj_text dump = {0};
    append_entry(&entry, "com.example.app", RELEASE_15);
    size_t at = entry.length + 3;
    append_number(&entry, 10, 5);
    append_bytes(&entry, 11, "new", 3);
    dj_text_append(&entry, "\x65\1\2\3\4", 5);          /* Field 12, four bytes. */
    dj_text_append(&entry, "\x69\1\2\3\4\5\6\7\10", 9); /* Field 13, eight bytes. */
    append_number(&entry, 1, 3); /* The package name is a number. */
    append_message(&dump, 1, &entry);
    append_number(&dump, 2, 1);
    struct answer *answer = read_dump(&dump);
    cr_assert_eq(answer->code, 0);
    cr_assert_eq(answer->report.warning_count, 1);
    cr_assert(warned(answer, "6 fields"), "%s", answer->report.warning[0].message);
    cr_assert(warned(answer, "number 10"));
    cr_assert_eq(answer->report.warning[0].byte, at);
    cr_assert_str_eq(answer->dump.graphicsstats[0].package, "com.example.app");
    finish(answer);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, invalid_buckets_and_counts_are_ignored)
{
    struct dj_text entry = {0};
    struct dj_text summary = {0};
    struct dj_text dump = {0};
    append_bytes(&entry, 1, "a.b", 3);
    append_number(&summary, 1, 12);
    append_number(&summary, 2, -1);
    append_number(&summary, 3, INT64_C(1) << 40);
    append_message(&entry, 5, &summary);
    append_bucket(&entry, 6, 33, 4);
    append_bucket(&entry, 6, 34, 5);
    append_bucket(&entry, 6, UINT32_MAX, 5);
    append_bucket(&entry, 7, 4950, 6);
    append_message(&dump, 1, &entry);
    struct answer *answer = read_dump(&dump);
    const struct dj_stats_block *block = &answer->dump.graphicsstats[0].stats;
    cr_assert_eq(answer->report.warning_count, 4);
    cr_assert(warned(answer, "33ms"));
    cr_assert(warned(answer, "4294967295"));
    cr_assert(warned(answer, "-1"));
    cr_assert_eq(block->lines & bit_of("Janky frames:"), 0);
    cr_assert_eq(block->lines & bit_of("Number Missed Vsync:"), 0);
    cr_assert_eq(block->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_PERCENTILE), 0);
    cr_assert_neq(block->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_PERCENTILE), 0);
    cr_assert_eq(block->stats.frame_histogram[28], 5);
    cr_assert_eq(block->stats.gpu_histogram[DJ_GPU_BUCKETS - 1], 6);
    finish(answer);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, entries_that_hwui_ignores_are_ignored)
{
    struct dj_text dump = {0};
    struct dj_text nameless = {0};
    struct dj_text uncounted = {0};
    append_summary(&nameless, RELEASE_8);
    append_bytes(&uncounted, 1, "a.b", 3);
    append_message(&dump, 1, &nameless);
    append_message(&dump, 1, &uncounted);
    struct answer *answer = read_dump(&dump);
    cr_assert_eq(answer->code, DJ_E_NO_DATA);
    cr_assert(!answer->report.seen);
    cr_assert(warned(answer, "without a package"));
    cr_assert(warned(answer, "without counters"));
    cr_assert(strstr(answer->err.message, "no graphicsstats entry") != NULL);
    finish(answer);
    dj_text_finish(&dump);
}

struct hostile {
    const char *bytes;
    size_t length;
    const char *words;
};

#define BYTES(literal) literal, sizeof(literal) - 1

Test(graphicsstats_proto, hostile_bytes_cause_warnings)
{
    static const struct hostile cases[] = {
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "damaged"},
        {BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "truncated"},
        {BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "damaged"},
        {BYTES("\x00\x01"), "damaged"},     /* Field 0. */
        {BYTES("\x0b\x01\x0c"), "damaged"}, /* A group. */
        {BYTES("\x0a\x02\x2a\x05"),
         "damaged"}, /* The field is longer than the message that contains it. */
        {BYTES("\x0a\x03\x32\x01\x08"), "damaged"}, /* A truncated bucket. */
        {BYTES("\x0a"), "truncated"},
        {BYTES("\x0d\x01\x02"), "truncated"},
        {BYTES("\x09\x01\x02\x03\x04\x05\x06\x07"), "truncated"},
        {BYTES("\x80"), "truncated"},
        /* A field number above 2^29. */
        {BYTES("\xf8\xff\xff\xff\xff\x0f\x01"), "damaged"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct answer *answer =
            read_by(dj_gfxinfo_parse_graphicsstats_dump, cases[i].bytes, cases[i].length);
        cr_assert_eq(answer->code, DJ_E_NO_DATA, "case %zu", i);
        cr_assert(warned(answer, cases[i].words), "case %zu: %s", i,
                  answer->report.warning[0].message);
        finish(answer);
    }
}

Test(graphicsstats_proto, the_number_of_entries_is_limited)
{
    struct dj_text one = {0};
    struct dj_text dump = {0};
    struct dj_text empty = {0};
    append_bytes(&one, 1, "a", 1);
    append_message(&one, 5, &empty);
    for (size_t i = 0; i < DJ_GRAPHICSSTATS_MOST + 10; i++) {
        append_bytes(&dump, 1, dj_text_get(&one), one.length);
    }
    struct answer *answer = read_dump(&dump);
    cr_assert_eq(answer->dump.graphicsstats_count, DJ_GRAPHICSSTATS_MOST);
    cr_assert_eq(answer->report.warning_count, 1);
    cr_assert(warned(answer, "more than 65536"));
    finish(answer);
    dj_text_finish(&one);
    dj_text_finish(&dump);
}

Test(graphicsstats_proto, empty_input_is_no_data)
{
    static struct dj_parse_report report;
    struct dj_dump dump;
    struct dj_error err = {0};
    cr_assert_eq(dj_gfxinfo_parse_graphicsstats_dump("", 0, &dump, &report, &err),
                 DJ_E_NO_DATA);
    dj_gfxinfo_dump_finish(&dump);
    cr_assert_eq(dj_gfxinfo_parse_graphicsstats_file("", 0, &dump, &report, NULL),
                 DJ_E_TRUNCATED);
    dj_gfxinfo_dump_finish(&dump);
}

static void append_file(struct dj_text *file, enum release release)
{
    dj_text_append(file, "\1\0\0\0", 4);
    append_entry(file, "com.stored", release);
}

Test(graphicsstats_proto, a_stored_file_is_read)
{
    struct dj_text file = {0};
    append_file(&file, RELEASE_11);
    struct answer *answer =
        read_by(dj_gfxinfo_parse_graphicsstats_file, dj_text_get(&file), file.length);
    cr_assert_eq(answer->code, 0);
    cr_assert_eq(answer->report.warning_count, 0);
    cr_assert_eq(answer->dump.graphicsstats_count, 1);
    cr_assert_str_eq(answer->dump.graphicsstats[0].package, "com.stored");
    cr_assert_neq(answer->dump.graphicsstats[0].stats.lines &
                      dj_gfxinfo_lines_of_kind(DJ_LINE_PERCENTILE),
                  0);
    finish(answer);
    dj_text_finish(&file);
}

Test(graphicsstats_proto, truncation_of_a_stored_file_is_reported)
{
    struct dj_text file = {0};
    struct dj_text old = {0};
    append_file(&file, RELEASE_11);
    append_file(&old, RELEASE_8);
    struct dj_text summaries[2] = {{0}, {0}};
    append_summary(&summaries[0], RELEASE_11);
    append_summary(&summaries[1], RELEASE_8);
    size_t whole_of_8 = old.length + summaries[0].length - summaries[1].length;
    size_t kind_of_pipeline = 2;
    for (size_t cut = 0; cut < file.length; cut++) {
        struct answer *answer =
            read_by(dj_gfxinfo_parse_graphicsstats_file, dj_text_get(&file), cut);
        if (cut < 4) {
            cr_assert_eq(answer->code, DJ_E_TRUNCATED);
            cr_assert_eq(answer->err.offset, (long long)cut);
        } else {
            bool silent = cut == whole_of_8 || cut == file.length - kind_of_pipeline;
            cr_assert_eq(answer->report.warning_count == 0, silent, "truncated at %zu",
                         cut);
        }
        finish(answer);
    }
    dj_text_finish(&file);
    dj_text_finish(&old);
    dj_text_finish(&summaries[0]);
    dj_text_finish(&summaries[1]);
}

Test(graphicsstats_proto, a_stored_file_of_another_version_is_refused)
{
    struct answer *answer =
        read_by(dj_gfxinfo_parse_graphicsstats_file, "\2\0\0\0\x0a\1a", 7);
    cr_assert_eq(answer->code, DJ_E_VERSION);
    cr_assert_eq(answer->dump.graphicsstats_count, 0);
    finish(answer);
}

Test(graphicsstats_proto, the_binary_form_is_detected_by_its_first_bytes)
{
    struct dj_text dump = {0};
    struct dj_text file = {0};
    append_stats(&dump, "com.example.app", RELEASE_15);
    append_file(&file, RELEASE_8);
    for (size_t length = 64; length <= dump.length; length += 97) {
        cr_assert(dj_gfxinfo_is_graphicsstats_dump(dj_text_get(&dump), length), "%zu",
                  length);
    }
    cr_assert(dj_gfxinfo_is_graphicsstats_dump(dj_text_get(&dump), dump.length));
    cr_assert(dj_gfxinfo_is_graphicsstats_file(dj_text_get(&file), 64));
    cr_assert(!dj_gfxinfo_is_graphicsstats_file(dj_text_get(&dump), dump.length));
    cr_assert(!dj_gfxinfo_is_graphicsstats_dump(dj_text_get(&file), file.length));
    dj_text_finish(&dump);
    dj_text_finish(&file);
}

Test(graphicsstats_proto, text_is_not_detected_as_binary)
{
    static const struct hostile texts[] = {
        {BYTES(""), ""},
        {BYTES("\n"), ""},
        {BYTES("\n\n\n\n\n\n\n\n\n\n\n\n"), ""},
        {BYTES("\n-\n+com.example.application.of.several.words.so"), ""},
        {BYTES("\n-\n+com.example.application.of.several.words.so\n\0\0\0"), ""},
        {BYTES("\nApplications Graphics Acceleration Info:\nUptime: 1 Realtime: 2\n"),
         ""},
        {BYTES("\n** Graphics info for pid 1 [a.b] **\n\0\1\2\3"), ""},
        {BYTES("\n\x1b[1m com.example \x1b[0m\n"), ""},
        {BYTES("\1\0\0\0"), ""},
        {BYTES("\0\0\0\0\0\0\0\0\0\0"), ""},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_assert(!dj_gfxinfo_is_graphicsstats_dump(texts[i].bytes, texts[i].length),
                  "%zu", i);
        cr_assert(!dj_gfxinfo_is_graphicsstats_file(texts[i].bytes, texts[i].length),
                  "%zu", i);
    }
}

/* Tests a newline with each pair of a length byte and a letter before a dump. */
Test(graphicsstats_proto, lines_of_text_are_not_detected_as_binary)
{
    char text[256];
    for (int second = '\t'; second < 127; second++) {
        for (int third = '\t'; third < 127; third++) {
            memset(text, 'a', sizeof(text));
            text[0] = '\n';
            text[1] = (char)second;
            text[2] = (char)third;
            cr_assert(!dj_gfxinfo_is_graphicsstats_dump(text, sizeof(text)), "%d %d",
                      second, third);
        }
    }
}
