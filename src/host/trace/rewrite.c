#include "trace/rewrite.h"

#include <inttypes.h>
#include <string.h>

#include "memory/memory.h"
#include "output/stream.h"
#include "trace/pftrace_writer.h"
#include "trace/read.h"

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

int dj_trace_rewrite_check(const char *output, struct dj_error *err)
{
    return ends_with(output, ".pftrace") || ends_with(output, ".perfetto-trace")
               ? 0
               : dj_error_set(
                     err, DJ_E_USAGE,
                     "%s: expected a name that ends in .pftrace or .perfetto-trace "
                     "(Perfetto's format, the only one that dejank writes)",
                     output);
}

/* Reports to the sink how many events were lost in the input. */
static int report_losses(const struct dj_trace *summary, struct dj_event_sink sink)
{
    struct dj_event lost = {.kind = DJ_EVENT_LOST,
                            .cpu = -1,
                            .pid = DJ_PID_UNKNOWN,
                            .value = (int64_t)(summary->overwritten + summary->damaged)};
    return lost.value > 0 ? sink.take(sink.user, &lost) : 0;
}

/* The state of a conversion. Events pass through it from the reader to the writer. */
struct forwarding {
    struct dj_event_sink sink;
    bool any, ticks;
    int64_t latest_ns; /* Latest time of all events read so far. */
    /* Number of events with a time before the latest time read so far. */
    uint64_t backwards;
};

static int forward_event(void *user, const struct dj_event *event)
{
    struct forwarding *forwarding = user;
    bool happened = event->kind != DJ_EVENT_CLOCK && event->kind != DJ_EVENT_THREAD &&
                    event->kind != DJ_EVENT_LOST;
    forwarding->ticks |= event->kind == DJ_EVENT_CLOCK && event->state != 0;
    if (happened) {
        bool goes_back = forwarding->any && event->at_ns < forwarding->latest_ns;
        forwarding->backwards += goes_back;
        forwarding->latest_ns = goes_back ? forwarding->latest_ns : event->at_ns;
        forwarding->any = true;
    }
    return forwarding->sink.take(forwarding->sink.user, event);
}

static void append_note(struct dj_text *notes, const char *what, uint64_t count)
{
    dj_text_format(notes, "%s%s", notes->length > 0 ? "; " : "", what);
    if (count > 0) {
        dj_text_format(notes, ": %" PRIu64, count);
    }
}

static void note_faults(const struct dj_trace *summary,
                        const struct forwarding *forwarding, struct dj_text *notes)
{
    const char *note = dj_xtext(&summary->notes);
    for (size_t i = 0; i < summary->note_count; i++, note += strlen(note) + 1) {
        append_note(notes, note, 0);
    }
    if (summary->damaged > 0) {
        append_note(notes, "damaged parts of the input that the output does not contain",
                    summary->damaged);
    }
    if (forwarding->ticks) {
        append_note(notes,
                    "its timestamps are ticks of unknown length, and each tick was "
                    "written as one nanosecond",
                    0);
    }
    if (forwarding->backwards > 0) {
        append_note(notes, "events with an earlier timestamp than a previous event",
                    forwarding->backwards);
    }
}

static int write_events(const char *input, struct dj_trace_writer *writer,
                        struct dj_text *notes, struct dj_error *err)
{
    struct dj_trace summary = {0};
    struct forwarding forwarding = {.sink = dj_trace_writer_get_sink(writer)};
    int code = dj_trace_read_events(
        input, (struct dj_event_sink){forward_event, &forwarding}, &summary, err);
    code = code != 0 ? code : report_losses(&summary, forwarding.sink);
    if (code == 0 || code == DJ_E_OUTPUT) {
        code = dj_trace_writer_end(writer, err);
    }
    note_faults(&summary, &forwarding, notes);
    dj_trace_finish(&summary);
    return code;
}

int dj_trace_rewrite(const char *input, const char *output, struct dj_text *note,
                     struct dj_error *err)
{
    struct dj_output_stream stream;
    /* The clock of the input is not known before its events are read. */
    const struct dj_trace_origin unknown = {.kernel = NULL};
    int code = dj_output_stream_open(&stream, output, err);
    if (code != 0) {
        return code;
    }
    struct dj_trace_writer *writer = dj_trace_writer_create(stream.fd, output, &unknown);
    code = write_events(input, writer, note, err);
    if (code == 0) {
        code = dj_output_stream_commit(&stream, err);
    } else {
        dj_output_stream_discard(&stream);
    }
    dj_trace_writer_destroy(writer);
    return code;
}
