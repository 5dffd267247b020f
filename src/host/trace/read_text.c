#include "trace/wrapped.h"

#include <stdio.h>

#include "trace/text_input.h"

/* Copies the summary of the text to the trace. */
static void take_told(struct dj_trace *trace, const struct dj_trace_told *told)
{
    trace->damaged = told->strange;
    trace->without_flags = told->without_flags;
    trace->first_damaged_line = told->first_strange;
    snprintf(trace->damage, sizeof(trace->damage), "%s", told->damage);
    if (told->written > told->entries) {
        trace->overwritten += told->written - told->entries;
    }
}

/* Input without any event up to here is no trace. This also ends endless input
 * (/dev/zero). */
enum { LONGEST_SILENCE = 256 << 20 };

static bool tells_something(const struct dj_text_input *input)
{
    struct dj_trace_told told = dj_text_input_told(input);
    return told.events > 0 || told.listed > 0;
}

static int read_pieces(struct dj_wrapped *part, struct dj_text_input *input,
                       struct dj_error *err)
{
    struct dj_str bytes = part->first;
    uint64_t taken = 0;
    int code = 0;
    while (code == 0 && bytes.length > 0) {
        taken += bytes.length;
        if (taken > LONGEST_SILENCE && !tells_something(input)) {
            return dj_error_set(err, DJ_E_INVALID,
                                "%s: expected a trace: there is none in its first %d MiB",
                                dj_intake_name(part->intake), LONGEST_SILENCE >> 20);
        }
        code = dj_text_input_take(input, bytes.at, bytes.length, err);
        code = code != 0 ? code : dj_wrapped_read(part, &bytes.at, &bytes.length, err);
    }
    code = code != 0 ? code : dj_text_input_end(input, err);
    return code != 0 ? code : dj_chrome_events_end(input->events, err);
}

int dj_read_text_part(struct dj_wrapped *part, struct dj_event_sink sink,
                      struct dj_trace *trace, struct dj_trace_told *told,
                      struct dj_error *err)
{
    struct dj_chrome_events events = {.sink = sink};
    struct dj_text_input input = {.sink = sink, .events = &events};
    int code = read_pieces(part, &input, err);
    *told = dj_text_input_told(&input);
    if (input.json != NULL) {
        trace->source = "json";
    }
    if (events.overlaps > 0 && told->strange == 0) {
        snprintf(told->damage, sizeof(told->damage),
                 "a section ends behind the one around it, and was cut there");
    }
    told->strange += events.overlaps;
    take_told(trace, told);
    dj_wrapped_tell(part, trace);
    dj_text_input_finish(&input);
    dj_chrome_events_finish(&events);
    return code;
}
