#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "spill/array.h"

Test(spill_array, moves_to_a_file_and_keeps_its_bytes)
{
    struct dj_spill_budget budget = {.most_bytes = 1000};
    struct dj_spill_array small = {0}, large = {0};
    cr_assert(dj_spill_array_grow(&small, 600, &budget));
    cr_assert(dj_spill_array_grow(&large, 400, &budget));
    cr_assert_eq(budget.used_bytes, 1000);
    cr_assert_eq(large.spill.file, 0);
    memset(large.data, 7, 400);
    cr_assert(dj_spill_array_grow(&large, 401, &budget));
    cr_assert_neq(large.spill.file, 0);
    cr_assert_eq(budget.used_bytes, 600);
    cr_assert_geq(large.bytes, 401);
    memset(large.data, 8, large.bytes / 2);
    ((char *)large.data)[large.bytes - 1] = 9;
    size_t before = large.bytes;
    cr_assert(dj_spill_array_grow(&large, before + 1, &budget));
    cr_expect_eq(((char *)large.data)[0], 8);
    cr_expect_eq(((char *)large.data)[before - 1], 9);
    dj_spill_array_finish(&large, &budget);
    dj_spill_array_finish(&small, &budget);
    cr_assert_eq(budget.used_bytes, 0);
}

Test(spill_array, stays_in_memory_if_no_folder_has_space)
{
    struct dj_spill_budget small = {.most_bytes = 1};
    struct dj_spill_array array = {0};
    struct rlimit limit = {.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
    signal(SIGXFSZ, SIG_IGN);
    cr_assert(dj_spill_array_grow(&array, 1000, &small));
    cr_assert_neq(array.spill.file, 0);
    memset(array.data, 7, 1000);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert(dj_spill_array_grow(&array, array.bytes + 1, &small));
    cr_assert_eq(array.spill.file, 0, "no file can be that long");
    cr_assert_eq(((char *)array.data)[999], 7);
    dj_spill_array_finish(&array, &small);
    cr_assert_eq(small.used_bytes, 0);
}
