#include "output/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/path.h"

int dj_output_stream_write_all(int fd, const char *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t wrote = write(fd, bytes + done, length - done);
        if (wrote < 0 && errno != EINTR) {
            return errno;
        }
        done += wrote < 0 ? 0 : (size_t)wrote;
    }
    return 0;
}

static int set_write_error(const struct dj_output_stream *stream, int failure,
                           struct dj_error *err)
{
    return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", stream->path,
                        strerror(failure));
}

/* Opens a file without a name, which the kernel deletes if the process ends. Returns
 * false if the file system does not support this. */
static bool open_nameless(struct dj_output_stream *stream)
{
    char *copy = access("/proc/self/fd", X_OK) == 0 ? strdup(stream->target) : NULL;
    if (copy != NULL) {
        stream->fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
        stream->is_unnamed = stream->fd >= 0;
    }
    free(copy);
    return stream->is_unnamed;
}

/* Gives the file without a name the name `name`. Returns 0 or errno. */
static int link_nameless(const struct dj_output_stream *stream, const char *name)
{
    char open_file[64];
    snprintf(open_file, sizeof(open_file), "/proc/self/fd/%d", stream->fd);
    return linkat(AT_FDCWD, open_file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                               : errno;
}

/* Gives the file without a name a temporary name. Returns 0 or errno. */
static int assign_name(struct dj_output_stream *stream)
{
    /* linkat() requires a name that does not exist. mkostemp() finds one and creates a
     * file, which is then removed. */
    int fd = mkostemp(stream->temporary.data, O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    close(fd);
    stream->is_unnamed = false;
    return unlink(stream->temporary.data) == 0
               ? link_nameless(stream, stream->temporary.data)
               : errno;
}

/* Renames the file, but fails with EEXIST if the target exists. If the file system does
 * not support RENAME_NOREPLACE, checks first whether the target exists. Returns 0 or
 * errno. */
static int rename_new(const char *temporary, const char *target)
{
    int result = renameat2(AT_FDCWD, temporary, AT_FDCWD, target, RENAME_NOREPLACE);
    if (result != 0 && errno == EINVAL) {
        if (access(target, F_OK) == 0) {
            return EEXIST;
        }
        result = rename(temporary, target);
    }
    return result == 0 ? 0 : errno;
}

/* Creates the temporary file with a name, and gives it the permissions that open() would
 * give it. Returns 0 or errno. */
static int open_named(struct dj_output_stream *stream)
{
    mode_t mask = umask(0);
    umask(mask);
    stream->fd = mkostemp(stream->temporary.data, O_CLOEXEC);
    if (stream->fd < 0) {
        return errno;
    }
    return fchmod(stream->fd, 0666 & ~mask) == 0 ? 0 : errno;
}

/* Creates the temporary file. If the file must remain after a failure, the file gets a
 * name at once. Otherwise the file gets a name only when it is complete. */
static int open_temporary(struct dj_output_stream *stream)
{
    stream->target = dj_output_path_resolve_links(stream->path);
    if (stream->target == NULL) {
        return ENOMEM;
    }
    dj_text_format(&stream->temporary, "%s.XXXXXX", stream->target);
    return stream->temporary.failed                         ? ENOMEM
           : !stream->has_fallback && open_nameless(stream) ? 0
                                                            : open_named(stream);
}

static int open_fallback(struct dj_output_stream *stream)
{
    dj_text_clear(&stream->temporary);
    dj_text_format(&stream->temporary, "%s/dejank-captured-XXXXXX",
                   dj_output_path_temporary_folder());
    return stream->temporary.failed ? ENOMEM : open_named(stream);
}

static int open_direct(struct dj_output_stream *stream)
{
    stream->fd = dj_output_path_open_direct(stream->path);
    return stream->fd >= 0 ? 0 : errno;
}

static int open_any(struct dj_output_stream *stream, struct dj_error *err)
{
    int failure = dj_output_path_is_direct(stream->path) ? open_direct(stream)
                                                         : open_temporary(stream);
    if (failure != 0 && failure != ENOMEM && stream->fd < 0 && stream->has_fallback) {
        stream->refusal_errno = failure;
        failure = open_fallback(stream) == 0 ? 0 : failure;
    }
    if (failure != 0) {
        if (stream->fd < 0) {
            dj_text_finish(&stream->temporary);
        }
        dj_output_stream_discard(stream);
        return failure == ENOMEM ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                                 : set_write_error(stream, failure, err);
    }
    return 0;
}

int dj_output_stream_open(struct dj_output_stream *stream, const char *path,
                          struct dj_error *err)
{
    *stream = (struct dj_output_stream){.fd = -1, .path = path};
    return open_any(stream, err);
}

int dj_output_stream_open_new(struct dj_output_stream *stream, const char *path,
                              struct dj_error *err)
{
    *stream = (struct dj_output_stream){.fd = -1, .path = path, .is_new = true};
    return open_any(stream, err);
}

int dj_output_stream_open_with_fallback(struct dj_output_stream *stream, const char *path,
                                        struct dj_error *err)
{
    *stream = (struct dj_output_stream){.fd = -1, .path = path, .has_fallback = true};
    return open_any(stream, err);
}

/* Gives the complete file its final name. Returns 0 or errno. */
static int move_into_place(struct dj_output_stream *stream)
{
    bool has_temporary = stream->temporary.length > 0;
    int failure = (has_temporary || stream->is_new) && fsync(stream->fd) != 0 ? errno : 0;
    bool is_placed = stream->is_new && stream->is_unnamed;
    if (failure == 0 && stream->is_unnamed) {
        failure = is_placed ? link_nameless(stream, stream->target) : assign_name(stream);
    }
    if (close(stream->fd) != 0 && failure == 0) {
        failure = errno;
    }
    stream->fd = -1;
    if (stream->refusal_errno != 0) {
        return stream->refusal_errno;
    }
    if (!has_temporary || is_placed || (failure != 0 && !stream->has_fallback)) {
        return failure;
    }
    if (stream->is_new) {
        return rename_new(stream->temporary.data, stream->target);
    }
    return rename(stream->temporary.data, stream->target) == 0 ? failure : errno;
}

static void free_stream(struct dj_output_stream *stream)
{
    dj_text_finish(&stream->temporary);
    free(stream->target);
    stream->target = NULL;
}

int dj_output_stream_commit(struct dj_output_stream *stream, struct dj_error *err)
{
    int failure = move_into_place(stream);
    bool is_left = stream->has_fallback && stream->temporary.length > 0 &&
                   access(stream->temporary.data, F_OK) == 0;
    if (failure == 0) {
        free_stream(stream);
        return 0;
    }
    if (is_left) {
        dj_error_set(err, DJ_E_OUTPUT,
                     "cannot write %.200s: %s; the captured data is in %.200s",
                     stream->path, strerror(failure), stream->temporary.data);
        free_stream(stream);
        return DJ_E_OUTPUT;
    }
    dj_output_stream_discard(stream);
    return set_write_error(stream, failure, err);
}

void dj_output_stream_discard(struct dj_output_stream *stream)
{
    if (stream->fd >= 0) {
        close(stream->fd);
        stream->fd = -1;
    }
    if (stream->temporary.length > 0 && !stream->is_unnamed) {
        unlink(stream->temporary.data);
    }
    free_stream(stream);
}
