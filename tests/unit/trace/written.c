#include "written.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int written_open(void)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);
    cr_assert_geq(fd, 0);
    return fd;
}

struct written written_read_bytes(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    struct written written = {malloc((size_t)size + 1), (size_t)size};
    cr_assert_not_null(written.bytes);
    cr_assert_eq(pread(fd, written.bytes, written.size, 0), (ssize_t)size);
    close(fd);
    return written;
}

struct written written_pftrace(const struct dj_event *events, size_t count,
                               const struct dj_trace_origin *origin)
{
    static const struct dj_trace_origin unknown = {.kernel = NULL};
    struct dj_error err = {0};
    int fd = written_open();
    struct dj_trace_writer *writer =
        dj_trace_writer_create(fd, "it", origin != NULL ? origin : &unknown);
    struct dj_event_sink sink = dj_trace_writer_get_sink(writer);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(sink.take(sink.user, &events[i]), 0);
    }
    cr_assert_eq(dj_trace_writer_end(writer, &err), 0, "%s", err.message);
    dj_trace_writer_destroy(writer);
    return written_read_bytes(fd);
}

struct dj_perfetto_summary written_read(const struct written *written,
                                        struct dj_event_sink sink)
{
    struct dj_perfetto_summary summary = {0};
    const struct dj_perfetto_file file = {.bytes = written->bytes, .size = written->size};
    cr_assert_eq(dj_perfetto_read(&file, sink, &summary), 0);
    cr_assert_eq(summary.damaged, 0);
    return summary;
}
