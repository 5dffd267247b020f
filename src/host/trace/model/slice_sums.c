#include "trace/model/slice_sums.h"

#include <string.h>

#include "base/checked.h"
#include "base/compare.h"

static int by_name(const void *a, const void *b)
{
    const struct dj_trace_sum *left = a, *right = b;
    int order = left->async - right->async;
    return order != 0 || left->name == right->name ? order
                                                   : strcmp(left->name, right->name);
}

static int by_weight(const void *a, const void *b)
{
    const struct dj_trace_sum *left = a, *right = b;
    int order = left->async - right->async;
    order = order != 0 ? order : DJ_COMPARE(right->self_ns, left->self_ns);
    order = order != 0 ? order : DJ_COMPARE(right->total_ns, left->total_ns);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static void add_sum(void *sum, const void *more_of_it)
{
    struct dj_trace_sum *to = sum;
    const struct dj_trace_sum *more = more_of_it;
    to->count += more->count;
    to->open += more->open;
    to->total_ns = dj_checked_add_saturated(to->total_ns, more->total_ns);
    to->self_ns = dj_checked_add_saturated(to->self_ns, more->self_ns);
    to->longest_ns =
        more->longest_ns > to->longest_ns ? more->longest_ns : to->longest_ns;
}

struct dj_trace_fold dj_slice_sums_create_fold(size_t memory_bytes)
{
    return (struct dj_trace_fold){.row_bytes = sizeof(struct dj_trace_sum),
                                  .order = by_name,
                                  .add = add_sum,
                                  .memory_bytes = memory_bytes};
}

static void sum_up_slices(struct dj_trace *trace, struct dj_trace_fold *fold)
{
    struct dj_trace_position place = {.any_order = true};
    const struct dj_trace_slice *slice;
    while ((slice = dj_trace_next_slice(trace, &place)) != NULL) {
        int64_t length_ns =
            slice->open ? 0
                        : dj_checked_subtract_saturated(slice->end_ns, slice->start_ns);
        dj_trace_fold_add(fold, &(struct dj_trace_sum){.name = slice->name,
                                                       .async = slice->async,
                                                       .count = 1,
                                                       .open = slice->open,
                                                       .total_ns = length_ns,
                                                       .self_ns = slice->self_ns,
                                                       .longest_ns = length_ns});
    }
}

int dj_trace_sum_slices(struct dj_trace *trace, struct dj_trace_rows *sums,
                        struct dj_error *err)
{
    struct dj_trace_fold fold = trace->sums;
    *sums = (struct dj_trace_rows){.row_bytes = sizeof(struct dj_trace_sum),
                                   .order = by_weight,
                                   .memory_bytes = trace->memory_bytes};
    trace->sums = (struct dj_trace_fold){0};
    if (fold.order == NULL) {
        fold = dj_slice_sums_create_fold(trace->memory_bytes);
        sum_up_slices(trace, &fold);
    }
    int code = dj_trace_fold_complete(&fold, sums, err);
    dj_trace_fold_finish(&fold);
    return code != 0 ? code : dj_trace_get_error(trace, err);
}
