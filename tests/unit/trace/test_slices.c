#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trace/model/slices.h"

static struct dj_trace trace;
static struct dj_edge edges[64];
static size_t count;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(slices, .fini = finish);

static void add_edge(int64_t at_ns, uint32_t tid, enum dj_edge_kind kind,
                     const char *name, int64_t cookie)
{
    edges[count] = (struct dj_edge){.at_ns = at_ns,
                                    .cookie = cookie,
                                    .name = name,
                                    .key = name,
                                    .order = count,
                                    .tid = tid,
                                    .kind = (uint8_t)kind};
    count++;
}

static void add_begin(int64_t at_ns, uint32_t tid, const char *name)
{
    add_edge(at_ns, tid, DJ_EDGE_BEGIN, name, 0);
}

static void add_end(int64_t at_ns, uint32_t tid)
{
    add_edge(at_ns, tid, DJ_EDGE_END, "", 0);
}

static void pair_edges(void)
{
    struct dj_error err = {0};
    struct dj_trace_rows rows = dj_slices_create_edge_rows(0);
    for (size_t i = 0; i < count; i++) {
        dj_trace_rows_add(&rows, &edges[i]);
    }
    cr_assert_eq(dj_slices_pair_edges(&trace, &rows, &err), 0, "%s", err.message);
}

static void expect_slice(size_t index, const char *name, int64_t start_ns, int64_t end_ns,
                         int64_t self_ns, uint32_t depth)
{
    const struct dj_trace_slice *slice = &trace.slices[index];
    cr_assert_lt(index, trace.slice_count);
    cr_expect_str_eq(slice->name, name);
    cr_expect_eq(slice->start_ns, start_ns, "%s", name);
    cr_expect_eq(slice->open, end_ns < 0, "%s", name);
    cr_expect(end_ns < 0 || slice->end_ns == end_ns, "%s", name);
    cr_expect_eq(slice->self_ns, self_ns, "%s: %lld", name, (long long)slice->self_ns);
    cr_expect_eq(slice->depth, depth, "%s", name);
}

Test(slices, nest_by_thread)
{
    add_begin(10, 1, "outer");
    add_begin(11, 2, "other");
    add_begin(20, 1, "inner");
    add_end(30, 1);
    add_begin(40, 1, "inner");
    add_end(45, 1);
    add_end(50, 2);
    add_end(60, 1);
    pair_edges();
    cr_assert_eq(trace.slice_count, 4);
    expect_slice(0, "outer", 10, 60, 35, 0);
    expect_slice(1, "other", 11, 50, 39, 0);
    expect_slice(2, "inner", 20, 30, 10, 1);
    expect_slice(3, "inner", 40, 45, 5, 1);
    cr_assert_eq(trace.endings, 0);
}

Test(slices, slices_without_an_end_are_open_and_have_no_duration)
{
    add_begin(10, 1, "outer");
    add_begin(20, 1, "done");
    add_end(25, 1);
    add_begin(30, 1, "stuck");
    pair_edges();
    expect_slice(0, "outer", 10, -1, 0, 0);
    expect_slice(1, "done", 20, 25, 5, 1);
    expect_slice(2, "stuck", 30, -1, 0, 1);
}

Test(slices, an_end_without_a_begin_is_counted)
{
    add_end(5, 1);
    add_end(6, 1);
    add_begin(10, 1, "a");
    add_end(12, 1);
    add_end(13, 2);
    pair_edges();
    cr_assert_eq(trace.slice_count, 1);
    cr_assert_eq(trace.endings, 3);
    expect_slice(0, "a", 10, 12, 2, 0);
}

Test(slices, edges_with_equal_stamps_keep_their_order)
{
    add_begin(10, 1, "outer");
    add_begin(10, 1, "empty");
    add_end(10, 1);
    add_end(10, 1);
    pair_edges();
    expect_slice(0, "outer", 10, 10, 0, 0);
    expect_slice(1, "empty", 10, 10, 0, 1);
}

Test(slices, async_slices_are_paired_by_name_and_cookie)
{
    static const char load[] = "load";
    static const char store[] = "store";
    add_edge(10, 1, DJ_EDGE_ASYNC_BEGIN, load, 7);
    add_edge(11, 1, DJ_EDGE_ASYNC_BEGIN, load, 8);
    add_edge(12, 1, DJ_EDGE_ASYNC_BEGIN, store, 7);
    add_edge(20, 2, DJ_EDGE_ASYNC_END, load, 8);
    add_edge(30, 3, DJ_EDGE_ASYNC_END, load, 7);
    add_edge(31, 3, DJ_EDGE_ASYNC_END, load, 7); /* No slice is open any more. */
    pair_edges();
    cr_assert_eq(trace.slice_count, 3);
    cr_expect_eq(trace.slices[0].end_ns, 30);
    cr_expect_eq(trace.slices[0].end_tid, 3);
    cr_expect_eq(trace.slices[1].end_ns, 20);
    cr_expect_eq(trace.slices[1].cookie, 8);
    cr_expect(trace.slices[2].open);
    cr_expect_eq(trace.endings, 1);
}

Test(slices, a_second_async_begin_leaves_the_first_one_open)
{
    static const char name[] = "job";
    add_edge(10, 1, DJ_EDGE_ASYNC_BEGIN, name, 1);
    add_edge(20, 1, DJ_EDGE_ASYNC_BEGIN, name, 1);
    add_edge(30, 1, DJ_EDGE_ASYNC_END, name, 1);
    pair_edges();
    cr_assert_eq(trace.slice_count, 2);
    cr_expect(trace.slices[0].open);
    cr_expect_not(trace.slices[1].open);
    cr_expect_eq(trace.slices[1].start_ns, 20);
}

Test(slices, no_edges_give_no_slices)
{
    pair_edges();
    cr_assert_eq(trace.slice_count, 0);
}

Test(slices, are_summed_up_by_name)
{
    struct dj_trace_rows rows;
    struct dj_trace_sum sums[3];
    add_begin(0, 1, "outer");
    add_begin(10, 1, "inner");
    add_end(30, 1);
    add_begin(40, 1, "inner");
    add_end(45, 1);
    add_end(50, 1);
    add_begin(60, 1, "inner");
    add_edge(70, 1, DJ_EDGE_ASYNC_BEGIN, "inner", 0);
    pair_edges();
    cr_assert_eq(dj_trace_sum_slices(&trace, &rows, NULL), 0);
    cr_assert_eq(rows.total, 3);
    for (size_t i = 0; i < 3; i++) {
        sums[i] = *(const struct dj_trace_sum *)dj_trace_rows_next(&rows);
    }
    cr_assert_null(dj_trace_rows_next(&rows));
    /* If two sums have the same self time, the one with the larger total comes first. */
    size_t inner = 1;
    cr_expect_str_eq(sums[0].name, "outer");
    cr_expect_str_eq(sums[inner].name, "inner");
    cr_expect_eq(sums[inner].count, 3);
    cr_expect_eq(sums[inner].open, 1);
    cr_expect_eq(sums[inner].total_ns, 25);
    cr_expect_eq(sums[inner].longest_ns, 20);
    cr_expect_eq(sums[1 - inner].self_ns, 25);
    cr_expect(sums[2].async);
    dj_trace_rows_finish(&rows);
}

Test(slices, rank_of_edges_agrees_with_their_order)
{
    static const char names[] = "ab";
    static const int64_t times[] = {INT64_MIN, -1, 0, 7, INT64_MAX};
    static const uint32_t ids[] = {0, 1, INT32_MAX, UINT32_MAX};
    struct dj_edge all[2 * 5 * 4 * 4];
    size_t most = sizeof(all) / sizeof(all[0]);
    const struct dj_trace_rows rows = dj_slices_create_edge_rows(0);
    for (size_t i = 0; i < most; i++) {
        all[i] = (struct dj_edge){.at_ns = times[i % 5],
                                  .key = &names[i / 5 % 2],
                                  .tid = ids[i / 5 % 4],
                                  .life = ids[i / 20 % 4],
                                  .kind = i < 80 ? DJ_EDGE_BEGIN : DJ_EDGE_ASYNC_BEGIN};
    }
    for (size_t i = 0; i < most; i++) {
        for (size_t j = 0; j < most; j++) {
            struct dj_trace_rows_rank a = rows.rank(&all[i]);
            struct dj_trace_rows_rank b = rows.rank(&all[j]);
            bool before =
                a.first < b.first || (a.first == b.first && a.second < b.second);
            cr_expect(!before || rows.order(&all[i], &all[j]) < 0, "%zu, %zu", i, j);
        }
    }
}
