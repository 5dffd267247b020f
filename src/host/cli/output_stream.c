#include "cli/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const struct dj_output_stream *stream, int failure,
                  struct dj_error *err)
{
    return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", stream->path,
                        strerror(failure));
}

/* A file without a name goes with us, however we end. False: there can be none here. */
static bool open_nameless(struct dj_output_stream *stream)
{
    char *copy = access("/proc/self/fd", X_OK) == 0 ? strdup(stream->path) : NULL;
    if (copy != NULL) {
        stream->fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
        stream->nameless = stream->fd >= 0;
    }
    free(copy);
    return stream->nameless;
}

/* 0, or errno. */
static int give_name(struct dj_output_stream *stream)
{
    char open_file[64];
    snprintf(open_file, sizeof(open_file), "/proc/self/fd/%d", stream->fd);
    /* The name must be free: it is made so by who makes it, and freed again at once. */
    int fd = mkostemp(stream->temporary.data, O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    close(fd);
    stream->nameless = false;
    return unlink(stream->temporary.data) == 0 &&
                   linkat(AT_FDCWD, open_file, AT_FDCWD, stream->temporary.data,
                          AT_SYMLINK_FOLLOW) == 0
               ? 0
               : errno;
}

/* 0, or errno. The file gets the rights that one of open() would have. */
static int open_beside(struct dj_output_stream *stream)
{
    if (open_nameless(stream)) {
        return 0;
    }
    mode_t mask = umask(0);
    umask(mask);
    stream->fd = mkostemp(stream->temporary.data, O_CLOEXEC);
    if (stream->fd < 0) {
        return errno;
    }
    return fchmod(stream->fd, 0666 & ~mask) == 0 ? 0 : errno;
}

static int open_special(struct dj_output_stream *stream)
{
    stream->fd = open(stream->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return stream->fd >= 0 ? 0 : errno;
}

int dj_output_stream_open(struct dj_output_stream *stream, const char *path,
                          struct dj_error *err)
{
    struct stat there;
    *stream = (struct dj_output_stream){.fd = -1, .path = path};
    bool special = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    if (!special) {
        dj_text_format(&stream->temporary, "%s.XXXXXX", path);
    }
    if (stream->temporary.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int failure = special ? open_special(stream) : open_beside(stream);
    if (failure != 0) {
        if (stream->fd < 0) {
            dj_text_finish(&stream->temporary);
        }
        dj_output_stream_drop(stream);
        return failed(stream, failure, err);
    }
    return 0;
}

int dj_output_stream_keep(struct dj_output_stream *stream, struct dj_error *err)
{
    bool beside = stream->temporary.length > 0;
    int failure = beside && fsync(stream->fd) != 0 ? errno : 0;
    failure = failure == 0 && stream->nameless ? give_name(stream) : failure;
    if (close(stream->fd) != 0 && failure == 0) {
        failure = errno;
    }
    stream->fd = -1;
    if (failure == 0 && beside && rename(stream->temporary.data, stream->path) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        dj_output_stream_drop(stream);
        return failed(stream, failure, err);
    }
    dj_text_finish(&stream->temporary);
    return 0;
}

void dj_output_stream_drop(struct dj_output_stream *stream)
{
    if (stream->fd >= 0) {
        close(stream->fd);
        stream->fd = -1;
    }
    if (stream->temporary.length > 0 && !stream->nameless) {
        unlink(stream->temporary.data);
    }
    dj_text_finish(&stream->temporary);
}
