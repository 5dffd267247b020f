/* Writes the file of a capture on this machine. */
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/linux/running.h"
#include "capture/linux/session.h"
#include "output/stream.h"
#include "trace/pftrace_writer.h"

/* An event sink that stops the writing when the file has reached its maximum size. */
struct bounded {
    struct dj_event_sink sink;
    const struct dj_trace_writer *writer;
    /* Maximum size of the file in bytes, or 0 if there is no maximum. */
    uint64_t bytes_most;
    bool cut;
};

static int write_bounded(void *user, const struct dj_event *event)
{
    struct bounded *bounded = user;
    if (bounded->bytes_most > 0 &&
        dj_trace_writer_get_bytes(bounded->writer) >= bounded->bytes_most) {
        bounded->cut = true;
        return DJ_E_LIMIT;
    }
    return bounded->sink.take(bounded->sink.user, event);
}

/* Returns an event of dejank's own process at the start of the capture. */
static struct dj_event create_event(const struct dj_linux *capture,
                                    enum dj_event_kind kind)
{
    return (struct dj_event){.kind = (uint8_t)kind,
                             .at_ns = capture->result.start_ns,
                             .tid = getpid(),
                             .pid = getpid(),
                             .cpu = -1,
                             .task = {"dejank", 6}};
}

/* Writes instant events at the start of the trace. They say how the trace was captured
 * and what it does not show. */
static int write_limits(const struct dj_linux *capture, struct dj_event_sink sink)
{
    const struct dj_capture_result *result = &capture->result;
    char text[DJ_CAPTURE_LIMIT + 64];
    struct dj_event event = create_event(capture, DJ_EVENT_INSTANT);
    int code = 0;
    for (size_t i = 0; i <= result->limit_count && code == 0; i++) {
        if (i == 0) {
            snprintf(text, sizeof(text), "dejank capture: %s", result->source);
        } else {
            snprintf(text, sizeof(text), "dejank capture: not known: %s",
                     result->limits[i - 1]);
        }
        event.name = dj_str_of(text);
        code = sink.take(sink.user, &event);
    }
    return code;
}

/* Writes the number of lost frames as a counter, so that readers of the trace know it. */
static int write_lost_frames(const struct dj_linux *capture, struct dj_event_sink sink)
{
    struct dj_event event = create_event(capture, DJ_EVENT_COUNTER);
    event.name = dj_str_of("dejank lost frames");
    event.value = (int64_t)capture->result.frames_lost;
    return event.value > 0 ? sink.take(sink.user, &event) : 0;
}

static int write_running(struct dj_linux *capture, struct dj_trace_writer *writer,
                         struct dj_event_sink sink, struct dj_error *err)
{
    struct dj_running *running = &capture->running;
    int code = dj_running_add_all(running, err);
    for (size_t i = 0; i < running->count && code == 0; i++) {
        const struct dj_running_thread *thread = &running->threads[i];
        if (thread->program != SIZE_MAX && !running->programs.failed) {
            dj_trace_writer_name_process(writer, thread->pid,
                                         running->programs.data + thread->program);
        }
    }
    /* The list of running threads lacks recorded processes that have ended. */
    for (size_t i = 0; i < capture->records.count; i++) {
        dj_trace_writer_name_process(writer, (int32_t)capture->records.processes[i].pid,
                                     capture->records.processes[i].name);
    }
    /* The list of running threads also lacks watched threads that have ended. */
    code = code == 0 ? dj_running_write(&capture->watched, sink) : code;
    return code == 0 ? dj_running_write(running, sink) : code;
}

static int write_events(struct dj_linux *capture, struct dj_trace_writer *writer,
                        struct dj_trace_recording *recorded, bool *cut,
                        struct dj_error *err)
{
    struct bounded bounded = {.sink = dj_trace_writer_get_sink(writer),
                              .writer = writer,
                              .bytes_most = (uint64_t)capture->base.plan->size_max_bytes};
    struct dj_trace_merger merger = {.sink = {write_bounded, &bounded},
                                     .recorded = recorded};
    const struct dj_event_sink sink = {dj_trace_merger_add_event, &merger};
    int code = write_running(capture, writer, sink, err);
    code = code == 0 ? write_limits(capture, sink) : code;
    code = code == 0 ? write_lost_frames(capture, sink) : code;
    code = code == 0 ? capture->level->write_events(capture, sink, err) : code;
    code = code == 0 ? dj_linux_write_stacks(capture, merger.sink, err) : code;
    code = dj_trace_merger_end(&merger, code);
    *cut = bounded.cut;
    return bounded.cut ? 0 : code;
}

static int write_trace(struct dj_linux *capture, struct dj_trace_recording *recorded,
                       int fd, struct dj_error *err)
{
    struct dj_capture_result *result = &capture->result;
    struct dj_trace_origin origin = {.kernel = NULL};
    struct utsname kernel;
    bool cut = false;
    dj_trace_measure_clocks(&origin.clocks);
    origin.kernel = uname(&kernel) == 0 ? kernel.release : NULL;
    struct dj_trace_writer *writer =
        dj_trace_writer_create(fd, capture->base.plan->output, &origin);
    int code = write_events(capture, writer, recorded, &cut, err);
    int ended =
        dj_trace_writer_end(writer, code == 0 || code == DJ_E_OUTPUT ? err : NULL);
    result->bytes = (int64_t)dj_trace_writer_get_bytes(writer);
    result->cut = result->cut || cut;
    dj_trace_writer_destroy(writer);
    return ended != 0 ? ended : code;
}

static int set_nothing_captured(const struct dj_linux *capture, struct dj_error *err)
{
    char limit[DJ_CAPTURE_LIMIT];
    if (dj_app_watch_write_limit(&capture->app, false, limit)) {
        return dj_error_set(err, DJ_E_NO_DATA, "nothing was captured (%s)", limit);
    }
    return dj_error_set(
        err, DJ_E_NO_DATA, "nothing was captured%s",
        capture->base.plan->around_janky ? " (no frame was seen, janky or not)" : "");
}

/* Closes the file. If the disk was full, the incomplete file still replaces an older
 * file, because its contents are a valid trace up to this point. */
static int close_file(struct dj_output_stream *file, struct dj_capture_result *result,
                      int code, struct dj_error *err)
{
    if (code != 0 && (code != DJ_E_OUTPUT || result->bytes == 0)) {
        result->bytes = 0;
        dj_output_stream_discard(file);
        return code;
    }
    int committed = dj_output_stream_commit(file, code == 0 ? err : NULL);
    result->bytes = committed == 0 ? result->bytes : 0;
    return code != 0 ? code : committed;
}

int dj_linux_write(struct dj_linux *capture, struct dj_error *err)
{
    struct dj_trace_recording recorded = {0};
    struct dj_capture_result *result = &capture->result;
    struct dj_output_stream file;
    dj_page_spool_free_space(&capture->spool);
    dj_app_records_write(&capture->records, result->end_ns, &recorded);
    result->sections = capture->records.section_count;
    result->frames = recorded.frames;
    result->frames_lost = capture->records.lost_frames;
    result->frames_later = capture->records.later_frames;
    result->frames_broken = capture->records.broken_frames;
    const char *path = capture->base.plan->output;
    int code = dj_output_stream_open_with_fallback(&file, path, err);
    if (code == 0) {
        code = write_trace(capture, &recorded, file.fd, err);
        if (code == 0 && !capture->has_counters &&
            result->events + result->sections + result->frames == 0) {
            code = set_nothing_captured(capture, err);
        }
        code = close_file(&file, result, code, err);
    }
    dj_trace_recording_finish(&recorded);
    return code;
}
