/* Reads any bytes as the kernel's trace text or as text of perf script. The pieces of the
 * text must give as many events, slices and states as the whole. Thread states must be
 * sorted by time. No slice, span or state may end before it starts. Sums of slices that
 * are computed during reading must equal the sums of the stored slices. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/text/ftrace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static struct dj_trace read_pieces(const char *bytes, size_t size, size_t piece)
{
    struct dj_trace trace = {.keep_spans = true, .keep_samples = true};
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &built}};
    for (size_t at = 0; at < size; at += piece) {
        size_t length = size - at < piece ? size - at : piece;
        check(dj_ftrace_text_read(&reader, bytes + at, length, NULL) == 0);
    }
    check(dj_ftrace_text_end(&reader, NULL) == 0);
    dj_ftrace_text_finish(&reader);
    check(dj_builder_complete(&built, NULL) == 0);
    return trace;
}

static void check_spans(struct dj_trace *trace)
{
    struct dj_trace_position place = {0};
    const struct dj_trace_span *span;
    struct dj_trace_span before = {0};
    bool first = true;
    while ((span = dj_trace_next_span(trace, &place)) != NULL) {
        check(span->name != NULL && span->kind < DJ_SPAN_KINDS);
        check(span->end_ns >= span->start_ns && !(span->open && span->unbegun));
        check(span->kind > before.kind || (span->kind == before.kind &&
                                           (first || span->start_ns >= before.start_ns)));
        before = *span;
        first = false;
    }
}

static void check_trace(const struct dj_trace *trace)
{
    for (size_t i = 0; i < trace->slice_count; i++) {
        check(trace->slices[i].name != NULL);
        check(trace->slices[i].open ||
              trace->slices[i].end_ns >= trace->slices[i].start_ns);
    }
    for (size_t i = 0; i < trace->state_count; i++) {
        const struct dj_trace_state *state = &trace->states[i];
        check(state->end_ns >= state->start_ns && state->tid > 0);
        check(state->state < DJ_THREAD_STATES);
        check(i == 0 || trace->states[i - 1].start_ns <= state->start_ns);
    }
    for (size_t i = 0; i < trace->sample_count; i++) {
        check(trace->samples[i].node == 0 ||
              trace->samples[i].node < trace->calls.node_count);
    }
    for (size_t i = 0; i < trace->thread_count; i++) {
        check(memchr(trace->threads[i].name, '\0', sizeof(trace->threads[i].name)));
        const struct dj_trace_thread *before = &trace->threads[i == 0 ? 0 : i - 1];
        check(i == 0 || before->tid < trace->threads[i].tid ||
              (before->tid == trace->threads[i].tid &&
               before->from_ns <= trace->threads[i].from_ns));
    }
}

static void check_sums(struct dj_trace *trace, struct dj_trace *summed)
{
    struct dj_trace_rows sums, others;
    const struct dj_trace_sum *sum, *other;
    check(dj_trace_sum_slices(trace, &sums, NULL) == 0);
    check(dj_trace_sum_slices(summed, &others, NULL) == 0);
    while ((sum = dj_trace_rows_next(&sums)) != NULL) {
        other = dj_trace_rows_next(&others);
        check(other != NULL && strcmp(sum->name, other->name) == 0 &&
              sum->async == other->async && sum->count == other->count &&
              sum->open == other->open && sum->total_ns == other->total_ns &&
              sum->self_ns == other->self_ns && sum->longest_ns == other->longest_ns);
    }
    check(dj_trace_rows_next(&others) == NULL);
    check(trace->slice_count == summed->slice_count &&
          trace->state_count == summed->state_count && trace->endings == summed->endings);
    dj_trace_rows_finish(&sums);
    dj_trace_rows_finish(&others);
}

/* Computes the sums of slices during reading, and compares them with those of `whole`. If
 * the text would have to be read twice, for example because slices are not in order,
 * there must be an error, and the sums are not compared. */
static void sum_up(const char *bytes, size_t size, struct dj_trace *whole)
{
    struct dj_trace trace = {.sum_slices = true, .count_states = true};
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &built}};
    int code = size > 0 ? dj_ftrace_text_read(&reader, bytes, size, NULL) : 0;
    code = code != 0 ? code : dj_ftrace_text_end(&reader, NULL);
    dj_ftrace_text_finish(&reader);
    /* The first call that returns the error may be dj_builder_complete(). */
    if (code == 0) {
        code = dj_builder_complete(&built, NULL);
    } else {
        dj_builder_finish(&built);
    }
    if (built.running_sums.needs_second_read) {
        check(code == DJ_E_LIMIT);
    } else {
        check(code == 0);
        check_sums(whole, &trace);
    }
    dj_trace_finish(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_trace whole = read_pieces((const char *)data, size, size + 1);
    struct dj_trace pieces = read_pieces((const char *)data, size, 7);
    check_trace(&whole);
    check_spans(&whole);
    check(whole.span_rows.total == pieces.span_rows.total);
    check(whole.sample_count == pieces.sample_count &&
          whole.samples_lost == pieces.samples_lost);
    check(whole.events == pieces.events && whole.slice_count == pieces.slice_count &&
          whole.state_count == pieces.state_count && whole.endings == pieces.endings);
    sum_up((const char *)data, size, &whole);
    dj_trace_finish(&whole);
    dj_trace_finish(&pieces);
    return 0;
}
