#include "dumpsys/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool dj_output_write(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return false;
        }
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

int dj_output_print_text(struct dj_text *text)
{
    struct dj_error err = {0};
    if (text->full) {
        dj_error_set(&err, DJ_E_LIMIT,
                     "the text is longer than the limit of %zu bytes and is not printed",
                     text->maximum);
    } else if (text->failed) {
        dj_error_set(&err, DJ_E_NO_MEMORY,
                     "out of memory: a part of the dump is not printed");
    } else if (!dj_output_write(STDOUT_FILENO, dj_text_get(text), text->length)) {
        dj_error_set(&err, DJ_E_IO, "cannot write the dump: %s", strerror(errno));
    }
    dj_text_finish(text);
    if (err.code != 0) {
        dj_output_report_error(&err);
        return DJ_OUTPUT_FAILED;
    }
    return 0;
}

void dj_output_write_message(const char *text)
{
    (void)dj_output_write(STDERR_FILENO, text, strlen(text));
}

void dj_output_report_error(const struct dj_error *err)
{
    struct dj_text line = {0};
    dj_text_add(&line, "dumpsys: ");
    dj_text_append_escaped(&line, err->message, strlen(err->message));
    dj_text_add(&line, "\n");
    (void)dj_output_write(STDERR_FILENO, dj_text_get(&line), line.length);
    dj_text_finish(&line);
}

void dj_output_report_callback(const struct dj_error *err, void *unused)
{
    (void)unused;
    dj_output_report_error(err);
}

int dj_output_report_no_service(const char *name)
{
    struct dj_text line = {0};
    dj_text_add(&line, "Can't find service: ");
    dj_text_append_escaped_name(&line, name);
    dj_text_add(&line, "\n");
    dj_output_write(STDERR_FILENO, dj_text_get(&line), line.length);
    dj_text_finish(&line);
    return 0;
}
