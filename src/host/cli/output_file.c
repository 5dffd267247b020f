#include "cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/output_place.h"
#include "device/output_stream.h"

static int failed(const char *path, int failure, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", path, strerror(failure));
}

int dj_output_check(const char *path, struct dj_error *err)
{
    struct stat there;
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode)) {
            return failed(path, EISDIR, err);
        }
        if (access(path, W_OK) != 0 || !S_ISREG(there.st_mode)) {
            return access(path, W_OK) != 0 ? failed(path, errno, err) : 0;
        }
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int code = access(dirname(copy), W_OK | X_OK) != 0 ? failed(path, errno, err) : 0;
    free(copy);
    return code;
}

bool dj_output_has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t ending = strlen(suffix);
    return length > ending && strcasecmp(name + length - ending, suffix) == 0;
}

int dj_output_bytes(int fd, const char *bytes, size_t length)
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

static int write_and_close(int fd, const struct dj_text *text)
{
    int failure = dj_output_bytes(fd, dj_text_get(text), text->length);
    if (failure == 0 && fsync(fd) != 0) {
        failure = errno;
    }
    if (close(fd) != 0 && failure == 0) {
        failure = errno;
    }
    return failure;
}

int dj_output_write(const char *path, const struct dj_text *text, struct dj_error *err)
{
    struct dj_output_stream stream;
    int code = dj_output_stream_open(&stream, path, err);
    if (code != 0) {
        return code;
    }
    int failure = dj_output_bytes(stream.fd, dj_text_get(text), text->length);
    if (failure != 0) {
        dj_output_stream_drop(&stream);
        return failed(path, failure, err);
    }
    return dj_output_stream_keep(&stream, err);
}

/* A new file in $TMPDIR or /tmp; its name in *path. */
static bool save_aside(const struct dj_text *text, struct dj_text *path)
{
    dj_text_format(path, "%s/dejank-collected-XXXXXX", dj_output_aside());
    int fd = path->failed ? -1 : mkostemp(path->data, O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    if (write_and_close(fd, text) != 0) {
        unlink(path->data);
        return false;
    }
    return true;
}

int dj_output_write_or_save(const char *path, const struct dj_text *text,
                            struct dj_error *err)
{
    struct dj_error cause = {0};
    struct dj_text aside = {0};
    int code = dj_output_write(path, text, &cause);
    if (code != 0 && save_aside(text, &aside)) {
        dj_error_set(err, code, "%s; what was collected is in %s", cause.message,
                     aside.data);
    } else if (code != 0 && dj_output_print(text, NULL) == 0) {
        dj_error_set(err, code, "%s; what was collected went to the standard output",
                     cause.message);
    } else if (code != 0) {
        dj_error_set(err, code, "%s; nor could it be put anywhere else", cause.message);
    }
    dj_text_finish(&aside);
    return code;
}

int dj_output_print(const struct dj_text *text, struct dj_error *err)
{
    int failure = dj_output_bytes(STDOUT_FILENO, dj_text_get(text), text->length);
    return failure != 0 ? failed("to the standard output", failure, err) : 0;
}
