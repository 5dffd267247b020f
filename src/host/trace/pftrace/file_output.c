#include "trace/pftrace/writer_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"

enum { PIECE = 1 << 16 };

void dj_file_output_init(struct dj_file_output *out, int fd, const char *name)
{
    *out = (struct dj_file_output){.fd = fd, .name = dj_xstrdup(name)};
}

void dj_file_output_finish(struct dj_file_output *out)
{
    free(out->name);
    dj_text_finish(&out->text);
    *out = (struct dj_file_output){.fd = -1};
}

static void write_all(struct dj_file_output *out)
{
    const char *at = dj_xtext(&out->text);
    for (size_t left = out->text.length; left > 0 && out->failure == 0;) {
        ssize_t wrote = write(out->fd, at, left);
        if (wrote > 0) {
            at += wrote;
            left -= (size_t)wrote;
            out->written += (uint64_t)wrote;
        } else if (wrote == 0) {
            out->failure = ENOSPC;
        } else if (errno != EINTR) {
            out->failure = errno;
        }
    }
    dj_text_clear(&out->text);
}

int dj_file_output_write_if_large(struct dj_file_output *out)
{
    if (out->text.length >= PIECE || out->text.failed) {
        write_all(out);
    }
    return out->failure == 0 ? 0 : DJ_E_OUTPUT;
}

int dj_file_output_flush(struct dj_file_output *out, struct dj_error *err)
{
    write_all(out);
    return out->failure == 0 ? 0
                             : dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s",
                                            out->name, strerror(out->failure));
}
