#include "measure/run/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/janky.h"
#include "measure/exclusive_device.h"
#include "output/path.h"
#include "store/store.h"

/* Default of the maximum size of a trace in bytes. It is small because a store contains
 * the traces of many runs. */
enum { TRACE_BYTES = 64 << 20 };

static void set_reason(struct dj_run_trace *trace, const char *sentence)
{
    if (trace->reason[0] == '\0') {
        snprintf(trace->reason, DJ_RUN_TRACE_SAYS, "%.*s", DJ_RUN_TRACE_SAYS - 1,
                 sentence);
    }
}

static int create_file(struct dj_run_trace *trace, struct dj_error *err)
{
    int length = snprintf(trace->path, sizeof(trace->path), "%s/dejank-trace-XXXXXX",
                          dj_output_path_temporary_folder());
    int fd = length < (int)sizeof(trace->path) ? mkostemp(trace->path, O_CLOEXEC) : -1;
    if (fd < 0) {
        int code = dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", trace->path,
                                strerror(errno));
        trace->path[0] = '\0';
        return code;
    }
    close(fd);
    return 0;
}

static void remove_file(struct dj_run_trace *trace)
{
    if (trace->path[0] != '\0') {
        unlink(trace->path);
    }
    dj_device_close(trace->device);
    trace->device = NULL;
    trace->path[0] = '\0';
}

/* Opens an additional connection to the device. The driver and the collecting thread use
 * the other connections at the same time. */
static int open_device(struct dj_run_trace *trace, const struct dj_run_work *work,
                       struct dj_error *err)
{
    if (strcmp(work->device->name, "local:") == 0) {
        return 0;
    }
    int code = dj_device_open(work->device->name, &trace->device, err);
    if (code == 0) {
        trace->device->interrupt = *work->give_up;
        if (work->journal != NULL) {
            dj_measure_note_capture(work->journal, &trace->plan);
        }
    }
    return code;
}

void dj_run_trace_begin(struct dj_run_trace *trace, const struct dj_run_work *work,
                        struct dj_run *run)
{
    const struct dj_trace_plan *wanted = &work->plan->trace;
    struct dj_error err = {0};
    *trace = (struct dj_run_trace){.reason = run->trace_reason};
    if (wanted->what == DJ_TRACE_NONE) {
        return;
    }
    trace->plan = (struct dj_capture_plan){
        .output = trace->path,
        .app = work->plan->package,
        .categories = wanted->categories,
        .category_count = wanted->category_count,
        .buffer_bytes = wanted->buffer_bytes,
        .size_max_bytes = wanted->size_bytes > 0 ? wanted->size_bytes : TRACE_BYTES,
        .around_janky = wanted->what == DJ_TRACE_JANKY,
        .before_ns = wanted->before_ns,
        .after_ns = wanted->after_ns,
        .janky_reported = strcmp(work->device->name, "local:") != 0,
        .level_required =
            wanted->level_required && strcmp(work->device->name, "local:") == 0,
        .level = wanted->level,
        .stacks = strcmp(work->device->name, "local:") == 0
                      ? wanted->stacks
                      : (struct dj_capture_stacks){.cpu = false},
    };
    int code = create_file(trace, &err);
    code = code == 0 ? open_device(trace, work, &err) : code;
    code = code == 0
               ? dj_capture_start(&trace->plan, trace->device, &trace->capture, &err)
               : code;
    if (code != 0) {
        trace->capture = NULL;
        remove_file(trace);
        set_reason(trace, err.message);
    }
}

void dj_run_trace_poll(struct dj_run_trace *trace)
{
    struct dj_capture_progress progress;
    struct dj_error err = {0};
    if (trace->capture != NULL && dj_capture_poll(trace->capture, &progress, &err) != 0) {
        set_reason(trace, err.message);
    }
}

static int read_file(const char *path, struct dj_text *text, struct dj_error *err)
{
    enum { PIECE = 1 << 20 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? 1 : -1;
    while (got > 0) {
        char *room = dj_text_reserve(text, PIECE);
        got = room != NULL ? read(fd, room, PIECE) : -1;
        text->length -= room != NULL ? PIECE - (size_t)(got > 0 ? got : 0) : 0;
    }
    int failure = errno;
    if (fd >= 0) {
        close(fd);
    }
    return got == 0       ? 0
           : text->failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for a trace")
                          : dj_error_set(err, DJ_E_IO, "%s: %s", path, strerror(failure));
}

static int keep_interval(void *user, int64_t from_ns, int64_t to_ns)
{
    return dj_capture_keep(user, from_ns, to_ns, NULL);
}

void dj_run_trace_end(struct dj_run_trace *trace, struct dj_run *run)
{
    struct dj_capture_result result = {.source = NULL};
    struct dj_error err = {0};
    if (trace->capture == NULL) {
        return;
    }
    if (trace->plan.around_janky && trace->plan.janky_reported) {
        dj_capture_janky_find(&run->collection.dump, keep_interval, trace->capture, &err);
    }
    int code = dj_capture_stop(trace->capture, &result, &err);
    if (code != 0) {
        set_reason(trace, err.message);
    }
    if (result.cut) {
        char text[DJ_RUN_TRACE_SAYS];
        snprintf(text, sizeof(text), "the trace ends early, at %lld MB",
                 (long long)(trace->plan.size_max_bytes >> 20));
        set_reason(trace, text);
    }
    if (result.stacks.wanted && result.stacks.source == NULL) {
        set_reason(trace, "the trace has no call stacks, because perf events are not "
                          "permitted; 'dejank doctor' says more");
    }
    run->trace.maximum = DJ_EVIDENCE_BYTES_MAX;
    if (result.bytes > 0 && read_file(trace->path, &run->trace, &err) != 0) {
        dj_text_finish(&run->trace);
        set_reason(trace, err.message);
    }
    dj_capture_destroy(trace->capture);
    trace->capture = NULL;
    remove_file(trace);
}
