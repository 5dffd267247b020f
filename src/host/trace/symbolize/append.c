#include "trace/symbolize/append.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/stream.h"
#include "trace/mapped_file.h"
#include "trace/perfetto/fields.h"
#include "trace/perfetto/read.h"

int dj_append_check(const char *input, struct dj_error *err)
{
    struct dj_trace_file file;
    int code = dj_trace_file_open(input, &file, err);
    if (code != 0) {
        return code;
    }
    bool is_perfetto = file.size > 0 && dj_perfetto_sniff(file.bytes, file.size, true);
    dj_trace_file_close(&file);
    return is_perfetto
               ? 0
               : dj_error_set(err, DJ_E_UNSUPPORTED,
                              "%s: expected a Perfetto trace that is not compressed; "
                              "'dejank trace read %s -o FILE.pftrace' converts other "
                              "traces",
                              input, input);
}

/* Returns the size of the file up to its last complete field. A truncated field at the
 * end is excluded. */
static size_t measure_whole(const struct dj_trace_file *file)
{
    struct dj_proto_message message = {file->bytes, file->bytes + file->size, false};
    struct dj_proto_field field;
    struct dj_trace_file_trail trail = {NULL, file->mapped};
    const uint8_t *whole = file->bytes;
    while (dj_proto_next(&message, &field)) {
        whole = message.at;
        dj_trace_file_free_before(&trail, whole);
    }
    return (size_t)(whole - file->bytes);
}

/* Gives the new file the owner and the permissions of the file that it replaces. Only
 * root may set the owner, so a failure is no error. */
static void copy_permissions(const char *output, int fd)
{
    struct stat status;
    if (stat(output, &status) == 0 && S_ISREG(status.st_mode)) {
        int result = fchown(fd, status.st_uid, status.st_gid);
        result = fchmod(fd, status.st_mode & 0777) | result;
        (void)result;
    }
}

static int write_packets(const struct dj_trace_file *file, size_t whole, int fd,
                         const char *output, struct dj_str packets, struct dj_error *err)
{
    int failure = dj_output_stream_write_all(fd, (const char *)file->bytes, whole);
    failure = failure != 0 ? failure
                           : dj_output_stream_write_all(fd, packets.at, packets.length);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", output,
                                       strerror(failure));
}

int dj_append_packets(const char *input, const char *output, struct dj_str packets,
                      uint64_t *incomplete, struct dj_error *err)
{
    struct dj_trace_file file;
    struct dj_output_stream stream;
    int code = dj_trace_file_open(input, &file, err);
    if (code != 0) {
        return code;
    }
    code = dj_output_stream_open(&stream, output, err);
    if (code == 0) {
        size_t whole = measure_whole(&file);
        *incomplete = file.size - whole;
        copy_permissions(output, stream.fd);
        code = write_packets(&file, whole, stream.fd, output, packets, err);
        if (code == 0) {
            code = dj_output_stream_commit(&stream, err);
        } else {
            dj_output_stream_discard(&stream);
        }
    }
    dj_trace_file_close(&file);
    return code;
}
