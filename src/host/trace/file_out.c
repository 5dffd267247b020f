#include "trace/file_out.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

int dj_file_out_init(struct dj_file_out *out, int fd, const char *name,
                     struct dj_error *err)
{
    *out = (struct dj_file_out){.fd = fd};
    out->name = dj_text_copy(name, strlen(name));
    return out->name != NULL ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

void dj_file_out_finish(struct dj_file_out *out)
{
    free(out->name);
    dj_text_finish(&out->text);
    *out = (struct dj_file_out){.fd = -1};
}

static void write_all(struct dj_file_out *out)
{
    const char *at = out->text.data;
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
}

/* A text that failed has lost bytes: nothing behind them would make sense. */
static int state_of(const struct dj_file_out *out)
{
    return out->failure == ENOMEM ? DJ_E_NO_MEMORY : out->failure != 0 ? DJ_E_OUTPUT : 0;
}

static int write_out(struct dj_file_out *out)
{
    if (out->text.failed && out->failure == 0) {
        out->failure = ENOMEM;
    }
    write_all(out);
    dj_text_clear(&out->text);
    return state_of(out);
}

int dj_file_out_go_on(struct dj_file_out *out)
{
    return out->text.length < PIECE && !out->text.failed ? state_of(out) : write_out(out);
}

int dj_file_out_flush(struct dj_file_out *out, struct dj_error *err)
{
    int code = write_out(out);
    return code == DJ_E_NO_MEMORY
               ? dj_error_set(err, code, "out of memory for %s", out->name)
           : code != 0 ? dj_error_set(err, code, "cannot write %s: %s", out->name,
                                      strerror(out->failure))
                       : 0;
}
