#include "report/trace/writer.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"

void dj_trace_device(char text[DJ_TRACE_DEVICE_BYTES], int64_t device)
{
    enum { MINOR_BITS = 20 };
    snprintf(text, DJ_TRACE_DEVICE_BYTES, "%" PRId64 ":%" PRId64, device >> MINOR_BITS,
             device & ((1 << MINOR_BITS) - 1));
}

static void put_times(struct dj_text *text, const struct dj_trace_span *span,
                      const char *start, const char *end)
{
    dj_json_add_optional(text, start, !span->unbegun, span->start_ns);
    dj_json_add_optional(text, end, !span->open, span->end_ns);
}

static void put_cpu(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_known(text, "cpu", span->cpu);
}

static void put_frequency(struct dj_text *text, const struct dj_trace_span *span)
{
    put_cpu(text, span);
    dj_json_add_int(text, "at_ns", span->start_ns);
    dj_json_add_int(text, "khz", span->value);
}

static void put_limits(struct dj_text *text, const struct dj_trace_span *span)
{
    put_cpu(text, span);
    dj_json_add_int(text, "at_ns", span->start_ns);
    dj_json_add_int(text, "min_khz", span->value);
    dj_json_add_int(text, "max_khz", span->value_2);
}

static void put_gpu(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_int(text, "gpu", span->value_2);
    dj_json_add_int(text, "at_ns", span->start_ns);
    dj_json_add_int(text, "khz", span->value);
}

static void put_temperature(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_string(text, "zone", span->name);
    dj_json_add_int(text, "at_ns", span->start_ns);
    dj_json_add_int(text, "millidegrees", span->value);
}

static void put_cooling(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_string(text, "device", span->name);
    dj_json_add_int(text, "at_ns", span->start_ns);
    dj_json_add_int(text, "step", span->value);
}

static void put_idle(struct dj_text *text, const struct dj_trace_span *span)
{
    put_cpu(text, span);
    dj_json_add_optional(text, "state", !span->unbegun, span->value);
    put_times(text, span, "start_ns", "end_ns");
}

static const char *kind_of(const struct dj_trace_span *interrupt)
{
    return interrupt->soft ? "softirq" : interrupt->value < 0 ? "ipi" : "irq";
}

static void put_interrupt(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_string(text, "kind", kind_of(span));
    dj_json_add_known(text, "number", span->value);
    dj_json_add_string(text, "name", span->name);
    put_cpu(text, span);
    dj_json_add_int(text, "tid", span->tid);
    put_times(text, span, "start_ns", "end_ns");
}

static void put_reclaim(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_int(text, "tid", span->tid);
    put_times(text, span, "start_ns", "end_ns");
}

static void put_disk(struct dj_text *text, const struct dj_trace_span *span)
{
    char device[DJ_TRACE_DEVICE_BYTES];
    dj_trace_device(device, span->value);
    dj_json_add_string(text, "device", device);
    dj_json_add_int(text, "sector", span->value_2);
    dj_json_add_known(text, "tid", span->tid);
    put_times(text, span, "issued_ns", "completed_ns");
    dj_json_add_int(text, "issues", span->issues);
}

/* Appends a binder transaction. Its receiver is known only if a single thread can receive
 * it, or after a thread received it. */
static void put_binder(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_int(text, "transaction", span->value);
    dj_json_add_known(text, "from_tid", span->tid);
    dj_json_add_known(text, "to_tid", span->other > 0 ? span->other : -1);
    dj_json_add_known(text, "to_pid", span->pid);
    put_times(text, span, "sent_ns", "received_ns");
    if (span->unbegun) {
        dj_json_add_null(text, "reply");
    } else {
        dj_json_add_bool(text, "reply", span->reply);
        dj_json_add_bool(text, "one_way", span->one_way);
    }
    if (span->answers) {
        dj_json_add_int(text, "request", span->value_2);
        dj_json_add_int(text, "asked_ns", span->asked_ns);
    }
}

static void put_which_fence(struct dj_text *text, const struct dj_trace_span *span)
{
    dj_json_add_string(text, "name", span->name);
    dj_json_add_int(text, "context", span->value);
    dj_json_add_int(text, "seqno", span->value_2);
}

static void put_fence(struct dj_text *text, const struct dj_trace_span *span)
{
    put_which_fence(text, span);
    dj_json_add_known(text, "tid", span->tid);
    put_times(text, span, "emitted_ns", "signaled_ns");
}

static void put_fence_wait(struct dj_text *text, const struct dj_trace_span *span)
{
    put_which_fence(text, span);
    dj_json_add_int(text, "tid", span->tid);
    put_times(text, span, "start_ns", "end_ns");
}

static const struct {
    const char *key;
    void (*put)(struct dj_text *text, const struct dj_trace_span *span);
} arrays[DJ_SPAN_KINDS] = {
    [DJ_SPAN_FREQUENCY] = {"frequencies", put_frequency},
    [DJ_SPAN_LIMITS] = {"frequency_limits", put_limits},
    [DJ_SPAN_GPU_FREQUENCY] = {"gpu_frequencies", put_gpu},
    [DJ_SPAN_THERMAL] = {"thermal", put_temperature},
    [DJ_SPAN_COOLING] = {"cooling", put_cooling},
    [DJ_SPAN_IDLE] = {"idle", put_idle},
    [DJ_SPAN_INTERRUPT] = {"interrupts", put_interrupt},
    [DJ_SPAN_RECLAIM] = {"reclaim", put_reclaim},
    [DJ_SPAN_DISK] = {"disk", put_disk},
    [DJ_SPAN_BINDER] = {"binder", put_binder},
    [DJ_SPAN_FENCE] = {"fences", put_fence},
    [DJ_SPAN_FENCE_WAIT] = {"fence_waits", put_fence_wait},
};

void dj_trace_write_json_spans(struct dj_table_writer *paper)
{
    struct dj_text *text = &paper->text;
    struct dj_trace_position place = {0};
    const struct dj_trace_span *span = dj_trace_next_span(paper->trace, &place);
    for (uint8_t kind = 0; kind < DJ_SPAN_KINDS; kind++) {
        dj_json_open_array(text, arrays[kind].key);
        while (span != NULL && span->kind == kind && dj_trace_writer_continue(paper)) {
            dj_json_open_object(text, NULL);
            arrays[kind].put(text, span);
            dj_json_close(text, "}");
            span = dj_trace_next_span(paper->trace, &place);
        }
        dj_json_close(text, "]");
    }
}

/* The cells of a CSV row. */
struct row {
    const char *kind, *name;
    bool of_thread, ends;
    bool has_cookie, has_value;
    int64_t cookie, value;
};

static void put_row(struct dj_table_writer *paper, const struct dj_trace_span *span,
                    const struct row *row)
{
    struct dj_text *text = &paper->text;
    dj_text_format(text, "%s,", row->kind);
    dj_trace_writer_csv_name(text, row->name);
    if (row->of_thread && span->tid >= 0) {
        dj_text_format(text, ",%" PRId32 ",", span->tid);
        dj_trace_writer_csv_name(text, dj_trace_get_thread_name_at(paper->trace,
                                                                   (uint32_t)span->tid,
                                                                   span->start_ns));
    } else {
        dj_text_add(text, ",,\"\"");
    }
    dj_text_add(text, ",");
    if (!span->unbegun) {
        dj_text_append_int(text, span->start_ns);
    }
    dj_text_add(text, ",");
    if (row->ends && !span->open) {
        dj_text_append_int(text, span->end_ns);
    }
    dj_text_add(text, ",,");
    if (row->has_cookie) {
        dj_text_append_int(text, row->cookie);
    }
    dj_text_add(text, ",");
    if (row->has_value) {
        dj_text_append_int(text, row->value);
    }
    dj_text_add(text, "\n");
}

static void put_csv_limits(struct dj_table_writer *paper,
                           const struct dj_trace_span *span)
{
    struct row row = {.kind = "frequency-min",
                      .name = "",
                      .has_cookie = true,
                      .has_value = true,
                      .cookie = span->cpu,
                      .value = span->value};
    put_row(paper, span, &row);
    row.kind = "frequency-max";
    row.value = span->value_2;
    put_row(paper, span, &row);
}

static void put_csv(struct dj_table_writer *paper, const struct dj_trace_span *span)
{
    char device[DJ_TRACE_DEVICE_BYTES];
    struct row rows[DJ_SPAN_KINDS] = {
        [DJ_SPAN_FREQUENCY] = {"frequency", "", 0, 0, 1, 1, span->cpu, span->value},
        [DJ_SPAN_GPU_FREQUENCY] = {"gpu-frequency", "", 0, 0, 1, 1, span->value_2,
                                   span->value},
        [DJ_SPAN_THERMAL] = {"thermal", span->name, 0, 0, 0, 1, 0, span->value},
        [DJ_SPAN_COOLING] = {"cooling", span->name, 0, 0, 0, 1, 0, span->value},
        [DJ_SPAN_IDLE] = {"idle", "", 0, 1, 1, !span->unbegun, span->cpu, span->value},
        [DJ_SPAN_INTERRUPT] = {kind_of(span), span->name, 1, 1, span->value >= 0, 1,
                               span->value, span->cpu},
        [DJ_SPAN_RECLAIM] = {"reclaim", "", 1, 1, 0, 0, 0, 0},
        [DJ_SPAN_DISK] = {"disk", device, 1, 1, 1, 0, span->value_2, 0},
        [DJ_SPAN_BINDER] = {span->reply ? "binder-reply" : "binder", "", 1, 1, 1,
                            span->other > 0, span->value, span->other},
        [DJ_SPAN_FENCE] = {"fence", span->name, 1, 1, 1, 1, span->value, span->value_2},
        [DJ_SPAN_FENCE_WAIT] = {"fence-wait", span->name, 1, 1, 1, 1, span->value,
                                span->value_2},
    };
    dj_trace_device(device, span->value);
    if (span->kind == DJ_SPAN_LIMITS) {
        put_csv_limits(paper, span);
    } else {
        put_row(paper, span, &rows[span->kind]);
    }
}

void dj_trace_write_csv_spans(struct dj_table_writer *paper)
{
    struct dj_trace_position place = {0};
    const struct dj_trace_span *span;
    while (dj_trace_writer_continue(paper) &&
           (span = dj_trace_next_span(paper->trace, &place)) != NULL) {
        put_csv(paper, span);
    }
}
