/* Connects to a TCP port of a device behind adb. The adbd of the device opens the
 * connection, so no `adb forward` is needed. */
#include <unistd.h>

#include "device/adb/device.h"

struct connection {
    struct dj_device_process base;
    int fd;
};

static int read_connection(struct dj_device_process *process, int64_t timeout_ns,
                           struct dj_text *out, struct dj_text *err_text,
                           struct dj_error *err)
{
    struct connection *connection = (struct connection *)process;
    (void)err_text;
    const struct dj_deadline deadline =
        dj_deadline_in(DJ_SECOND_NS, &process->device->interrupt);
    struct pollfd wait = {.fd = connection->fd, .events = POLLIN};
    char buffer[4096];
    size_t got = 0;
    int code = dj_interrupt_poll(&process->device->interrupt, timeout_ns, &wait, 1, err);
    if (code > 0) {
        code = dj_adb_read(connection->fd, buffer, sizeof(buffer), &deadline, &got, err);
        process->ended = code == 0 && got == 0;
        process->exit_code = 0;
        dj_text_append(out, buffer, got);
    }
    if (code == 0 && out->failed) {
        code =
            dj_error_set(err, DJ_E_LIMIT,
                         "the connection sent more data at once than dejank can store");
    }
    if (code != 0) {
        dj_error_prepend(err, "%s", process->device->name);
    }
    return code;
}

static int write_connection(struct dj_device_process *process, const void *bytes,
                            size_t size, struct dj_error *err)
{
    struct connection *connection = (struct connection *)process;
    const struct dj_deadline deadline =
        dj_deadline_in(DJ_DEVICE_WRITE_NS, &process->device->interrupt);
    return dj_adb_write(connection->fd, bytes, size, &deadline, err);
}

static int end_input(struct dj_device_process *process, struct dj_error *err)
{
    (void)process;
    return dj_error_set(err, DJ_E_UNSUPPORTED,
                        "adb cannot end only one direction of a connection");
}

static void close_connection(struct dj_device_process *process)
{
    struct connection *connection = (struct connection *)process;
    close(connection->fd);
    free(connection);
}

static const struct dj_device_process_ops connection_ops = {
    .read = read_connection,
    .write = write_connection,
    .end_input = end_input,
    .close = close_connection,
};

int dj_adb_connect(struct dj_device *device, int port,
                   struct dj_device_process **connection, struct dj_error *err)
{
    const struct dj_adb_device *adb = (struct dj_adb_device *)device;
    const struct dj_deadline deadline =
        dj_deadline_in(DJ_DEVICE_WRITE_NS, &device->interrupt);
    struct connection *created = calloc(1, sizeof(*created));
    char service[32];
    if (created == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    snprintf(service, sizeof(service), "tcp:%d", port);
    created->base = (struct dj_device_process){
        .ops = &connection_ops, .device = device, .exit_code = -1};
    int code = dj_adb_open_service(&adb->address, device->name, service, &deadline,
                                   &created->fd, err);
    if (code != 0) {
        dj_error_prepend(err, "%s", device->name);
        free(created);
        return code;
    }
    *connection = &created->base;
    return 0;
}
