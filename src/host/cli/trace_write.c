#include "cli/trace_write.h"

#include <inttypes.h>
#include <string.h>

#include "device/output_stream.h"
#include "trace/chrome_write.h"
#include "trace/pftrace_write.h"
#include "trace/read.h"

/* ---- the forms ---- */

typedef int create_writer(void **writer, int fd, const char *name, struct dj_error *err);

/* Of a file no clock is known but what its own events tell. */
static const struct dj_trace_origin unknown = {.kernel = NULL};

static int create_pftrace(void **writer, int fd, const char *name, struct dj_error *err)
{
    struct dj_pftrace *pftrace;
    int code = dj_pftrace_create(&pftrace, fd, name, &unknown, err);
    *writer = pftrace;
    return code;
}

static struct dj_event_sink pftrace_sink(void *writer)
{
    return dj_pftrace_sink(writer);
}

static int end_pftrace(void *writer, struct dj_error *err)
{
    return dj_pftrace_end(writer, err);
}

static void destroy_pftrace(void *writer)
{
    dj_pftrace_destroy(writer);
}

static int create_chrome(void **writer, int fd, const char *name, struct dj_error *err)
{
    struct dj_chrome *chrome;
    int code = dj_chrome_create(&chrome, fd, name, &unknown, err);
    *writer = chrome;
    return code;
}

static struct dj_event_sink chrome_sink(void *writer)
{
    return dj_chrome_sink(writer);
}

static int end_chrome(void *writer, struct dj_error *err)
{
    return dj_chrome_end(writer, err);
}

static void destroy_chrome(void *writer)
{
    dj_chrome_destroy(writer);
}

struct form {
    const char *ending;
    create_writer *create;
    struct dj_event_sink (*sink)(void *writer);
    int (*end)(void *writer, struct dj_error *err);
    void (*destroy)(void *writer);
};

#define PFTRACE create_pftrace, pftrace_sink, end_pftrace, destroy_pftrace

static const struct form forms[] = {
    {".pftrace", PFTRACE},
    {".perfetto-trace", PFTRACE},
    {".json", create_chrome, chrome_sink, end_chrome, destroy_chrome},
};

static const struct form *form_of(const char *output)
{
    size_t length = strlen(output);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        size_t ending = strlen(forms[i].ending);
        if (length > ending && strcmp(output + length - ending, forms[i].ending) == 0) {
            return &forms[i];
        }
    }
    return NULL;
}

int dj_trace_write_check(const char *output, struct dj_error *err)
{
    return form_of(output) != NULL
               ? 0
               : dj_error_set(err, DJ_E_USAGE,
                              "%s: expected a name that ends in .pftrace or "
                              ".perfetto-trace (Perfetto) or .json (Chrome)",
                              output);
}

/* ---- writing ---- */

/* What the file said of its events' number stands in the written one as well. */
static int tell_lost(const struct dj_trace *told, struct dj_event_sink sink)
{
    struct dj_event lost = {.kind = DJ_EVENT_LOST,
                            .cpu = -1,
                            .pid = DJ_PID_UNKNOWN,
                            .value = (int64_t)(told->overwritten + told->damaged)};
    return lost.value > 0 ? sink.take(sink.user, &lost) : 0;
}

/* What passes on its way from the reader to the writer. */
struct passing {
    struct dj_event_sink sink;
    bool any, ticks;
    int64_t last_ns;
    uint64_t backwards; /* events that are earlier than one before them */
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

static int write_events(const char *input, const struct form *form, void *writer,
                        struct dj_text *notes, struct dj_error *err)
{
    struct dj_trace told = {0};
    struct passing passing = {.sink = form->sink(writer)};
    int code =
        dj_trace_hand_out(input, (struct dj_event_sink){pass, &passing}, &told, err);
    code = code != 0 ? code : tell_lost(&told, passing.sink);
    if (code == 0 || code == DJ_E_OUTPUT) {
        code = form->end(writer, err);
    }
    note_faults(&told, &passing, notes);
    dj_trace_finish(&told);
    return code;
}

int dj_trace_write(const char *input, const char *output, struct dj_text *note,
                   struct dj_error *err)
{
    struct dj_output_stream stream;
    const struct form *form = form_of(output);
    void *writer = NULL;
    int code = dj_output_stream_open(&stream, output, err);
    if (code != 0) {
        return code;
    }
    code = form->create(&writer, stream.fd, output, err);
    code = code != 0 ? code : write_events(input, form, writer, note, err);
    if (code == 0) {
        code = dj_output_stream_keep(&stream, err);
    } else {
        dj_output_stream_drop(&stream);
    }
    form->destroy(writer);
    return code;
}
