/* Reads any bytes as perf.data. The reader must not read past them, and it must end.
 * Every error must have a message, and samples must be in order of time. The time of the
 * recording is unknown, so a file of this machine is read only if its build-id
 * matches. */
#include <stdint.h>
#include <stdlib.h>

#include "trace/model/builder.h"
#include "trace/perf_data/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static int take(void *user, const struct dj_event *event)
{
    check(event->kind < DJ_EVENT_KINDS);
    if (event->kind == DJ_EVENT_STACK) {
        check(event->stack->count <= DJ_STACK_FRAMES_MAX);
        check(event->stack->lost == 0 || event->stack->count == 0);
    }
    return dj_builder_add_event(user, event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_trace trace = {.keep_samples = true};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_perf_data_summary summary = {0};
    struct dj_error err = {0};
    const struct dj_trace_file file = {.bytes = data, .size = size};
    int code =
        dj_perf_data_read(&file, (struct dj_event_sink){take, &build}, &summary, &err);
    check((code != 0) == (err.message[0] != '\0'));
    check((summary.damaged > 0) == (summary.damage[0] != '\0'));
    check(dj_builder_complete(&build, NULL) == 0);
    for (size_t i = 0; i < trace.sample_count; i++) {
        check(trace.samples[i].node < trace.calls.node_count ||
              trace.samples[i].node == 0);
        check(i == 0 || trace.samples[i].at_ns >= trace.samples[i - 1].at_ns);
    }
    dj_text_finish(&summary.notes.sentences);
    dj_trace_finish(&trace);
    return 0;
}
