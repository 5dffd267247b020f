#include "capture/android/captured_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/path.h"
#include "output/stream.h"

enum { TALK_MAX = 64 * 1024 };

static const char title[] = "TRACE:";

static int set_refused(const struct dj_captured_file *save, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", save->path,
                        strerror(errno));
}

int dj_captured_file_open(struct dj_captured_file *save, const char *path,
                          int64_t maximum, struct dj_error *err)
{
    struct dj_text temporary = {0};
    *save = (struct dj_captured_file){.fd = -1, .maximum = maximum};
    save->direct = dj_output_path_is_direct(path);
    save->path = save->direct ? strdup(path) : dj_output_path_resolve_links(path);
    if (save->direct) {
        dj_text_format(&temporary, "%s/dejank-captured-XXXXXX",
                       dj_output_path_temporary_folder());
    } else if (save->path != NULL) {
        dj_text_format(&temporary, "%s.%d.part", save->path, (int)getpid());
    }
    save->temporary = temporary.data;
    if (save->path == NULL || temporary.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    save->fd = save->direct
                   ? mkostemp(save->temporary, O_CLOEXEC)
                   : open(save->temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (save->fd < 0) {
        int code = set_refused(save, err);
        free(save->temporary);
        save->temporary = NULL;
        return code;
    }
    return 0;
}

static int append_bytes(struct dj_captured_file *save, const char *bytes, size_t length,
                        struct dj_error *err)
{
    int64_t left = save->maximum - save->bytes;
    save->cut = save->cut || (int64_t)length > left;
    length = (int64_t)length > left ? (size_t)left : length;
    while (length > 0) {
        ssize_t written = write(save->fd, bytes, length);
        if (written < 0 && errno != EINTR) {
            return set_refused(save, err);
        }
        size_t written_bytes = written > 0 ? (size_t)written : 0;
        bytes += written_bytes;
        length -= written_bytes;
        save->bytes += (int64_t)written_bytes;
    }
    return save->cut
               ? dj_error_set(err, DJ_E_LIMIT,
                              "%s: the trace is longer than the maximum of %lld bytes",
                              save->path, (long long)save->maximum)
               : 0;
}

/* Writes data that passed through a terminal. The terminal has changed each \n to \r\n,
 * so the \r before each \n is removed. Any other \r is part of the trace. */
static int write_without_returns(struct dj_captured_file *save, const char *bytes,
                                 size_t length, struct dj_error *err)
{
    int code = 0;
    size_t from = 0;
    if (length > 0 && save->pending_return) {
        code = *bytes == '\n' ? 0 : append_bytes(save, "\r", 1, err);
        save->pending_return = false;
    }
    for (size_t i = 0; i < length && code == 0; i++) {
        if (bytes[i] != '\r' || (i + 1 < length && bytes[i + 1] != '\n')) {
            continue;
        }
        code = append_bytes(save, bytes + from, i - from, err);
        save->pending_return = i + 1 == length;
        from = i + 1;
    }
    return code == 0 && from < length
               ? append_bytes(save, bytes + from, length - from, err)
               : code;
}

static int write_trace(struct dj_captured_file *save, const char *bytes, size_t length,
                       struct dj_error *err)
{
    return save->crlf ? write_without_returns(save, bytes, length, err)
                      : append_bytes(save, bytes, length, err);
}

/* Returns the start of the line after the title "TRACE:", or NULL if the title has not
 * arrived yet. atrace prints "capturing trace... done\nTRACE:\n" before the trace. */
static const char *find_title_end(struct dj_captured_file *save)
{
    const char *text = dj_text_get(&save->messages);
    const char *end = text + save->messages.length;
    const char *found = memmem(text, save->messages.length, title, sizeof(title) - 1);
    if (found == NULL) {
        return NULL;
    }
    const char *newline = memchr(found, '\n', (size_t)(end - found));
    save->crlf = newline != NULL && newline[-1] == '\r';
    return newline != NULL ? newline + 1 : NULL;
}

static int buffer_until_title(struct dj_captured_file *save, const char *bytes,
                              size_t length, struct dj_error *err)
{
    dj_text_append(&save->messages, bytes, length);
    const char *trace = find_title_end(save);
    if (trace == NULL) {
        return save->messages.length <= TALK_MAX
                   ? 0
                   : dj_error_set(err, DJ_E_PROTOCOL,
                                  "atrace wrote %zu bytes without the title TRACE:",
                                  save->messages.length);
    }
    save->seen = true;
    int code = append_bytes(save, "TRACE:\n", sizeof(title), err);
    size_t messages = (size_t)(trace - save->messages.data);
    if (code == 0) {
        code = write_trace(save, trace, save->messages.length - messages, err);
    }
    dj_text_clear(&save->messages);
    return code;
}

int dj_captured_file_write(struct dj_captured_file *save, const char *bytes,
                           size_t length, struct dj_error *err)
{
    return !save->titled ? append_bytes(save, bytes, length, err)
           : save->seen  ? write_trace(save, bytes, length, err)
                         : buffer_until_title(save, bytes, length, err);
}

int dj_captured_file_end(struct dj_captured_file *save, struct dj_error *err)
{
    bool has_return = save->pending_return;
    save->pending_return = false;
    return has_return ? append_bytes(save, "\r", 1, err) : 0;
}

/* Copies the temporary file to an output that cannot be replaced: a device, a pipe or
 * standard output. Returns 0 or an errno value. */
static int copy_to_direct_path(const struct dj_captured_file *save)
{
    char bytes[1 << 16];
    ssize_t got = 0;
    off_t at = 0;
    int out = dj_output_path_open_direct(save->path);
    int failure = out < 0 ? errno : 0;
    while (failure == 0 && (got = pread(save->fd, bytes, sizeof(bytes), at)) > 0) {
        failure = dj_output_stream_write_all(out, bytes, (size_t)got);
        at += got;
    }
    failure = failure == 0 && got < 0 ? errno : failure;
    if (out >= 0 && close(out) != 0 && failure == 0) {
        failure = errno;
    }
    if (failure == 0) {
        unlink(save->temporary);
    }
    return failure;
}

int dj_captured_file_commit(struct dj_captured_file *save, struct dj_error *err)
{
    int failure = save->direct ? copy_to_direct_path(save) : 0;
    failure = close(save->fd) != 0 && failure == 0 ? errno : failure;
    save->fd = -1;
    if (failure == 0 && !save->direct && rename(save->temporary, save->path) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        dj_error_set(err, DJ_E_OUTPUT,
                     "cannot write %.150s: %s; what was captured is in %.200s",
                     save->path, strerror(failure), save->temporary);
    }
    /* A file that could not be moved stays at its temporary path. */
    free(save->temporary);
    save->temporary = NULL;
    return failure != 0 ? DJ_E_OUTPUT : 0;
}

void dj_captured_file_finish(struct dj_captured_file *save)
{
    if (save->fd >= 0) {
        close(save->fd);
    }
    if (save->temporary != NULL) {
        unlink(save->temporary);
    }
    free(save->temporary);
    free(save->path);
    dj_text_finish(&save->messages);
    *save = (struct dj_captured_file){.fd = -1};
}
