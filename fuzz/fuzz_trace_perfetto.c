/* Reads any bytes as a Perfetto trace. The reader must not read past them. No event may
 * have a negative time. Each slice must have a name. No slice, state or frame may end
 * before it starts. */
#include <stdint.h>
#include <stdlib.h>

#include "trace/model/builder.h"
#include "trace/perfetto/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static int take(void *user, const struct dj_event *event)
{
    check(event->kind < DJ_EVENT_KINDS && event->at_ns >= 0);
    check(event->kind != DJ_EVENT_FRAME_BEGIN || event->frame != NULL);
    return dj_builder_add_event(user, event);
}

static void check_trace(const struct dj_trace *trace)
{
    for (size_t i = 0; i < trace->slice_count; i++) {
        check(trace->slices[i].name != NULL);
        check(trace->slices[i].open ||
              trace->slices[i].end_ns >= trace->slices[i].start_ns);
    }
    for (size_t i = 0; i < trace->state_count; i++) {
        check(trace->states[i].end_ns >= trace->states[i].start_ns);
        check(trace->states[i].state < DJ_THREAD_STATES);
    }
    for (size_t i = 0; i < trace->frame_count; i++) {
        const struct dj_trace_frame *frame = &trace->frames[i];
        check(frame->layer != NULL && frame->end_ns >= frame->start_ns &&
              frame->expected_end_ns >= frame->expected_start_ns);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_trace trace = {.keep_spans = true};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_perfetto_summary summary = {0};
    const struct dj_perfetto_file file = {data, size, (size & 1) != 0, false};
    int code = dj_perfetto_read(&file, (struct dj_event_sink){take, &build}, &summary);
    check(code == 0 || (code == DJ_E_UNSUPPORTED && !file.is_unpacked));
    dj_perfetto_sniff(data, size, true);
    check(dj_builder_complete(&build, NULL) == 0);
    check_trace(&trace);
    dj_trace_finish(&trace);
    return 0;
}
