#include "output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"
#include "output/path.h"

static int set_write_error(const char *path, int failure, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", path, strerror(failure));
}

int dj_output_check(const char *path, struct dj_error *err)
{
    struct stat existing;
    if (stat(path, &existing) == 0) {
        if (S_ISDIR(existing.st_mode)) {
            return set_write_error(path, EISDIR, err);
        }
        if (access(path, W_OK) != 0) {
            return set_write_error(path, errno, err);
        }
        if (!S_ISREG(existing.st_mode)) {
            return 0;
        }
    }
    char *copy = dj_xstrdup(path);
    int code =
        access(dirname(copy), W_OK | X_OK) != 0 ? set_write_error(path, errno, err) : 0;
    free(copy);
    return code;
}

bool dj_output_has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t ending = strlen(suffix);
    return length > ending && strcasecmp(name + length - ending, suffix) == 0;
}

static int write_text(void *user, int fd)
{
    const struct dj_text *text = user;
    return dj_output_stream_write_all(fd, dj_xtext(text), text->length);
}

int dj_output_produce(const char *path, dj_output_writer *write, void *user,
                      struct dj_error *err)
{
    struct dj_output_stream stream;
    if (path == NULL) {
        int failure = write(user, STDOUT_FILENO);
        return failure != 0 ? set_write_error("to the standard output", failure, err) : 0;
    }
    int code = dj_output_stream_open(&stream, path, err);
    if (code != 0) {
        return code;
    }
    int failure = write(user, stream.fd);
    if (failure != 0) {
        dj_output_stream_discard(&stream);
        return set_write_error(path, failure, err);
    }
    return dj_output_stream_commit(&stream, err);
}

int dj_output_write(const char *path, const struct dj_text *text, struct dj_error *err)
{
    return dj_output_produce(path, write_text, (void *)text, err);
}

/* Writes a new file in $TMPDIR or /tmp, and sets *path to its path. */
static bool save_to_temporary_file(dj_output_writer *write, void *user,
                                   struct dj_text *path)
{
    dj_text_format(path, "%s/dejank-collected-XXXXXX", dj_output_path_temporary_folder());
    dj_xtext(path);
    int fd = mkostemp(path->data, O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool saved = write(user, fd) == 0 && fsync(fd) == 0;
    saved = close(fd) == 0 && saved;
    if (!saved) {
        unlink(path->data);
    }
    return saved;
}

int dj_output_produce_or_save(const char *path, dj_output_writer *write, void *user,
                              struct dj_error *err)
{
    struct dj_error cause = {0};
    struct dj_text saved_path = {0};
    int code = dj_output_produce(path, write, user, &cause);
    if (code != 0 && save_to_temporary_file(write, user, &saved_path)) {
        dj_error_set(err, code, "%s; the collected data is in %s", cause.message,
                     saved_path.data);
    } else if (code != 0 && write(user, STDOUT_FILENO) == 0) {
        dj_error_set(err, code, "%s; the collected data was written to standard output",
                     cause.message);
    } else if (code != 0) {
        dj_error_set(err, code,
                     "%s; the collected data is lost, because neither a "
                     "temporary file nor standard output can be written",
                     cause.message);
    }
    dj_text_finish(&saved_path);
    return code;
}

int dj_output_write_or_save(const char *path, const struct dj_text *text,
                            struct dj_error *err)
{
    return dj_output_produce_or_save(path, write_text, (void *)text, err);
}

int dj_output_print(const struct dj_text *text, struct dj_error *err)
{
    return dj_output_write(NULL, text, err);
}
