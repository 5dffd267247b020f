/* Tests the state file. Written text must be read back, and any other text must be an
 * error. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "dumpsys/days.h"

static struct dj_days days, back;
static struct dj_text text;
static struct dj_error err;
static uint64_t random_state;

static void finish(void)
{
    dj_days_finish(&days);
    dj_days_finish(&back);
    dj_text_finish(&text);
}

TestSuite(days_text, .fini = finish);

static uint64_t get_random(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717);
}

static void make_name(char *name, size_t size)
{
    size_t length = get_random() % size;
    for (size_t i = 0; i < length; i++) {
        name[i] = (char)(1 + get_random() % 255);
    }
    name[length] = '\0';
}

static void add_random_entry(void)
{
    struct dj_days_entry *entry = dj_days_append(&days, &err);
    cr_assert_not_null(entry);
    make_name(entry->package, sizeof(entry->package));
    make_name(entry->version, sizeof(entry->version));
    entry->uid = (unsigned)get_random();
    entry->dialect = dj_frame_dialect_at(get_random() % 10);
    entry->day = (int64_t)(get_random() >> 40);
    entry->start_ms = (int64_t)get_random();
    entry->end_ms = (int64_t)get_random();
    entry->stats.since_ns = (int64_t)get_random();
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        entry->stats.counter[i] = (uint32_t)get_random();
    }
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        entry->stats.frame_histogram[i] = (uint32_t)(get_random() >> (get_random() % 64));
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        entry->stats.gpu_histogram[i] = (uint32_t)(get_random() >> (get_random() % 64));
    }
    for (uint64_t i = get_random() % 5; i > 0; i--) {
        const struct dj_days_segment segment = {(int64_t)get_random(), get_random() >> 1,
                                                (int64_t)get_random(),
                                                (int64_t)get_random()};
        cr_assert_eq(dj_days_add_merged(&days, entry, &segment, &err), 0);
    }
}

static int read_text(size_t length)
{
    dj_days_finish(&back);
    err = (struct dj_error){0};
    return dj_days_read(dj_text_get(&text), length, &back, &err);
}

static void write_days(size_t entries)
{
    for (size_t i = 0; i < entries; i++) {
        add_random_entry();
    }
    dj_days_write(&days, &text);
    cr_assert_not(text.failed);
}

Test(days_text, written_text_is_read_back)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state = seed * UINT64_C(0x9E3779B97F4A7C15);
        dj_days_finish(&days);
        dj_text_clear(&text);
        write_days(get_random() % 6);
        cr_assert_eq(read_text(text.length), 0, "seed %d: %s", (int)seed, err.message);
        cr_assert_eq(back.count, days.count);
        cr_assert_eq(back.merged_count, days.merged_count);
        for (size_t i = 0; i < days.count; i++) {
            struct dj_days_entry *want = &days.entries[i];
            struct dj_days_entry *got = &back.entries[i];
            cr_assert_str_eq(got->package, want->package);
            cr_assert_str_eq(got->version, want->version);
            cr_assert_eq(got->uid, want->uid);
            cr_assert_eq(got->dialect, want->dialect);
            cr_assert_eq(got->day, want->day);
            cr_assert_eq(got->start_ms, want->start_ms);
            cr_assert_eq(got->end_ms, want->end_ms);
            cr_assert_arr_eq(&got->stats, &want->stats, sizeof(got->stats));
            cr_assert_eq(got->merged_count, want->merged_count);
            if (want->merged_count > 0) {
                cr_assert_arr_eq(got->merged, want->merged,
                                 got->merged_count * sizeof(got->merged[0]));
            }
        }
    }
}

Test(days_text, truncated_text_is_an_error)
{
    random_state = 5;
    write_days(3);
    for (size_t length = 0; length < text.length; length++) {
        cr_assert_lt(read_text(length), 0, "%zu of %zu bytes", length, text.length);
        cr_assert_eq(back.count, 0);
        cr_assert_neq(err.message[0], '\0');
    }
}

Test(days_text, damaged_text_never_crashes)
{
    random_state = 6;
    write_days(2);
    for (size_t at = 0; at < text.length; at++) {
        char was = text.data[at];
        text.data[at] = (char)get_random();
        int code = read_text(text.length);
        cr_assert(code <= 0);
        cr_assert(code == 0 || back.count == 0);
        text.data[at] = was;
    }
}

static const struct {
    const char *text, *message;
    int code;
} rejected[] = {
    {"dejank graphicsstats 2\nend\n", "line 1: expected version 1, found version 2",
     DJ_E_VERSION},
    {"something else\n", "line 1: expected \"dejank graphicsstats 1\"", DJ_E_INVALID},
    {"dejank graphicsstats 1\npackage x\nend\n", "line 2: expected \"day\"",
     DJ_E_INVALID},
    {"dejank graphicsstats 1\nday 1 0 99\nend\n",
     "line 2: expected the name of a known release", DJ_E_INVALID},
    {"dejank graphicsstats 1\nday 1 0 11\nframes 154:1\nend\n",
     "line 3: expected pairs BUCKET:FRAMES with known buckets", DJ_E_INVALID},
    {"dejank graphicsstats 1\nday 1 0 11\nframes -1:1\nend\n",
     "line 3: expected pairs BUCKET:FRAMES with known buckets", DJ_E_INVALID},
    {"dejank graphicsstats 1\nday 1 0 11\ncounters 1 2\nend\n",
     "line 3: expected another number in this line", DJ_E_INVALID},
    {"dejank graphicsstats 1\nday 1 0 11\npackage \\x4\nend\n",
     "line 3: expected two hexadecimal digits after \\x", DJ_E_INVALID},
    {"dejank graphicsstats 1\nday 1 0 11\ncolour red\nend\n",
     "line 3: expected a keyword of this format, such as \"day\"", DJ_E_INVALID},
    {"dejank graphicsstats 1\nend\nend\n",
     "line 3: expected nothing after the line \"end\"", DJ_E_INVALID},
    {"dejank graphicsstats 1\n", "line 1: the file ends here: expected \"end\"",
     DJ_E_TRUNCATED},
};

Test(days_text, errors_name_the_line)
{
    for (size_t i = 0; i < sizeof(rejected) / sizeof(rejected[0]); i++) {
        dj_text_clear(&text);
        dj_text_add(&text, rejected[i].text);
        cr_assert_eq(read_text(text.length), rejected[i].code, "row %zu: %s", i,
                     err.message);
        cr_assert_str_eq(err.message, rejected[i].message, "row %zu", i);
    }
}
