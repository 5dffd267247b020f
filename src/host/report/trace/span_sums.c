#include "report/trace/span_sums.h"

#include <string.h>

#include "base/checked.h"
#include "base/compare.h"
#include "trace/fold.h"

static const uint8_t tables[DJ_SPAN_KINDS] = {
    [DJ_SPAN_FREQUENCY] = DJ_SPANS_FREQUENCIES,
    [DJ_SPAN_IDLE] = DJ_SPANS_IDLENESS,
    [DJ_SPAN_LIMITS] = DJ_SPANS_READINGS,
    [DJ_SPAN_GPU_FREQUENCY] = DJ_SPANS_READINGS,
    [DJ_SPAN_THERMAL] = DJ_SPANS_READINGS,
    [DJ_SPAN_COOLING] = DJ_SPANS_READINGS,
    [DJ_SPAN_INTERRUPT] = DJ_SPANS_TIMES,
    [DJ_SPAN_RECLAIM] = DJ_SPANS_TIMES,
    [DJ_SPAN_DISK] = DJ_SPANS_TIMES,
    [DJ_SPAN_BINDER] = DJ_SPANS_CALLS,
    [DJ_SPAN_FENCE] = DJ_SPANS_TIMES,
    [DJ_SPAN_FENCE_WAIT] = DJ_SPANS_TIMES,
};

static int by_what(const void *a, const void *b)
{
    const struct dj_span_sum *left = a;
    const struct dj_span_sum *right = b;
    int order = left->table - right->table;
    order = order != 0 ? order : left->kind - right->kind;
    order = order != 0 ? order : DJ_COMPARE(left->key, right->key);
    order = order != 0 ? order : DJ_COMPARE(left->key_2, right->key_2);
    order = order != 0 ? order : left->second - right->second;
    return order != 0 ? order : strcmp(left->name, right->name);
}

static uint64_t hash(const void *row)
{
    const struct dj_span_sum *sum = row;
    return (uint64_t)(uintptr_t)sum->name ^
           (uint64_t)sum->key * UINT64_C(0xff51afd7ed558ccd) ^
           (uint64_t)sum->key_2 * UINT64_C(0xc4ceb9fe1a85ec53) ^
           (uint64_t)(2 * sum->kind + sum->second) << 40;
}

/* Sorts CPUs and readings by number, and everything else by total time. */
static int by_weight(const void *a, const void *b)
{
    const struct dj_span_sum *left = a;
    const struct dj_span_sum *right = b;
    int order = left->table - right->table;
    if (order == 0 && left->table <= DJ_SPANS_IDLENESS) {
        order = DJ_COMPARE(left->key, right->key);
    }
    if (order == 0 && left->table != DJ_SPANS_READINGS) {
        order = DJ_COMPARE(right->replies.total_ns, left->replies.total_ns);
        order =
            order != 0 ? order : DJ_COMPARE(right->ended.total_ns, left->ended.total_ns);
    }
    return order != 0 ? order : by_what(a, b);
}

static void add_lengths(struct dj_span_lengths *to, const struct dj_span_lengths *more)
{
    to->count += more->count;
    to->total_ns = dj_checked_add_saturated(to->total_ns, more->total_ns);
    to->longest_ns =
        more->longest_ns > to->longest_ns ? more->longest_ns : to->longest_ns;
}

static void add(void *sum, const void *more_of_it)
{
    struct dj_span_sum *to = sum;
    const struct dj_span_sum *more = more_of_it;
    add_lengths(&to->ended, &more->ended);
    add_lengths(&to->replies, &more->replies);
    to->open += more->open;
    to->first_ns = more->first_ns < to->first_ns ? more->first_ns : to->first_ns;
    to->least = more->least < to->least ? more->least : to->least;
    to->most = more->most > to->most ? more->most : to->most;
    to->last = more->last;
}

static struct dj_span_lengths length_of(int64_t start_ns, int64_t end_ns)
{
    int64_t length_ns = dj_checked_subtract_saturated(end_ns, start_ns);
    return (struct dj_span_lengths){1, length_ns, length_ns};
}

/* Returns the pid of the caller or of the callee. If the pid is unknown, returns −1 − the
 * tid of its thread, or DJ_SPAN_NO_PROCESS if both are unknown. */
static int64_t side(const struct dj_trace *trace, int32_t pid, int32_t tid, int64_t at_ns)
{
    const struct dj_trace_thread *thread =
        pid <= 0 && tid > 0 ? dj_trace_find_thread_at(trace, (uint32_t)tid, at_ns) : NULL;
    pid = thread != NULL ? thread->pid : pid;
    return pid > 0 ? pid : tid > 0 ? -(int64_t)tid - 1 : DJ_SPAN_NO_PROCESS;
}

/* Sets the caller and the callee of a call. A request and its reply have the same caller
 * and callee, so they are in the same row. */
static void set_call(struct dj_span_sum *sum, const struct dj_trace *trace,
                     const struct dj_trace_span *span)
{
    int64_t from = side(trace, DJ_SPAN_NO_PROCESS, span->tid, span->start_ns);
    int64_t to = side(trace, span->pid, span->other, span->start_ns);
    sum->key = span->reply ? to : from;
    sum->key_2 = span->reply ? from : to;
    if (span->reply) {
        sum->ended = (struct dj_span_lengths){0};
        sum->open = 0;
        sum->replies = span->answers && !span->open
                           ? length_of(span->asked_ns, span->end_ns)
                           : (struct dj_span_lengths){0};
    }
}

static struct dj_span_sum sum_of(const struct dj_trace *trace,
                                 const struct dj_trace_span *span)
{
    uint8_t table = tables[span->kind];
    bool timed = !span->unbegun && (!span->open || table <= DJ_SPANS_READINGS);
    bool of_cpu = table <= DJ_SPANS_IDLENESS;
    struct dj_span_sum sum = {
        .name = span->name,
        .kind = span->kind,
        .table = table,
        .second = span->soft,
        .key = of_cpu || span->kind == DJ_SPAN_LIMITS ? span->cpu
               : span->kind == DJ_SPAN_GPU_FREQUENCY  ? span->value_2
               : span->kind >= DJ_SPAN_FENCE          ? 0
               : table == DJ_SPANS_TIMES              ? span->value
                                                      : 0,
        .key_2 = of_cpu ? span->value : 0,
        .first_ns = span->start_ns,
        .open = !timed,
        .ended =
            timed ? length_of(span->start_ns, span->end_ns) : (struct dj_span_lengths){0},
        .least = span->value,
        .most = span->value,
        .last = span->value,
    };
    if (span->kind == DJ_SPAN_BINDER) {
        set_call(&sum, trace, span);
    }
    return sum;
}

static void put(struct dj_trace_fold *fold, const struct dj_trace *trace,
                const struct dj_trace_span *span)
{
    struct dj_span_sum sum = sum_of(trace, span);
    dj_trace_fold_add(fold, &sum);
    if (span->kind == DJ_SPAN_LIMITS) {
        sum.second = true;
        sum.least = sum.most = sum.last = span->value_2;
        dj_trace_fold_add(fold, &sum);
    }
}

int dj_span_sums(struct dj_trace *trace, struct dj_trace_rows *sums, struct dj_error *err)
{
    struct dj_trace_fold fold = {.row_bytes = sizeof(struct dj_span_sum),
                                 .order = by_what,
                                 .add = add,
                                 .memory_bytes = trace->memory_bytes,
                                 .hash = hash};
    struct dj_trace_position place = {.any_order = true};
    const struct dj_trace_span *span;
    *sums = (struct dj_trace_rows){.row_bytes = sizeof(struct dj_span_sum),
                                   .order = by_weight,
                                   .memory_bytes = trace->memory_bytes};
    while ((span = dj_trace_next_span(trace, &place)) != NULL) {
        /* Skips a transaction if its start is not in the trace, because its caller is
         * then unknown. */
        if (span->kind != DJ_SPAN_BINDER || !span->unbegun) {
            put(&fold, trace, span);
        }
    }
    int code = dj_trace_fold_complete(&fold, sums, err);
    dj_trace_fold_finish(&fold);
    return code != 0 ? code : dj_trace_get_error(trace, err);
}
