/* Reads any bytes as trace.dat. The reader must not read past them, and it must end.
 * Every error must have a message, and no thread state may end before it starts. */
#include <stdint.h>
#include <stdlib.h>

#include "trace/kernel/trace_dat.h"
#include "trace/model/builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_trace_ring_summary summary = {0};
    struct dj_error err = {0};
    const struct dj_trace_file file = {.bytes = data, .size = size};
    int code = dj_trace_dat_read(
        &file, (struct dj_event_sink){dj_builder_add_event, &build}, &summary, &err);
    check((code != 0) == (err.message[0] != '\0'));
    check(summary.events <= size);
    check(dj_builder_complete(&build, NULL) == 0);
    for (size_t i = 0; i < trace.state_count; i++) {
        check(trace.states[i].end_ns >= trace.states[i].start_ns);
    }
    dj_trace_finish(&trace);
    return 0;
}
