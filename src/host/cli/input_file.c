#include "cli/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const size_t MOST_BYTES = (size_t)4 << 30;

const char *dj_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static int read_all(int fd, const char *path, struct dj_text *text, struct dj_error *err)
{
    char chunk[1 << 16];
    text->maximum = MOST_BYTES;
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof(chunk));
        if (got == 0) {
            return 0;
        }
        if (got < 0 && errno != EINTR) {
            return dj_error_set(err, DJ_E_IO, "cannot read %s: %s", dj_input_name(path),
                                strerror(errno));
        }
        dj_text_append(text, chunk, got < 0 ? 0 : (size_t)got);
        if (text->failed) {
            return dj_error_set(err, DJ_E_LIMIT,
                                "%s is larger than the 4 GiB that are read",
                                dj_input_name(path));
        }
    }
}

int dj_input_read(const char *path, struct dj_text *text, struct dj_error *err)
{
    if (strcmp(path, "-") == 0) {
        return read_all(STDIN_FILENO, path, text, err);
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    int result = read_all(fd, path, text, err);
    close(fd);
    return result;
}
