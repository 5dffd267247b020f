#include "cli/text_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output_file.h"

static void open_file(struct dj_text_spool *spool)
{
    const char *folder = getenv("TMPDIR");
    const char *const folders[] = {folder != NULL ? folder : "/var/tmp", "/var/tmp",
                                   "/tmp"};
    int fd = -1;
    for (size_t i = 0; i < COUNT_OF(folders) && fd < 0; i++) {
        fd = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    }
    spool->fd = fd + 1;
    spool->nowhere = fd < 0;
}

int dj_text_spool_settle(struct dj_text_spool *spool, struct dj_error *err)
{
    if (spool->text.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    if (spool->text.length <= DJ_TEXT_SPOOL_HELD || spool->nowhere) {
        return 0;
    }
    if (spool->fd == 0) {
        open_file(spool);
    }
    if (spool->nowhere) {
        return 0;
    }
    int failure =
        dj_output_write_all(spool->fd - 1, spool->text.data, spool->text.length);
    dj_text_clear(&spool->text);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_OUTPUT,
                                       "cannot put the result aside in a file: %s",
                                       strerror(failure));
}

static int copy_file(int from, int to)
{
    static char bytes[64 << 10];
    if (lseek(from, 0, SEEK_SET) != 0) {
        return errno;
    }
    for (;;) {
        ssize_t got = read(from, bytes, sizeof(bytes));
        if (got == 0) {
            return 0;
        }
        if (got < 0 && errno != EINTR) {
            return errno;
        }
        int failure = got > 0 ? dj_output_write_all(to, bytes, (size_t)got) : 0;
        if (failure != 0) {
            return failure;
        }
    }
}

int dj_text_spool_copy(struct dj_text_spool *spool, int to)
{
    int failure = spool->fd > 0 ? copy_file(spool->fd - 1, to) : 0;
    return failure == 0
               ? dj_output_write_all(to, dj_text_get(&spool->text), spool->text.length)
               : failure;
}

void dj_text_spool_finish(struct dj_text_spool *spool)
{
    if (spool->fd > 0) {
        close(spool->fd - 1);
    }
    dj_text_finish(&spool->text);
    *spool = (struct dj_text_spool){0};
}
