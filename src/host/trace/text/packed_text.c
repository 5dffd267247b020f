#include "trace/input/packed_input.h"

#include <stdio.h>

#include "trace/text/input.h"

/* Copies the summary of the text to *trace. */
static void copy_summary(struct dj_trace *trace, const struct dj_text_summary *summary)
{
    trace->damaged = summary->unreadable;
    if (summary->samples > 0) {
        trace->source = "perf script";
    }
    trace->without_flags = summary->without_flags;
    trace->first_damaged_line = summary->first_unreadable_line;
    snprintf(trace->damage, sizeof(trace->damage), "%s", summary->damage);
    if (summary->written > summary->entries) {
        trace->overwritten += summary->written - summary->entries;
    }
}

/* Maximum number of bytes to read before the first event. If this many bytes contain no
 * event, the input is not a trace. The limit also stops the reading of an endless input
 * such as /dev/zero. */
enum { EVENTLESS_BYTES_MAX = 256 << 20 };

static bool has_content(const struct dj_text_input *input)
{
    struct dj_text_summary summary = dj_text_input_get_summary(input);
    return summary.events + summary.samples > 0 || summary.listed > 0;
}

static int read_pieces(struct dj_packed_input *part, struct dj_text_input *input,
                       struct dj_error *err)
{
    struct dj_str bytes = part->first;
    uint64_t bytes_read = 0;
    int code = 0;
    while (code == 0 && bytes.length > 0) {
        bytes_read += bytes.length;
        if (bytes_read > EVENTLESS_BYTES_MAX && !has_content(input)) {
            return dj_error_set(
                err, DJ_E_INVALID,
                "%s: expected a trace, but the first %d MiB contain no event",
                dj_input_get_name(part->reader), EVENTLESS_BYTES_MAX >> 20);
        }
        code = dj_text_input_read(input, bytes.at, bytes.length, err);
        code =
            code != 0 ? code : dj_packed_input_read(part, &bytes.at, &bytes.length, err);
    }
    code = code != 0 ? code : dj_text_input_end(input, err);
    return code != 0 ? code : dj_chrome_events_flush(input->events, err);
}

int dj_packed_text_read(struct dj_packed_input *part, struct dj_event_sink sink,
                        struct dj_trace *trace, struct dj_text_summary *summary,
                        struct dj_error *err)
{
    struct dj_chrome_events events = {.sink = sink};
    struct dj_text_input input = {.sink = sink, .events = &events};
    int code = read_pieces(part, &input, err);
    *summary = dj_text_input_get_summary(&input);
    if (input.json != NULL) {
        trace->source = "json";
    }
    if (events.overlaps > 0 && summary->unreadable == 0) {
        snprintf(summary->damage, sizeof(summary->damage),
                 "a section ends after the section around it and was shortened");
    }
    summary->unreadable += events.overlaps;
    copy_summary(trace, summary);
    dj_packed_input_report_damage(part, trace);
    dj_text_input_finish(&input);
    dj_chrome_events_finish(&events);
    return code;
}
