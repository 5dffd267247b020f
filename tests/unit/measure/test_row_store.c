#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "measure/window/row_store.h"

static struct dj_spill_budget budget;

static struct dj_frame frame_at(int64_t intended_ns, int64_t completed_ns)
{
    struct dj_frame frame = {{0}, 0};
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, intended_ns);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, completed_ns);
    return frame;
}

static bool add_row(struct dj_row_store *store, int64_t intended_ns, int64_t completed_ns)
{
    struct dj_frame frame = frame_at(intended_ns, completed_ns);
    bool added = false;
    cr_assert(dj_row_store_add(store, &frame, NULL, &added));
    return added;
}

static void exclude(struct dj_row_store *store, int64_t intended_ns)
{
    struct dj_frame frame = frame_at(intended_ns, intended_ns);
    cr_assert(dj_row_store_exclude(store, &frame));
}

Test(row_store, each_frame_is_stored_once_with_its_last_values)
{
    struct dj_row_store store = {.budget = &budget};
    cr_assert(add_row(&store, 100, 0));
    cr_assert(add_row(&store, 200, 210));
    cr_assert_not(add_row(&store, 100, 115));
    cr_assert_eq(store.count, 2);
    cr_assert_eq(store.frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 115);
    dj_row_store_finish(&store);
}

Test(row_store, rows_are_sorted)
{
    struct dj_row_store store = {.budget = &budget};
    srand(3);
    for (int i = 0; i < 2000; i++) {
        int64_t at = rand() % 500;
        add_row(&store, at, at + 1);
    }
    for (size_t i = 1; i < store.count; i++) {
        cr_assert_lt(store.frames[i - 1].value[DJ_COLUMN_INTENDED_VSYNC],
                     store.frames[i].value[DJ_COLUMN_INTENDED_VSYNC]);
    }
    dj_row_store_finish(&store);
}

Test(row_store, excluded_frames_are_ignored)
{
    struct dj_row_store store = {.budget = &budget};
    exclude(&store, 300);
    exclude(&store, 100);
    exclude(&store, 200);
    for (int64_t at = 100; at <= 400; at += 50) {
        cr_assert_eq(add_row(&store, at, at), at % 100 == 50 || at == 400, "%lld",
                     (long long)at);
    }
    cr_assert_eq(store.count, 4);
    dj_row_store_finish(&store);
}

Test(row_store, a_row_without_a_start_is_ignored)
{
    struct dj_row_store store = {.budget = &budget};
    struct dj_frame frame = {{0}, 0};
    bool added = true;
    cr_assert(dj_row_store_exclude(&store, &frame));
    cr_assert(dj_row_store_add(&store, &frame, NULL, &added));
    cr_assert_not(added);
    cr_assert_eq(store.count + store.before_count, 0);
    dj_row_store_finish(&store);
}

Test(row_store, trim_keeps_complete_frames_inside_the_window)
{
    struct dj_row_store store = {.budget = &budget};
    add_row(&store, 99, 100);
    add_row(&store, 100, 101);
    add_row(&store, 150, 149); /* The frame never completes. */
    add_row(&store, 199, 300);
    add_row(&store, 200, 201);
    dj_row_store_trim(&store, 100, 200);
    cr_assert_eq(store.count, 2);
    cr_assert_eq(store.frames[0].value[DJ_COLUMN_INTENDED_VSYNC], 100);
    cr_assert_eq(store.frames[1].value[DJ_COLUMN_INTENDED_VSYNC], 199);
    dj_row_store_finish(&store);
}

Test(row_store, vendor_numbers_stay_with_their_rows)
{
    struct dj_row_store store = {.vendor_count = 2, .budget = &budget};
    for (int64_t i = 0; i < 300; i++) {
        int64_t start_ns = 1000 + (i * 7) % 300; /* The frames are not sorted. */
        struct dj_frame frame = {0};
        struct dj_number numbers[2] = {{start_ns * 2, true}, {start_ns * 3, i % 2 == 0}};
        bool added;
        dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, start_ns);
        dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, start_ns + 5);
        cr_assert(dj_row_store_add(&store, &frame, numbers, &added));
        cr_assert(added);
    }
    dj_row_store_trim(&store, 1100, 1200);
    cr_assert_eq(store.count, 100);
    for (size_t i = 0; i < store.count; i++) {
        int64_t start_ns = store.frames[i].value[DJ_COLUMN_INTENDED_VSYNC];
        cr_expect_eq(start_ns, 1100 + (int64_t)i);
        cr_expect(store.vendor[2 * i].known);
        cr_expect_eq(store.vendor[2 * i].value, start_ns * 2);
        cr_expect(!store.vendor[2 * i + 1].known ||
                  store.vendor[2 * i + 1].value == start_ns * 3);
    }
    dj_row_store_finish(&store);
}

/* The rows of several windows together stay within the budget. */
Test(row_store, rows_above_the_budget_go_to_a_file)
{
    enum { ROWS = 30000 };
    struct dj_spill_budget small = {.most_bytes = 1 << 18};
    struct dj_row_store stores[2] = {{.budget = &small, .vendor_count = 1},
                                     {.budget = &small}};
    for (int64_t i = 0; i < 2 * (int64_t)ROWS; i++) {
        struct dj_frame frame = frame_at(2 * i, 0);
        const struct dj_number number = {.known = true, .value = i};
        bool added;
        cr_assert(dj_row_store_add(&stores[i % 2], &frame, i % 2 == 0 ? &number : NULL,
                                   &added));
        cr_assert_leq(small.used_bytes, small.most_bytes);
    }
    /* Adds the same frames a second time. */
    for (int64_t i = 0; i < 2 * (int64_t)ROWS; i++) {
        struct dj_frame frame = frame_at(2 * i, 2 * i + 1);
        const struct dj_number number = {.known = true, .value = i};
        bool added;
        cr_assert(dj_row_store_add(&stores[i % 2], &frame, i % 2 == 0 ? &number : NULL,
                                   &added));
        cr_assert_not(added);
    }
    cr_assert_neq(stores[0].frame_array.spill.file, 0);
    cr_assert_neq(stores[0].vendor_array.spill.file, 0);
    for (size_t i = 0; i < 2; i++) {
        dj_row_store_trim(&stores[i], 0, INT64_MAX);
        cr_assert_eq(stores[i].count, ROWS);
        for (size_t k = 0; k < ROWS; k++) {
            cr_assert_eq(stores[i].frames[k].value[DJ_COLUMN_INTENDED_VSYNC],
                         (int64_t)(4 * k + 2 * i));
        }
    }
    cr_assert_eq(stores[0].vendor[ROWS - 1].value, 2 * (ROWS - 1));
    dj_row_store_finish(&stores[0]);
    dj_row_store_finish(&stores[1]);
    cr_assert_eq(small.used_bytes, 0);
}
