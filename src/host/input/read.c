#include "input/read.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"

static const size_t MOST_BYTES = (size_t)4 << 30;

const char *dj_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

enum { PATIENCE_MS = 1000 };

/* Returns whether `path` is a named pipe that may have no writer. A symbolic link to a
 * pipe does not count: it is `<(…)` of a shell, and a process already writes to this
 * pipe. */
static bool is_named_pipe(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* Returns a descriptor if `path` is a terminal ("-", /dev/stdin or /dev/tty), or −1. */
static int open_terminal(const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        return isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
    }
    if (stat(path, &status) != 0 || !S_ISCHR(status.st_mode)) {
        return -1;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && !isatty(fd)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void dj_input_await(const char *path, const struct dj_messages *messages)
{
    if (is_named_pipe(path)) {
        dj_message(messages, "%s is a pipe: waiting for a program that writes to it",
                   path);
        return;
    }
    int fd = open_terminal(path);
    struct pollfd input = {.fd = fd, .events = POLLIN};
    if (fd >= 0 && poll(&input, 1, PATIENCE_MS) == 0) {
        dj_message(messages, "reading from the terminal; press Ctrl-D to end the input");
    }
    if (fd > STDIN_FILENO) {
        close(fd);
    }
}

int dj_input_read_part(struct dj_input_reader *reader, struct dj_text *text,
                       struct dj_error *err)
{
    const char *bytes;
    size_t length = 1;
    int code = 0;
    while (code == 0 && length > 0 && !text->full) {
        code = dj_input_read(reader, &bytes, &length, err);
        dj_text_append(text, bytes, code == 0 ? length : 0);
        dj_xtext(text);
    }
    return code;
}

int dj_input_read_first(const char *path, struct dj_text *text,
                        enum dj_input_part_kind *kind, const struct dj_messages *messages,
                        struct dj_error *err)
{
    struct dj_input_reader *reader = NULL;
    struct dj_input_part part = {0};
    dj_input_await(path, messages);
    int code = dj_input_open(&reader, path, err);
    code = code == 0 ? dj_input_next(reader, &part, err) : code;
    if (code == 0 && part.kind != DJ_PART_NONE) {
        code = dj_input_read_part(reader, text, err);
    }
    *kind = part.kind;
    dj_input_close(reader);
    return code;
}

int dj_input_read_whole(const char *path, struct dj_text *text,
                        const struct dj_messages *messages, struct dj_error *err)
{
    enum dj_input_part_kind kind;
    text->maximum = MOST_BYTES;
    int code = dj_input_read_first(path, text, &kind, messages, err);
    return code == 0 && text->full
               ? dj_error_set(err, DJ_E_LIMIT, "%s is larger than the maximum of %zu GiB",
                              dj_input_name(path), MOST_BYTES >> 30)
               : code;
}
