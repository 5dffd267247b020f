#include "triage/frames_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "input/read.h"
#include "memory/memory.h"
#include "trace/read.h"
#include "trace/sniff.h"
#include "triage/frames/frames.h"

static struct dj_triage_row create_row(const struct dj_triage_index *index,
                                       const struct dj_triage_frame *frame)
{
    const struct dj_trace_clock *clock = &index->trace->clock;
    int64_t to_mono_ns = clock->known ? clock->to_mono_ns : 0;
    const struct dj_triage_thread *thread = dj_triage_find_thread(index, frame->tid);
    return (struct dj_triage_row){
        .start_ns = dj_checked_add_saturated(frame->start_ns, to_mono_ns),
        .end_ns = dj_checked_add_saturated(frame->end_ns, to_mono_ns),
        .deadline_ns = dj_checked_add_saturated(frame->deadline_ns, to_mono_ns),
        .pid =
            thread != NULL && thread->pid > 0 ? thread->pid : (int64_t)frame->start_tid,
        .janky = frame->end_ns > frame->deadline_ns};
}

int dj_triage_rows_add_trace(struct dj_triage_rows *rows, const struct dj_trace *trace,
                             struct dj_error *err)
{
    static const struct dj_triage_rules usual = {.frames = NULL};
    struct dj_triage_index index;
    struct dj_triage_frames frames;
    dj_triage_index_build(&index, trace);
    int code = dj_triage_frames_find(&index, &usual, &frames, err);
    for (size_t i = 0; i < frames.count && code == 0; i++) {
        DJ_XPUSH(rows->all, rows->count, create_row(&index, &frames.all[i]));
    }
    if (code == 0) {
        rows->source = frames.source;
        rows->clock_is_unknown |= !trace->clock.known;
    }
    dj_triage_frames_finish(&frames);
    dj_triage_index_finish(&index);
    return code;
}

static int read_trace(struct dj_triage_rows *rows, const char *path, struct dj_error *err)
{
    struct dj_trace trace = {.keep_marks = true};
    int code = dj_trace_read(path, &trace, err);
    if (code == 0) {
        code = dj_triage_rows_add_trace(rows, &trace, err);
        if (code != 0) {
            dj_error_prepend(err, "%s", path);
        }
    }
    dj_trace_finish(&trace);
    return code;
}

/* Returns true if the file begins like a trace. Returns false for a file that is not a
 * regular one, because such a file can be read only once and is read as a dump. */
static bool is_trace(const char *path)
{
    enum { HEAD = 1 << 14 };
    char head[HEAD];
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool regular = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    ssize_t got = regular ? pread(fd, head, sizeof(head), 0) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return got > 0 && dj_trace_sniff(head, (size_t)got, (size_t)status.st_size);
}

int dj_triage_rows_read_file(struct dj_triage_rows *rows, const char *path,
                             const struct dj_messages *messages, struct dj_error *err)
{
    struct dj_text text = {0};
    if (is_trace(path)) {
        return read_trace(rows, path, err);
    }
    int code = dj_input_read_whole(path, &text, messages, err);
    if (code == 0) {
        code = dj_triage_rows_read(rows, dj_xtext(&text), text.length, NULL, err);
    }
    bool is_packed_trace =
        code == DJ_E_INVALID && text.length > 0 &&
        dj_trace_sniff(text.data, text.length < 1 << 14 ? text.length : 1 << 14, 0);
    dj_text_finish(&text);
    if (is_packed_trace) {
        return read_trace(rows, path, err);
    }
    if (code != 0) {
        dj_error_prepend(err, "%s", path);
    }
    return code;
}
