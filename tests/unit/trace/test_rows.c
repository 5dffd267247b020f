/* Tests sorting of rows in memory and on disk, and merging of rows with the same name. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/fold.h"
#include "trace/model/builder.h"
#include "trace/text/ftrace.h"

struct row {
    int64_t key;
    uint64_t number;
};

static int by_key(const void *a, const void *b)
{
    const struct row *left = a;
    const struct row *right = b;
    return (left->key > right->key) - (left->key < right->key);
}

/* Returns a rank that contains only a part of the key. */
static struct dj_trace_rows_rank rank_of(const void *row)
{
    uint64_t key = (uint64_t)((const struct row *)row)->key;
    return (struct dj_trace_rows_rank){key >> 40, key >> 2};
}

/* Checks that equal rows keep the order in which they were added. Reads all rows twice.
 */
static void check_by(struct dj_trace_rows_rank (*rank)(const void *), size_t count,
                     size_t memory_bytes, int64_t keys)
{
    struct dj_trace_rows rows = {.row_bytes = sizeof(struct row),
                                 .order = by_key,
                                 .memory_bytes = memory_bytes,
                                 .rank = rank};
    uint64_t seed = 88172645463325252u;
    for (size_t i = 0; i < count; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        struct row row = {(int64_t)(seed >> 1) % keys, i};
        dj_trace_rows_add(&rows, &row);
    }
    cr_assert_eq(rows.total, count);
    for (int pass = 0; pass < 2; pass++) {
        struct row before = {-1, 0};
        size_t seen = 0;
        dj_trace_rows_sort(&rows);
        for (const struct row *row; (row = dj_trace_rows_next(&rows)) != NULL; seen++) {
            cr_assert(row->key > before.key ||
                          (row->key == before.key && row->number > before.number),
                      "%zu of %zu", seen, count);
            before = *row;
        }
        cr_assert_eq(seen, count);
        cr_assert_null(dj_trace_rows_next(&rows));
    }
    cr_assert_eq(dj_trace_rows_get_error(&rows, NULL), 0);
    dj_trace_rows_finish(&rows);
}

static void check(size_t count, size_t memory_bytes, int64_t keys)
{
    check_by(NULL, count, memory_bytes, keys);
    check_by(rank_of, count, memory_bytes, keys);
}

Test(rows, come_out_sorted_and_complete)
{
    static const size_t counts[] = {0, 1, 2, 1023, 1024, 1025, 20000};
    static const size_t memory[] = {0, 1, 16, 1000, 16384, 1 << 20};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (size_t j = 0; j < sizeof(memory) / sizeof(memory[0]); j++) {
            if (memory[j] >= 1000 || counts[i] <= 1025) {
                check(counts[i], memory[j], INT64_MAX);
                check(counts[i], memory[j], 7);
            }
        }
    }
}

Test(rows, a_missing_temporary_folder_is_an_error)
{
    struct dj_trace_rows rows = {
        .row_bytes = sizeof(struct row), .order = by_key, .memory_bytes = 160};
    struct dj_error err = {0};
    rows.spill.file = 1000000; /* Not an open file descriptor. */
    for (uint64_t i = 0; i < 2000; i++) {
        struct row row = {1, i};
        dj_trace_rows_add(&rows, &row);
    }
    cr_expect_eq(dj_trace_rows_get_error(&rows, &err), DJ_E_IO);
    cr_expect_not_null(strstr(err.message, "TMPDIR"));
    dj_trace_rows_sort(&rows);
    cr_expect_null(dj_trace_rows_next(&rows));
    rows.spill.file = 0;
    dj_trace_rows_finish(&rows);
}

struct sum {
    const char *name;
    uint64_t count, last;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct sum *)a)->name, ((const struct sum *)b)->name);
}

static void merge_row(void *to, const void *more)
{
    struct sum *sum = to;
    sum->count += ((const struct sum *)more)->count;
    sum->last = ((const struct sum *)more)->last;
}

Test(rows, with_one_name_become_one)
{
    enum { NAMES = 20000, ROUNDS = 5 };
    static char names[NAMES][8];
    struct dj_trace_fold fold = {.row_bytes = sizeof(struct sum),
                                 .order = by_name,
                                 .add = merge_row,
                                 .memory_bytes = 100000};
    struct dj_trace_rows rows = {
        .row_bytes = sizeof(struct sum), .order = by_name, .memory_bytes = 100000};
    const struct sum *sum;
    size_t seen = 0;
    for (size_t i = 0; i < NAMES * ROUNDS; i++) {
        size_t n = (i * 7919) % NAMES;
        snprintf(names[n], sizeof(names[n]), "%05zu", n);
        dj_trace_fold_add(&fold, &(struct sum){names[n], 1, i});
        dj_trace_fold_add(&fold, &(struct sum){"often", 1, i});
    }
    cr_assert_eq(dj_trace_fold_complete(&fold, &rows, NULL), 0);
    for (; (sum = dj_trace_rows_next(&rows)) != NULL; seen++) {
        bool often = seen == NAMES;
        cr_assert_str_eq(sum->name, often ? "often" : names[seen]);
        cr_assert_eq(sum->count, often ? NAMES * ROUNDS : ROUNDS);
        cr_assert_geq(sum->last, NAMES * (ROUNDS - 1));
    }
    cr_expect_eq(seen, NAMES + 1);
    dj_trace_fold_finish(&fold);
    dj_trace_rows_finish(&rows);
}

/* ---- the same trace is read with little memory ---- */

#define SWITCH_FORM                                                                      \
    "sched_switch: prev_comm=a prev_pid=%d prev_prio=120 prev_state=S ==> "              \
    "next_comm=b next_pid=%d next_prio=120"

static struct dj_trace read_trace(size_t memory_bytes)
{
    struct dj_trace trace = {.memory_bytes = memory_bytes};
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &built}};
    for (int i = 0; i < 20000; i++) {
        static const char *const forms[] = {
            SWITCH_FORM,
            "sched_blocked_reason: pid=%d iowait=1 caller=io_schedule",
            "tracing_mark_write: B|%d|work %d",
            "tracing_mark_write: E|%d",
            "tracing_mark_write: C|%d|queue|%d",
            "tracing_mark_write: S|%d|load|%d",
            "tracing_mark_write: F|%d|load|%d"};
        char line[256];
        int form = i * 31 % 47 % 7;
        int tid = 100 + i * 17 % 29;
        int length = snprintf(line, sizeof(line), "a-%d (100) [00%d] ...1 %d.%06d: ", tid,
                              i % 3, 10 + i / 1000, (i % 1000) * 900);
        length += snprintf(line + length, sizeof(line) - (size_t)length, forms[form], tid,
                           100 + i * 13 % 29);
        line[length++] = '\n';
        cr_assert_eq(dj_ftrace_text_read(&reader, line, (size_t)length, NULL), 0);
    }
    cr_assert_eq(reader.summary.unreadable, 0);
    dj_ftrace_text_finish(&reader);
    cr_assert_eq(dj_builder_complete(&built, NULL), 0);
    return trace;
}

Test(rows, a_trace_reads_the_same_with_little_memory)
{
    struct dj_trace whole = read_trace(0);
    struct dj_trace little = read_trace(2000);
    struct dj_trace_position slices = {0}, counts = {0}, states = {0};
    cr_assert_gt(whole.slice_count, 1000);
    cr_assert_gt(whole.state_count, 1000);
    cr_assert_eq(whole.slice_count, little.slice_count);
    cr_assert_eq(whole.count_count, little.count_count);
    cr_assert_eq(whole.state_count, little.state_count);
    cr_assert_null(little.slices);
    for (size_t i = 0; i < whole.slice_count; i++) {
        const struct dj_trace_slice *a = &whole.slices[i];
        const struct dj_trace_slice *b = dj_trace_next_slice(&little, &slices);
        cr_assert(b != NULL && strcmp(a->name, b->name) == 0 &&
                      a->start_ns == b->start_ns && a->open == b->open &&
                      a->tid == b->tid && a->depth == b->depth && a->async == b->async &&
                      a->self_ns == b->self_ns && a->cookie == b->cookie,
                  "%zu", i);
    }
    for (size_t i = 0; i < whole.count_count; i++) {
        const struct dj_trace_count *b = dj_trace_next_count(&little, &counts);
        cr_assert(b != NULL && whole.counts[i].at_ns == b->at_ns &&
                  whole.counts[i].value == b->value);
    }
    for (size_t i = 0; i < whole.state_count; i++) {
        const struct dj_trace_state *a = &whole.states[i];
        const struct dj_trace_state *b = dj_trace_next_state(&little, &states);
        cr_assert(b != NULL && a->start_ns == b->start_ns && a->tid == b->tid &&
                      a->state == b->state && a->end_ns == b->end_ns &&
                      (a->blocked_in == NULL) == (b->blocked_in == NULL),
                  "%zu", i);
    }
    cr_assert_null(dj_trace_next_slice(&little, &slices));
    cr_assert_eq(dj_trace_get_error(&little, NULL), 0);
    dj_trace_finish(&whole);
    dj_trace_finish(&little);
}
