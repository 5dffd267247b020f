/* A running command on a device behind the adb server. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/adb/device.h"

#define START_NS (10 * DJ_SECOND_NS)

enum { PIECE = 32 * 1024 };

struct adb_process {
    struct dj_device_process base;
    int fd;
    bool is_v2, accepts_input;
    struct dj_adb_shell_decoder decoder;
    /* The last bytes of the output, if they may be the beginning of the exit mark. Unused
     * with shell v2. */
    struct dj_text pending;
};

/* Decodes packets of shell v2 and appends their contents to `out` and `err_text`. */
static int decode_v2(struct adb_process *adb, const char *bytes, size_t length,
                     struct dj_text *out, struct dj_text *err_text, struct dj_error *err)
{
    struct dj_device_result decoded = {0};
    int code = dj_adb_decode_shell(&adb->decoder, bytes, length, &decoded, err);
    dj_text_append(out, dj_text_get(&decoded.out), decoded.out.length);
    dj_text_append(err_text, dj_text_get(&decoded.err), decoded.err.length);
    if (adb->decoder.ended) {
        adb->base.ended = true;
        adb->base.exit_code = decoded.exit_code;
    }
    dj_device_result_finish(&decoded);
    return code;
}

static void append_plain(struct adb_process *adb, const char *bytes, size_t length,
                         struct dj_text *out)
{
    dj_text_append(&adb->pending, bytes, length);
    size_t keep = dj_adb_find_exit_mark(dj_text_get(&adb->pending), adb->pending.length);
    dj_text_append(out, dj_text_get(&adb->pending), keep);
    memmove(adb->pending.data, adb->pending.data + keep, adb->pending.length - keep + 1);
    adb->pending.length -= keep;
}

static int end_plain(struct adb_process *adb, struct dj_text *out, struct dj_error *err)
{
    struct dj_device_result pending = {.out = adb->pending};
    int code = dj_adb_remove_exit_mark(&pending, err);
    adb->pending = pending.out;
    dj_text_append(out, dj_text_get(&adb->pending), adb->pending.length);
    dj_text_clear(&adb->pending);
    adb->base.ended = code == 0;
    adb->base.exit_code = pending.exit_code;
    return code;
}

/* Receives output that is available. Does not block if at least one byte is available or
 * the stream has ended. */
static int receive_output(struct adb_process *adb, struct dj_text *out,
                          struct dj_text *err_text, struct dj_error *err)
{
    char buffer[65536];
    size_t got = 0;
    const struct dj_deadline deadline =
        dj_deadline_in(START_NS, &adb->base.device->interrupt);
    int code = dj_adb_read(adb->fd, buffer, sizeof(buffer), &deadline, &got, err);
    if (code != 0) {
        return code;
    }
    if (adb->is_v2) {
        return got > 0
                   ? decode_v2(adb, buffer, got, out, err_text, err)
                   : dj_error_set(err, DJ_E_GONE,
                                  "the device was disconnected before the command ended");
    }
    if (got == 0) {
        return end_plain(adb, out, err);
    }
    append_plain(adb, buffer, got, out);
    return 0;
}

static int adb_read(struct dj_device_process *process, int64_t timeout_ns,
                    struct dj_text *out, struct dj_text *err_text, struct dj_error *err)
{
    struct adb_process *adb = (struct adb_process *)process;
    size_t before = out->length + err_text->length;
    int64_t end_ns = dj_host_now_ns() + timeout_ns;
    int code = 0;
    while (code == 0 && !process->ended && out->length + err_text->length == before) {
        struct pollfd wait = {.fd = adb->fd, .events = POLLIN};
        int ready = dj_interrupt_poll(&process->device->interrupt,
                                      end_ns - dj_host_now_ns(), &wait, 1, err);
        if (ready == 0) {
            return 0;
        }
        code = ready < 0 ? ready : receive_output(adb, out, err_text, err);
        if (code == 0 && (out->failed || err_text->failed)) {
            code = dj_error_set(
                err, DJ_E_LIMIT,
                "the command wrote more output at once than dejank can store");
        }
    }
    if (code != 0) {
        dj_error_prepend(err, "%s", process->device->name);
    }
    return code;
}

static int send_packet(struct adb_process *adb, uint8_t id, const char *bytes,
                       size_t size, struct dj_error *err)
{
    char packet[5 + PIECE] = {(char)id};
    uint32_t little_endian = htole32((uint32_t)size);
    const struct dj_deadline deadline =
        dj_deadline_in(DJ_DEVICE_WRITE_NS, &adb->base.device->interrupt);
    memcpy(packet + 1, &little_endian, sizeof(little_endian));
    if (size > 0) {
        memcpy(packet + 5, bytes, size);
    }
    size_t skipped = adb->is_v2 ? 0 : 5;
    return dj_adb_write(adb->fd, packet + skipped, 5 + size - skipped, &deadline, err);
}

static int adb_write(struct dj_device_process *process, const void *bytes, size_t size,
                     struct dj_error *err)
{
    struct adb_process *adb = (struct adb_process *)process;
    const char *at = bytes;
    int code = 0;
    if (!adb->accepts_input) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s: cannot send input to the command: either the device is "
                            "older than Android 5, or the input is already closed",
                            process->device->name);
    }
    while (code == 0 && size > 0) {
        size_t piece = size < PIECE ? size : PIECE;
        code = send_packet(adb, DJ_SHELL_STDIN, at, piece, err);
        at += piece;
        size -= piece;
    }
    return code;
}

static int adb_end_input(struct dj_device_process *process, struct dj_error *err)
{
    struct adb_process *adb = (struct adb_process *)process;
    if (!adb->accepts_input) {
        return 0;
    }
    adb->accepts_input = false;
    return adb->is_v2
               ? send_packet(adb, DJ_SHELL_CLOSE_STDIN, NULL, 0, err)
               : dj_error_set(
                     err, DJ_E_UNSUPPORTED,
                     "%s: adb cannot close the input of a command before Android 7",
                     process->device->name);
}

static void adb_close(struct dj_device_process *process)
{
    struct adb_process *adb = (struct adb_process *)process;
    close(adb->fd);
    dj_text_finish(&adb->pending);
    free(adb);
}

static const struct dj_device_process_ops adb_ops = {
    .read = adb_read,
    .write = adb_write,
    .end_input = adb_end_input,
    .close = adb_close,
};

/* Starts a command on a device without shell v2. The service "exec:" connects the
 * command to a pipe. The service "shell:" connects it to a terminal, which would echo
 * the input. */
static int open_plain(const struct dj_adb_device *device, const char *const *argv,
                      const struct dj_deadline *deadline, struct adb_process *adb,
                      struct dj_error *err)
{
    static const char *const services[] = {"exec:", "shell:"};
    int code = 0;
    for (size_t i = 0; i < 2; i++) {
        struct dj_error why = {0};
        adb->accepts_input = i == 0;
        code = dj_adb_open_command(device, services[i], argv, DJ_SHELL_PRINT_EXIT_MARK,
                                   deadline, &adb->fd, &why);
        if (code == 0 || strstr(why.message, "closed") == NULL) {
            return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
        }
    }
    return dj_error_set(err, code, "its adbd refuses both exec: and shell:");
}

int dj_adb_start(struct dj_device *device, const char *const *argv,
                 struct dj_device_process **process, struct dj_error *err)
{
    const struct dj_adb_device *from = (struct dj_adb_device *)device;
    const struct dj_deadline deadline = dj_deadline_in(START_NS, &device->interrupt);
    struct adb_process *adb = calloc(1, sizeof(*adb));
    if (adb == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    adb->base.ops = &adb_ops;
    adb->base.device = device;
    adb->is_v2 = from->shell_v2;
    adb->accepts_input = true;
    /* The service runs a shell. The word "exec" replaces that shell by the command, so
     * that the command itself receives the SIGHUP from adbd. */
    int code = adb->is_v2 ? dj_adb_open_command(from, "shell,v2,raw:exec ", argv, "",
                                                &deadline, &adb->fd, err)
                          : open_plain(from, argv, &deadline, adb, err);
    if (code != 0) {
        dj_error_prepend(err, "%s", device->name);
        free(adb);
        return code;
    }
    *process = &adb->base;
    return 0;
}
