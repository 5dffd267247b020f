/* Reads any bytes as a file of simpleperf report-sample. The reader must not read past
 * them. Each stack must be in the call tree, and no thread state may end before it
 * starts. The first damaged part must be reported with its offset. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/perf/report_sample.h"

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
    check(event->kind != DJ_EVENT_STACK || event->stack != NULL);
    return dj_builder_add_event(user, event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_trace trace = {.keep_samples = true};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_report_sample_summary summary = {0};
    const struct dj_trace_file file = {.bytes = data, .size = size};
    if (!dj_report_sample_sniff((const char *)data, size)) {
        return 0;
    }
    int code = dj_report_sample_read(&file, (struct dj_event_sink){take, &build},
                                     &summary, NULL);
    check(code == 0 || code == DJ_E_UNSUPPORTED);
    check((summary.damaged > 0) == (strncmp(summary.damage, "byte ", 5) == 0));
    check(dj_builder_complete(&build, NULL) == 0);
    for (size_t i = 0; i < trace.sample_count; i++) {
        check(trace.samples[i].node == 0 ||
              trace.samples[i].node < trace.calls.node_count);
        check(i == 0 || trace.samples[i].at_ns >= trace.samples[i - 1].at_ns);
    }
    for (size_t i = 0; i < trace.state_count; i++) {
        check(trace.states[i].end_ns >= trace.states[i].start_ns);
    }
    dj_trace_finish(&trace);
    return 0;
}
