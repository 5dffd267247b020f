#include "trace/model/samples.h"

#include "base/compare.h"
#include "trace/model/build_id.h"

static int by_time(const void *a, const void *b)
{
    const struct dj_trace_sample *left = a, *right = b;
    return DJ_COMPARE(left->at_ns, right->at_ns);
}

static uint32_t add_function(struct dj_calls_tree *calls,
                             const struct dj_event_call *call)
{
    char text[DJ_STACKS_BUILD_ID_TEXT];
    struct dj_calls_address address = {
        .name = call->function, .module = {"", 0}, .offset = call->address};
    if (call->mapping != NULL) {
        address.module = call->mapping->path;
        struct dj_stacks_build_id id = dj_trace_read_build_id(call->mapping->build_id);
        dj_stacks_build_id_format(&id, text);
        address.build_id = dj_str_of(text);
    }
    return dj_calls_tree_add_function(calls, &address);
}

/* Returns the node of the stack. */
static uint32_t add_stack(struct dj_calls_tree *calls, const struct dj_event_stack *stack)
{
    uint32_t node = DJ_CALLS_ROOT;
    for (size_t i = stack->count; i-- > 0;) {
        node =
            dj_calls_tree_add_node(calls, node, add_function(calls, &stack->frames[i]));
    }
    return node;
}

void dj_samples_add_event(struct dj_samples *samples, const struct dj_event *event)
{
    struct dj_trace *trace = samples->trace;
    const struct dj_event_stack *stack = event->stack;
    if (samples->rows.row_bytes == 0) {
        samples->rows =
            (struct dj_trace_rows){.row_bytes = sizeof(struct dj_trace_sample),
                                   .order = by_time,
                                   .memory_bytes = trace->memory_bytes};
    }
    const struct dj_trace_sample sample = {.at_ns = event->at_ns,
                                           .ns = event->value,
                                           .node = add_stack(&trace->calls, stack),
                                           .tid =
                                               event->tid > 0 ? (uint32_t)event->tid : 0,
                                           .pid = event->pid,
                                           .source = stack->source,
                                           .end = stack->end,
                                           .in_kernel = stack->in_kernel};
    dj_trace_rows_add(&samples->rows, &sample);
}

void dj_samples_complete(struct dj_samples *samples)
{
    struct dj_trace *trace = samples->trace;
    if (samples->rows.row_bytes != 0) {
        trace->samples = dj_trace_rows_move_out(&samples->rows, &trace->sample_rows,
                                                &trace->sample_count);
    }
}

void dj_samples_finish(struct dj_samples *samples)
{
    dj_trace_rows_finish(&samples->rows);
}
