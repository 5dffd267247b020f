#include "trace/rewrite.h"

#include <inttypes.h>
#include <string.h>

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
static int tell_lost(const struct dj_trace *told, struct dj_event_sink sink)
{
    struct dj_event lost = {.kind = DJ_EVENT_LOST,
                            .cpu = -1,
                            .pid = DJ_PID_UNKNOWN,
                            .value = (int64_t)(told->overwritten + told->damaged)};
    return lost.value > 0 ? sink.take(sink.user, &lost) : 0;
}

/* State of the events between the reader and the writer. */
struct passing {
    struct dj_event_sink sink;
    bool any, ticks;
    int64_t last_ns;
    uint64_t backwards; /* Number of events that are earlier than a previous event. */
};

static int pass(void *user, const struct dj_event *event)
{
    struct passing *passing = user;
    bool happened = event->kind != DJ_EVENT_CLOCK && event->kind != DJ_EVENT_THREAD &&
                    event->kind != DJ_EVENT_LOST;
    passing->ticks |= event->kind == DJ_EVENT_CLOCK && event->state != 0;
    if (happened) {
        passing->backwards += passing->any && event->at_ns < passing->last_ns;
        passing->last_ns = passing->any && event->at_ns < passing->last_ns
                               ? passing->last_ns
                               : event->at_ns;
        passing->any = true;
    }
    return passing->sink.take(passing->sink.user, event);
}

static void note(struct dj_text *notes, const char *what, uint64_t count)
{
    dj_text_format(notes, "%s%s", notes->length > 0 ? "; " : "", what);
    if (count > 0) {
        dj_text_format(notes, ": %" PRIu64, count);
    }
}

static void note_faults(const struct dj_trace *told, const struct passing *passing,
                        struct dj_text *notes)
{
    if (told->damaged > 0) {
        note(notes, "parts of it that could not be read, and are not in what was written",
             told->damaged);
    }
    if (passing->ticks) {
        note(notes,
             "its stamps are ticks, and how long one is it does not tell: each was "
             "written as a nanosecond",
             0);
    }
    if (passing->backwards > 0) {
        note(notes, "events that are stamped earlier than one before them",
             passing->backwards);
    }
}

static int write_events(const char *input, struct dj_trace_writer *writer,
                        struct dj_text *notes, struct dj_error *err)
{
    struct dj_trace told = {0};
    struct passing passing = {.sink = dj_trace_writer_get_sink(writer)};
    int code =
        dj_trace_read_events(input, (struct dj_event_sink){pass, &passing}, &told, err);
    code = code != 0 ? code : tell_lost(&told, passing.sink);
    if (code == 0 || code == DJ_E_OUTPUT) {
        code = dj_trace_writer_end(writer, err);
    }
    note_faults(&told, &passing, notes);
    dj_trace_finish(&told);
    return code;
}

int dj_trace_rewrite(const char *input, const char *output, struct dj_text *note,
                     struct dj_error *err)
{
    struct dj_output_stream stream;
    /* The clock of the input is known only from its events. */
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
