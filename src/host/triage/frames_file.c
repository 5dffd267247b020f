#include "triage/frames_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "input/read.h"
#include "memory/memory.h"
#include "spill/spill.h"
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

/* Replaces the file name `from` by `to` if the message of the error starts with
 * `from`. */
static void rename_file(struct dj_error *err, const char *from, const char *to)
{
    struct dj_error renamed;
    size_t length = strlen(from);
    if (err != NULL && strncmp(err->message, from, length) == 0) {
        renamed = *err;
        snprintf(err->message, sizeof(err->message), "%s%s", to,
                 renamed.message + length);
    }
}

/* Reads a trace from bytes that are in memory. They come from a pipe, which can be read
 * only once. */
static int read_trace_bytes(struct dj_triage_rows *rows, const struct dj_text *bytes,
                            const char *path, struct dj_error *err)
{
    char copy[40];
    struct dj_spill spill = {0};
    int failure = dj_spill_open(&spill, bytes->length);
    failure =
        failure != 0 ? failure : dj_spill_append(&spill, bytes->data, bytes->length);
    if (failure != 0) {
        dj_spill_close(&spill);
        return dj_error_set(err, DJ_E_IO, "%s: cannot write a temporary file: %s", path,
                            strerror(failure));
    }
    snprintf(copy, sizeof(copy), "/proc/self/fd/%d", spill.file - 1);
    int code = read_trace(rows, copy, err);
    rename_file(err, copy, path);
    dj_spill_close(&spill);
    return code;
}

/* Number of bytes at the start of a file that show whether it is a trace. */
enum { HEAD = 1 << 14 };

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Returns true if a regular file begins like a trace. */
static bool is_trace(const char *path)
{
    char head[HEAD];
    struct stat status = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t got =
        fd >= 0 && fstat(fd, &status) == 0 ? pread(fd, head, sizeof(head), 0) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return got > 0 && dj_trace_sniff(head, (size_t)got, (size_t)status.st_size);
}

static bool is_trace_text(const struct dj_text *text)
{
    return text->length > 0 &&
           dj_trace_sniff(text->data, text->length < HEAD ? text->length : HEAD, 0);
}

int dj_triage_rows_read_file(struct dj_triage_rows *rows, const char *path,
                             const struct dj_messages *messages, struct dj_error *err)
{
    struct dj_text text = {0};
    bool is_file = is_regular(path);
    if (is_file && is_trace(path)) {
        return read_trace(rows, path, err);
    }
    int code = dj_input_read_whole(path, &text, messages, err);
    if (code == 0) {
        code = dj_triage_rows_read(rows, dj_xtext(&text), text.length, NULL, err);
    }
    if (code == DJ_E_INVALID && is_trace_text(&text)) {
        code = is_file ? read_trace(rows, path, err)
                       : read_trace_bytes(rows, &text, path, err);
    } else if (code != 0) {
        dj_error_prepend(err, "%s", path);
    }
    dj_text_finish(&text);
    return code;
}
