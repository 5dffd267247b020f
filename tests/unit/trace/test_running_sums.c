/*
 * Compares the sums of slices that are summed up while they are read with the sums of
 * slices that are sorted and paired.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "trace/model/running_sums.h"
#include "trace/model/slice_sums.h"

enum { EDGES = 4000, SUMS = 16 };

static struct dj_edge edges[EDGES];
static size_t count;
static struct dj_trace trace, paired;
static struct dj_running_sums summing;

static void finish(void)
{
    dj_running_sums_finish(&summing);
    dj_trace_finish(&trace);
    dj_trace_finish(&paired);
}

TestSuite(sums, .fini = finish);

static struct dj_edge *edge(int64_t at_ns, uint32_t tid, enum dj_edge_kind kind,
                            const char *name)
{
    edges[count] = (struct dj_edge){.at_ns = at_ns,
                                    .name = name,
                                    .key = name,
                                    .order = count,
                                    .tid = tid,
                                    .kind = (uint8_t)kind};
    return &edges[count++];
}

/* Adds all edges to running sums. Returns how many edges were added before a second
 * read was needed. */
static size_t sum_up_edges(size_t memory_bytes)
{
    size_t added = 0;
    trace = (struct dj_trace){.memory_bytes = memory_bytes,
                              .sums = dj_slice_sums_create_fold(memory_bytes)};
    summing = (struct dj_running_sums){.trace = &trace};
    while (added < count && !summing.needs_second_read) {
        dj_running_sums_add_edge(&summing, &edges[added++]);
    }
    return added - summing.needs_second_read;
}

static size_t read_sums(struct dj_trace *of, struct dj_trace_sum *sums)
{
    struct dj_trace_rows rows;
    size_t read = 0;
    const struct dj_trace_sum *sum;
    cr_assert_eq(dj_trace_sum_slices(of, &rows, NULL), 0);
    while ((sum = dj_trace_rows_next(&rows)) != NULL) {
        cr_assert_lt(read, SUMS);
        sums[read++] = *sum;
    }
    dj_trace_rows_finish(&rows);
    return read;
}

static void are_equal(struct dj_trace *left, struct dj_trace *right)
{
    struct dj_trace_sum a[SUMS], b[SUMS];
    size_t read = read_sums(left, a);
    cr_assert_eq(read_sums(right, b), read);
    cr_expect_eq(left->slice_count, right->slice_count);
    cr_expect_eq(left->endings, right->endings);
    for (size_t i = 0; i < read; i++) {
        cr_expect_str_eq(a[i].name, b[i].name);
        cr_expect_eq(a[i].async, b[i].async);
        cr_expect_eq(a[i].count, b[i].count, "%s", a[i].name);
        cr_expect_eq(a[i].open, b[i].open, "%s", a[i].name);
        cr_expect_eq(a[i].total_ns, b[i].total_ns, "%s", a[i].name);
        cr_expect_eq(a[i].self_ns, b[i].self_ns, "%s", a[i].name);
        cr_expect_eq(a[i].longest_ns, b[i].longest_ns, "%s", a[i].name);
    }
}

/* Creates random edges of many threads with reused ids, and of async sections. */
static void make_edges(uint32_t seed)
{
    static const char *const names[] = {"draw", "layout", "query", "wait", "gc"};
    uint32_t lives[7] = {0};
    int64_t at_ns = 0;
    for (count = 0; count < EDGES;) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t chance = seed >> 8;
        uint32_t tid = chance % 7;
        at_ns += chance % 3 == 0 ? 0 : chance % 1000;
        lives[tid] += chance % 211 == 0;
        struct dj_edge *made_now =
            edge(at_ns, tid, (enum dj_edge_kind)(chance / 7 % 4), names[chance / 28 % 5]);
        made_now->life = lives[tid];
        made_now->cookie = chance / 140 % 5 == 0 ? (int64_t)count : chance / 700 % 30;
        made_now->pid = (int32_t)(chance / 21000 % 2);
        made_now->key = names[chance / 28 % 5 / 2];
    }
}

Test(sums, equal_the_sums_of_sorted_and_paired_slices)
{
    for (uint32_t seed = 1; seed < 6; seed++) {
        make_edges(seed);
        cr_assert_eq(sum_up_edges(0), count);
        dj_running_sums_complete(&summing);
        struct dj_trace_rows rows = dj_slices_create_edge_rows(0);
        for (size_t i = 0; i < count; i++) {
            dj_trace_rows_add(&rows, &edges[i]);
        }
        cr_assert_eq(dj_slices_pair_edges(&paired, &rows, NULL), 0);
        are_equal(&trace, &paired);
        finish();
    }
}

Test(sums, are_empty_without_edges)
{
    struct dj_trace_sum sums[SUMS];
    sum_up_edges(0);
    dj_running_sums_complete(&summing);
    cr_expect_eq(read_sums(&trace, sums), 0);
}

Test(sums, different_threads_may_be_out_of_order)
{
    edge(10, 1, DJ_EDGE_BEGIN, "a");
    edge(5, 2, DJ_EDGE_BEGIN, "b");
    edge(7, 2, DJ_EDGE_END, "");
    edge(12, 1, DJ_EDGE_END, "");
    cr_expect_eq(sum_up_edges(0), count);
    cr_expect_not(summing.needs_second_read);
}

Test(sums, need_a_second_read_if_a_thread_is_out_of_order)
{
    edge(10, 1, DJ_EDGE_BEGIN, "a");
    edge(9, 1, DJ_EDGE_END, "");
    cr_expect_eq(sum_up_edges(0), 1);
    cr_expect(summing.needs_second_read);
    dj_running_sums_finish(&summing);
    cr_expect(summing.needs_second_read, "whoever finishes it may still ask");
}

Test(sums, need_a_second_read_if_async_edges_are_out_of_order)
{
    edge(10, 1, DJ_EDGE_ASYNC_BEGIN, "a");
    edge(9, 2, DJ_EDGE_ASYNC_END, "a");
    cr_expect_eq(sum_up_edges(0), 1);
    cr_expect(summing.needs_second_read);
}

/* Sections that never end would need more and more memory. */
Test(sums, need_a_second_read_if_too_many_slices_are_open)
{
    for (size_t i = 0; i < EDGES; i++) {
        edge((int64_t)i, 1, DJ_EDGE_ASYNC_BEGIN, "a")->cookie = (int64_t)i;
    }
    cr_expect_lt(sum_up_edges(1 << 14), EDGES);
    cr_expect(summing.needs_second_read);
    finish();
    for (size_t i = 0; i < EDGES; i++) {
        edges[i].kind = DJ_EDGE_BEGIN;
    }
    cr_expect_lt(sum_up_edges(1 << 14), EDGES);
    cr_expect(summing.needs_second_read);
}
