#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

/* Tests values of a window and its frames that become known after a frame was
 * recorded. */
TestSuite(window, .init = test_setup, .fini = test_teardown, .timeout = 60);

enum { KEY = 5, GPU_MS = 12, PICTURES = 300 };

static const struct dj_snapshot_options whole = {0};

static struct dj_segment_writer writer;
static struct dj_snapshot snapshot;

static struct dj_window_writer *opened(uint64_t frames)
{
    test_create(&writer);
    test_write(&writer, KEY, 0, frames);
    return dj_segment_find_window(&writer, KEY);
}

/* Writes a frame whose GPU time and presentation time are not known yet. */
static uint64_t write_early(struct dj_window_writer *window, uint64_t index)
{
    uint64_t row = UINT64_MAX;
    struct dj_frame frame = test_frame(KEY, index);
    frame.known &= ~(DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED) |
                     DJ_COLUMN_BIT(DJ_COLUMN_DISPLAY_PRESENT_TIME));
    cr_assert(dj_segment_write_frame(&writer, window, KEY, &frame, &row));
    return row;
}

static bool amend(struct dj_window_writer *window, uint64_t index, enum dj_column column,
                  int64_t value)
{
    return dj_segment_amend_frame(&writer, window, KEY, index, column, value);
}

static const struct dj_snapshot_window *read_window(void)
{
    dj_segment_snapshot_finish(&snapshot);
    test_read(test_segment(), &whole, &snapshot);
    return &snapshot.windows[0];
}

static int64_t issued_ns(uint64_t index)
{
    return test_frame(KEY, index).value[DJ_COLUMN_SWAP_BUFFERS];
}

Test(window, the_number_of_a_written_row_is_its_index)
{
    struct dj_window_writer *window = opened(3);
    cr_assert_eq(write_early(window, 3), 3);
    cr_assert_eq(write_early(window, 4), 4);
}

Test(window, a_row_gets_a_late_value)
{
    struct dj_window_writer *window = opened(0);
    window = dj_segment_open_window(&writer, KEY, "Window");
    for (uint64_t i = 0; i < 3; i++) {
        write_early(window, i);
    }
    int64_t gpu_ns = issued_ns(1) + GPU_MS * INT64_C(1000000);
    cr_assert(amend(window, 1, DJ_COLUMN_DISPLAY_PRESENT_TIME, 777));
    cr_assert(amend(window, 1, DJ_COLUMN_GPU_COMPLETED, gpu_ns));
    const struct dj_snapshot_window *read = read_window();
    for (size_t i = 0; i < 3; i++) {
        struct dj_frame expected = test_frame(KEY, i);
        expected.known &= ~(DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED) |
                            DJ_COLUMN_BIT(DJ_COLUMN_DISPLAY_PRESENT_TIME));
        if (i == 1) {
            dj_frame_set(&expected, DJ_COLUMN_GPU_COMPLETED, gpu_ns);
            dj_frame_set(&expected, DJ_COLUMN_DISPLAY_PRESENT_TIME, 777);
        }
        cr_assert(dj_frame_equal(&read->frames[i], &expected), "row %zu", i);
    }
    cr_assert_eq(read->stats.counter[DJ_COUNTER_TOTAL], 3, "no frame is counted twice");
    cr_assert_eq(test_sum(read->stats.gpu_histogram, DJ_GPU_BUCKETS), 1);
    cr_assert_eq(test_sum(read->stats.frame_histogram, DJ_FRAME_BUCKETS), 3);
}

/* The result must be the same as if the value had been known when the frame was
 * recorded. */
Test(window, a_late_gpu_time_falls_into_the_same_bucket_as_an_early_one)
{
    for (int64_t ms = 0; ms < 40; ms += 3) {
        struct dj_frame frame = test_frame(KEY, 0);
        struct dj_window_writer *window = opened(0);
        window = dj_segment_open_window(&writer, KEY, "Window");
        int64_t gpu_ns = issued_ns(0) + ms * 1000000;
        frame.value[DJ_COLUMN_GPU_COMPLETED] = gpu_ns;
        cr_assert(dj_segment_write_frame(&writer, window, KEY, &frame, NULL));
        struct dj_stats early = read_window()->stats;
        dj_segment_unmap(&writer);

        opened(0);
        window = dj_segment_open_window(&writer, KEY, "Window");
        frame.known &= ~DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED);
        cr_assert(dj_segment_write_frame(&writer, window, KEY, &frame, NULL));
        cr_assert(amend(window, 0, DJ_COLUMN_GPU_COMPLETED, gpu_ns));
        struct dj_stats late = read_window()->stats;
        dj_segment_unmap(&writer);
        cr_assert_arr_eq(late.gpu_histogram, early.gpu_histogram,
                         sizeof(late.gpu_histogram), "%lld ms", (long long)ms);
    }
}

Test(window, a_known_value_is_never_changed)
{
    struct dj_window_writer *window = opened(1);
    cr_assert_not(amend(window, 0, DJ_COLUMN_GPU_COMPLETED, 1),
                  "the value is already known");
    uint64_t row = write_early(window, 1);
    cr_assert(amend(window, row, DJ_COLUMN_DISPLAY_PRESENT_TIME, 777));
    cr_assert_not(amend(window, row, DJ_COLUMN_DISPLAY_PRESENT_TIME, 778));
    cr_assert_eq(read_window()->frames[1].value[DJ_COLUMN_DISPLAY_PRESENT_TIME], 777);
    cr_assert_eq(test_sum(read_window()->stats.gpu_histogram, DJ_GPU_BUCKETS), 1);
}

Test(window, only_rows_of_the_ring_can_be_amended)
{
    struct dj_window_writer *window = opened(0);
    window = dj_segment_open_window(&writer, KEY, "Window");
    for (uint64_t i = 0; i < TEST_KEEP + 10; i++) {
        write_early(window, i);
    }
    cr_assert_not(amend(window, TEST_KEEP + 10, DJ_COLUMN_GPU_COMPLETED, 1), "to come");
    cr_assert_not(amend(window, UINT64_MAX, DJ_COLUMN_GPU_COMPLETED, 1));
    cr_assert_not(amend(window, 9, DJ_COLUMN_GPU_COMPLETED, 1), "overwritten");
    cr_assert(amend(window, 10, DJ_COLUMN_GPU_COMPLETED, issued_ns(10)), "the oldest");
    cr_assert(
        amend(window, TEST_KEEP + 9, DJ_COLUMN_GPU_COMPLETED, issued_ns(TEST_KEEP + 9)));
    cr_assert_eq(test_sum(read_window()->stats.gpu_histogram, DJ_GPU_BUCKETS), 2);
}

/* The older rows of the slot belong to another window. */
Test(window, a_late_value_never_goes_to_another_window)
{
    struct dj_window_writer *window = opened(0);
    window = dj_segment_open_window(&writer, KEY, "Window");
    uint64_t row = write_early(window, 0);
    for (uint64_t key = 100; key < 100 + DJ_SEGMENT_WINDOWS; key++) {
        test_write(&writer, key, 50 + key, 51 + key);
    }
    cr_assert_null(dj_segment_find_window(&writer, KEY));
    cr_assert_not(amend(window, row, DJ_COLUMN_GPU_COMPLETED, 1));
    cr_assert_not(dj_segment_set_title(window, KEY, "late"));
    cr_assert_not(dj_segment_set_interval(window, KEY, 1));
    cr_assert_not(dj_segment_set_visibility(window, KEY, DJ_GONE));
    cr_assert_not(dj_segment_set_views(window, KEY, 7));
    /* The surface gets a slot again, but its older rows are gone. */
    struct dj_window_writer *again = dj_segment_open_window(&writer, KEY, "Window");
    cr_assert_not_null(again);
    cr_assert_not(amend(again, row, DJ_COLUMN_GPU_COMPLETED, 1));
}

Test(window, properties_are_read_as_set)
{
    struct dj_window_writer *window = opened(2);
    const struct dj_snapshot_window *read = read_window();
    cr_assert_str_eq(read->title, "Window");
    cr_assert_eq(read->visibility, DJ_VISIBLE);
    cr_assert_eq(read->views, 0);
    cr_assert(dj_segment_set_title(window, KEY, "Größe"));
    cr_assert(dj_segment_set_visibility(window, KEY, DJ_GONE));
    cr_assert(dj_segment_set_views(window, KEY, UINT32_MAX));
    read = read_window();
    cr_assert_str_eq(read->title, "Größe");
    cr_assert_eq(read->visibility, DJ_GONE);
    cr_assert_eq(read->views, UINT32_MAX);
    cr_assert(dj_segment_set_title(window, KEY, ""));
    cr_assert_str_eq(read_window()->title, "");
}

Test(window, a_new_window_of_the_slot_inherits_nothing)
{
    struct dj_window_writer *window = opened(1);
    dj_segment_set_visibility(window, KEY, DJ_INVISIBLE);
    dj_segment_set_views(window, KEY, 9);
    dj_segment_set_interval(window, KEY, 1000000);
    for (uint64_t key = 100; key < 100 + DJ_SEGMENT_WINDOWS; key++) {
        test_write(&writer, key, 50 + key, 51 + key);
    }
    const struct dj_snapshot_window *read = read_window();
    cr_assert_neq(read->key, KEY);
    cr_assert_eq(read->visibility, DJ_VISIBLE);
    cr_assert_eq(read->views, 0);
    cr_assert_eq(read->interval_ns, TEST_INTERVAL_NS);
}

Test(window, a_long_title_is_truncated)
{
    char title[2 * DJ_SEGMENT_NAME];
    struct dj_window_writer *window = opened(1);
    memset(title, 'x', sizeof(title) - 1);
    title[sizeof(title) - 1] = '\0';
    cr_assert(dj_segment_set_title(window, KEY, title));
    cr_assert_eq(strlen(read_window()->title), DJ_SEGMENT_NAME - 1);
}

/* The rules use the interval of the window's display. */
Test(window, the_interval_applies_from_the_next_frame_on)
{
    struct dj_window_writer *window = opened(1);
    struct dj_frame frame = test_frame(KEY, 1); /* Lasts 3 ms. */
    cr_assert(dj_segment_write_frame(&writer, window, KEY, &frame, NULL));
    uint32_t before = read_window()->stats.counter[DJ_COUNTER_JANKY];
    cr_assert(dj_segment_set_interval(window, KEY, 2000000));
    cr_assert_eq(read_window()->stats.counter[DJ_COUNTER_JANKY], before);
    frame = test_frame(KEY, 2);
    cr_assert(dj_segment_write_frame(&writer, window, KEY, &frame, NULL));
    cr_assert_eq(read_window()->stats.counter[DJ_COUNTER_JANKY], before + 1);
    cr_assert_eq(read_window()->interval_ns, 2000000);
    cr_assert_not(dj_segment_set_interval(window, KEY, 0));
    cr_assert_not(dj_segment_set_interval(window, KEY, -1));
    cr_assert_eq(read_window()->interval_ns, 2000000);
}

Test(window, the_process_has_the_interval_of_the_window_in_use)
{
    opened(1); /* Completes at 73 ms. */
    test_write(&writer, KEY + 1, 8, 9);
    test_write(&writer, KEY + 2, 4, 5);
    for (uint64_t i = 0; i < 3; i++) {
        struct dj_window_writer *window = dj_segment_find_window(&writer, KEY + i);
        cr_assert(dj_segment_set_interval(window, KEY + i, 1000000 * (int64_t)(i + 4)));
    }
    read_window();
    cr_assert_eq(snapshot.interval_ns, 5000000, "the value of the newest frame");
    test_write(&writer, KEY + 2, 12, 13);
    read_window();
    cr_assert_eq(snapshot.interval_ns, 6000000);
}

Test(window, a_set_interval_is_not_assumed)
{
    const struct dj_segment_options options = {
        .directory = test_directory,
        .name = "app",
        .program = "app",
        .dialect = dj_frame_dialect_default(),
        .keep = TEST_KEEP,
        .interval_ns = TEST_INTERVAL_NS,
        .interval_assumed = true,
        .app_version = "2.1",
        .wall_ns = 1234567890123456789,
    };
    cr_assert_eq(dj_segment_create(&writer, &options, NULL), 0);
    test_write(&writer, KEY, 0, 1);
    cr_assert(read_window()->interval_assumed);
    cr_assert(snapshot.interval_assumed);
    cr_assert_str_eq(snapshot.app_version, "2.1");
    cr_assert_eq(snapshot.created_wall_ns, 1234567890123456789);
    dj_segment_set_interval(dj_segment_find_window(&writer, KEY), KEY, TEST_INTERVAL_NS);
    cr_assert_not(read_window()->interval_assumed);
    cr_assert_not(snapshot.interval_assumed);
}

static _Atomic bool stop;

/* Sets titles that repeat one letter and have different lengths. */
static void *rename_for_ever(void *window)
{
    char title[DJ_SEGMENT_NAME];
    for (unsigned i = 0; !atomic_load(&stop); i++) {
        size_t length = 1 + i * 37 % (DJ_SEGMENT_NAME - 1);
        memset(title, 'a' + (int)(i % 26), length);
        title[length] = '\0';
        cr_assert(dj_segment_set_title(window, KEY, title));
    }
    return NULL;
}

Test(window, a_title_changed_during_reading_is_not_torn)
{
    pthread_t thread;
    struct dj_window_writer *window = opened(3);
    cr_assert(dj_segment_set_title(window, KEY, "a"));
    cr_assert_eq(pthread_create(&thread, NULL, rename_for_ever, window), 0);
    for (int i = 0; i < PICTURES; i++) {
        const struct dj_snapshot_window *read = read_window();
        size_t length = strlen(read->title);
        const char letter[2] = {read->title[0], '\0'};
        cr_assert(read->open);
        cr_assert_gt(length, 0);
        cr_assert_eq(strspn(read->title, letter), length, "%s", read->title);
        cr_assert_not_null(dj_segment_find_window(&writer, KEY),
                           "a renamed window is the same window");
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
}

struct amended {
    struct dj_window_writer *window;
    _Atomic uint64_t rows;
};

/* Adds a value to each row after it was published. The value is the row's index. */
static void *amend_for_ever(void *argument)
{
    struct amended *amended = argument;
    for (uint64_t i = 0; !atomic_load(&stop); i++) {
        uint64_t row = write_early(amended->window, i);
        amend(amended->window, row, DJ_COLUMN_DISPLAY_PRESENT_TIME, (int64_t)row + 1);
        amend(amended->window, row, DJ_COLUMN_GPU_COMPLETED, issued_ns(i) + 1);
        atomic_store(&amended->rows, row + 1);
    }
    return NULL;
}

Test(window, a_value_is_complete_or_absent)
{
    pthread_t thread;
    test_create(&writer);
    struct amended amended = {.window = dj_segment_open_window(&writer, KEY, "Window")};
    cr_assert_eq(pthread_create(&thread, NULL, amend_for_ever, &amended), 0);
    for (int i = 0; i < PICTURES; i++) {
        const struct dj_snapshot_window *read = read_window();
        for (size_t k = 0; k < read->frame_count; k++) {
            const struct dj_frame *frame = &read->frames[k];
            uint64_t index = read->first_index + k;
            cr_assert(!dj_frame_has(frame, DJ_COLUMN_DISPLAY_PRESENT_TIME) ||
                      frame->value[DJ_COLUMN_DISPLAY_PRESENT_TIME] == (int64_t)index + 1);
            cr_assert(!dj_frame_has(frame, DJ_COLUMN_GPU_COMPLETED) ||
                      frame->value[DJ_COLUMN_GPU_COMPLETED] == issued_ns(index) + 1);
        }
        uint32_t total = read->cumulative.counter[DJ_COUNTER_TOTAL];
        uint64_t gpu = test_sum(read->cumulative.gpu_histogram, DJ_GPU_BUCKETS);
        cr_assert(gpu == total || gpu + 1 == total, "%llu of %u", (unsigned long long)gpu,
                  total);
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    uint64_t rows = atomic_load(&amended.rows);
    cr_assert_eq(test_sum(read_window()->cumulative.gpu_histogram, DJ_GPU_BUCKETS), rows);
}
